// SPDX-License-Identifier: BSD-3-Clause
#include "app/bench/tuner.h"

#include "app/core/log.h"
#include "app/techniques/technique.h"

#include <algorithm>
#include <ctime>
#include <numeric>

namespace fathom::bench {
namespace {

constexpr double kClearly = 0.97;  // of the default's time

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
}

/// The default is measured as often as the best, so that the gain is one of like with like.
double defaultMedian(const gpu::Context& gpu, const Tunable& tunable, const TuneRequest& request,
                     TuneWorkload& workload, const gpu::VariantSweep& sweep) {
  const gpu::Variant variant = tunable.space->parse(tunable.defaultId(gpu, request.workload));
  const int index = tunable.space->index(variant);
  gpu::VariantSweep::Row row{index, {}, {}, {}};
  for (const auto& known : sweep.rows())
    if (known.variant == index) row = known;
  if (row.state == gpu::VariantSweep::State::Failed) return 0;
  const std::size_t wanted = sweep.rows()[std::size_t(sweep.best())].ms.size();
  while (row.ms.size() < wanted) row.ms.push_back(workload.timeMs(variant));
  return row.medianMs();
}

std::vector<int> competitors(const Tunable& tunable, const TuneRequest& request) {
  if (tunable.variants) return tunable.variants(request.workload);
  std::vector<int> counted(std::size_t(tunable.space->count()));
  std::iota(counted.begin(), counted.end(), 0);
  return counted;
}

}  // namespace

std::vector<const Tunable*> tunablesNamed(const std::vector<std::string>& names) {
  std::vector<const Tunable*> all, chosen;
  for (const TechniqueEntry& entry : techniques())
    if (entry.tunables)
      for (const Tunable& tunable : entry.tunables()) all.push_back(&tunable);
  if (names.empty()) return all;
  std::vector<std::string> known;
  for (const Tunable* tunable : all) known.push_back(tunable->technique);
  for (const std::string& name : names) {
    const auto at = std::find(known.begin(), known.end(), name);
    if (at == known.end()) {
      const std::string nearest = nearestName(name, known);
      throw UsageError(fmt::format("nothing to tune in \"{}\", {}", name,
                                   nearest.empty()
                                       ? fmt::format("there is {}", fmt::join(known, ", "))
                                       : "did you mean \"" + nearest + "\"?"));
    }
    chosen.push_back(all[std::size_t(at - known.begin())]);
  }
  return chosen;
}

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
          today()};
}

TuneResult tune(gpu::Context& gpu, const Tunable& tunable, const TuneRequest& request,
                Progress& progress) {
  const gpu::Space& space = *tunable.space;
  const std::vector<int> variants = competitors(tunable, request);
  TuneResult result{
      tuneKeyOf(gpu, tunable, request),
      gpu::VariantSweep(variants, gpu::VariantSweep::halving(variants.size()), request.seed), true};
  gpu::VariantSweep& sweep = result.sweep;
  const std::unique_ptr<TuneWorkload> workload = tunable.make(gpu, request, progress);
  const std::vector<gpu::Variant> all = gpu::allVariants(space);
  progress.begin(fmt::format("tune {} {}", tunable.technique, request.workload),
                 double(sweep.total()));
  while (!sweep.finished()) {
    if (progress.cancelled()) {
      result.complete = false;
      break;
    }
    const gpu::VariantSweep::Step step = sweep.next();
    const gpu::Variant& variant = all[std::size_t(sweep.rows()[step.row].variant)];
    if (step.check) {
      const Checked checked = workload->check(variant);
      if (!checked.passed) log::warn("left out: {}", checked.detail);
      sweep.checked(checked.passed, checked.detail);
    } else {
      sweep.timed(workload->timeMs(variant));
    }
    if (!progress.cancelled()) progress.advance(1);
  }
  if (const int best = sweep.best(); best >= 0) {
    const gpu::VariantSweep::Row& row = sweep.rows()[std::size_t(best)];
    result.tuned.best = space.id(all[std::size_t(row.variant)]);
    result.tuned.bestMs = row.medianMs();
    result.tuned.defaultMs = defaultMedian(gpu, tunable, request, *workload, sweep);
    // What is not clearly faster may be slower tomorrow: the default stays.
    if (result.tuned.defaultMs > 0 && result.tuned.bestMs > kClearly * result.tuned.defaultMs) {
      result.tuned.best = space.id(space.parse(tunable.defaultId(gpu, request.workload)));
      result.tuned.bestMs = result.tuned.defaultMs;
    }
  }
  return result;
}

}  // namespace fathom::bench
