// SPDX-License-Identifier: BSD-3-Clause
// The benchmarks of SMoE, a function each: the paper's Tables 1 to 4, what our lists and fits cost;
// and what the tables and figures of Avramelos et al. print.
#pragma once

#include "app/lab/workload.h"

namespace fathom::smoe {

const std::vector<Bench>& benches();

// paper_benches.cpp
void runPrecision(BenchRun& run);
void runBlock(BenchRun& run);
void runFrame(BenchRun& run);
// rate.cpp
void runRate(BenchRun& run);

// What the paper prints, as papers.json names it.
inline constexpr const char* kTable1 = "Avramelos, table 1";
inline constexpr const char* kTable2 = "Avramelos, table 2";
inline constexpr const char* kTable3 = "Avramelos, table 3";
inline constexpr const char* kTable4 = "Avramelos, table 4";
inline constexpr const char* kFigure11Block = "Avramelos, figure 11, whole blocks";
inline constexpr const char* kFigure11Pixel = "Avramelos, figure 11, per pixel";
inline constexpr const char* kFigure12 = "Avramelos, figure 12";

// Our rows beside the paper's C++ and OpenCL.
inline constexpr const char* kEigenRow = "C++ with Eigen";
inline constexpr const char* kGpuRow = "GPU, all components";
// Names of values that checks find.
inline constexpr const char* kMseValue = "luminance MSE";
inline constexpr const char* kMaxValue = "max pixel error";
inline constexpr const char* kBitsValue = "bits";
inline constexpr const char* kStrictBitsValue = "bits, strict test";
inline constexpr const char* kKpbValue = "kpb";

// ---- How two curves of quality over rate compare

struct RatePoint {
  double bitsPerPixel = 0, dB = 0;
};

/// Bjontegaard differences of `tested` against `anchor` (VCEG-M33), integrated over the range that
/// both cover, with monotone cubic curves through ln rate and dB. None where they share no range or
/// have fewer than two points.
struct Bjontegaard {
  bool known = false;
  double rate = 0;  // relative: -0.1 is a tenth fewer bits at equal quality
  double dB = 0;    // at equal rate
};
Bjontegaard bjontegaard(const std::vector<RatePoint>& anchor, const std::vector<RatePoint>& tested);

}  // namespace fathom::smoe
