// SPDX-License-Identifier: BSD-3-Clause
// The names of JWildfire's spatial filters, as its files write them (filter_kernel).
#pragma once

#include <string_view>

namespace fathom::flame {

/// JWildfire's filters, of the distance from the pixel alone (render/radial_filter.h).
enum class RadialShape {
  Bell,
  Blackman,
  Box,
  Bspline,
  Catrom,
  Gaussian,
  Hamming,
  Hanning,
  Hermite,
  Lanczos2,
  Lanczos3,
  Mitchell,
  MitchellSmooth,
  Quadratic,
  SinePow5,
  SinePow10,
  SinePow15,
  Triangle,
  MitchellSinePow
};
constexpr std::string_view kRadialShapes[] = {"BELL",
                                              "BLACKMAN",
                                              "BOX",
                                              "BSPLINE",
                                              "CATROM",
                                              "GAUSSIAN",
                                              "HAMMING",
                                              "HANNING",
                                              "HERMITE",
                                              "LANCZOS2",
                                              "LANCZOS3",
                                              "MITCHELL",
                                              "MITCHELL_SMOOTH",
                                              "QUADRATIC",
                                              "SINEPOW5",
                                              "SINEPOW10",
                                              "SINEPOW15",
                                              "TRIANGLE",
                                              "MITCHELL_SINEPOW"};

}  // namespace fathom::flame
