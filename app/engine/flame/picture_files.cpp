// SPDX-License-Identifier: BSD-3-Clause
// Levels of 8 and 16 bits, cut as flam3 cuts them, and the file formats that take them.
#include "app/engine/flame/picture_files.h"

#include "app/engine/core/text.h"
#include "app/engine/io/exr/flat_exr.h"
#include "app/engine/io/flat_formats.h"

namespace fathom::flame {
namespace {

/// One pixel as displayed, 0..255, color no longer multiplied by alpha when that is kept.
glm::vec4 straight(const glm::vec4& pixel, bool transparent) {
  const float alpha = std::clamp(pixel.a, 0.0f, 1.0f);
  const float divisor = transparent ? alpha : 1.0f;
  glm::vec4 out(0, 0, 0, alpha);
  if (divisor > 0)
    for (int c = 0; c < 3; ++c) out[c] = std::clamp(pixel[c] / divisor, 0.0f, 255.0f);
  return out;
}

/// `scale`: of the levels of color, from those of 8 bits.
template <class Level>
std::vector<Level> levels(const Image& displayed, bool transparent, float scale) {
  std::vector<Level> all;
  all.reserve(displayed.pixels.size() * 4);
  for (const glm::vec4& pixel : displayed.pixels) {
    const glm::vec4 value = straight(pixel, transparent);
    for (int c = 0; c < 3; ++c) all.push_back(Level(value[c] * scale));
    if (transparent) all.push_back(Level(value.a * float(std::numeric_limits<Level>::max())));
  }
  return all;
}

}  // namespace

std::vector<std::uint8_t> levels8(const Image& displayed, bool transparent) {
  return levels<std::uint8_t>(displayed, transparent, 1);
}

std::vector<std::uint16_t> levels16(const Image& displayed, bool transparent) {
  return levels<std::uint16_t>(displayed, transparent, 256);
}

void writeFlame(const fs::path& file, const Image& displayed, const Image& light,
                const PictureOptions& options) {
  const std::string ending = endingOf(file);
  const int channels = options.transparent ? 4 : 3;
  if (ending == ".exr") {
    writeFlatExr(file, light, {.asFloat = options.asFloat, .withAlpha = options.transparent});
  } else if (ending == ".ppm") {
    writePpm(file, displayed.width, displayed.height, levels8(displayed, false));
  } else if (options.bits == 16) {
    writePng16(file, displayed.width, displayed.height, channels,
               levels16(displayed, options.transparent));
  } else {
    writePngBytes(file, displayed.width, displayed.height, channels,
                  levels8(displayed, options.transparent));
  }
}

}  // namespace fathom::flame
