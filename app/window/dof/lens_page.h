// SPDX-License-Identifier: BSD-3-Clause
// The page on which depth of field opens: what is in focus along a strip of depths, and the lens.
#pragma once

#include "app/engine/dof/blur.h"

namespace fathom::dof {

/// How many pixels lie at which depth: bins even in the logarithm of depth.
struct DepthBins {
  static constexpr int kCount = 128;
  float low = 1, high = 2;  // scene units, of what is no background
  std::array<std::uint32_t, kCount> counts{};
  bool empty = true;

  /// 0..1 from low to high, and back.
  float place(double depth) const;
  double depthAt(float place) const;
};
/// `sharp` holds depth in alpha.
DepthBins depthBinsOf(const Image& sharp);

class LensPage {
 public:
  /// Widgets over the settings of the shot.
  void draw(Shot& shot, const Blur& blur);

 private:
  void drawStrip(Shot& shot, const Blur& blur);
  DepthBins bins_;
  std::uint64_t countedAt_ = 0;  // generation of the picture whose depths were counted
};

}  // namespace fathom::dof
