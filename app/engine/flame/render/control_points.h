// SPDX-License-Identifier: BSD-3-Clause
// Control points of a moving genome, evaluated on the GPU: curves are uploaded once per frame, and
// every moment that the shutter is open becomes one packed control point (generator.h) for the
// iteration shader (Robertson 2011; R2 and R3). The passes compute in double precision, so that
// they give what packControlPoint() gives, to a float's rounding.
#pragma once

#include "app/engine/gpu/context.h"
#include "app/engine/gpu/pass.h"
#include "app/engine/flame/render/curve_tables.h"

#include <array>
#include <cstddef>
#include <span>

namespace fathom::flame {

class ControlPoints {
 public:
  explicit ControlPoints(gpu::Context& gpu) : gpu_(gpu) {}

  /// Uploads the curves, and the moments for which they will be asked. `pieces` cover them in
  /// order.
  void start(std::span<const MovingGenome> pieces, const Structure& structure,
             const HistogramShape& shape, std::span<const double> moments);
  /// Writes the control points of `count` moments from `first` on, [moment][row], to a buffer of
  /// this size that was cleared after start().
  void evaluate(std::size_t first, std::size_t count, const gpu::RawBuffer& target);

 private:
  void uploadTables(const CurveTables& tables);

  gpu::Context& gpu_;
  gpu::RawBuffer curves_, knots_, jobs_, moments_;
  std::array<std::size_t, CurveTables::kKinds> jobCounts_{};
  std::array<gpu::Pass*, CurveTables::kKinds> passes_{};
  std::size_t curvesPerPiece_ = 0, floatsPerPoint_ = 0, capacity_ = 0;
  std::uint32_t searchStep_ = 0;
};

}  // namespace fathom::flame
