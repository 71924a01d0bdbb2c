// SPDX-License-Identifier: BSD-3-Clause
// What the watch knows of OpenGL's objects: names, sizes, what is bound where, which pass wrote an
// object last, and up to which pass each kind of memory barrier has come.
#pragma once

#include "tests/races/instrument.h"

#include <glad/gl.h>

namespace fathom::races {

/// A program, or a stage of one, in terms of our files.
struct WatchedProgram {
  std::string name;     // of the pass
  std::string shader;   // "shaders/common/scan_write.comp"
  std::string variant;  // its defines, in a row
  std::vector<std::string>
      lines;  // "shaders/common/scan_write.comp:12" for each of the flattened text
  std::vector<bool> meantToRace;  // lines of that text that end with `// race: why`
  Instrumented made;
  std::set<unsigned> written;  // objects that the last dispatch wrote; if that is known
  bool writesKnown = false;
  bool isCompute = false, isWatched = false;
  std::set<unsigned>
      pendingTrials;  // barriers of which it is not known whether leaving them out is noticed
  std::set<unsigned>
      usefulBarriers;  // that had accesses before and behind them, up to the next ones
  int trialsLeft = 0;
  unsigned groupSize = 1;

  std::string lineAt(unsigned line) const;
};

struct LastWrite {
  std::int64_t serial = -1;  // of the dispatch or draw; -1: none
  std::string pass;
  bool byDrawing = false;
};

struct BufferFacts {
  std::string label;
  std::int64_t bytes = 0;
  LastWrite write;
};

struct TextureFacts {
  std::string label;
  int width = 0, height = 0;
  GLuint buffer = 0;  // whose texels it shows; 0: none
  GLuint origin = 0;  // the texture that it is a view of; 0: none
  LastWrite write;
};

struct BufferBinding {
  GLuint id = 0;
  std::int64_t offset = 0;
};

struct GlObjects {
  std::map<GLuint, BufferFacts> buffers;
  std::map<GLuint, TextureFacts> textures;
  std::map<GLuint, BufferBinding> storage, uniforms;  // by binding
  std::map<GLuint, GLuint> images, units;             // by unit: textures
  GLuint indirect = 0;
  std::map<GLbitfield, std::int64_t> barriers;  // by bit: passes before this one are visible

  /// The texture behind views.
  GLuint originOf(GLuint texture) const;
  /// The first pass whose writes such a reader may not see yet.
  std::int64_t openFor(GLbitfield bit) const;
};

}  // namespace fathom::races
