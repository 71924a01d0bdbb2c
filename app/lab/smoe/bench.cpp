// SPDX-License-Identifier: BSD-3-Clause
// The list of benchmarks, in the order in which it is printed, and two that the paper leaves out.
// Lists: its Table 3 times the transfer of lists made elsewhere; here its window rule is compared
// with bounded lists and the guaranteed budget, with mean length, evaluations per pixel with cell
// masks, the error against all components, and the certificate where there is one. Fits: what ten
// steps of gradient descent cost, and how good a model is after all stages.
#include "app/lab/smoe/bench.h"

#include "app/lab/smoe/workloads.h"

namespace fathom::smoe {

// ---- Lists

namespace {

struct Rule {
  std::string label;
  DecodeOptions options;
};

std::vector<Rule> rules(int tilePixels) {
  std::vector<Rule> list;
  for (const int border : {16, 32, 64}) {
    const DecodeOptions o{.relevance = Relevance::Window, .masks = false, .windowBorder = border};
    list.push_back({fmt::format("window {}", border), o});
  }
  for (const Relevance relevance : {Relevance::Bounded, Relevance::Budget})
    for (const int bits : {8, 10, 12, 14}) {
      const DecodeOptions o{.relevance = relevance, .bits = bits};
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
  const ViewWindow window{{model.width, model.height}};
  const auto truth = reference::decode(reference::recordsOf(model, {}), gridOf(window));
  std::vector<int> tiles{8, 16, 32};
  if (run.scale() == BenchScale::Quick) tiles = {16};
  for (const int tilePixels : tiles)
    for (const Rule& rule : rules(tilePixels)) {
      if (tilePixels != 16 && rule.options.relevance == Relevance::Window) continue;
      decoder.setModel(model);
      const std::size_t count = model.components.size();
      BenchCase c = makeCase(fmt::format("{} K = {}, tiles of {}", name, count, tilePixels),
                             rule.label, double(count), window.size);
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

// ---- Fits

constexpr int kDescentSteps = 10;

void toTheEnd(Fitter& fitter, Progress& progress) {
  while (!fitter.step(std::numeric_limits<double>::infinity(), progress)) {
  }
}

void measureFit(BenchRun& run, glm::ivec2 size, int components, int steps) {
  const auto training = std::make_shared<const TrainingSet>(benchPicture(size, 0.15f, 3));
  Fitter fitter(run.gpu(), training,
                {.components = components, .steps = steps, .seed = run.seed()});
  toTheEnd(fitter, run.progress());
  const double start = fitter.curve().front().psnr;
  const FitPoint end = fitter.curve().back();

  BenchCase c =
      makeCase(fmt::format("{} steps of descent", kDescentSteps), fmt::format("K = {}", components),
               double(kDescentSteps) * size.x * size.y, size);
  c.trial = [&] {
    fitter.continueFor(kDescentSteps);
    toTheEnd(fitter, run.progress());
  };
  c.check = [&] {
    return CheckResult{end.psnr > start + 1,
                       fmt::format("{:.2f} dB from {:.2f} dB after {} steps, {:.1f} s", end.psnr,
                                   start, steps, end.seconds),
                       fmt::format("{:.2f} dB from {:.2f} dB", end.psnr, start),
                       {{"PSNR dB", end.psnr}}};
  };
  run.measure(c);
}

void runFit(BenchRun& run) {
  if (run.scale() == BenchScale::Quick) return measureFit(run, {64, 64}, 60, 40);
  std::vector<int> counts{500, 2000};
  if (run.scale() == BenchScale::Paper) counts = {500, 2000, 8000, 20'000};
  for (const int count : counts) measureFit(run, {512, 512}, count, 1000);
}

}  // namespace

const std::vector<Bench>& benches() {
  static const std::vector<Bench> list{
      {"smoe.precision", "Errors of each way of decoding, against float64.", "pixels",
       runPrecision},
      {"smoe.block", "One block from given components: GPU, record loop and Eigen.", "evaluations",
       runBlock},
      {"smoe.lists", "Building lists: the paper's window rule, bounded, and budget.", "components",
       runLists},
      {"smoe.frame", "Whole frames of a tiled model, without and with list building.", "pixels",
       runFrame},
      {"smoe.fit", "Steps of gradient descent, and what a whole fit reaches.", "pixels", runFit},
      {"smoe.rate",
       "Quality of images (FILES) at bits per pixel, next to JPEG, WebP, JPEG XL and AVIF.",
       "pixels",
       runRate,
       {{"bpp", {"0.2", "0.35", "0.5", "0.75"}, {"3", "6"}}},
       true}};
  return list;
}

}  // namespace fathom::smoe
