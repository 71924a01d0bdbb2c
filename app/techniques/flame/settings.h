// SPDX-License-Identifier: BSD-3-Clause
// The settings of flames that are not part of the genome: how much is drawn and how, where the
// playhead stands, and how films are played in the window.
#pragma once

#include "app/core/fields.h"

namespace fathom::flame {

// The values count as in shaders/flame/shared.h.
enum class Accumulate { Auto, Direct, Atomic, Deferred };  // Auto: the fastest exact one here
enum class Antialias { Filter, Jitter };
enum class Estimator { Fast, Exact, Off };

struct Settings {
  int quality = 0;      // samples per pixel; 0: the genome's
  int supersample = 0;  // 0: the genome's
  Accumulate accumulate = Accumulate::Auto;
  int sortBits = 8;  // of the deferred log: 7..10
  Antialias antialias = Antialias::Filter;
  Estimator estimator = Estimator::Fast;
  bool edgeClamp = false;
  bool transparent = false;
};

void describe(Settings& settings, FieldVisitor& field);

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

/// All of them, belonging to no engine.
struct AllSettings {
  Settings drawing;
  PlayheadSettings playhead;
  PlaybackSettings playback;
};

void describe(AllSettings& settings, FieldVisitor& field);

}  // namespace fathom::flame
