// SPDX-License-Identifier: BSD-3-Clause
// Images of points at other sizes and places (resample.h), fast: what each fragment shows in its own
// pixel is computed once; then every output pixel takes the fragments under its filter in order of
// depth, and each shows its weight times that, behind what passes all in front of it. How many there
// will be is known before, so lists are written where they belong. The lists may come from here or
// from a device (lists/list_resampler.h).
#pragma once

#include "app/engine/deep/operations/samples.h"
#include "app/engine/deep/operations/tap_table.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fathom::deep {

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
