// SPDX-License-Identifier: BSD-3-Clause
// What lists cost and what they are worth: the counterpart of the paper's Table 3, which times the
// transfer of lists made elsewhere. The paper's window rule beside bounded lists and the guaranteed
// budget: mean length, evaluations per pixel with cell masks, the error against all components, and
// the certificate where there is one.
#include "app/techniques/smoe/bench_checks.h"
#include "app/techniques/smoe/bench_models.h"
#include "app/techniques/smoe/bench_paper.h"
#include "app/techniques/smoe/bench_parts.h"

#include <cmath>

namespace fathom::smoe {
namespace {

struct Rule {
  std::string label;
  DecodeOptions options;
};

std::vector<Rule> rules(int tilePixels) {
  std::vector<Rule> list;
  for (const int border : {16, 32, 64}) {
    DecodeOptions o;
    o.relevance = Relevance::Window, o.windowBorder = border, o.masks = false;
    list.push_back({fmt::format("window {}", border), o});
  }
  for (const Relevance relevance : {Relevance::Bounded, Relevance::Budget})
    for (const int bits : {8, 10, 12, 14}) {
      DecodeOptions o;
      o.relevance = relevance, o.bits = bits;
      list.push_back(
          {fmt::format("{} {}", relevance == Relevance::Bounded ? "bounded" : "budget", bits), o});
    }
  for (Rule& rule : list) rule.options.tilePixels = tilePixels;
  return list;
}

/// A bounded list must pass the strict test of its bits and stay below its certificate; the window
/// rule promises nothing.
CheckResult checkLists(Decoder& decoder, const DecodeOptions& options,
                   std::span<const glm::dvec3> truth, const ViewWindow& window) {
  constexpr double kRounding = 2e-5;  // of the records on the GPU
  const Accuracy a = accuracyOf(rawColors(decoder, window), truth);
  const ListFacts& facts = decoder.facts();
  CheckResult checked{true,
                  fmt::format("kpb {:.1f}, {:.1f} evaluations, max {}", facts.kpb,
                              facts.evaluationsPerSample, shortNumber(a.max)),
                  "",
                  {{kKpbValue, facts.kpb},
                   {"evaluations per pixel", facts.evaluationsPerSample},
                   {"max error", a.max}}};
  if (options.relevance == Relevance::Window) return checked;
  checked.how += fmt::format(", certificate {}", shortNumber(facts.maxErrorBound));
  checked.passed =
      a.maxClamped < std::exp2(-(options.bits + 1)) && a.max <= facts.maxErrorBound + kRounding;
  checked.detail = a.text();
  return checked;
}

void measureModel(BenchRun& run, const std::string& name, const Model& model) {
  Decoder decoder(run.gpu());
  ViewWindow window;
  window.size = {model.width, model.height};
  const auto truth = reference::decode(reference::recordsOf(model, {}), gridOf(window));
  std::vector<int> tiles{8, 16, 32};
  if (run.scale() == BenchScale::Quick) tiles = {16};
  for (const int tilePixels : tiles)
    for (const Rule& rule : rules(tilePixels)) {
      if (tilePixels != 16 && rule.options.relevance == Relevance::Window) continue;
      decoder.setModel(model);
      BenchCase c;
      c.workload = fmt::format("{} K = {}, tiles of {}", name, model.components.size(), tilePixels);
      c.label = rule.label;
      c.size = window.size;
      c.work = double(model.components.size());
      c.paper = {
          {kTable3, fmt::format("{}: {}", name, rule.label), fmt::format("{}", tilePixels), {}}};
      c.reset = [&] { decoder.setModel(model); };
      c.trial = [&] { buildAll(decoder, window, rule.options); };
      c.check = [&] { return checkLists(decoder, rule.options, truth, window); };
      run.measure(c);
    }
}

void runLists(BenchRun& run) {
  measureModel(run, "Lena-like", lenaLike(run));
  measureModel(run, "Car-like", carLike(run));
}

}  // namespace

Bench listsBench() {
  return {"smoe.lists",
          "Building lists: the paper's window rule, bounded, and budget.",
          "Avramelos, table 3",
          "components",
          {},
          runLists,
          {table3()}};
}

}  // namespace fathom::smoe
