// SPDX-License-Identifier: BSD-3-Clause
// The noise follows runs of one commit on a shared machine: processor time spreads by 3 % among
// trials, the machine's pace changes by 6 % from row to row, rows of a few milliseconds move by
// another 4 % as a whole; wall-clock time moves by 30 %.
#include "tests/lab/sample_files.h"

#include "app/lab/report/page.h"

#include <random>

namespace fathom::test {
namespace {

constexpr int kTrials = 5;

/// Trials of `ms` each, with spread, the clock's resolution, and occasional interruptions.
bench::Summary trialsOf(double ms, double spread, std::mt19937& random) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  std::vector<double> trials;
  for (int i = 0; i < kTrials; ++i) {
    double trial = ms * std::exp(spread * std::abs(normal(random))) + 0.01 * uniform(random);
    if (uniform(random) < 0.02) trial *= 1 + uniform(random);
    trials.push_back(trial);
  }
  return bench::summarize(trials);
}

void timeRow(bench::BenchRow& row, double ms, const SyntheticRun& how, std::mt19937& random) {
  std::normal_distribution<double> normal;
  // What happens to this row as a whole: less the longer it was watched.
  const double watched = std::sqrt(std::max(1.0, kTrials * ms / 50));
  if (!how.software) {
    const double own = std::exp(0.01 / watched * normal(random));
    row.gpu = row.wall = trialsOf(ms * own * how.machine, 0.01, random);
    return;
  }
  // The machine's pace at the moment changes processor time and pace alike.
  const double pace = how.machine * std::exp(0.06 * normal(random));
  const double own = std::exp(0.04 / watched * normal(random));
  row.cpu = trialsOf(1.8 * ms * own * pace, 0.03, random);
  row.pace = trialsOf(2 * pace, 0.02, random);
  row.gpu = row.wall = trialsOf(ms * own * pace * std::exp(0.3 * normal(random)), 0.2, random);
}

}  // namespace

bench::BenchFile syntheticRun(const SyntheticRun& how) {
  std::mt19937 random(how.seed);
  std::mt19937 plan(7);  // the same rows in every run
  std::uniform_real_distribution<double> exponent(-1.3, 2.3);
  bench::BenchFile run;
  run.path = "synthetic.json";
  run.machine.device = {"Vendor", "Synthetic 1", "4.5", how.software};
  for (int b = 0; b < 10; ++b) {
    const std::string name = fmt::format("bench.{}", char('a' + b));
    const bool slow = how.slowBench.empty() || how.slowBench == name;
    const int rows = b == 0 ? 1 : 2 + int(plan() % 23);
    for (int r = 0; r < rows; ++r) {
      bench::BenchRow row;
      row.bench = name;
      row.label = fmt::format("row {}", r);
      row.unit = "words";
      timeRow(row, std::pow(10.0, exponent(plan)) * (slow ? how.slowdown : 1), how, random);
      run.rows.push_back(std::move(row));
    }
  }
  return run;
}

