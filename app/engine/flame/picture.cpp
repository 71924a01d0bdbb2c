// SPDX-License-Identifier: BSD-3-Clause
// When a picture begins anew, and what the device then draws.
#include "app/engine/flame/picture.h"

#include "app/engine/core/progress.h"
#include "app/engine/flame/motion/exposure.h"

namespace fathom::flame {
namespace {

/// The moment at the playhead, small and quick, in full as a still, or in full with motion blur.
std::shared_ptr<const Exposure> exposureAt(const Timeline& timeline,
                                           const PlayheadPicture::Mode& mode, bool blurred) {
  std::shared_ptr<const Motion> motion = timeline.motion();
  if (!blurred)
    motion = std::make_shared<const PreviewMotion>(motion,
                                                   mode.quick ? kGesturePreview : PreviewQuality{});
  return std::make_shared<const Exposure>(motion, timeline.shownTime());
}

}  // namespace

Rendering& PlayheadPicture::renderingOn(gpu::Context& gpu) {
  if (gpu_ != &gpu || !rendering_) {
    rendering_.reset();
    gpu_ = &gpu;
    rendering_ = std::make_unique<Rendering>(gpu);
    begun_ = false;
  }
  return *rendering_;
}

/// The picture is of a moment of the film, not of a genome as it is.
bool PlayheadPicture::fromMotion(const Mode& mode) const {
  return (mode.blurred && !mode.quick && timeline_.moves()) || !timeline_.onKeyframe();
}

/// What the picture needs to become that of the playhead as it is now.
Redo PlayheadPicture::redoSince(const Settings& settings, const Mode& mode) const {
  if (!begun_ || interrupted_) return Redo::Samples;
  const Settings& before = key_.settings;
  if (key_.mode != mode || before.supersample != settings.supersample ||
      before.accumulate != settings.accumulate || before.sortBits != settings.sortBits ||
      before.antialias != settings.antialias || before.restart != settings.restart)
    return Redo::Samples;
  const bool otherMoment = fromMotion(mode) && (key_.revision != timeline_.revision() ||
                                                key_.time != timeline_.shownTime());
  const Redo least = before != settings || otherMoment ? Redo::Tones : Redo::Nothing;
  const Genome& shown = timeline_.shown();
  return drawn_ == shown ? least : std::max(least, redoFor(drawn_, shown));
}

void PlayheadPicture::begin(const Settings& settings, const Mode& mode, bool anew) {
  Genome genome = timeline_.shown();
  Settings used = settings;
  if (mode.quick) {
    genome = previewOf(genome, kGesturePreview);
    used.quality = 0, used.supersample = 0;
  }
  const bool blurred = mode.blurred && !mode.quick && timeline_.moves();
  try {
    if (fromMotion(mode))
      rendering_->start(exposureAt(timeline_, mode, blurred), used, mode.seed);
    else if (anew)
      rendering_->start(genome, used, mode.seed);
    else
      rendering_->change(genome, used, mode.seed);
  } catch (const Error& error) {
    begun_ = false;
    const std::string file = names_.empty() ? "flame" : names_[0];
    const std::string& name = timeline_.shown().name;
    fail("{}: flame {}: {}", file, name.empty() ? std::to_string(timeline_.current() + 1) : name,
         error.what());
  }
  drawn_ = timeline_.shown();
  key_ = {settings, mode, timeline_.revision(), timeline_.shownTime()};
  begun_ = true;
}

/// How long the user waited for what was changed.
void PlayheadPicture::logFirstPicture() {
  if (!awaited_ || !rendering_->hasPicture()) return;
  log::info("flame: first picture after {:.0f} ms; {:.0f} ms of processor", awaited_->since.ms(),
            processorMs() - awaited_->cpuMs);
  awaited_.reset();
}

bool PlayheadPicture::step(gpu::Context& gpu, const Settings& settings, const Mode& mode,
                           double budgetMs) {
  Rendering& rendering = renderingOn(gpu);
  const Redo redo = redoSince(settings, mode);
  if (redo != Redo::Nothing) {
    if (!awaited_) awaited_.emplace(Stopwatch(), processorMs());
    begin(settings, mode, redo == Redo::Samples);
  }
  // Trajectories of a dispatch that was abandoned are of different lengths: they begin anew.
  interrupted_ = true;
  const bool complete = rendering.step(budgetMs);
  interrupted_ = false;
  logFirstPicture();
  return complete;
}

double PlayheadPicture::draw(gpu::Context& gpu, const Settings& settings, const Mode& mode,
                             Progress& progress) {
  Rendering& rendering = renderingOn(gpu);
  begin(settings, mode, true);
  progress.begin("samples", rendering.samplesWanted());
  return drawAll(gpu, progress);
}

double PlayheadPicture::drawFrame(gpu::Context& gpu, std::shared_ptr<const Exposure> exposure,
                                  const Settings& settings, std::uint64_t seed,
                                  Progress& progress) {
  Rendering& rendering = renderingOn(gpu);
  begun_ = false;  // the still is no longer what is drawn
  rendering.start(std::move(exposure), settings, seed);
  return drawAll(gpu, progress);
}

double PlayheadPicture::drawAll(gpu::Context& gpu, Progress& progress) {
  const Stopwatch total;
  for (bool done = false; !done;) {
    const double before = rendering_->samples();
    done = rendering_->sample(std::numeric_limits<double>::infinity());
    progress.advance(rendering_->samples() - before);
  }
  gpu.finish();
  const double seconds = total.seconds();
  rendering_->toneMapLast();
  return seconds;
}

}  // namespace fathom::flame
