// SPDX-License-Identifier: BSD-3-Clause
// Lists of fragments as splats are made of them: points. Volumes of a deep image are cut at each
// other's ends, put together where they overlap (OpenEXR, "Interpreting Deep Pixels"), and cut into
// slices so thin that the blur hardly changes within one.
#pragma once

#include "app/engine/core/deep_image.h"

namespace fathom::dof {

/// Channel of a deep image, half: 1 for fragments that hide what lies behind them and show nothing.
inline constexpr const char* kHeldChannel = "fathom.held";

struct PointFragment {
  glm::vec4 color{0};  // premultiplied
  float z = 0;
  float shows = 1;  // share of its alpha that is in the picture's
};

/// What of a fragment of the image is in a point: the point's light is the sum over them.
struct PointShare {
  std::uint32_t fragment = 0;
  float weight = 1;  // of its premultiplied values
};

struct PointLists {
  glm::ivec2 size{0};
  std::vector<std::size_t> offsets{0};   // [size.y][size.x], and the end
  std::vector<PointFragment> fragments;  // pixel after pixel, front to back
  bool hasVolumes = false;               // what they depend on the slicing for
  // Where they are kept; none: every point is the fragment of its number.
  std::vector<PointShare> shares;        // point after point
  std::vector<std::uint32_t> shareEnds;  // [fragments.size()]

  std::span<const PointFragment> list(int x, int y) const {
    const std::size_t p = std::size_t(y) * std::size_t(size.x) + std::size_t(x);
    return std::span(fragments).subspan(offsets[p], offsets[p + 1] - offsets[p]);
  }
};

/// How fine volumes are cut: by the radius r = K - K S / z, in pixels, cut to `maxRadius`.
struct Slicing {
  double farRadius = 0, farRadiusFocus = 0, maxRadius = 0;
  bool operator==(const Slicing&) const = default;
  double radiusAt(double z) const;
  /// Slices of a volume: at least 1, at most 64; within one the radius changes by half a pixel and
  /// a tenth of it at most.
  int countFor(double z, double zBack) const;
};

/// Appends what hold-outs let pass in a pixel (`pixel`: index into its offsets), as knots by
/// ascending Z, the first before all: Z, the share of light from there that passes (points at Z
/// take from it), by what its logarithm falls per unit of Z, and the Z of the next knot.
void addKnots(const DeepImage& holdOut, std::size_t pixel, std::vector<glm::vec4>& knots);

/// Lists of the image's data window. `keepsShares`: where points are not the fragments themselves.
PointLists pointsOf(const DeepImage& image, const Slicing& slicing, bool keepsShares = false);

}  // namespace fathom::dof
