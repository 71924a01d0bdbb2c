// SPDX-License-Identifier: BSD-3-Clause
// Deep images at other sizes and places. In front of every depth an output pixel lets through the
// weighted mean of what the pixels under it let through, and shows the weighted mean of their
// light; both are recomposed into fragments. So the flat picture of the result is the resampled
// flat picture: compositing and resampling commute. Weights are not negative, which keeps
// transmittance one.
#pragma once

#include "app/engine/deep/operations/sample_list.h"

namespace fathom::deep {

/// Of Mitchell and Netravali's the positive part.
enum class PixelFilter { Box, Tent, Gaussian, Mitchell };
/// How far it reaches, in pixels; Mitchell's to where its negative lobe begins.
inline double reachOf(PixelFilter filter) {
  constexpr std::array<double, 4> kReach{0.5, 1, 1.5, 8.0 / 7};
  return kReach[std::size_t(filter)];
}

/// The weight at a distance from its middle, not normalized.
inline double weightOf(PixelFilter filter, double distance) {
  const double d = std::abs(distance);
  if (d > reachOf(filter)) return 0;
  switch (filter) {
    case PixelFilter::Box:
      return 1;
    case PixelFilter::Tent:
      return 1 - d;
    case PixelFilter::Gaussian:
      return std::exp(-2 * d * d);  // sigma 1/2
    case PixelFilter::Mitchell:     // B = C = 1/3 (Mitchell, Netravali 1988)
      return d < 1 ? (7 * d * d * d - 12 * d * d + 16.0 / 3) / 6
                   : std::max(0.0, (-7 * d * d * d / 3 + 12 * d * d - 20 * d + 32.0 / 3) / 6);
  }
  return 0;
}

struct Resampling {
  glm::dmat3 toSource{1};  // from places in the output to places in the image, homogeneous
  Rect dataWindow;         // of the output
  // Of the image, where it ends with its frame: nothing is known beyond, weights add up to 1 here.
  glm::ivec2 knownFrom{INT32_MIN}, knownTo{INT32_MAX};
  Rect displayWindow;
  PixelFilter filter = PixelFilter::Tent;
  double thinError = 0, thinDepth = 0;  // as MergeEdit's; no error: every fragment stays
};

/// From the display window to one of another size at the same corner. Where the data window reaches
/// the frame's edge, so does that of the output, and what is opaque there stays so.
Resampling resizing(const DeepImage& image, glm::ivec2 size, PixelFilter filter);
/// `toOutput` maps places in the image to places in the output; the display window stays. Throws
/// Error when it cannot be inverted, or moves parts behind the eye.
Resampling transforming(const DeepImage& image, const glm::dmat3& toOutput, PixelFilter filter);
/// The map that takes the corners of a window (upper left, upper right, lower right, lower left) to
/// these places. Throws Error when no three of them may lie on one line and do.
glm::dmat3 cornerPin(const Rect& window, const std::array<glm::dvec2, 4>& corners);

/// Where the filter of an output pixel lies in the image, and how many pixels wide its unit is.
struct FilterAt {
  glm::dvec2 middle, stretch;
};
FilterAt filterAt(const Resampling& how, int x, int y);

/// What lies under an output pixel: pixels of the image with weights that add up to 1, those
/// without fragments, or beyond the data window but not the frame, included in the sum.
struct Tap {
  int x, y;
  double weight;
};
/// Along one axis, from a pixel on: weights that add up to 1, or 0 where the filter meets nothing.
struct AxisTaps {
  int first = 0;
  std::vector<double> weights;
};
AxisTaps axisTapsAt(const Resampling& how, const FilterAt& filter, int axis);
std::vector<Tap> tapsOf(const AxisTaps& alongX, const AxisTaps& alongY, const Rect& sourceWindow);
std::vector<Tap> tapsAt(const Resampling& how, const Rect& sourceWindow, int x, int y);

/// Without fragments; format, channels and attributes are those of the image.
DeepImage emptyOutput(const DeepImage& image, const Resampling& how);
/// Lists need to be sorted; those with volumes become tidy.
DeepImage resampled(const DeepImage& image, const Resampling& how, ThinReport* report = nullptr);

/// True where columns and rows can be resampled one after the other.
bool isSeparable(const Resampling& how);

}  // namespace fathom::deep
