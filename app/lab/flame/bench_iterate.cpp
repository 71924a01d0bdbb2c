// SPDX-License-Identifier: BSD-3-Clause
// How fast the chaos game is, end to end in each mode of accumulation, and what adding up a log of
// hits takes of that. Genomes are random; each case is held against the reference before it
// is timed.
#include "app/lab/flame/bench.h"
#include "app/lab/flame/bench_checks.h"
#include "app/window/flame/random.h"
#include "app/engine/flame/render/sampler.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>

namespace fathom::flame {
namespace {

constexpr int kGenomes = 3;

Genome genomeNumber(BenchRun& run, int i, glm::ivec2 size) {
  Genome genome = randomGenome(run.seed() + std::uint64_t(i));
  genome.scale *= double(size.x) / genome.size.x;
  genome.size = size;
  genome.name = fmt::format("genome {}", run.seed() + std::uint64_t(i));
  return genome;
}

void runIterate(BenchRun& run) {
  const glm::ivec2 size = run.size({640, 360}, {1920, 1080}, {3840, 2160});
  const double samples = run.scale() == BenchScale::Quick ? 4e6 : 4e8;
  Settings settings;
  const auto describeAll = [&](FieldVisitor& field) { describe(settings, field); };
  for (int i = 0; i < kGenomes; ++i) {
    const Genome genome = genomeNumber(run, i, size);
    run.sweep(describeAll, [&] {
      Sampler sampler(run.gpu());
      double wanted = 0;
      BenchCase game;
      game.workload = genome.name;
      game.size = size;
      game.settings = valuesOf(describeAll);
      for (const FieldValue& value : game.settings)
        if (value.name == "accumulate") game.label = value.text;
      game.work = samples;
      game.trial = [&] {
        if (wanted == 0) sampler.start(genome, benchShape(genome), settings, run.seed());
        wanted += samples;
        while (!sampler.step(100, wanted)) {
        }
      };
      game.check = [&] { return checkShare(sampler, genome); };
      run.measure(game);
    });
  }
}

void runAccumulate(BenchRun& run) {
  const glm::ivec2 size = run.size({640, 360}, {1920, 1080}, {3840, 2160});
  const bool software = run.gpu().device().software;
  std::vector<std::pair<Replay, std::string>> replays{{Replay::Groups, "work groups"},
                                                      {Replay::Invocations, "invocations"}};
  if (software) replays.emplace_back(Replay::Host, "processor");
  Settings settings;
  settings.accumulate = Accumulate::Deferred;
  for (int i = 0; i < kGenomes; ++i)
    for (const auto& [replay, name] : replays) {
      const Genome genome = genomeNumber(run, i, size);
      SamplerForms forms;
      forms.replay = replay;
      Sampler sampler(run.gpu(), forms);
      sampler.start(genome, benchShape(genome), settings, run.seed());
      BenchCase add;
      add.workload = genome.name;
      add.label = name;
      add.size = size;
      const double entries = software ? double(1 << 21) : double(1 << 25);
      add.work = double(sampler.fillLog(entries).used());
      add.reset = [&] { sampler.fillLog(entries); };
      add.trial = [&] { sampler.replayLog(); };
      add.check = [&] { return checkShare(sampler, genome); };
      run.measure(add);
    }
}

}  // namespace

std::vector<Bench> iterateBenches() {
  return {{"flame.iterate",
           "Play the chaos game and add up its hits.",
           "Robertson 2011, section on accumulation",
           "iterations",
           {{"accumulate", {"direct", "atomic", "deferred"}}},
           runIterate},
          {"flame.accumulate",
           "Add the hits of a full log to the histogram.",
           "Robertson 2011, section on accumulation",
           "hits",
           {},
           runAccumulate}};
}

}  // namespace fathom::flame
