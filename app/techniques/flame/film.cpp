// SPDX-License-Identifier: BSD-3-Clause
// The face of flames where they move: playing, looking through, what is due once per frame.
#include "app/techniques/flame/technique.h"

#include <algorithm>
#include <cmath>

namespace fathom::flame {
Effect FlameTechnique::takeChange() {
  Effect effect = std::max(editor_.takeChange(), std::exchange(asked_, Effect::None));
  const bool played = playback_.playing();
  if (playback_.tick(Playback::Clock::now())) effect = std::max(effect, Effect::Redraw);
  // At rest the picture is drawn in full.
  return played && !playback_.playing() ? Effect::Rebuild : effect;
}

bool FlameTechnique::backgroundStep(gpu::Context& gpu, double budgetMs) {
  const bool offers = editor_.work(gpu);
  return playback_.step(gpu, settings_, seed_, budgetMs) || offers;
}

void FlameTechnique::goTo(double time) {
  play(false);
  timeline_.setTime(time);
}

void FlameTechnique::goBy(int frames) {
  if (!timeline_.moves()) return goTo(std::round(timeline_.time()) + frames);
  const FrameRange range = playback_.range();
  const double from = timeline_.time();
  const int whole = int(frames > 0 ? std::floor(from + 1e-6) : std::ceil(from - 1e-6));
  int frame = whole + frames;
  if (playback_.settings().loop)
    frame = frame > range.last ? range.first : frame < range.first ? range.last : frame;
  goTo(std::clamp(frame, range.first, range.last));
}

void FlameTechnique::play(bool on) {
  if (on == playback_.playing()) return;
  if (on)
    playback_.play();
  else
    playback_.stop();
  if (!on) asked_ = Effect::Rebuild;
}

void FlameTechnique::setScrubbing(bool on) {
  if (scrubbing_ && !on) asked_ = Effect::Rebuild;
  scrubbing_ = on;
}

}  // namespace fathom::flame
