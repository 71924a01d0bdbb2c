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
constexpr std::size_t kFewestTurns = 8;  // rounds, to judge their spread by themselves
constexpr double kResolution = 0.01;     // ms, of clocks
constexpr double kRowSigmas = 4;         // many rows: one in 30,000 by chance
constexpr double kBenchSigmas = 3.5;     // some benches
constexpr std::size_t kFewestVotes = 5;  // benches, to speak of what they share
constexpr double kMaxCommon = 0.08;     // beyond, it is no longer the machine's pace alone

NoiseModel modelFor(Compared compared, bool software, bool inTurns) {
  // What happens to one of a pair happens to the other: the spread of the pairs tells it all, but
  // for what differs between the programs' copies in memory.
  if (inTurns && compared != Compared::Gpu) return {0, 0.02, 0.10, 0.05};
  if (inTurns && !software) return {0, 0.01, 0.05, 0.03};
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

/// Whether each round of one has followed, or has been followed by, the same round of the other.
bool tookTurns(const RunTrial& before, const RunTrial& after) {
  if (before.rounds.size() != after.rounds.size() || before.rounds.size() < kFewestTurns)
    return false;
  double lastEnd = 0;
  for (std::size_t i = 0; i < before.rounds.size(); ++i) {
    const auto [first, second] = std::minmax(before.rounds[i].started, after.rounds[i].started);
    if (first <= lastEnd) return false;
    lastEnd = second;
  }
  return true;
}

/// The time of a round, over the machine's pace where that is compared; 0 when it has none.
double timeOf(const RoundTimes& round, Compared compared) {
  const bool gpu =
      std::any_of(round.gpuMs.begin(), round.gpuMs.end(), [](double t) { return t > 0; });
  if (compared == Compared::Gpu) return percentile(gpu ? round.gpuMs : round.wallMs, 0.5);
  const double cpu = percentile(round.cpuMs, 0.5);
  if (compared == Compared::Cpu) return cpu;
  const double pace = percentile(round.paceMs, 0.5);
  return pace > 0 ? cpu / pace : 0;
}

/// Log of after over before in each round; empty when one has no time.
std::vector<double> changesInTurns(const RunTrial& before, const RunTrial& after,
                                   Compared compared) {
  std::vector<double> changes;
  for (std::size_t i = 0; i < before.rounds.size(); ++i) {
    const double old = timeOf(before.rounds[i], compared), now = timeOf(after.rounds[i], compared);
    if (old <= 0 || now <= 0) return {};
    changes.push_back(std::log(now / old));
  }
  return changes;
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

/// Two runs one after the other: all that may have happened meanwhile is noise.
void judgeApart(PairedRow& row, Compared compared, const NoiseModel& model, int oldRounds,
                int nowRounds) {
  const Summary &old = timeOf(*row.before, compared), &now = timeOf(*row.after, compared);
  const Summary &oldPace = row.before->pace, &nowPace = row.after->pace;
  row.change = std::log(row.afterMs / row.beforeMs);
  double noise = variance(old, model, oldRounds) + variance(now, model, nowRounds) +
                 model.lasting * model.lasting;
  if (compared == Compared::Pace && oldPace.median > 0 && nowPace.median > 0) {
    row.change -= std::log(valueOf(nowPace, compared) / valueOf(oldPace, compared));
    noise += spreadOf(oldPace) + spreadOf(nowPace);
  }
  row.noise = std::sqrt(noise);
}

/// Runs in turns: the median of the pairs, and their spread.
void judgeInTurns(PairedRow& row, const NoiseModel& model) {
  const MedianChange change = medianChange(row.turns);
  row.change = change.median;
  row.noise = std::hypot(change.noise, model.lasting, kResolution / row.beforeMs);
}

/// What its rows say together, those with little noise more than others.
void weigh(ComparedBench& bench, const NoiseModel& model, std::size_t turns) {
  double weights = 0, sum = 0;
  std::vector<double> sums(turns);
  for (const PairedRow& row : bench.rows) {
    const double weight = 1 / (row.noise * row.noise);
    weights += weight, sum += weight * row.change;
    for (std::size_t i = 0; i < turns; ++i) sums[i] += weight * row.turns[i];
  }
  if (turns > 0) {
    for (double& change : sums) change /= weights;
    const MedianChange change = medianChange(sums);
    bench.change = change.median;
    bench.noise = std::hypot(change.noise, model.lasting / std::sqrt(2.0));
  } else {
    bench.change = sum / weights;
    bench.noise = std::sqrt(1 / weights + model.lasting * model.lasting / 2);
  }
  bench.threshold = std::max(std::log1p(model.benchFloor), kBenchSigmas * bench.noise);
}

/// Each bench has one vote, however many rows it has.
double commonChange(const std::vector<ComparedBench>& benches) {
  if (benches.size() < kFewestVotes) return 0;
  std::vector<double> changes;
  for (const ComparedBench& bench : benches) changes.push_back(bench.change);
  const double common = percentile(changes, 0.5);
  return std::abs(common) <= kMaxCommon ? common : 0;
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

namespace {

/// Fills in the benches with their rows, and what has no partner.
void pairUp(const RunFile& before, const RunFile& after, Comparison& result) {
  std::map<std::string, std::vector<const RunTrial*>> partners;
  for (const RunTrial& trial : before.trials)
    if (timeOf(trial, result.compared).median > 0) partners[trial.key()].push_back(&trial);
  for (const RunTrial& trial : after.trials) {
    const Summary& now = timeOf(trial, result.compared);
    if (now.median <= 0) continue;
    const auto partner = partners.find(trial.key());
    if (partner == partners.end()) {
      result.onlyAfter.push_back(trial.key());
      continue;
    }
    auto bench = std::find_if(result.benches.begin(), result.benches.end(),
                              [&](const ComparedBench& b) { return b.bench == trial.bench; });
    if (bench == result.benches.end())
      bench = result.benches.insert(bench, ComparedBench{trial.bench, {}});
    const RunTrial& old = *partner->second.front();  // equal rows pair in their order
    PairedRow row;
    row.before = &old, row.after = &trial;
    row.beforeMs = valueOf(timeOf(old, result.compared), result.compared);
    row.afterMs = valueOf(now, result.compared);
    bench->rows.push_back(row);
    partner->second.erase(partner->second.begin());
    if (partner->second.empty()) partners.erase(partner);
  }
  for (const auto& [key, trials] : partners)
    result.onlyBefore.insert(result.onlyBefore.end(), trials.size(), key);
}

/// Fills in the turns of each row when all have them, the same number.
void findTurns(Comparison& result) {
  std::size_t turns = 0;
  for (ComparedBench& bench : result.benches)
    for (PairedRow& row : bench.rows) {
      if (!tookTurns(*row.before, *row.after)) return;
      row.turns = changesInTurns(*row.before, *row.after, result.compared);
      if (row.turns.empty() || (turns > 0 && row.turns.size() != turns)) return;
      turns = row.turns.size();
    }
  result.turns = int(turns);
}

}  // namespace

Comparison compareRuns(const RunFile& before, const RunFile& after) {
  Comparison result;
  result.compared = choose(before, after);
  warnAboutRuns(before, after, result);
  pairUp(before, after, result);
  findTurns(result);
  const NoiseModel model =
      modelFor(result.compared, before.machine.device.software || after.machine.device.software,
               result.turns > 0);
  for (ComparedBench& bench : result.benches) {
    for (PairedRow& row : bench.rows) {
      if (result.turns > 0)
        judgeInTurns(row, model);
      else
        judgeApart(row, result.compared, model, before.machine.rounds, after.machine.rounds);
      row.threshold = std::max(std::log1p(model.rowFloor), kRowSigmas * row.noise);
    }
    weigh(bench, model, std::size_t(result.turns));
  }
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
  if (c.turns > 0) text += fmt::format(", {} rounds in turns", c.turns);
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
        text += fmt::format("slower: {}: {:.3f} ms, was {:.3f} ms, {}\n", row.after->key(),
                            row.afterMs, row.beforeMs, percent(row.change - c.common));
  if (!c.onlyBefore.empty() || !c.onlyAfter.empty())
    text += fmt::format("without a partner: {} rows of the old file, {} of the new one\n",
                        c.onlyBefore.size(), c.onlyAfter.size());
  text += c.worstRegression() > 0 ? "" : "nothing is slower beyond the noise\n";
  return text;
}

}  // namespace fathom::bench
