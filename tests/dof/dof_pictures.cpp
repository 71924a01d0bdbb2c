// SPDX-License-Identifier: BSD-3-Clause
// Discs and planes of random colors; the lens is found from the radius at infinity.
#include "tests/dof/dof_pictures.h"

#include "app/engine/core/random.h"

namespace fathom::test {

Image discPicture(int width, int height, std::uint64_t seed) {
  Random random(seed);
  Image picture(width, height, glm::vec4(0.2f, 0.3f, 0.4f, 25));
  const int discs = 12 + width * height / 600;
  for (int i = 0; i < discs; ++i) {
    const float x = random.uniform(0, float(width)), y = random.uniform(0, float(height));
    const float radius = random.uniform(1, 14), z = random.uniform(1, 20);
    const glm::vec3 color(random.uniform(), random.uniform(), random.uniform());
    for (int py = 0; py < height; ++py)
      for (int px = 0; px < width; ++px) {
        const float dx = float(px) - x, dy = float(py) - y;
        if (dx * dx + dy * dy <= radius * radius && picture.at(px, py).a > z)
          picture.at(px, py) = glm::vec4(color * (0.6f + 0.4f * random.uniform()), z);
      }
  }
  return picture;
}

Image planePicture(int width, int height, float z) {
  Random random(7);
  Image picture(width, height);
  for (glm::vec4& p : picture.pixels) p = {random.uniform(), random.uniform(), random.uniform(), z};
  return picture;
}

dof::Lens lensWith(double farRadius, double focus, int maxRadius) {
  // K = 0.5 f/N f/(S - f) W/w, solved for N.
  dof::Lens lens;
  lens.focalLength = 50;
  lens.sensorWidth = 36;
  lens.pictureWidth = 1280;
  lens.focus = focus;
  lens.maxRadius = maxRadius;
  lens.fNumber = 1;
  lens.fNumber = lens.farRadius() / farRadius;
  return lens;
}

}  // namespace fathom::test
