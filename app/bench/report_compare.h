// SPDX-License-Identifier: BSD-3-Clause
// Two runs compared: which rows and benches got slower beyond the noise. The rule is stated in
// docs/results/README.md and at each constant below.
#pragma once

#include "app/bench/report_file.h"

#include <string>
#include <vector>

namespace fathom::bench {

/// What is compared of each row: one of these times, the same in both runs. GPU time, its median,
/// stands for the clock's where nothing ran on the GPU; of processor time the 10th percentile
/// counts; Pace is processor time relative to that of a fixed piece of work between the trials.
enum class Compared { Gpu, Cpu, Pace };
const char* nameOf(Compared compared);  // "GPU time", ...

struct PairedRow {
  const RunTrial* before = nullptr;
  const RunTrial* after = nullptr;
  double beforeMs = 0, afterMs = 0;
  double change = 0;          // log(after / before)
  std::vector<double> turns;  // the change of each round, when the runs took turns
  double noise = 0;           // standard deviation of it when nothing has changed
  double threshold = 0;       // a change beyond it, less the common one, is flagged
  bool flagged = false;
};

struct ComparedBench {
  std::string bench;
  std::vector<PairedRow> rows;
  double change = 0, noise = 0, threshold = 0;  // of its rows together, those of less noise more
  bool flagged = false;
};

struct Comparison {
  Compared compared = Compared::Gpu;
  std::vector<ComparedBench> benches;  // in the order of the new file
  int turns = 0;                       // rounds that the two runs took in turns; 0: they ran apart
  double common = 0;                   // log of what all benches share: the machine; taken off
  std::vector<std::string> onlyBefore, onlyAfter;  // rows without a partner
  std::vector<std::string> warnings;               // other devices, scales, ...

  std::size_t pairs() const;
  /// The largest flagged slowdown as a share: 0.2 for 20 %; 0 when nothing is flagged.
  double worstRegression() const;
};

/// Pairs rows by bench, workload, label, size and settings. Both files must outlive the comparison.
Comparison compareRuns(const RunFile& before, const RunFile& after);

/// What `fathom report --against` prints.
std::string comparisonText(const Comparison& comparison);

}  // namespace fathom::bench
