// SPDX-License-Identifier: BSD-3-Clause
// What it is called, and the functions and tables that make it up.
#include "app/engine/flame/entry.h"

#include "app/engine/flame/engine.h"

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
      makeEngine<FlameEngine>};
  return entry;
}

}  // namespace fathom::flame
