// SPDX-License-Identifier: BSD-3-Clause
// The sweep by halving, then a duel of its winner against the default: only a clear win is kept.
#include "app/lab/tuner.h"

#include "app/engine/core/error.h"
#include "app/engine/core/progress.h"
#include "app/engine/engine.h"
#include "app/engine/gpu/context.h"
#include "app/lab/bench_file.h"
#include "app/lab/catalog.h"

namespace fathom::bench {
namespace {

// A clear win: at most this share of the default's time, and further from it than the noise.
constexpr double kClearShare = 0.97, kClearSigmas = 2;

/// Times of the best variant and of the default, measured alternately, as often as the sweep
/// measured the best: a machine that is faster for a while is faster for both. Empty when the
/// default is the best or fails its check.
struct Duel {
  std::vector<double> best, standard;
};
Duel duel(TuneWorkload& workload, const VariantSweep& sweep, const Variant& best,
          const Variant& standard) {
  const VariantSpace& space = workload.space();
  if (best == standard) return {};
  for (const auto& row : sweep.rows())
    if (row.variant == space.index(standard) && row.state == VariantSweep::State::Failed) return {};
  Duel times;
  const std::size_t rounds = sweep.rows()[std::size_t(sweep.best())].ms.size();
  for (std::size_t round = 0; round < rounds; ++round) {
    if (round % 2) times.best.push_back(workload.timeMs(best));
    times.standard.push_back(workload.timeMs(standard));
    if (round % 2 == 0) times.best.push_back(workload.timeMs(best));
  }
  return times;
}

/// Chooses the winner of the sweep, or the default where that is not clearly slower: a variant that
/// is as fast today may be slower tomorrow, or with another picture.
void decide(const Tunable& tunable, const Variant& standard, TuneWorkload& workload,
            TuneResult& result) {
  const VariantSpace& space = *tunable.space;
  const VariantSweep::Row& row = result.sweep.rows()[std::size_t(result.sweep.best())];
  const Variant best = allVariants(space)[std::size_t(row.variant)];
  TunedVariant& tuned = result.tuned;
  tuned.best = space.id(best);
  tuned.bestMs = row.medianMs();
  if (best == standard) tuned.defaultMs = tuned.bestMs;
  const Duel times = duel(workload, result.sweep, best, standard);
  if (times.best.empty()) return;
  tuned.bestMs = summarize(times.best).median;
  tuned.defaultMs = summarize(times.standard).median;
  const TimeRatio ratio = ratioOf(times.best, times.standard);
  if (ratio.ratio <= kClearShare && std::log(ratio.ratio) < -kClearSigmas * ratio.noise) return;
  tuned.best = space.id(standard);
  tuned.bestMs = tuned.defaultMs;
}

/// A profile entry without its result: device, workload, size, shaders, date.
TunedVariant tuneKeyOf(gpu::Context& gpu, const Tunable& tunable, const TuneRequest& request) {
  const TuneKey key = tunable.key(gpu, request);
  const gpu::Device& device = gpu.device();
  return {tunable.technique,
          device.vendor,
          device.renderer,
          device.version,
          key.workload,
          sizeClassOf(key.size.x, key.size.y),
          key.templateHash,
          key.backEnd,
          {},
          0,
          0,
          dateOfToday()};
}

}  // namespace

std::vector<const Tunable*> tunablesNamed(const std::vector<std::string>& names) {
  std::vector<const Tunable*> all, chosen;
  for (const TechniqueEntry& entry : techniques())
    for (const Tunable& tunable : tunablesOf(entry.info.name)) all.push_back(&tunable);
  if (names.empty()) return all;
  std::vector<std::string> known;
  for (const Tunable* tunable : all) known.push_back(tunable->technique);
  for (const std::string& name : names) {
    const auto at = std::find(known.begin(), known.end(), name);
    if (at == known.end())
      failUsage("\"{}\" cannot be tuned, only {}", name, fmt::join(known, " and "));
    chosen.push_back(all[std::size_t(at - known.begin())]);
  }
  return chosen;
}

TuneResult tune(gpu::Context& gpu, const Tunable& tunable, const TuneRequest& request,
                Progress& progress) {
  const VariantSpace& space = *tunable.space;
  const std::vector<int> variants = tunable.competitors(request.workload);
  TuneResult result{tuneKeyOf(gpu, tunable, request),
                    VariantSweep(variants, VariantSweep::halving(variants.size()), request.seed),
                    true};
  VariantSweep& sweep = result.sweep;
  const std::unique_ptr<TuneWorkload> workload = tunable.make(gpu, request, progress);
  const std::vector<Variant> all = allVariants(space);
  progress.begin(fmt::format("tune {} {}", tunable.technique, request.workload),
                 double(sweep.total()));
  while (!sweep.finished()) {
    if (progress.cancelled()) {
      result.complete = false;
      break;
    }
    const VariantSweep::Step step = sweep.next();
    const Variant& variant = all[std::size_t(sweep.rows()[step.row].variant)];
    if (step.check) {
      const CheckResult checked = workload->check(variant);
      if (!checked.passed) log::warn("left out: {}", checked.detail);
      sweep.checked(checked.passed, checked.detail);
    } else {
      sweep.timed(workload->timeMs(variant));
    }
    if (!progress.cancelled()) progress.advance(1);
  }
  if (sweep.best() >= 0)
    decide(tunable, tunable.standard(gpu, request.workload), *workload, result);
  return result;
}

}  // namespace fathom::bench
