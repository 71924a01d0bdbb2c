// SPDX-License-Identifier: BSD-3-Clause
// A moving genome written as the tables that evaluate_*.comp read: its curves, their knots, and the
// jobs that make a control point of their values. What words they hold: evaluate_shared.h.
#pragma once

#include "app/engine/flame/motion/motion.h"
#include "app/engine/flame/render/generator.h"

#include <span>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

namespace fathom::flame {

struct CurveTables {
  enum Kind { Camera, Matrices, Variations, Thresholds };
  static constexpr int kKinds = 4;

  std::vector<glm::uvec4> curves;  // those of the first piece, then as many of each other one
  std::vector<glm::dvec2> knots;   // time, value
  std::array<std::vector<glm::uvec4>, kKinds> jobs;
  std::size_t curvesPerPiece = 0;
  std::uint32_t searchStep = 0;  // of the search among a curve's knots
  bool magnitudes = false;       // some curve is in cuburn's domain
};

/// `pieces`: at least one; none has more xforms than the structure holds.
CurveTables curveTables(std::span<const MovingGenome> pieces, const Structure& structure,
                        const HistogramShape& shape);

}  // namespace fathom::flame
