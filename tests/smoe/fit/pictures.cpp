// SPDX-License-Identifier: BSD-3-Clause
// Small pictures, frames and views with known content, for fits that take milliseconds.
#include "tests/smoe/fit/pictures.h"

#include "app/engine/core/random.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace fathom::smoe {
namespace {

/// A picture by its color at points of 0..1.
template <class Color>
Image drawn(glm::ivec2 size, const Color& color) {
  Image image(size.x, size.y);
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x)
      image.at(x, y) = glm::vec4(color(glm::vec2(x + 0.5f, y + 0.5f)), 1);
  return image;
}

}  // namespace

Image discs(glm::ivec2 size, glm::dvec2 shift) {
  return drawn(size, [&](glm::vec2 at) {
    const glm::vec2 unit = at / float(std::max(size.x, size.y));
    glm::vec3 color = glm::mix(glm::vec3(0.2f, 0.3f, 0.5f), glm::vec3(0.8f, 0.7f, 0.4f), unit.y);
    if (unit.x > 0.7f) color += 0.08f * std::sin(at.x * 1.1f);
    Random random(7);
    for (int i = 0; i < 9; ++i) {
      glm::vec2 center{random.uniform(), random.uniform()};
      const float radius = random.uniform(0.05f, 0.2f), depth = random.uniform(-1, 1);
      center += depth * glm::vec2(shift) / float(std::max(size.x, size.y));
      const glm::vec3 paint{random.uniform(), random.uniform(), random.uniform()};
      const float inside = radius - glm::length(unit - center);
      const float cover = glm::clamp(inside * float(size.x) + 0.5f, 0.0f, 1.0f);
      color = glm::mix(color, paint * (0.5f + 2.5f * std::max(inside, 0.0f)), cover);
    }
    return glm::clamp(color, 0.0f, 1.0f);
  });
}

Image flat(glm::ivec2 size, glm::vec3 color) {
  return drawn(size, [&](glm::vec2) { return color; });
}

Image ramp(glm::ivec2 size) {
  return drawn(size, [&](glm::vec2 at) {
    return glm::vec3(at.x / float(size.x), at.y / float(size.y), 0.5f);
  });
}

Image noise(glm::ivec2 size, std::uint64_t seed) {
  Random random(seed);
  return drawn(size, [&](glm::vec2) {
    return glm::vec3(random.uniform(), random.uniform(), random.uniform());
  });
}

std::shared_ptr<TrainingSet> trainingOf(const Image& picture) {
  auto training = std::make_shared<TrainingSet>();
  training->size = {picture.width, picture.height};
  training->name = "picture";
  training->pictures = {picture};
  return training;
}

std::shared_ptr<TrainingSet> trainingOfViews(glm::ivec2 grid, glm::ivec2 size) {
  auto training = std::make_shared<TrainingSet>();
  training->dims = 4;
  training->size = size;
  training->views = grid;
  training->viewOrigin = glm::dvec2(grid - 1) / 2.0;
  training->name = "views";
  for (int i = 0; i < grid.x; ++i)
    for (int j = 0; j < grid.y; ++j)
      training->pictures.push_back(discs(size, glm::dvec2(i, j) - training->viewOrigin));
  return training;
}

}  // namespace fathom::smoe
