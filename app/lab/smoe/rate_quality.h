// SPDX-License-Identifier: BSD-3-Clause
// Measures of the codec literature: MS-SSIM, and how two curves of quality over rate compare.
#pragma once

#include "app/engine/core/image.h"

#include <vector>

namespace fathom::smoe {

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
