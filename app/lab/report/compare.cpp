// SPDX-License-Identifier: BSD-3-Clause
// The rule of comparison: pair rows, estimate the noise of each change, take off what all benches
// share, flag what exceeds its threshold.
#include "app/lab/report/compare.h"

namespace fathom::bench {
namespace {

/// How much runs of one commit differ, as measured on a busy software renderer and as the clocks of
/// GPUs vary.
struct NoiseModel {
  /// Drift of the machine's pace, which the trials of a row cannot show because they follow each
  /// other directly. Standard deviation for kWatchedMs; falls with the root of the time watched,
  /// down to `lasting`, which no repetition removes.
  double drift, lasting;
  double rowFloor, benchFloor;  // smaller slowdowns are not flagged: 0.1 is 10 %
};
constexpr double kWatchedMs = 50;
constexpr std::size_t kMinTurns = 8;  // rounds, to estimate noise from their spread alone
constexpr double kClockMs = 0.01;     // resolution of clocks
constexpr double kRowSigmas = 4;      // there are many rows: one false alarm in 30,000
constexpr double kBenchSigmas = 3.5;  // there are a few dozen benches
constexpr std::size_t kMinVotes = 5;  // benches, to estimate what they share
constexpr double kMaxCommon = 0.08;   // beyond, it is not the machine's pace alone

NoiseModel modelFor(Compared compared, bool software, bool inTurns) {
  // What disturbs one of a pair disturbs the other: the spread of the pairs covers everything
  // except what differs between the programs' copies in memory.
  if (inTurns && compared != Compared::Gpu) return {0, 0.02, 0.10, 0.05};
  if (inTurns && !software) return {0, 0.01, 0.05, 0.03};
  if (!software) return {0.03, 0.01, 0.05, 0.03};
  // Single memory-bound rows have taken half as long again while other programs used memory too.
  if (compared == Compared::Pace) return {0.08, 0.02, 0.60, 0.10};
  if (compared == Compared::Cpu) return {0.08, 0.06, 0.60, 0.10};
  return {0.50, 0.20, 0.60, 0.10};  // wall clock of a processor shared with others
}

const Summary& comparedTime(const BenchRow& row, Compared compared) {
  if (compared == Compared::Cpu || compared == Compared::Pace) return row.cpu;
  return row.time();
}

/// The value compared: the median; for processor time the 10th percentile, because other programs
/// on the cores of a software renderer only ever lengthen trials, often most of them.
double valueOf(const Summary& s, Compared compared) {
  return compared == Compared::Gpu || s.p10 <= 0 ? s.median : s.p10;
}

/// The most reliable time that both files have.
Compared chooseCompared(const BenchFile& before, const BenchFile& after) {
  const auto both = [&](const Summary BenchRow::*time) {
    const auto has = [&](const BenchFile& run) {
      return std::ranges::any_of(run.rows, [&](const BenchRow& row) { return (row.*time).n > 0; });
    };
    return has(before) && has(after);
  };
  const bool software = before.machine.device.software || after.machine.device.software;
  if (!software || !both(&BenchRow::cpu)) return Compared::Gpu;
  return both(&BenchRow::pace) ? Compared::Pace : Compared::Cpu;
}

/// Whether each round of one run is next to the same round of the other.
bool tookTurns(const BenchRow& before, const BenchRow& after) {
  if (before.rounds.size() != after.rounds.size() || before.rounds.size() < kMinTurns) return false;
  double lastEnd = 0;
  for (std::size_t i = 0; i < before.rounds.size(); ++i) {
    const auto [first, second] = std::minmax(before.rounds[i].started, after.rounds[i].started);
    if (first <= lastEnd) return false;
    lastEnd = second;
  }
  return true;
}

/// The time of a round, relative to the machine's pace for Compared::Pace; 0 when it has none.
double comparedTime(const RoundTimes& round, Compared compared) {
  const bool gpu = std::ranges::any_of(round.gpuMs, [](double t) { return t > 0; });
  if (compared == Compared::Gpu) return percentile(gpu ? round.gpuMs : round.wallMs, 0.5);
  const double cpu = percentile(round.cpuMs, 0.5);
  if (compared == Compared::Cpu) return cpu;
  const double pace = percentile(round.paceMs, 0.5);
  return pace > 0 ? cpu / pace : 0;
}

/// Log of after over before in each round; empty when a round has no time.
std::vector<double> changesInTurns(const BenchRow& before, const BenchRow& after,
                                   Compared compared) {
  std::vector<double> changes;
  for (std::size_t i = 0; i < before.rounds.size(); ++i) {
    const double old = comparedTime(before.rounds[i], compared),
                 now = comparedTime(after.rounds[i], compared);
    if (old <= 0 || now <= 0) return {};
    changes.push_back(std::log(now / old));
  }
  return changes;
}

/// Variance of the logarithm of a median, from the spread of its trials. For a normal distribution
/// the standard error of the median is 1.2533 times that of the mean.
double trialVariance(const Summary& s) {
  const double spread = 1.2533 * (s.p75 - s.p25) / 1.349 / s.median;
  return spread * spread / s.n;
}

/// The same with the drift that trials of one round cannot show; each round samples it at another
/// time.
double rowVariance(const Summary& s, const NoiseModel& model, int rounds) {
  const double drift = model.drift * std::sqrt(kWatchedMs / (s.n * s.median * rounds));
  const double resolution = kClockMs / s.median;
  return trialVariance(s) + drift * drift + resolution * resolution;
}

/// Two runs one after the other: whatever happened to the machine meanwhile is noise.
void judgeApart(PairedRow& row, Compared compared, const NoiseModel& model, int oldRounds,
                int nowRounds) {
  const Summary &old = comparedTime(*row.before, compared),
                &now = comparedTime(*row.after, compared);
  const Summary &oldPace = row.before->pace, &nowPace = row.after->pace;
  row.change = std::log(row.afterMs / row.beforeMs);
  double noise = rowVariance(old, model, oldRounds) + rowVariance(now, model, nowRounds) +
                 model.lasting * model.lasting;
  if (compared == Compared::Pace && oldPace.median > 0 && nowPace.median > 0) {
    row.change -= std::log(valueOf(nowPace, compared) / valueOf(oldPace, compared));
    noise += trialVariance(oldPace) + trialVariance(nowPace);
  }
  row.noise = std::sqrt(noise);
}

/// Alternating runs: the median of the pairs, and their spread.
void judgeInTurns(PairedRow& row, const NoiseModel& model) {
  const MedianChange change = medianChange(row.turns);
  row.change = change.median;
  row.noise = std::hypot(change.noise, model.lasting, kClockMs / row.beforeMs);
}

/// The change of a bench: the mean of its rows, each weighted by one over its variance.
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
  if (benches.size() < kMinVotes) return 0;
  std::vector<double> changes;
  for (const ComparedBench& bench : benches) changes.push_back(bench.change);
  const double common = percentile(changes, 0.5);
  return std::abs(common) <= kMaxCommon ? common : 0;
}

void warnAboutRuns(const BenchFile& before, const BenchFile& after, Comparison& comparison) {
  const auto warnIf = [&](const char* what, const std::string& a, const std::string& b) {
    if (a != b)
      comparison.warnings.push_back(fmt::format("{}: \"{}\" before, \"{}\" now", what, a, b));
  };
  warnIf("device", before.machine.device.renderer, after.machine.device.renderer);
  warnIf("driver", before.machine.device.version, after.machine.device.version);
  warnIf("processor", before.machine.cpu, after.machine.cpu);
  warnIf("scale", before.scale, after.scale);
  for (const BenchFile* run : {&before, &after})
    if (run->interrupted)
      comparison.warnings.push_back(run->path + ": interrupted, later cases are missing");
  if (after.machine.device.software && comparison.compared == Compared::Gpu)
    comparison.warnings.emplace_back(
        "a software renderer's bench file without processor time: only large changes can be "
        "detected");
}

/// Fills in the benches with their rows, and the rows without a partner.
void pairUp(const BenchFile& before, const BenchFile& after, Comparison& result) {
  const auto isTimed = [&](const BenchRow& row) {
    return comparedTime(row, result.compared).median > 0;
  };
  RowPartners partners;
  for (const BenchRow& row : before.rows)
    if (isTimed(row)) partners.add(row);
  for (const BenchRow& row : after.rows) {
    if (!isTimed(row)) continue;
    const BenchRow* partner = partners.take(row.key());
    if (!partner) {
      result.onlyAfter.push_back(row.key());
      continue;
    }
    auto bench = std::ranges::find_if(result.benches,
                                      [&](const ComparedBench& b) { return b.bench == row.bench; });
    if (bench == result.benches.end())
      bench = result.benches.insert(bench, ComparedBench{row.bench, {}});
    PairedRow pair;
    pair.before = partner, pair.after = &row;
    pair.beforeMs = valueOf(comparedTime(*partner, result.compared), result.compared);
    pair.afterMs = valueOf(comparedTime(row, result.compared), result.compared);
    bench->rows.push_back(pair);
  }
  result.onlyBefore = partners.left();
}

/// Fills in the turns of each row when all rows have the same number of them.
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

/// A logarithmic change as people read it: "+20.0 %".
std::string percentText(double change) {
  return fmt::format("{:+.1f} %", 100 * std::expm1(change));
}

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

Comparison compareRuns(const BenchFile& before, const BenchFile& after) {
  Comparison result;
  result.compared = chooseCompared(before, after);
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
        judgeApart(row, result.compared, model, before.rounds, after.rounds);
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
  if (c.turns > 0) text += fmt::format(", {} alternating rounds", c.turns);
  text += c.common != 0 ? fmt::format("; {} in common subtracted\n", percentText(c.common)) : "\n";
  std::size_t width = 5;
  for (const ComparedBench& bench : c.benches) width = std::max(width, bench.bench.size());
  text +=
      fmt::format("  {:<{}}  {:>4}  {:>9}  {:>9}\n", "bench", width, "rows", "change", "noticed");
  for (const ComparedBench& bench : c.benches)
    text +=
        fmt::format("  {:<{}}  {:>4}  {:>9}  {:>9}{}\n", bench.bench, width, bench.rows.size(),
                    percentText(bench.change - c.common),
                    bench.threshold < std::log(2.0) ? percentText(bench.threshold) : "too short",
                    bench.flagged ? "  SLOWER" : "");
  for (const ComparedBench& bench : c.benches)
    for (const PairedRow& row : bench.rows)
      if (row.flagged)
        text += fmt::format("slower: {}: {:.3f} ms, was {:.3f} ms, {}\n", row.after->key(),
                            row.afterMs, row.beforeMs, percentText(row.change - c.common));
  if (!c.onlyBefore.empty() || !c.onlyAfter.empty())
    text += fmt::format("without a partner: {} rows of the old file, {} of the new one\n",
                        c.onlyBefore.size(), c.onlyAfter.size());
  text += c.worstRegression() > 0 ? "" : "nothing is slower beyond the noise\n";
  return text;
}

}  // namespace fathom::bench
