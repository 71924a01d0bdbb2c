// SPDX-License-Identifier: BSD-3-Clause
// What light does in a homogeneous volume [Z, ZBack) of alpha a and premultiplied color c: the
// formulas of OpenEXR's "Interpreting Deep Pixels", in double. All follow from the optical depth
// u = -log(1 - a), which is spread evenly over the volume, adds where volumes overlap, and gives
// back a = 1 - exp(-u). log1p and expm1 keep their digits where alpha is next to 0 or the part next
// to nothing. The shaders' version in float: shaders/deep/operations/volume.glsl.
#pragma once

namespace fathom::deep {

/// u of an alpha in 0..1; infinite for 1.
inline double opticalDepth(double alpha) { return -std::log1p(-alpha); }
inline double alphaOfDepth(double depth) { return -std::expm1(-depth); }

/// The alpha of the part x (0..1) of a volume: 1 - (1 - a)^x. An opaque one is opaque in each part.
inline double partAlpha(double alpha, double x) {
  return alpha >= 1 ? 1 : alphaOfDepth(x * opticalDepth(alpha));
}

/// What the color of the part x is multiplied by: as the alpha, or x where there is none.
inline double partColor(double alpha, double x) {
  return alpha > 0 ? partAlpha(alpha, x) / alpha : x;
}

/// How much of [z, zBack) lies in [from, to), which is inside it: 0..1. Of an infinite volume, its
/// infinite ends share everything.
inline double partOf(double z, double zBack, double from, double to) {
  if (std::isfinite(zBack - z)) return (to - from) / (zBack - z);
  const double ends = double(std::isinf(z)) + double(std::isinf(zBack));
  return (double(std::isinf(from)) + double(std::isinf(to))) / ends;
}

/// The share of a volume's light (optical depth u > 0) that leaves it where another one of optical
/// depth v takes up the same place: its own u of the u + v, over what it would be alone.
inline double shareAmong(double u, double v) {
  if (std::isinf(v)) return 0;
  if (v == 0) return 1;
  const double alone = u > 0 ? alphaOfDepth(u) / u : 1;
  return alphaOfDepth(u + v) / (u + v) / alone;
}

}  // namespace fathom::deep
