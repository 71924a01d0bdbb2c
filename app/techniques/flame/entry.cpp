// SPDX-License-Identifier: BSD-3-Clause
// What it is called, and the functions and tables that make it up.
#include "app/techniques/flame/entry.h"

#include "app/techniques/flame/bench/bench.h"
#include "app/techniques/flame/bench/tuning.h"
#include "app/techniques/flame/commands/command.h"
#include "app/techniques/flame/engine/flame_technique.h"

namespace fathom::flame {
namespace {

/// All settings, belonging to no engine.
struct AllSettings {
  Settings drawing;
  PlayheadSettings playhead;
  PlaybackSettings playback;
};

void describe(AllSettings& s, FieldVisitor& field) {
  flame::describe(s.drawing, field);
  flame::describe(s.playhead, field);
  flame::describe(s.playback, field);
}

}  // namespace

const TechniqueEntry& entry() {
  static const TechniqueEntry entry{
      {"flame",
       "Fractal flames",
       "Draws flam3 genomes as flam3 does, on the GPU, while you edit them.",
       "Robertson, \"cuburn: a GPU flame renderer\" (2011), after Draves and Reckase, \"The "
       "Fractal Flame Algorithm\" (2003)",
       {".flame", ".flam3", ".json"}},
      accepts,
      read,
      defaultSettings<AllSettings>,
      makeTechnique<FlameTechnique>,
      {"xforms", "image", "palette", "mutations", "timeline"},
      commands,
      benches,
      tunables};
  return entry;
}

}  // namespace fathom::flame
