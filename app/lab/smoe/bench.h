// SPDX-License-Identifier: BSD-3-Clause
// The benchmarks of SMoE, a function each: the paper's Tables 1 to 4, what our lists and fits cost;
// and what the tables and figures of Avramelos et al. print.
#pragma once

#include "app/lab/paper_table.h"
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

// Rates of files: other codecs at the same bytes (programs of the system, run on files), and how
// two curves of quality over rate compare
// -------------------------------------------------------------------------------------------------

struct Codec {
  std::string name;               // "JPEG 4:2:0"
  std::string ending;             // of its files
  int lowest = 0, highest = 100;  // quality, rising
  /// The command lines for a picture at a quality; the second decodes to a PNG, null: not needed.
  using Line = std::vector<std::string>;
  Line (*encode)(const std::string& picture, int quality, const std::string& out);
  Line (*decode)(const std::string& file, const std::string& png);
};

/// JPEG, WebP, JPEG XL and AVIF, as far as their programs are installed.
std::vector<Codec> installedCodecs();

/// The file of the best quality that takes at most `bytes`, and what it decodes to, in `folder`;
/// quality -1: even the lowest takes more.
struct CodecResult {
  int quality = -1;
  std::uint64_t bytes = 0;
  std::string decoded;  // a picture file
};
CodecResult encodeWithin(const Codec& codec, const std::string& picture, std::uint64_t bytes,
                         const std::filesystem::path& folder);

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
