// SPDX-License-Identifier: BSD-3-Clause
// Adds to a compute shader, as SPIR-V, a call beside every access to memory that invocations share
// and in the place of every barrier; record_accesses.glsl has the functions. Rewriting GLSL would
// need its macros, types and order of evaluation; in SPIR-V every access is an instruction of its
// own.
#pragma once

#include "tests/races/word_history.h"

namespace fathom::races {

struct WatchedObject {
  enum class Kind { Shared, Buffer, Image } kind;
  std::string name;      // as declared: "counters", "Keys"
  unsigned binding = 0;  // of buffers and images; of shared memory any number of its own
  bool read = false, written = false;  // by some instruction
};

struct Place {
  unsigned line;    // of the flattened text, from 1
  unsigned object;  // into Instrumented::objects
  AccessKind kind;
  unsigned words;     // one after another
  unsigned constant;  // stored: the id of the constant; 0: a value that is computed
};

struct Instrumented {
  std::vector<std::uint32_t> spirv;
  std::vector<WatchedObject> objects;
  std::vector<Place> places;
  std::vector<unsigned> barriers;  // the line of each
  std::vector<unsigned> uniforms;  // bindings of uniform blocks
  std::vector<unsigned> textures;  // units that are sampled
  unsigned groupSize = 1;          // invocations
  unsigned logBinding = 0, factsBinding = 0;
};

/// Throws std::runtime_error with the front end's messages when the text does not compile.
Instrumented instrument(const std::string& name, const std::string& text);

/// What a shader of another stage touches: objects, uniforms and textures, without places.
Instrumented survey(const std::string& name, const std::string& text);

}  // namespace fathom::races
