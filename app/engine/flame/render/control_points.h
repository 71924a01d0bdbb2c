// SPDX-License-Identifier: BSD-3-Clause
// The moments of an exposure on the GPU: curves of time as tables, control points evaluated from
// them (or packed on the CPU), and which of them the samples of a slice take.
#pragma once

#include "app/engine/flame/motion/exposure.h"
#include "app/engine/flame/motion/motion.h"
#include "app/engine/flame/render/generator.h"
#include "app/engine/gpu/context.h"
#include "app/engine/gpu/pass.h"

namespace fathom::flame {

/// Curves of time as the passes read them.
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

/// Control points evaluated from curves, which is what the passes of shaders/flame/control_points
/// do.
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

/// Where the genomes of the moments of an exposure become what the shader reads.
enum class Moments {
  None,    // there is but one: a still
  Gpu,     // curves are evaluated (ControlPoints)
  Host,    // this motion has no curves: each genome is packed
  Coarse,  // control points are too large for shared memory: all work groups share one at a time
};

const char* nameOf(Moments moments);

/// The genomes of an exposure, stretch by stretch of its samples.
class OpenShutter {
 public:
  explicit OpenShutter(gpu::Context& gpu) : gpu_(gpu), evaluator_(gpu) {}

  /// What an exposure is spread over.
  struct Grid {
    std::size_t groups = 1, invocations = 1;
    double samples = 0;  // of the whole picture
  };
  /// `packOnHost`: pack control points even where the motion has curves.
  void start(std::shared_ptr<const Exposure> exposure, const Structure& structure,
             const HistogramShape& shape, const Grid& grid, bool packOnHost);
  /// There is no exposure: a still.
  void close();

  bool isOpen() const { return exposure_ != nullptr; }
  Moments moments() const { return moments_; }
  /// Work groups read controlPoints(); otherwise shape() is what all of them play.
  bool hasControlPoints() const { return moments_ == Moments::Gpu || moments_ == Moments::Host; }
  const gpu::Buffer<glm::vec4>& controlPoints() const { return controlPoints_; }
  /// The genome in the middle of the current stretch, ready for rendering.
  Genome shape() const;

  /// Goes to the stretch that `share` (0..1) of the samples belongs to; true when it is another.
  bool goTo(double share);
  /// Fills controlPoints() for the current stretch.
  void fillControlPoints();
  /// How many of `samples` are drawn when the current stretch ends.
  double samplesAtEnd(double samples) const {
    return samples * double(stretch_ + 1) / double(stretches_);
  }

  /// The current stretch needs another palette than the one before.
  bool needsPalette() const { return stretch_ == 0 || stretch_ >= paletteUntil_; }
  /// Of the stretches from the current one on, times the mean weight of their moments.
  struct WeightedPalette {
    Palette colors;
    double weight = 1;
  };
  WeightedPalette nextPalette();

 private:
  void chooseMoments(const Grid& grid, bool packOnHost);
  void packControlPoints();
  std::size_t paletteCount() const;
  double shareOf(std::size_t stretch, std::size_t group) const;

  gpu::Context& gpu_;
  ControlPoints evaluator_;
  gpu::Buffer<glm::vec4> controlPoints_;  // [group][row]
  std::shared_ptr<const Exposure> exposure_;
  Structure structure_;
  HistogramShape shape_;
  Moments moments_ = Moments::None;
  std::size_t groups_ = 1;
  std::size_t stretches_ = 1, stretch_ = 0;
  std::size_t paletteUntil_ = 0;  // the stretch that needs the next one
};

}  // namespace fathom::flame
