// SPDX-License-Identifier: BSD-3-Clause
// The benchmarks of SMoE, a function each: the paper's Tables 1 to 4, what our lists and fits cost;
// and what the tables and figures of Avramelos et al. print.
#pragma once

#include "app/lab/paper_table.h"
#include "app/lab/workload.h"

namespace fathom::smoe {

const std::vector<Bench>& benches();

// paper_benches.cpp
Bench precisionBench();
Bench blockBench();
Bench frameBench();
// bench.cpp
Bench listsBench();
Bench fitBench();
// rate.cpp
Bench rateBench();

// What the paper prints: paper.cpp
// -------------------------------------------------------------------------------------------------

inline constexpr const char* kTable1 = "Avramelos, table 1";
inline constexpr const char* kTable2 = "Avramelos, table 2";
inline constexpr const char* kTable3 = "Avramelos, table 3";
inline constexpr const char* kTable4 = "Avramelos, table 4";
inline constexpr const char* kFigure11Block = "Avramelos, figure 11, whole blocks";
inline constexpr const char* kFigure11Pixel = "Avramelos, figure 11, per pixel";
inline constexpr const char* kFigure12 = "Avramelos, figure 12";

PaperTable table1();
PaperTable table2();
PaperTable table3();
PaperTable table4();
PaperTable figure11Block();
PaperTable figure11Pixel();
PaperTable figure12();

// Our rows beside the paper's C++ and OpenCL.
inline constexpr const char* kEigenRow = "C++ with Eigen";
inline constexpr const char* kGpuRow = "GPU, all components";
// Names of values that checks find.
inline constexpr const char* kMseValue = "luminance MSE";
inline constexpr const char* kMaxValue = "max pixel error";
inline constexpr const char* kBitsValue = "bits";
inline constexpr const char* kStrictBitsValue = "bits, strict test";
inline constexpr const char* kKpbValue = "kpb";

}  // namespace fathom::smoe
