// SPDX-License-Identifier: BSD-3-Clause
// From stored values to light.
#include "app/engine/io/pictures/stored.h"

#include "app/engine/core/color.h"

namespace fathom {

Picture storedPicture(int width, int height, bool hasAlpha) {
  Picture picture;
  picture.image = Image(width, height);
  picture.dataWindow = picture.displayWindow = {0, 0, width, height};
  picture.hasAlpha = hasAlpha;
  picture.encoding = Encoding::Srgb;
  return picture;
}

std::optional<Picture> linearized(std::optional<Picture> stored) {
  if (!stored) return stored;
  const bool linear = stored->encoding == Encoding::Linear;
  for (glm::vec4& pixel : stored->image.pixels)
    for (int c = 0; c < 3; ++c) pixel[c] = (linear ? pixel[c] : linearFromSrgb(pixel[c])) * pixel.w;
  return stored;
}

}  // namespace fathom
