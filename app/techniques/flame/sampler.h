// SPDX-License-Identifier: BSD-3-Clause
// Plays the chaos game of one genome on the GPU and gathers its samples in a histogram, a slice at
// a time. The same seed on the same device gives the same histogram, however it was sliced
// (direct accumulation excepted).
#pragma once

#include "app/gpu/context.h"
#include "app/gpu/pass.h"
#include "app/techniques/flame/control_points.h"
#include "app/techniques/flame/exposure.h"
#include "app/techniques/flame/generator.h"
#include "app/techniques/flame/histogram.h"
#include "app/techniques/flame/hit_log.h"
#include "app/techniques/flame/model.h"
#include "app/techniques/flame/settings.h"
#include "shaders/flame/shared.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace fathom::flame {

/// The forms in which devices differ, for tests and benches.
struct SamplerForms {
  std::optional<Selection> selection;  // Own in software, else Shared
  std::optional<Replay> replay;        // Host in software, else Groups
  /// What Settings::accumulate auto becomes, where the histogram allows it: Deferred in software,
  /// else Atomic.
  std::optional<Accumulate> accumulate;
  bool packOnHost = false;  // control points, even of motions that are curves
};

/// Where the genomes of the moments of an exposure become what the shader reads.
enum class Moments {
  None,    // there is but one: a still
  Gpu,     // curves are evaluated (control_points.h)
  Host,    // this motion is no curves: each genome is packed
  Coarse,  // control points are too large for shared memory: all work groups share one at a time
};

const char* nameOf(Moments moments);

class Sampler {
 public:
  /// `forms`: what is not given is as suits the device.
  explicit Sampler(gpu::Context& gpu, const SamplerForms& forms = {});

  /// Begins anew: an empty histogram, fresh trajectories. Compiles only when the genome's structure
  /// is a new one. Throws Error for a genome that cannot be iterated, and when the histogram is too
  /// large for the device.
  void start(const Genome& genome, const HistogramShape& shape, const Settings& settings,
             std::uint64_t seed);
  /// The same for a frame of an animation, whose samples are spread over the time that the shutter
  /// is open; step() must then always be called for the same `samples`.
  void start(std::shared_ptr<const Exposure> exposure, const HistogramShape& shape,
             const Settings& settings, std::uint64_t seed, double samples);

  /// Draws samples for about `budgetMs` of the device's time, at least a slice, at most until there
  /// are `samplesWanted` (rounded up to a whole number per trajectory). True when there are.
  bool step(double budgetMs, double samplesWanted);

  /// Of deferred accumulation, for tests.
  HitLog& log() { return log_; }
  /// For benchmarks of deferred accumulation: draws about so many samples, at most what the log
  /// holds, and leaves them in it, not sorted.
  const HitLog& fillLog(double samples);
  void replayLog() { log_.replay(histogram_, palette_); }

  const Histogram& histogram() const { return histogram_; }
  /// Samples per second, of the last slices; 0 before the first.
  double rate() const { return rate_; }
  /// How hits are added up; never Auto.
  Accumulate accumulate() const { return structure_.accumulate; }
  const Structure& structure() const { return structure_; }
  Moments moments() const { return moments_; }

 private:
  void prepare(const Genome& genome, const HistogramShape& shape, const Settings& settings,
               std::uint64_t seed);
  void chooseMoments();
  void openShutter();
  void packControlPoints();
  std::size_t groups() const { return params_.invocations / std::size_t(pass_->groupSize()); }
  double shareOf(std::size_t stretch, std::size_t group) const;
  void usePalette();
  double moveOn(double samplesWanted);
  void uploadPalette(const Palette& palette);
  void chooseStructure(const Genome& genome, const HistogramShape& shape, const Settings& settings);
  void makeHistogram(const HistogramShape& shape);
  void uploadGenome(const Genome& genome);
  void dispatch(std::uint32_t rounds, bool plotting);
  std::size_t roomInLog();
  void countLost();

  gpu::Context& gpu_;
  Selection selection_;
  std::optional<Structure> made_;  // what pass_ was made for
  Structure structure_;
  gpu::Pass* pass_ = nullptr;
  Histogram histogram_;
  HitLog log_;  // deferred accumulation only
  shared::IterateParams params_{};
  gpu::Buffer<shared::IteratePoint> points_;
  gpu::RawBuffer xforms_;  // parameters, then thresholds
  gpu::Buffer<glm::vec4> palette_;
  gpu::Buffer<glm::vec4> controlPoints_;  // of a moving structure
  ControlPoints evaluator_;
  bool packOnHost_;
  std::optional<Accumulate> automatic_;  // SamplerForms::accumulate
  Moments moments_ = Moments::None;
  std::shared_ptr<const Exposure> exposure_;  // null: a still
  // Of the exposure: each has control points of its own.
  std::size_t stretches_ = 1, stretch_ = 0;
  std::size_t paletteUntil_ = 0;  // the stretch that needs the next one
  double weight_ = 1;             // of the samples drawn with it
  double weightsDrawn_ = 0;       // of all samples so far
  std::uint64_t rounds_ = 0;      // those of the fuse included
  double rate_ = 0;
};

/// The pass that plays the chaos game of this structure.
gpu::PassKey iteratePass(const Structure& structure, int groupSize);

}  // namespace fathom::flame
