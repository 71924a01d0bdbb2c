// SPDX-License-Identifier: BSD-3-Clause
// Fast density estimation. flam3 spreads every bucket with one of some hundred kernels; here each
// of them is mixed from two neighbors of a short list of classes such that its sum and its variance
// are kept. Variances are taken together with the spatial filter's, which follows anyway.
//
//   narrow classes  exact taps (estimator and filter in one), from buckets straight to pixels
//   wide classes    buckets are summed over cells of a pixel (or 2 x 2, 4 x 4, ... of them) and the
//                   cells blurred by quadratic B-splines, which end at three standard deviations as
//                   flam3's cut Gaussians do: tails would show in the dark
#pragma once

#include "app/engine/flame/render/filters.h"

#include <optional>
#include <vector>

namespace fathom::flame {

struct EstimatorClasses {
  struct Wide {
    int cellScale = 1;  // pixels per cell along each axis
    double blur = 0;    // variance of the blur, in its cells^2
  };
  int blocks = 1;  // pixels that narrow taps reach, odd: the pixel itself is the middle one
  /// Per class blocks * supersample weights, from the first bucket of the first of those pixels.
  std::vector<std::vector<double>> narrow;
  std::vector<Wide> wide;           // narrowest first
  std::vector<double> coordinates;  // of each kernel: 2.25 is 3/4 of class 2 and 1/4 of class 3
  double narrowestSum = 1;          // of the weights of the last kernel; its coordinate is 0
  int margin = 0;                   // pixels around the picture that cells cover; whole cells
  int largestCell = 1;              // pixels
};

/// Empty when these filters need more taps than the passes keep, and with one bucket per pixel.
std::optional<EstimatorClasses> estimatorClasses(const SpatialFilter& filter,
                                                 const EstimatorTable& table, int supersample);

/// A quadratic B-spline of cells: it ends 1.5 widths away.
struct SplineBlur {
  int reach = 0;
  double inverseWidth = 1, scale = 1 / 0.75;
};
/// The one whose samples have this variance.
SplineBlur blurOf(double variance);

}  // namespace fathom::flame
