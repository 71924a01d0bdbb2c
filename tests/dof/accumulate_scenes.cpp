// SPDX-License-Identifier: BSD-3-Clause
// Scenes are made splat by splat; radii go through half as the splat pass rounds them.
#include "tests/dof/accumulate_scenes.h"

#include "app/engine/core/error.h"
#include "app/engine/core/random.h"
#include "app/engine/dof/splats/reference.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>

namespace fathom::dof::test {
namespace {

using Radius = float (*)(glm::ivec2 pixel, float z);

glm::vec3 texture(glm::ivec2 p, int layer) {
  const auto wave = [&](float a, float b) {
    return 0.5f + 0.5f * std::sin(a * float(p.x) + b * float(p.y) + 1.7f * float(layer));
  };
  return {wave(0.9f, 0.1f), wave(0.2f, 0.7f), wave(0.05f, 0.03f)};
}

/// Every pixel of a layer as a splat.
template <class Look>
void addLayer(std::vector<Splat>& splats, glm::ivec2 size, const Look& look) {
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x) splats.push_back(look(glm::ivec2(x, y)));
}

Splat splatOf(glm::ivec2 pixel, glm::vec3 color, float radius, float z) {
  return {pixel, z, throughHalf(radius * radius), 1, color, 1, radius};
}

/// Fronto-parallel discs over a plane; the radius follows from z.
AccumulateScene discs(const std::string& name, glm::ivec2 size, int count, float most) {
  Random random(7);
  struct Disc {
    glm::vec2 center;
    float radius, z;
  };
  std::vector<Disc> all;
  for (int i = 0; i < count; ++i)
    all.push_back({{random.uniform(0, float(size.x)), random.uniform(0, float(size.y))},
                   random.uniform(3, 14),
                   random.uniform(1, 9)});
  AccumulateScene scene;
  scene.name = name, scene.size = size;
  addLayer(scene.splats, size, [&](glm::ivec2 p) {
    float z = 10;
    int front = count;
    for (int i = 0; i < count; ++i)
      if (all[std::size_t(i)].z < z &&
          glm::length(glm::vec2(p) - all[std::size_t(i)].center) < all[std::size_t(i)].radius)
        z = all[std::size_t(i)].z, front = i;
    return splatOf(p, texture(p, front), std::min(most, most * std::abs(1 - 4 / z) * 1.2f), z);
  });
  return scene;
}

/// Most pixels are opaque long before the last layer: early out has something to skip.
AccumulateScene sixLayers() {
  AccumulateScene scene{"six-layers", {25, 20}, {}, {}};
  for (int layer = 0; layer < 6; ++layer)
    addLayer(scene.splats, scene.size, [&](glm::ivec2 p) {
      return splatOf(p, 8.0f * texture(p, layer), 1.0f + 0.1f * float(layer), 1.0f + float(layer));
    });
  return scene;
}

AccumulateScene allSharp() {
  AccumulateScene scene{"all-sharp", {40, 20}, {}, {}};
  addLayer(scene.splats, scene.size,
           [](glm::ivec2 p) { return splatOf(p, texture(p, 0), 0.9f * float(p.x % 2), 3); });
  return scene;
}

AccumulateScene uniformPlane() {
  AccumulateScene scene{"uniform-plane", {31, 31}, {}, {}};
  // Red tells about the color, green and blue about the place: they are the pixel's coordinates.
  addLayer(scene.splats, scene.size, [](glm::ivec2 p) {
    return splatOf(p, {1, float(p.x), float(p.y)}, 6, 5);
  });
  return scene;
}

/// Lists of exactly these lengths, a tile each.
AccumulateScene listLengths() {
  AccumulateScene scene{"list-lengths", {16, 16}, {}, {}};
  Random random(3);
  for (const int length : {0, 1, 7, 8, 9, 31, 32, 33, 64, 255, 256, 257, 512, 513}) {
    const int left = scene.size.x * int(!scene.tileSplats.empty());
    std::vector<Splat> list;
    for (int i = 0; i < length; ++i)
      list.push_back(splatOf({left + int(random.below(16)), int(random.below(16))},
                             {random.uniform(), random.uniform(), random.uniform()},
                             random.uniform(0, 4), 1.0f + float(i)));
    scene.tileSplats.push_back(std::move(list));
    scene.size.x = left + 16;
  }
  return scene;
}

/// Positions beyond 4000, where halves of whole pictures would be off by a pixel.
AccumulateScene longStrip() {
  AccumulateScene scene{"long-strip", {20, 4096}, {}, {}, 252};
  for (int y = 4032; y < 4096; ++y)
    for (int x = 0; x < 20; ++x)
      scene.splats.push_back(splatOf({x, y}, texture({x, y}, 0), 2, 4 + float(y & 3)));
  return scene;
}

AccumulateScene brightSpot() {
  AccumulateScene scene{"bright-spot", {40, 20}, {}, {}};
  addLayer(scene.splats, scene.size, [](glm::ivec2 p) {
    return splatOf(p, glm::vec3(p == glm::ivec2(20, 11) ? 1000.0f : 0.0f), 5, 5);
  });
  return scene;
}

/// What the splat pass makes of NaN and infinity: 0 and the largest half.
AccumulateScene damagedPixels() {
  AccumulateScene scene{"damaged-pixels", {32, 16}, {}, {}};
  addLayer(scene.splats, scene.size, [](glm::ivec2 p) {
    const glm::vec3 color = p.x == 9 ? glm::vec3(0) : p.x == 20 ? glm::vec3(65504) : texture(p, 1);
    return splatOf(p, color, 2, 2);
  });
  return scene;
}

/// One tile, 17 layers of the largest radius: 4352 entries.
AccumulateScene longList() {
  AccumulateScene scene{"long-list", {16, 16}, {}, {}};
  for (int layer = 0; layer < 17; ++layer)
    addLayer(scene.splats, scene.size,
             [&](glm::ivec2 p) { return splatOf(p, texture(p, layer), 64, 1.0f + float(layer)); });
  return scene;
}

}  // namespace

NodeLists AccumulateScene::lists(int kind) const {
  if (tileSplats.empty()) return reference::nodeLists({size, splats}, kind);
  NodeLists made{size, kind, {0}, {}};
  for (std::size_t tile = 0; tile < tileSplats.size(); ++tile) {
    for (const Splat& splat : tileSplats[tile])
      made.nodes.push_back(encodeNode(splat, {int(tile), 0}, kind));
    made.tileBegin.push_back(std::uint32_t(made.nodes.size()));
  }
  return made;
}

const std::vector<AccumulateScene>& accumulateScenes() {
  static const std::vector<AccumulateScene> scenes = {discs("discs", {70, 44}, 16, 8),
                                                      sixLayers(),
                                                      allSharp(),
                                                      uniformPlane(),
                                                      discs("borders", {37, 21}, 9, 8),
                                                      listLengths(),
                                                      longStrip(),
                                                      brightSpot(),
                                                      damagedPixels(),
                                                      longList()};
  return scenes;
}

const AccumulateScene& accumulateScene(const std::string& name) {
  for (const AccumulateScene& scene : accumulateScenes())
    if (scene.name == name) return scene;
  fail("{}: expected the name of a scene, found none such", name);
}

}  // namespace fathom::dof::test
