// SPDX-License-Identifier: BSD-3-Clause
// Synthetic bench files, with the noise of real ones.
#pragma once

#include "app/lab/bench_file.h"

namespace fathom::test {

/// A run of a synthetic machine.
struct SyntheticRun {
  std::uint32_t seed = 1;
  bool software = true;        // with processor time and pace, as software renderers have them
  std::string slowBench = {};  // empty: all of them
  double slowdown = 1;         // of the program, in these benches
  double machine = 1;          // 1.05: this machine takes 5 % longer for everything in this run
};

/// Ten benches of up to 24 rows, from 0.05 to 200 ms.
bench::BenchFile syntheticRun(const SyntheticRun& how);

/// Two runs of three benches that alternate for `rounds` rounds on a machine whose pace drifts,
/// that of a software renderer by a third within a few rounds. The second run is slower by
/// `slowdown` in bench.b.
std::pair<bench::BenchFile, bench::BenchFile> syntheticTurns(std::uint32_t seed, bool software,
                                                             double slowdown, int rounds = 20);

/// A small bench file as text, with a cell of Archer's table 1 and values.
std::string smallBenchFile();
/// It alone, named.
std::vector<bench::BenchFile> smallRuns();

}  // namespace fathom::test
