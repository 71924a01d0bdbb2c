// SPDX-License-Identifier: BSD-3-Clause
// Glyphs are the quads of stb_easy_font: 7-bit ASCII without a font file.
#include "app/engine/io/label.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb_easy_font.h>
#pragma GCC diagnostic pop

namespace fathom {

int labelWidth(int scale, const std::string& text) {
  std::string copy = text;  // stb takes a mutable string
  return scale * stb_easy_font_width(copy.data());
}

void drawLabel(Image& image, int x, int y, int scale, const std::string& text, glm::vec3 color) {
  struct Corner {
    float x, y, z;
    unsigned char rgba[4];
  };
  std::vector<Corner> corners(text.size() * 32 + 64);
  std::string copy = text;
  const int quads = stb_easy_font_print(0, 0, copy.data(), nullptr, corners.data(),
                                        int(corners.size() * sizeof(Corner)));
  // Each quad is a rectangle of whole units: corner 0 is its top left, corner 2 its bottom right.
  for (int q = 0; q < quads; ++q) {
    const Corner& low = corners[std::size_t(q) * 4];
    const Corner& high = corners[std::size_t(q) * 4 + 2];
    for (int py = y + int(low.y) * scale; py < y + int(high.y) * scale; ++py)
      for (int px = x + int(low.x) * scale; px < x + int(high.x) * scale; ++px)
        if (px >= 0 && py >= 0 && px < image.width && py < image.height)
          image.at(px, py) = glm::vec4(color, 1);
  }
}

}  // namespace fathom
