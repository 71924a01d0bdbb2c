// SPDX-License-Identifier: BSD-3-Clause
// The rule of comparison.
#include "app/bench/report_compare.h"

#include "app/core/error.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace fathom::bench {
namespace {

/// How runs of the same commit differ, from several of them on a busy software renderer and from
/// what clocks of GPUs do.
struct NoiseModel {
  /// The machine's pace while a row was watched, which its trials cannot show because they follow
  /// each other. Standard deviation for kWatched ms; falls with the root of that time, down to
  /// `lasting`: what no repetition cures.
  double drift, lasting;
  double rowFloor, benchFloor;  // smaller slowdowns are not flagged: 0.1 is 10 %
};
constexpr double kWatched = 50;          // ms
constexpr double kResolution = 0.01;     // ms, of clocks
constexpr double kRowSigmas = 4;         // many rows: one in 30,000 by chance
constexpr double kBenchSigmas = 3.5;     // some benches
constexpr std::size_t kFewestVotes = 5;  // benches, to speak of what they share
constexpr double kMostCommon = 0.08;     // beyond, it is no longer the machine's pace alone

NoiseModel modelFor(Compared compared, bool software) {
  if (!software) return {0.03, 0.01, 0.05, 0.03};
  // Single rows that want memory were seen to take half as long again while others wanted it too.
  if (compared == Compared::Pace) return {0.08, 0.02, 0.60, 0.10};
  if (compared == Compared::Cpu) return {0.08, 0.06, 0.60, 0.10};
  return {0.50, 0.20, 0.60, 0.10};  // time by the clock of a processor that others use too
}

const Summary& timeOf(const RunTrial& trial, Compared compared) {
  if (compared == Compared::Cpu || compared == Compared::Pace) return trial.cpu;
  return trial.time();
}

/// What of its trials is compared. What else runs on the cores of a software renderer only ever
/// makes trials longer, often most of them: there the tenth percentile, else the median.
double valueOf(const Summary& s, Compared compared) {
  return compared == Compared::Gpu || s.p10 <= 0 ? s.median : s.p10;
}

/// The best that both files have.
Compared choose(const RunFile& before, const RunFile& after) {
  const auto both = [&](const Summary RunTrial::*time) {
    const auto has = [&](const RunFile& run) {
      return std::any_of(run.trials.begin(), run.trials.end(),
                         [&](const RunTrial& trial) { return (trial.*time).n > 0; });
    };
    return has(before) && has(after);
  };
  const bool software = before.machine.device.software || after.machine.device.software;
  if (!software || !both(&RunTrial::cpu)) return Compared::Gpu;
  return both(&RunTrial::pace) ? Compared::Pace : Compared::Cpu;
}

std::string keyOf(const RunTrial& trial) {
  return fmt::format("{}, {}, {}{}{}{}{}", trial.bench, trial.workload, trial.label,
                     trial.width ? ", " : "", trial.sizeText(), trial.settings.empty() ? "" : ", ",
                     trial.settingsText());
}

/// Variance of the logarithm of a median, by the spread of its trials. The median of n values of a
/// normal distribution errs by 1.2533 of what their mean does.
double spreadOf(const Summary& s) {
  const double spread = 1.2533 * (s.p75 - s.p25) / 1.349 / s.median;
  return spread * spread / s.n;
}

/// The same with what trials cannot show. Those of other rounds do: each is watched at another
/// time.
double variance(const Summary& s, const NoiseModel& model, int rounds) {
  const double drift = model.drift * std::sqrt(kWatched / (s.n * s.median * rounds));
  const double resolution = kResolution / s.median;
  return spreadOf(s) + drift * drift + resolution * resolution;
}

PairedRow pairUp(const RunTrial& before, const RunTrial& after, Compared compared,
                 const NoiseModel& model, int oldRounds, int nowRounds) {
  const Summary &old = timeOf(before, compared), &now = timeOf(after, compared);
  PairedRow row{&before, &after, valueOf(old, compared), valueOf(now, compared)};
  row.change = std::log(row.afterMs / row.beforeMs);
  double noise = variance(old, model, oldRounds) + variance(now, model, nowRounds) +
                 model.lasting * model.lasting;
  if (compared == Compared::Pace && before.pace.median > 0 && after.pace.median > 0) {
    row.change -= std::log(valueOf(after.pace, compared) / valueOf(before.pace, compared));
    noise += spreadOf(before.pace) + spreadOf(after.pace);
  }
  row.noise = std::sqrt(noise);
  row.threshold = std::max(std::log1p(model.rowFloor), kRowSigmas * row.noise);
  return row;
}

/// The mean of its rows' changes, weighted by how little noise they have.
void weigh(ComparedBench& bench, const NoiseModel& model) {
  double weights = 0, sum = 0;
  for (const PairedRow& row : bench.rows) {
    const double weight = 1 / (row.noise * row.noise);
    weights += weight, sum += weight * row.change;
  }
  bench.change = sum / weights;
  bench.noise = std::sqrt(1 / weights + model.lasting * model.lasting / 2);
  bench.threshold = std::max(std::log1p(model.benchFloor), kBenchSigmas * bench.noise);
}

/// Each bench has one vote, however many rows it has.
double commonChange(const std::vector<ComparedBench>& benches) {
  if (benches.size() < kFewestVotes) return 0;
  std::vector<double> changes;
  for (const ComparedBench& bench : benches) changes.push_back(bench.change);
  const double common = percentile(changes, 0.5);
  return std::abs(common) <= kMostCommon ? common : 0;
}

void warnAboutRuns(const RunFile& before, const RunFile& after, Comparison& comparison) {
  const auto warnIf = [&](const char* what, const std::string& a, const std::string& b) {
    if (a != b)
      comparison.warnings.push_back(fmt::format("{}: \"{}\" before, \"{}\" now", what, a, b));
  };
  warnIf("device", before.machine.device.renderer, after.machine.device.renderer);
  warnIf("driver", before.machine.device.version, after.machine.device.version);
  warnIf("processor", before.machine.cpu, after.machine.cpu);
  warnIf("scale", before.machine.scale, after.machine.scale);
  if (after.machine.device.software && comparison.compared == Compared::Gpu)
    comparison.warnings.push_back(
        "a software renderer's bench file without processor time: only large changes can be told");
}

std::string percent(double change) { return fmt::format("{:+.1f} %", 100 * std::expm1(change)); }

}  // namespace

