// SPDX-License-Identifier: BSD-3-Clause
// JWildfire's spatial filters, from buckets to pixels. They are functions of the distance, not
// products of two; those that sharpen leave the density to a narrow Gaussian, which makes dark rims
// where a bright background meets what is drawn; an adaptive one takes another kernel where there
// are few hits, where the picture is even, and where it has edges. By JWildfire's LogDensityFilter
// and FilterHolder.
#pragma once

#include "app/engine/flame/genome/model.h"
#include "app/engine/flame/render/settings.h"

#include <optional>
#include <vector>

namespace fathom::flame {

/// Weights of a square of buckets around one, row by row; their sum is 1. An odd side.
struct RadialKernel {
  int side = 1;
  std::vector<double> weights{1};
  bool isMean = false;  // of the pixel's own buckets
};
/// `radius` in pixels. Where it reaches no further bucket, the mean of the pixel's own.
RadialKernel radialKernel(RadialShape shape, double radius, int supersample);

/// The function of the distance, >= 0, and where it ends.
double radialFunction(RadialShape shape, double distance);
double radialSupport(RadialShape shape);

/// Which kernel an adaptive filter takes at a bucket. One that does not adapt has the first alone.
enum class RadialChoice { Plain, Thin, Even, Edge };

/// Kernels of one side, centered on bucket supersample / 2 of the pixel along each axis.
struct RadialFilter {
  int side = 1;
  int supersample = 1;
  std::vector<glm::dvec2> weights;  // [kernel][side][side]: of the color, of the density
  bool adapts = false;
  double thinBelow = 0;  // density, as log scaled: 255 is full
  double edgeFrom = 0;   // gradient of the luminance of sums, 255 per hit of full color
  /// Buckets that it reaches beyond the pixel's own on each side.
  int gutter() const;
  /// The first bucket, from the pixel's first.
  int first() const { return supersample / 2 - side / 2; }
  glm::dvec2 weight(RadialChoice kernel, int x, int y) const {
    return weights[(std::size_t(kernel) * std::size_t(side) + std::size_t(y)) * std::size_t(side) +
                   std::size_t(x)];
  }
};

/// The weights of a Scharr gradient over the nine buckets around one, row by row, as JWildfire has
/// them: the right one of the middle row counts at the place above it.
constexpr double kScharrX[9] = {3, 0, -13, 10, 0, 0, 3, 0, -3};
constexpr double kScharrY[9] = {3, 10, 3, 0, 0, 0, -3, -10, -3};
constexpr glm::dvec3 kRadialLuminance{0.299, 0.588, 0.113};

/// None unless the genome is JWildfire's: with jitter, or where density is estimated, as flam3.
std::optional<RadialFilter> radialFilterFor(const Genome& genome, const Settings& settings);

}  // namespace fathom::flame
