// SPDX-License-Identifier: BSD-3-Clause
// The table of settings of films: names, ranges and help.
#include "app/engine/flame/film/settings.h"

#include "app/engine/flame/genome/io.h"

namespace fathom::flame {
namespace {

constexpr float kMaxTime = 100000;  // frames

/// A field on which the picture at the playhead does not depend.
template <class Field>
Field drawsNothing(Field field) {
  field.info.effect = Effect::None;
  return field;
}

}  // namespace

void describe(PlayheadSettings& s, FieldVisitor& field) {
  field(s.flame, range("flame", 1, kMaxFlames, "Which flame of a file with several.")
                     .under(Section::Input)
                     .ofInputs()
                     .rebuilds());
  field(s.time, range("time", -kMaxTime, kMaxTime,
                      "Time shown of a film (flames with ascending times), in frames.")
                    .under(Section::Input)
                    .ofInputs()
                    .editedOn("timeline"));
}

void describe(PlaybackSettings& s, FieldVisitor& field) {
  field(s.frameRate, drawsNothing(range("frame-rate", kMinFrameRate, kMaxFrameRate,
                                        "Frames per second when a film plays in the window.")
                                      .under(Section::Picture)
                                      .editedOn("timeline")));
  field(s.loop, drawsNothing(toggle("loop", "Start over at the end of a film.")
                                 .under(Section::Picture)
                                 .editedOn("timeline")));
  field(s.motionBlur,
        toggle("motion-blur", "Show films with the shutter open, as animate draws them.")
            .under(Section::Picture)
            .rebuilds());
}

}  // namespace fathom::flame
