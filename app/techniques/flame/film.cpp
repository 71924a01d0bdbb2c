// SPDX-License-Identifier: BSD-3-Clause
// The face of flames where they move: playing, looking through, what is due once per frame.
#include "app/techniques/flame/technique.h"

#include <algorithm>
#include <cmath>

namespace fathom::flame {
namespace {

/// A field on which the picture at the playhead does not depend.
template <class Field>
Field drawsNothing(Field field) {
  field.info.effect = Effect::None;
  return field;
}

}  // namespace

void FlameTechnique::describePlaying(FieldVisitor& field) {
  float rate = float(playback_.frameRate());
  bool loop = playback_.loop(), open = playback_.shutter();
  const float rateBefore = rate;
  field(rate, drawsNothing(range("frame-rate", float(kSlowestFilm), float(kFastestFilm),
                                 "Frames per second of a film that is played in the window.")));
  field(loop, drawsNothing(toggle("loop", "Play on from the beginning at the end of a film.")));
  field(open, toggle("motion-blur", "See moments of a film with the shutter open, as in animate.")
                  .rebuilds());
  if (rate != rateBefore) playback_.setFrameRate(rate);
  if (loop != playback_.loop()) playback_.setLoop(loop);
  playback_.setShutter(open);
}

Effect FlameTechnique::takeChange() {
  Effect effect = std::max(editor_.takeChange(), std::exchange(asked_, Effect::None));
  const bool played = playback_.playing();
  if (playback_.tick(Playback::Clock::now())) effect = std::max(effect, Effect::Redraw);
  // At rest the picture is drawn in full.
  return played && !playback_.playing() ? Effect::Rebuild : effect;
}

bool FlameTechnique::backgroundStep(gpu::Context& gpu, double budgetMs) {
  const bool offers = editor_.work(gpu);
  return playback_.work(gpu, settings_, seed_, budgetMs) || offers;
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
  if (playback_.loop())
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

void FlameTechnique::setShutter(bool open) {
  if (open == playback_.shutter()) return;
  playback_.setShutter(open);
  asked_ = Effect::Rebuild;
}

void FlameTechnique::setScrubbing(bool on) {
  if (scrubbing_ && !on) asked_ = Effect::Rebuild;
  scrubbing_ = on;
}

}  // namespace fathom::flame
