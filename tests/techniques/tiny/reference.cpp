// SPDX-License-Identifier: BSD-3-Clause
// A ramp in double precision, column by column.
#include "tests/techniques/tiny/reference.h"

namespace fathom::tiny::reference {

Image ramp(const Settings& settings, int width, int height) {
  Image image(width, height);
  for (int x = 0; x < width; ++x) {
    double t = (x + 0.5) / width;
    if (settings.steps > 1)
      t = std::floor(t * settings.steps) / (settings.steps - 1);
    else if (settings.steps == 1)
      t = 0;
    const double gray = settings.left + (double(settings.right) - settings.left) * t;
    for (int y = 0; y < height; ++y) image.at(x, y) = glm::vec4(glm::vec3(float(gray)), 1);
  }
  return image;
}

}  // namespace fathom::tiny::reference
