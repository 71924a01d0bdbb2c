// SPDX-License-Identifier: BSD-3-Clause
// What somebody asks of a picture or film that is to be a file, and how that ended.
#pragma once

namespace fathom {

/// What is written to a file, and how.
struct ExportChoice {
  std::string file;        // its ending decides; a video's, or %d in the name: all frames of a film
  glm::ivec2 size{0};      // pixels; 0: as large as it is
  double samples = 0;      // per pixel; 0: as the technique has them
  int bits = 8;            // of PNG: 8 or 16
  bool asFloat = false;    // EXR: 32-bit floats in place of half ones
  bool alpha = true;       // PNG and EXR: with an alpha channel
  bool displayed = false;  // PNG and PPM: exposure, channel and curve as in the window
  double framesPerSecond = 24;  // of a video
};

struct ExportEnd {
  std::string message;  // one line: the file, or what went wrong
  bool failed = false;
};

}  // namespace fathom