const char* nameOf(Compared compared) {
  return compared == Compared::Gpu   ? "GPU time"
         : compared == Compared::Cpu ? "processor time"
                                     : "processor time over the machine's pace";
}

std::size_t Comparison::pairs() const {
  std::size_t count = 0;
  for (const ComparedBench& bench : benches) count += bench.rows.size();
  return count;
}

double Comparison::worstRegression() const {
  double worst = 0;
  for (const ComparedBench& bench : benches) {
    if (bench.flagged) worst = std::max(worst, std::expm1(bench.change - common));
    for (const PairedRow& row : bench.rows)
      if (row.flagged) worst = std::max(worst, std::expm1(row.change - common));
  }
  return worst;
}

Comparison compareRuns(const RunFile& before, const RunFile& after) {
  Comparison result;
  result.compared = choose(before, after);
  const NoiseModel model =
      modelFor(result.compared, before.machine.device.software || after.machine.device.software);
  warnAboutRuns(before, after, result);

  std::map<std::string, std::vector<const RunTrial*>> partners;
  for (const RunTrial& trial : before.trials)
    if (timeOf(trial, result.compared).median > 0) partners[keyOf(trial)].push_back(&trial);
  for (const RunTrial& trial : after.trials) {
    if (timeOf(trial, result.compared).median <= 0) continue;
    const auto partner = partners.find(keyOf(trial));
    if (partner == partners.end()) {
      result.onlyAfter.push_back(keyOf(trial));
      continue;
    }
    auto bench = std::find_if(result.benches.begin(), result.benches.end(),
                              [&](const ComparedBench& b) { return b.bench == trial.bench; });
    if (bench == result.benches.end())
      bench = result.benches.insert(bench, ComparedBench{trial.bench, {}});
    // Equal rows pair in their order.
    bench->rows.push_back(pairUp(*partner->second.front(), trial, result.compared, model,
                                 before.machine.rounds, after.machine.rounds));
    partner->second.erase(partner->second.begin());
    if (partner->second.empty()) partners.erase(partner);
  }
  for (const auto& [key, trials] : partners)
    result.onlyBefore.insert(result.onlyBefore.end(), trials.size(), key);

  for (ComparedBench& bench : result.benches) weigh(bench, model);
  result.common = commonChange(result.benches);
  for (ComparedBench& bench : result.benches) {
    bench.flagged = bench.rows.size() > 1 && bench.change - result.common > bench.threshold;
    for (PairedRow& row : bench.rows) row.flagged = row.change - result.common > row.threshold;
  }
  return result;
}

std::string comparisonText(const Comparison& c) {
  std::string text;
  for (const std::string& warning : c.warnings) text += "note: " + warning + "\n";
  text += fmt::format("{} rows of {} benches compared by {}", c.pairs(), c.benches.size(),
                      nameOf(c.compared));
  text += c.common != 0 ? fmt::format("; all of them {}, taken off\n", percent(c.common)) : "\n";
  std::size_t width = 5;
  for (const ComparedBench& bench : c.benches) width = std::max(width, bench.bench.size());
  text +=
      fmt::format("  {:<{}}  {:>4}  {:>9}  {:>9}\n", "bench", width, "rows", "change", "noticed");
  for (const ComparedBench& bench : c.benches)
    text += fmt::format("  {:<{}}  {:>4}  {:>9}  {:>9}{}\n", bench.bench, width, bench.rows.size(),
                        percent(bench.change - c.common),
                        bench.threshold < std::log(2.0) ? percent(bench.threshold) : "too short",
                        bench.flagged ? "  SLOWER" : "");
  for (const ComparedBench& bench : c.benches)
    for (const PairedRow& row : bench.rows)
      if (row.flagged)
        text += fmt::format("slower: {}: {:.3f} ms, was {:.3f} ms, {}\n", keyOf(*row.after),
                            row.afterMs, row.beforeMs, percent(row.change - c.common));
  if (!c.onlyBefore.empty() || !c.onlyAfter.empty())
    text += fmt::format("without a partner: {} rows of the old file, {} of the new one\n",
                        c.onlyBefore.size(), c.onlyAfter.size());
  text += c.worstRegression() > 0 ? "" : "nothing is slower beyond the noise\n";
  return text;
}

}  // namespace fathom::bench
