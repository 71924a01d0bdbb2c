// SPDX-License-Identifier: BSD-3-Clause
// Numbers between histogram and picture that follow from the genome alone: the spatial filter, the
// kernels of density estimation, the constants of log scaling, the shutter. All of them as
// flam3 3.1 has them, with its mixed-up filter names and its historic constants. Lengths are in
// buckets unless a line says otherwise.
#pragma once

#include "app/engine/flame/genome/model.h"
#include "app/engine/flame/render/histogram.h"
#include "app/engine/flame/render/settings.h"

namespace fathom::flame {

/// The square filter that brings buckets to pixels: the weight of (i, j) is taps[i] * taps[j].
struct SpatialFilter {
  std::vector<double> taps;  // sum 1
  int gutter = 0;            // buckets that it reaches beyond the pixel's own on each side
};
/// `radius` in pixels; as many taps as make a window that is centered on the pixel.
SpatialFilter spatialFilter(FilterShape shape, double radius, int supersample);

/// Density estimation: kernel k is a Gaussian of standard deviation widths[k] / 3, cut at radius
/// widths[k]; few hits take wide kernels.
struct EstimatorTable {
  std::vector<double> widths;  // empty: no density estimation
  double maxCount = 0;         // from here on the last kernel
  double curve = 1;
  bool empty() const { return widths.empty(); }
  /// How far the widest kernel reaches, in buckets.
  int reach() const { return empty() ? 0 : int(*std::ranges::max_element(widths)); }
  /// `count`: hits per pixel around the bucket, > 0.
  int kernelFor(double count) const;
  /// The first kernel that is not wider than `width` buckets, or the last.
  int kernelOfWidth(double width) const;
};
/// `radius` and `minimum` in pixels.
EstimatorTable estimatorTable(double radius, double minimum, double curve, int supersample);
/// Weights of (2 r + 1)^2 buckets, r = floor(width), row by row. Their sum is 1 unless the width is
/// whole: then flam3 leaves out the buckets r away along an axis, after it has counted them (but
/// for the widest kernel of the table). So the last kernel, of width 1, is a point of weight 0.957.
std::vector<double> estimatorKernel(double width,
                                    double widest = std::numeric_limits<double>::infinity());

/// The estimator of cuburn, one bucket per pixel: width radius * (hits + 1)^-curve, at most 13
/// pixels; below 0.7 pixels it ends, as good as no blur.
EstimatorTable paperEstimatorTable(double radius, double minimum, double curve);

/// The table that the settings ask for; empty when the estimator is off.
EstimatorTable estimatorFor(const Genome& genome, const Settings& settings);

/// Of the buckets that f = hits per pixel is counted in: (2 reach + 1)^2 around the bucket, times
/// `scale` (even supersampling has no window of its size).
struct CountWindow {
  int reach = 0;
  double scale = 1;
};
CountWindow countWindow(int supersample);

/// (R, G, B, A) of a bucket are multiplied by (k1 * ln(1 + k2 * A) + glow / (A / 255 + 1)) / A, and
/// R, G, B by colorShare as well. Of genomes of other programs than JWildfire (by
/// its LogScaleCalculator and RenderColor) glow is 0 and the share 1.
struct LogScale {
  double k1 = 0, k2 = 0, glow = 0, colorShare = 1;
  double factor(double a) const {
    return (k1 * __builtin_log1p(k2 * a) + glow / (a / 255 + 1)) / a;
  }
};
/// `samples`: drawn so far, those beyond the picture included.
LogScale logScale(const Genome& genome, int supersample, double samples);

/// How much more of the background a density covers than it is bright: JWildfire's fg_opacity,
/// else 1.
double coverFactor(const Genome& genome);

/// The genome's filter, or none with jitter.
SpatialFilter filterFor(const Genome& genome, const Settings& settings);
/// Buckets per pixel that are used: the genome's, the settings', or 1 with jitter.
int supersampleFor(const Genome& genome, const Settings& settings);
/// How large the histogram must be, and which words it needs. Throws Error when the filters reach
/// too far.
HistogramShape shapeFor(const Genome& genome, const Settings& settings);

struct EstimatorClasses {
  struct Wide {
    int cellScale = 1;  // pixels per cell along each axis
    double blur = 0;    // variance of the blur, in its cells^2
  };
  int blocks = 1;  // pixels that narrow taps reach, odd: the pixel itself is the middle one
  /// Per class blocks * supersample weights, from the first bucket of the first of those pixels.
  std::vector<std::vector<double>> narrow;
  std::vector<Wide> wide;              // narrowest first
  std::vector<double> coordinates;     // of each kernel: 2.25 is 3/4 of class 2 and 1/4 of class 3
  double narrowestSum = 1;             // of the weights of the last kernel; its coordinate is 0
  int margin = 0;                      // pixels around the picture that cells cover; whole cells
  int largestCell = 1;                 // pixels
  std::optional<SpatialFilter> exact;  // no classes: each bucket by its own kernel, then this
};

/// `exact` when that is asked for, when these filters need more taps than the passes keep, and with
/// one bucket per pixel.
EstimatorClasses estimatorClasses(const SpatialFilter& filter, const EstimatorTable& table,
                                  int supersample, bool exact = false);

/// A quadratic B-spline of cells: it ends 1.5 widths away.
struct SplineBlur {
  int reach = 0;
  double inverseWidth = 1, scale = 1 / 0.75;
};
/// The one whose samples have this variance.
SplineBlur blurOf(double variance);

/// Weights of a square of buckets around one, row by row; their sum is 1. An odd side.
struct RadialKernel {
  int side = 1;
  std::vector<double> weights{1};
  bool isMean = false;  // of the pixel's own buckets
};
/// `radius` in pixels. Where it reaches no further bucket, the mean of the pixel's own.
RadialKernel radialKernel(RadialShape shape, double radius, int supersample);

/// The function of the distance, >= 0.
double radialFunction(RadialShape shape, double distance);

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
  int gutter() const { return std::max(0, side / 2 - (supersample - 1 - supersample / 2)); }
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
