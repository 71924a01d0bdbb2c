// SPDX-License-Identifier: BSD-3-Clause
// The moments of an exposure as the chaos game takes them: its samples are cut into stretches, each
// work group has a control point per stretch (a genome of one moment, Robertson 2011), and
// neighboring stretches share a palette. Without control points all work groups play the genome of
// one moment at a time.
#pragma once

#include "app/engine/gpu/context.h"
#include "app/engine/flame/motion/exposure.h"
#include "app/engine/flame/render/control_points.h"
#include "app/engine/flame/render/generator.h"

#include <cstddef>
#include <memory>

#include <glm/vec4.hpp>

namespace fathom::flame {

/// Where the genomes of the moments of an exposure become what the shader reads.
enum class Moments {
  None,    // there is but one: a still
  Gpu,     // curves are evaluated (control_points.h)
  Host,    // this motion has no curves: each genome is packed
  Coarse,  // control points are too large for shared memory: all work groups share one at a time
};

const char* nameOf(Moments moments);

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
