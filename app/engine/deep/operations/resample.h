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
  Rect displayWindow;
  PixelFilter filter = PixelFilter::Tent;
  double thinError = 0, thinDepth = 0;  // as MergeEdit's; no error: every fragment stays
};

/// From the display window to one of another size at the same corner.
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
/// without fragments included in the sum.
struct Tap {
  int x, y;
  double weight;
};
std::vector<Tap> tapsAt(const Resampling& how, const Rect& sourceWindow, int x, int y);

class PointRecomposer;
/// Without fragments; format, channels and attributes are those of the image.
DeepImage emptyOutput(const DeepImage& image, const Resampling& how);
/// Lists need to be sorted; those with volumes become tidy. A device, when there is one,
/// does the images that resampledPoints() takes.
DeepImage resampled(const DeepImage& image, const Resampling& how, ThinReport* report = nullptr,
                    PointRecomposer* device = nullptr);

// Images without volumes, fast
// -------------------------------------------------------------------------------------------------

/// The pixels under every pixel of an output, and their weights, as tables: of each column and row
/// where the picture is only resized or moved, else of each pixel. For those who resample many
/// lists: on the CPU a row at a time, on the GPU (shaders/deep/resample) a band.
struct TapTable {
  /// The pixels first .. first + count along one axis, inside the image; their weights are at
  /// weights[at]. Along x with every weight 1 pixel, the same along y.
  struct Axis {
    std::int32_t first = 0;
    std::uint32_t count = 0, at = 0;
  };
  Rect region;  // of the output
  bool separable =
      false;  // entries per column and row of the region, else per pixel in raster order
  std::vector<Axis> x, y;
  std::vector<float> weights;

  const Axis& xAt(int column, int row) const { return x[entry(column, row, column)]; }
  const Axis& yAt(int column, int row) const { return y[entry(column, row, row)]; }
  /// One pixel of the image is all that lies under this one.
  bool isWhole(const Axis& ax, const Axis& ay) const {
    return ax.count == 1 && ay.count == 1 && weights[ax.at] == 1 && weights[ay.at] == 1;
  }

 private:
  std::size_t entry(int column, int row, int own) const {
    return separable ? std::size_t(own)
                     : std::size_t(row) * std::size_t(region.width) + std::size_t(column);
  }
};

/// True where columns and rows can be resampled one after the other.
bool isSeparable(const Resampling& how);
/// Fills the table for a region; the vectors of `out` are used again. Entries per pixel with no
/// fragments of the image under them are left empty.
void fillTaps(const Resampling& how, const DeepImage& image, const Rect& region, TapTable& out);

// Images of points at other sizes and places (resample.h), fast: what each fragment shows in its
// own pixel is computed once; then every output pixel takes the fragments under its filter in order
// of depth, and each shows its weight times that, behind what passes all in front of it. How many
// there will be is known before, so lists are written where they belong. The lists may come from
// here or from a device (lists/resample_lists.h).

/// The fragments of an image that show something; those behind what is opaque do not.
struct ShownPoints {
  explicit ShownPoints(const DeepImage& image);  // every fragment is a point; fewer than 2^32
  /// The pixels of an axis tap, in a row of the image.
  std::size_t pixelAt(int x, int y) const { return image.pixelIndex(x, y); }

  const DeepImage& image;
  std::vector<EditedInput> inputs;
  ColorPlan plan;
  std::vector<std::uint32_t> offsets;  // uint[pixels + 1]
  std::vector<std::uint32_t> from;     // fragment of the image
  std::vector<std::uint32_t> depths;   // depthKey() of Z
  std::vector<float> values;           // float[points][plan.count()]: what shows
};

/// Lists of some rows of the output, pixel after pixel; of a pixel with a whole pixel under it only
/// the room.
struct RecomposedLists {
  std::vector<std::uint32_t> points;  // the shown point that each fragment comes from
  std::vector<float> values;          // float[..][plan.count()]: of fragments as they are stored
  void resize(std::size_t count, std::size_t valueCount) {
    points.resize(count), values.resize(count * valueCount);
  }
};

/// A device that recomposes lists.
class PointRecomposer {
 public:
  static constexpr std::size_t kMaxValues = 32;  // per fragment; those with more stay on the CPU
  virtual ~PointRecomposer() = default;
  /// `rows`: full rows of the output; `offsets` size_t[pixels + 1] of its lists, from any start.
  virtual void recompose(const ShownPoints& source, const Resampling& how, const Rect& rows,
                         std::span<const std::size_t> offsets, RecomposedLists& out) = 0;
};

/// Whether resampledPoints() takes an image: it has no volumes, and is not too large.
bool isPoints(const DeepImage& image);
/// As resampled(), of such an image; by `device` or, without one, on all cores.
DeepImage resampledPoints(const DeepImage& image, const Resampling& how, ThinReport* report,
                          PointRecomposer* device = nullptr);

}  // namespace fathom::deep