std::pair<bench::BenchFile, bench::BenchFile> syntheticTurns(std::uint32_t seed, bool software,
                                                             double slowdown, int rounds) {
  constexpr int kRows = 3;
  const double walk = software ? 0.15 : 0.01, own = software ? 0.05 : 0.01;  // a GPU's clocks
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::pair<bench::BenchFile, bench::BenchFile> runs;
  bench::BenchFile* const both[] = {&runs.first, &runs.second};
  for (bench::BenchFile* run : both) {
    run->path = "synthetic.json";
    run->machine.device = {"Vendor", "Synthetic 1", "4.5", software};
    run->rounds = rounds;
    for (const char* name : {"bench.a", "bench.b", "bench.c"})
      for (int r = 0; r < kRows; ++r) {
        bench::BenchRow row;
        row.bench = name, row.label = fmt::format("row {}", r);
        row.rounds.resize(std::size_t(rounds));
        run->rows.push_back(row);
      }
  }
  double phase = 0, now = 1e9;
  for (int round = 0; round < rounds; ++round)
    for (const int turn : {round % 2, 1 - round % 2}) {
      phase = 0.8 * phase + walk * normal(random);  // of the whole machine, over several turns
      const double ofProcess = own * normal(random);
      for (bench::BenchRow& row : both[turn]->rows) {
        const bool slow = turn == 1 && row.bench == "bench.b";
        const double pace = phase + own * normal(random);
        const double ms =
            20 * (slow ? slowdown : 1) * std::exp(pace + ofProcess + own * normal(random));
        bench::RoundTimes& times = row.rounds[std::size_t(round)];
        times.started = now += 0.1;
        times.gpuMs = times.wallMs = std::vector<double>(5, ms);
        if (software) times.cpuMs = times.gpuMs;
        if (software) times.paceMs = std::vector<double>(5, 3 * std::exp(pace));
      }
    }
  for (bench::BenchFile* run : both)
    for (bench::BenchRow& row : run->rows) summarizeRounds(row);
  return runs;
}

std::string smallBenchFile() {
  return R"({"schema": "fathom.bench/1",
 "device": {"vendor": "Vendor & Co", "renderer": "Renderer <9>", "version": "4.6 driver 1", "software": false},
 "cpu": "A processor", "os": "A system", "date": "2026-01-31", "fathom": "0.1.0", "commit": "0123456789",
 "scale": "paper", "trials": [
  {"bench": "deep.composite", "workload": "hairball", "label": "LL-S", "size": [1920, 1080],
   "settings": {"layout": "ll", "block-size": 4}, "unit": "fragments", "work": 47500000, "bytes": 1000000,
   "gpu_ms": {"median": 18.1, "p10": 17.5, "p90": 19.25, "n": 30}, "wall_ms": null,
   "memory_bytes": 715128832, "checked": "exact", "of_copy_bandwidth": 0.62,
   "paper": [{"table": "Archer 2018, table 1", "row": "Hairball", "column": "LL-S", "unit": "ms",
              "ours": 18.1, "paper": 36.2}]},
  {"bench": "deep.composite", "workload": "hairball", "label": "BIA-RBM", "size": [1920, 1080],
   "settings": {"layout": "bia", "block-size": 4}, "unit": "fragments", "work": 47500000, "bytes": 1000000,
   "gpu_ms": {"median": 2.95, "p10": 2.9, "p90": 3, "n": 30}, "wall_ms": null,
   "memory_bytes": 415128832, "checked": "exact", "of_copy_bandwidth": 0.8,
   "paper": [{"table": "Archer 2018, table 1", "row": "Hairball", "column": "BIA-RBM", "unit": "ms",
              "ours": 2.95, "paper": 5.9}]},
  {"bench": "smoe.fit", "workload": "10 steps", "label": "K = 60", "size": [64, 64], "settings": {},
   "unit": "pixels", "work": 40960, "bytes": 0, "gpu_ms": {"median": 1.5, "p10": 1.4, "p90": 1.7, "n": 5},
   "wall_ms": null, "memory_bytes": 0, "checked": "31.25 dB", "of_copy_bandwidth": null,
   "values": {"PSNR dB": 31.26}},
  {"bench": "later.bench", "workload": "of a later version", "label": "x", "size": null, "settings": {},
   "unit": "things", "work": 10, "bytes": 0, "gpu_ms": {"median": 7.126, "p10": 7, "p90": 8, "n": 5},
   "wall_ms": null, "memory_bytes": 0, "checked": "exact", "of_copy_bandwidth": null}]})";
}

std::vector<bench::BenchFile> smallRuns() {
  std::vector<bench::BenchFile> runs{bench::parseBenchFile(smallBenchFile(), "small.json")};
  bench::nameRuns(runs);
  return runs;
}

}  // namespace fathom::test
