// SPDX-License-Identifier: BSD-3-Clause
// What rates of files are compared by: other codecs at the same bytes (programs of the system, run
// on files), and the measures of the codec literature: MS-SSIM, and how two curves of quality over
// rate compare.
#pragma once

#include "app/engine/core/image.h"

namespace fathom::smoe {

struct Codec {
  std::string name;               // "JPEG 4:2:0"
  std::string ending;             // of its files
  std::string settings;           // what it is run with, for the page
  int lowest = 0, highest = 100;  // quality, rising
  /// The command lines for a picture at a quality; the second decodes to a PNG, empty: not needed.
  using Line = std::vector<std::string>;
  std::function<Line(const std::string& picture, int quality, const std::string& out)> encode = {};
  std::function<Line(const std::string& file, const std::string& png)> decode = {};
  bool takesPpm = false;
};

/// JPEG, WebP and AVIF, as far as their programs are installed.
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

/// Multi-scale structural similarity, mean over RGB, 1 when equal (Wang, Simoncelli, Bovik 2003: 11
/// x 11 Gaussian, five scales halved by means of 2 x 2). Pictures too small for five scales take
/// the first few, with their weights normalized. Both of one size; values as given, 0..1.
double msSsim(const Image& a, const Image& b);

struct RatePoint {
  double bitsPerPixel = 0, psnr = 0;
};

/// Bjontegaard differences of `tested` against `anchor` (VCEG-M33), integrated over the range that
/// both cover, with monotone cubic curves through ln rate and dB. None where they share no range or
/// have fewer than two points.
struct Bjontegaard {
  bool known = false;
  double rate = 0;  // relative: -0.1 is a tenth fewer bits at equal PSNR
  double psnr = 0;  // dB at equal rate
};
Bjontegaard bjontegaard(std::vector<RatePoint> anchor, std::vector<RatePoint> tested);

}  // namespace fathom::smoe
