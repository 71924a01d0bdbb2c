// SPDX-License-Identifier: BSD-3-Clause
// What the frame of `powerplant` holds, its interior part: a boiler of tube banks, vessels and heat
// exchangers, a turbine, and pipes that find their way between them.
#include "app/engine/scene/built_in/powerplant_parts.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>

namespace fathom::powerplant {

using glm::vec3;

namespace {

/// A bank of upright tubes columns x rows of them.
void addBank(Plant& plant, vec3 low, vec3 high, int columns, int rows, float radius) {
  MeshBuilder& mesh = plant.mesh;
  for (int i = 0; i < columns; ++i)
    for (int k = 0; k < rows; ++k) {
      const vec3 foot(low.x + (high.x - low.x) * (float(i) + 0.5f) / float(columns), low.y,
                      low.z + (high.z - low.z) * (float(k) + 0.5f) / float(rows));
      tube(mesh, foot, {foot.x, high.y, foot.z}, radius, 6);
    }
}

/// One side of the boiler as tubes from `from` along `across`.
void addTubeWall(Plant& plant, vec3 from, vec3 across, float height, int count) {
  for (int i = 0; i < count; ++i) {
    const vec3 foot = from + across * ((float(i) + 0.5f) / float(count));
    tube(plant.mesh, foot, foot + vec3(0, height, 0), 0.055f, 6);
  }
}

/// Baskets of thin plates one behind another, as the boiler's air is heated by: where the view runs
/// through all of them, lists are hundreds deep.
void addAirHeater(Plant& plant, vec3 low, vec3 high) {
  constexpr int kBaskets = 2;
  constexpr float kFrame = 0.12f;
  MeshBuilder& mesh = plant.mesh;
  const float step = (high.y - low.y) / kBaskets;
  const int plates = plant.many(250);
  for (int basket = 0; basket < kBaskets; ++basket) {
    const float foot = low.y + step * float(basket), top = foot + 0.8f * step;
    mesh.setMaterial(plant.looks.hot);
    for (int i = 0; i < plates; ++i) {
      const float z = low.z + (high.z - low.z) * (float(i) + 0.5f) / float(plates);
      mesh.rectangle({low.x, foot, z}, {high.x - low.x, 0, 0}, {0, top - foot, 0});
    }
    mesh.setMaterial(plant.looks.flange);
    for (const float x : {low.x, high.x})
      for (const float y : {foot, top}) bar(mesh, {x, y, low.z}, {x, y, high.z}, kFrame, kFrame);
  }
}

/// A shell lying on saddles, full of straight tubes.
void addExchanger(Plant& plant, vec3 from, vec3 to, float radius) {
  MeshBuilder& mesh = plant.mesh;
  const vec3 d = glm::normalize(to - from);
  mesh.setMaterial(plant.looks.shell);
  vessel(mesh, from, to, radius, 24);
  mesh.setMaterial(plant.looks.copper);
  const vec3 side = glm::normalize(glm::cross(d, vec3(0, 1, 0)));
  const float spacing = 0.16f * radius / std::sqrt(plant.density);
  const int reach = int(0.85f * radius / spacing);
  for (int i = -reach; i <= reach; ++i)
    for (int j = -reach; j <= reach; ++j) {
      const vec3 offset = side * (float(i) * spacing) + vec3(0, float(j) * spacing, 0);
      if (glm::length(offset) > 0.85f * radius) continue;
      tube(mesh, from + d * (0.5f * radius) + offset, to - d * (0.5f * radius) + offset,
           0.3f * spacing, 6);
    }
  mesh.setMaterial(plant.looks.concrete);
  for (const float share : {0.25f, 0.75f}) {
    const vec3 at = from + (to - from) * share - vec3(0, 0.8f * radius, 0);
    mesh.box(at - vec3(0.3f, 0.5f * radius, 0.3f), at + vec3(0.3f, 0, 0.3f));
  }
}

/// An upright vessel with rings at its seams.
void addTower(Plant& plant, vec3 foot, float height, float radius, int material) {
  plant.mesh.setMaterial(material);
  vessel(plant.mesh, foot, foot + vec3(0, height, 0), radius, 24);
  plant.mesh.setMaterial(plant.looks.flange);
  for (float y = 0.8f * radius; y < height - 0.5f * radius; y += 2.2f) {
    const ProfilePoint ring[] = {
        {radius, y}, {radius + 0.07f, y}, {radius + 0.07f, y + 0.12f}, {radius, y + 0.12f}};
    turned(plant.mesh, foot, {0, 1, 0}, ring, 24);
  }
}

void addTurbine(Plant& plant) {
  MeshBuilder& mesh = plant.mesh;
  const vec3 axis(1, 0, 0);
  const float y = 2.2f, z = -2.6f;
  constexpr ProfilePoint kCasing[] = {{0, 0},       {0.9f, 0},     {1.1f, 1.2f}, {1.1f, 2.0f},
                                      {0.7f, 2.3f}, {0.7f, 2.8f},  {1.3f, 3.2f}, {1.9f, 5.0f},
                                      {1.9f, 5.6f}, {1.3f, 7.4f},  {0.6f, 7.6f}, {0.6f, 8.4f},
                                      {1.2f, 8.5f}, {1.2f, 11.5f}, {0, 11.5f}};
  mesh.setMaterial(plant.looks.air);
  turned(mesh, {-15.5f, y, z}, axis, kCasing, 28);
  mesh.setMaterial(plant.looks.concrete);
  mesh.box({-15.8f, 0, z - 1.6f}, {-3.6f, 0.9f, z + 1.6f});
}

bool insideBoiler(vec3 p) {
  return p.x > kBoilerLow.x && p.x < kBoilerHigh.x && p.y > kBoilerLow.y && p.z > kBoilerLow.z &&
         p.z < kBoilerHigh.z;
}
bool insideFrame(vec3 p) {
  return p.x > kLeft + 0.5f && p.x < kRight - 0.5f && p.y > 0.6f && p.y < kTop - 0.5f &&
         p.z > kBack + 0.5f && p.z < -0.5f;
}

/// A way of right angles through the frame and around the boiler.
std::vector<vec3> routePipe(Random& random, int legs) {
  vec3 at;
  do {
    at = {random.uniform(kLeft, kRight), random.uniform(0, kTop), random.uniform(kBack, 0)};
  } while (!insideFrame(at) || insideBoiler(at));
  std::vector<vec3> points{at};
  int previous = -1;
  for (int tries = 0; tries < 20 * legs && int(points.size()) <= legs; ++tries) {
    const int axis = int(random.below(3));
    const float length = random.uniform(1.8f, axis == 0 ? 11.0f : 6.0f);
    vec3 next = at;
    next[axis] += random.below(2) == 0 ? length : -length;
    if (axis == previous || !insideFrame(next)) continue;
    bool clear = true;
    for (int i = 1; i <= 8; ++i) clear &= !insideBoiler(at + (next - at) * (float(i) / 8));
    if (!clear) continue;
    points.push_back(next);
    at = next;
    previous = axis;
  }
  return points;
}

}  // namespace

void addBoiler(Plant& plant) {
  MeshBuilder& mesh = plant.mesh;
  const vec3 low = kBoilerLow, high = kBoilerHigh, size = high - low;
  const int wall = plant.many(56);
  mesh.setMaterial(plant.looks.lagging);
  addTubeWall(plant, low, {size.x, 0, 0}, size.y, wall);
  addTubeWall(plant, {low.x, low.y, high.z}, {size.x, 0, 0}, size.y, wall);
  addTubeWall(plant, low, {0, 0, size.z}, size.y, wall);
  addTubeWall(plant, {high.x, low.y, low.z}, {0, 0, size.z}, size.y, wall);
  // Superheater, reheater and economizer: denser from bank to bank.
  const float bank = size.z / 3;
  mesh.setMaterial(plant.looks.hot);
  addBank(plant, {low.x + 0.6f, 9.5f, low.z + 0.4f}, {high.x - 0.6f, 17.5f, low.z + bank},
          plant.manyPerSide(40), plant.manyPerSide(30), 0.05f);
  mesh.setMaterial(plant.looks.copper);
  addBank(plant, {low.x + 0.6f, 8.0f, low.z + bank + 0.3f},
          {high.x - 0.6f, 17.5f, low.z + 2 * bank}, plant.manyPerSide(34), plant.manyPerSide(26),
          0.06f);
  mesh.setMaterial(plant.looks.steam);
  addBank(plant, {low.x + 0.6f, 4.0f, low.z + 2 * bank + 0.3f},
          {high.x - 0.6f, 17.5f, high.z - 0.4f}, plant.manyPerSide(40), plant.manyPerSide(28),
          0.045f);
  addAirHeater(plant, {-2, 4.6f, low.z + bank}, {2, 7.4f, low.z + 2 * bank});
  // Headers around the foot and the steam drum on top.
  mesh.setMaterial(plant.looks.flange);
  for (const float y : {low.y, high.y})
    for (const float z : {low.z, high.z}) tube(mesh, {low.x, y, z}, {high.x, y, z}, 0.3f, 12);
  mesh.setMaterial(plant.looks.shell);
  vessel(mesh, {low.x - 1, high.y + 1.2f, -12}, {high.x + 1, high.y + 1.2f, -12}, 1.1f, 28);
  for (int i = 0; i < 9; ++i) {
    const float x = low.x + size.x * (float(i) + 0.5f) / 9;
    const vec3 way[] = {{x, high.y, high.z}, {x, high.y + 1.2f, high.z}, {x, high.y + 1.2f, -11}};
    pipe(plant, way, 0.14f, plant.looks.steam);
  }
}

void addVessels(Plant& plant) {
  addTurbine(plant);
  for (const float x : {-16.5f, -11.0f, 6.5f, 12.0f})
    for (int floor = 0; floor < 3; ++floor) {
      const float y = kStorey * float(floor) + 1.7f, z = plant.random.uniform(-12.5f, -9.0f);
      const float length = plant.random.uniform(4.5f, 6.0f);
      const bool across = plant.random.below(2) == 0;
      const vec3 from(x, y, z);
      addExchanger(plant, from, from + (across ? vec3(length, 0, 0) : vec3(0, 0, -length)), 0.95f);
    }
  const int shells[] = {plant.looks.shell, plant.looks.lagging, plant.looks.air};
  for (int i = 0; i < 7; ++i) {
    const float x = kLeft + kBay * (float(i) + 0.5f) * 6.0f / 7.0f;
    addTower(plant, {x, 0.4f, plant.random.uniform(-22.0f, -19.5f)},
             plant.random.uniform(8.0f, 17.0f), plant.random.uniform(0.8f, 1.35f), shells[i % 3]);
  }
  for (int i = 0; i < 4; ++i)
    addTower(plant, {2.5f + 4.3f * float(i), 0.4f, plant.random.uniform(-4.6f, -2.2f)},
             plant.random.uniform(3.0f, 9.0f), plant.random.uniform(0.7f, 1.1f),
             shells[(i + 1) % 3]);
}

void addPipes(Plant& plant) {
  const Looks& l = plant.looks;
  const int kinds[] = {l.water, l.steam, l.gas, l.oil, l.air, l.lagging};
  const int count = plant.many(240);
  for (int i = 0; i < count; ++i) {
    // Few wide ones, many narrow ones.
    const float share = plant.random.uniform();
    const float radius = 0.07f + 0.26f * share * share * share;
    const std::vector<vec3> way = routePipe(plant.random, 4 + int(plant.random.below(6)));
    if (way.size() > 1) pipe(plant, way, radius, kinds[plant.random.below(6)]);
  }
}

}  // namespace fathom::powerplant
