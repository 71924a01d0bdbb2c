// SPDX-License-Identifier: BSD-3-Clause
// Plays the chaos game of one genome on the GPU and gathers its samples in a histogram, a slice at
// a time. The same seed on the same device gives the same histogram, however it was sliced
// (direct accumulation excepted).
#pragma once

#include "app/engine/flame/genome/model.h"
#include "app/engine/flame/render/control_points.h"
#include "app/engine/flame/render/generator.h"
#include "app/engine/flame/render/histogram.h"
#include "app/engine/flame/render/hit_log.h"
#include "app/engine/flame/render/settings.h"
#include "app/engine/gpu/context.h"
#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/slices.h"

namespace fathom::flame {

/// The forms in which devices differ, for tests and benches.
struct SamplerForms {
  std::optional<Selection> selection{};  // Own in software, else Shared
  std::optional<Replay> replay{};        // Host in software, else Groups
  /// What Settings::accumulate auto becomes, where the histogram allows it: Deferred in software,
  /// else Atomic.
  std::optional<Accumulate> accumulate{};
  bool packOnHost = false;      // control points, even of motions that are curves
  std::optional<int> groups{};  // work groups at most
};

class Sampler {
 public:
  /// `forms`: what is not given is as suits the device.
  explicit Sampler(gpu::Context& gpu, const SamplerForms& forms = {});

  /// Begins anew: an empty histogram, fresh trajectories. Compiles only when the genome's structure
  /// is a new one. Throws Error for a genome that cannot be iterated, and when the histogram is too
  /// large for the device.
  /// `samples`: as many as step() will be asked for, about; infinite: more than there are
  /// trajectories at once.
  void start(const Genome& genome, const HistogramShape& shape, const Settings& settings,
             std::uint64_t seed, double samples = INFINITY);
  /// Begins a frame of an animation, whose samples are spread over the time that the shutter
  /// is open; step() must then always be called for the same `samples`.
  /// `apart`: its moments have nothing to do with each other (layers), so that trajectories find to
  /// the next one's attractor before they are plotted again.
  void start(std::shared_ptr<const Exposure> exposure, const HistogramShape& shape,
             const Settings& settings, std::uint64_t seed, double samples, bool apart = false);

  /// Of the next start(): so many rows of buckets take hits. Fewer than all only where the
  /// processor replays a log.
  void openRows(int first, int count) { firstRow_ = first, rowCount_ = count; }

  /// False when so many samples, asked for later, would take longer than to begin anew.
  bool suits(double samples) const;

  /// Draws samples for about `budgetMs` of the device's time, at least a slice, at most until there
  /// are `samplesWanted` (rounded up to a whole number per trajectory). True when there are.
  bool step(double budgetMs, double samplesWanted);

  /// For benchmarks of deferred accumulation: draws about `samples`, at most what the log
  /// holds, and leaves them in it, not sorted.
  const HitLog& fillLog(double samples);
  void replayLog() { log_.replay(histogram_, palette_); }

  const Histogram& histogram() const { return histogram_; }
  /// For the last picture of what was drawn: whoever makes it may give parts back. Gives the log
  /// back; the next call is start().
  Histogram& releaseHistogram();
  /// Samples per second, of the last slices; 0 before the first.
  double rate() const { return rate_; }
  /// How hits are added up; never Auto.
  Accumulate accumulate() const { return structure_.accumulate; }
  const Structure& structure() const { return structure_; }
  Moments moments() const { return shutter_.moments(); }

 private:
  void prepare(const HistogramShape& shape, const Settings& settings, std::uint64_t seed,
               double samples);
  /// `samples`: 0 of an exposure.
  void chooseStructure(const Genome& genome, const HistogramShape& shape, const Settings& settings,
                       double samples);
  /// Of the log, for a dispatch.
  std::size_t entriesOf(std::uint32_t rounds) const {
    return std::size_t(rounds + structure_.spareRounds()) * params_.invocations;
  }
  void makeHistogram(const HistogramShape& shape);
  void uploadGenome(const Genome& genome);
  void uploadPalette(const Palette& palette);
  void placeOrbits(const Genome& genome);
  bool deferred() const { return structure_.accumulate == Accumulate::Deferred; }
  void openStretch();
  void lead();
  std::uint32_t mostRounds() const;  // of a dispatch
  void warmUp(std::uint32_t rounds);
  double samplesUntilNextStretch(double samplesWanted);
  std::uint32_t roundsFor(double budgetMs, double samples);
  std::uint64_t plottedUpTo(std::uint64_t rounds) const;
  void dispatch(std::uint32_t rounds, bool plotting);
  void endSlice(double samples);
  std::size_t roomInLog();
  void countLost();

  gpu::Context& gpu_;
  SamplerForms forms_;
  std::optional<Structure> made_;  // what pass_ was made for
  Structure structure_;
  gpu::Pass* pass_ = nullptr;
  Histogram histogram_;
  int firstRow_ = 0, rowCount_ = INT_MAX;
  HitLog log_;  // deferred accumulation only
  OpenShutter shutter_{gpu_};
  bool apart_ = false;  // its moments
  shared::IterateParams params_{};
  gpu::Buffer<shared::IteratePoint> points_;
  gpu::RawBuffer xforms_;  // parameters, then thresholds
  gpu::Buffer<glm::vec4> palette_;
  double weight_ = 1;         // of the samples drawn with palette_
  double weightsDrawn_ = 0;   // of all samples so far
  std::uint64_t rounds_ = 0;  // those of the fuse included
  double rate_ = 0;
  std::uint32_t fuse_ = 0;  // rounds before the first that is plotted
  int restart_ = 0;         // Settings::restart
  double batches_ = 1;      // of a picture of flam3, whose trajectories end with each
  gpu::SliceTimer timer_{gpu_};
};

/// The pass that plays the chaos game of this structure.
gpu::PassKey iteratePass(const Structure& structure, int groupSize);

}  // namespace fathom::flame
