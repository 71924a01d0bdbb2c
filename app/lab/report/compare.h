// SPDX-License-Identifier: BSD-3-Clause
// Compares two runs: which rows and benches got slower by more than the noise. The rule is
// explained in docs/develop/benchmarks.md and at the constants in compare.cpp.
#pragma once

#include "app/lab/bench_file.h"

namespace fathom::bench {

/// The time by which rows are compared, the same in both runs. Gpu: the median GPU time, or wall
/// clock where nothing ran on the GPU. Cpu: the 10th percentile of processor time. Pace: the same,
/// relative to that of a fixed amount of work between the trials (Pace in workload.h).
enum class Compared { Gpu, Cpu, Pace };
const char* nameOf(Compared compared);  // "GPU time", ...

struct PairedRow {
  const BenchRow* before = nullptr;
  const BenchRow* after = nullptr;
  double beforeMs = 0, afterMs = 0;
  double change = 0;          // log(after / before)
  std::vector<double> turns;  // the change in each round, when the runs alternated
  double noise = 0;           // standard deviation of `change` if nothing changed
  double threshold = 0;       // a larger change, less the common one, is flagged
  bool flagged = false;
};

struct ComparedBench {
  std::string bench;
  std::vector<PairedRow> rows;
  double change = 0, noise = 0, threshold = 0;  // of all rows, weighted by their certainty
  bool flagged = false;
};

struct Comparison {
  Compared compared = Compared::Gpu;
  std::vector<ComparedBench> benches;  // in the order of the new file
  int turns = 0;                       // rounds in which the runs alternated; 0: they did not
  double common = 0;  // log of what all benches share: the machine's change, subtracted
  std::vector<std::string> onlyBefore, onlyAfter;  // rows without a partner
  std::vector<std::string> warnings;               // of different devices, scales, ...

  std::size_t pairs() const;
  /// The largest flagged slowdown, 0.2 for 20 %; 0 when nothing is flagged.
  double worstRegression() const;
};

/// Pairs rows by BenchRow::key(). Both files must outlive the comparison.
Comparison compareRuns(const BenchFile& before, const BenchFile& after);

/// What `fathom report --against` prints.
std::string comparisonText(const Comparison& comparison);

}  // namespace fathom::bench
