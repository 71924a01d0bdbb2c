// SPDX-License-Identifier: BSD-3-Clause
// What an engine says about a pixel of its picture, and about the colors of a picture in false
// color.
#pragma once

namespace fathom {

/// What the pixel under the cursor holds: a headline and a table whose first column is a depth when
/// there are marks.
struct PixelReport {
  std::string headline;  // "pixel 512, 288: 7 fragments"
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  struct Mark {
    float z, zBack, alpha;
    float r, g, b;  // linear, not premultiplied
    int source;     // which input it came from
  };
  std::vector<Mark> marks;  // for the depth plot, front to back
};

/// An entry of the legend that the window draws over a picture in false color.
struct LegendEntry {
  float r, g, b;  // linear, as in the picture
  std::string label;
};

}  // namespace fathom
