// SPDX-License-Identifier: BSD-3-Clause
// The settings of films in the window: the playhead, and how a film is played.
#pragma once

#include "app/engine/core/fields.h"

namespace fathom::flame {

/// Two views of the playhead; Timeline::follow() acts on what was assigned.
struct PlayheadSettings {
  int flame = 1;   // which genome, counted from 1; where genomes move, the last one asked for
  float time = 0;  // frames
};

void describe(PlayheadSettings& playhead, FieldVisitor& field);

struct PlaybackSettings {
  float frameRate = 24;  // frames per second, within the limits below
  bool loop = true;
  bool motionBlur = false;
};
constexpr float kMinFrameRate = 1, kMaxFrameRate = 120;

void describe(PlaybackSettings& playback, FieldVisitor& field);

}  // namespace fathom::flame
