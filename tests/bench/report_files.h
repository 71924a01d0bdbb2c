// SPDX-License-Identifier: BSD-3-Clause
// Bench files made up here, with the noise that real ones have.
#pragma once

#include "app/bench/report_file.h"

#include <random>
#include <string>
#include <utility>

namespace fathom::test {

/// How a run of a synthetic machine goes.
struct SyntheticRun {
  std::uint32_t seed = 1;
  bool software = true;        // with processor time and pace, as software renderers have them
  std::string slowBench = {};  // empty: all of them
  double slowdown = 1;         // of the program, in these benches
  double machine = 1;          // 1.05: this machine takes 5 % longer for everything in this run
};

/// Ten benches of up to 24 rows, from 0.05 to 200 ms.
bench::RunFile syntheticRun(const SyntheticRun& how);

/// Two runs of three benches in `rounds` turns on a machine whose pace walks, that of software by a
/// third within a few of them; `slowdown` is that of the second, in bench.b.
std::pair<bench::RunFile, bench::RunFile> syntheticTurns(std::uint32_t seed, bool software,
                                                         double slowdown, int rounds = 20);

/// A small bench file as text, with a cell of Archer's table 1 and values.
std::string smallBenchFile();

}  // namespace fathom::test
