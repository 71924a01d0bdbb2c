// SPDX-License-Identifier: BSD-3-Clause
// What stands around the frame of `powerplant`, exterior too: the pipe rack before it, tanks,
// stacks, a cooling tower.
#include "app/engine/scene/built_in/powerplant_parts.h"

#include <algorithm>
#include <cmath>

namespace fathom::powerplant {

using glm::vec3;

namespace {

void addTank(Plant& plant, vec3 foot, float radius, float height) {
  MeshBuilder& mesh = plant.mesh;
  mesh.setMaterial(plant.looks.white);
  const ProfilePoint wall[] = {{radius, 0}, {radius, height}};
  turned(mesh, foot, {0, 1, 0}, wall, 40, true);
  const ProfilePoint roof[] = {
      {radius, height}, {0.5f * radius, height + 0.12f * radius}, {0, height + 0.16f * radius}};
  turned(mesh, foot, {0, 1, 0}, roof, 40, true);
  mesh.setMaterial(plant.looks.air);
  const ProfilePoint band[] = {{radius + 0.02f, 0.7f * height}, {radius + 0.02f, 0.8f * height}};
  turned(mesh, foot, {0, 1, 0}, band, 40, true);
  constexpr int kSides = 16;
  const auto rim = [&](int i) {
    const float angle = 6.2831853f * float(i) / kSides;
    return foot + vec3(radius * std::cos(angle), height, radius * std::sin(angle));
  };
  for (int i = 0; i < kSides; ++i) railing(plant, rim(i), rim(i + 1));
}

/// Bands of red and white up to the top.
void addStack(Plant& plant, vec3 foot, float radius, float height) {
  constexpr int kBands = 9;
  for (int i = 0; i < kBands; ++i) {
    const auto at = [&](int edge) {
      const float t = float(edge) / kBands;
      return ProfilePoint{radius * (1 - 0.35f * t), height * t};
    };
    const ProfilePoint band[] = {at(i), at(i + 1)};
    plant.mesh.setMaterial(i % 2 == 0 ? plant.looks.red : plant.looks.white);
    turned(plant.mesh, foot, {0, 1, 0}, band, 28, true);
  }
}

/// A hyperboloid on leaning legs.
void addCoolingTower(Plant& plant, vec3 foot, float radius, float height) {
  MeshBuilder& mesh = plant.mesh;
  constexpr float kLegs = 3, kWaist = 0.62f;
  const auto outAt = [&](float t) {  // narrowest at 0.75 of the height
    const float d = (t - 0.75f) / 0.75f;
    return radius * std::sqrt(kWaist * kWaist + (1 - kWaist * kWaist) * d * d);
  };
  std::vector<ProfilePoint> shell;
  for (int i = 0; i <= 24; ++i) {
    const float t = float(i) / 24;
    shell.push_back({outAt(t), kLegs + (height - kLegs) * t});
  }
  mesh.setMaterial(plant.looks.concrete);
  turned(mesh, foot, {0, 1, 0}, shell, 48, true);
  constexpr int kPairs = 24;
  for (int i = 0; i < 2 * kPairs; ++i) {
    const auto rim = [&](int at, float out, float y) {
      const float angle = 6.2831853f * float(at) / (2 * kPairs);
      return foot + vec3(out * std::cos(angle), y, out * std::sin(angle));
    };
    const int low = i / 2 * 2 + 1, high = low + (i % 2 == 0 ? -1 : 1);
    bar(mesh, rim(low, 1.05f * radius, 0), rim(high, radius, kLegs), 0.35f, 0.35f);
  }
}

/// Ball tanks on legs.
void addBall(Plant& plant, vec3 foot, float radius) {
  plant.mesh.setMaterial(plant.looks.white);
  plant.mesh.sphere(foot + vec3(0, 1.5f * radius, 0), radius, 36, 20);
  plant.mesh.setMaterial(plant.looks.steel);
  for (int i = 0; i < 8; ++i) {
    const float angle = 6.2831853f * float(i) / 8;
    const vec3 leg = foot + radius * vec3(std::cos(angle), 0, std::sin(angle));
    tube(plant.mesh, leg, leg + vec3(0, 1.5f * radius, 0), 0.15f, 8);
  }
}

}  // namespace

/// Portals along the front with three decks of pipes; each pipe has loops that take up its stretch.
void addRack(Plant& plant) {
  MeshBuilder& mesh = plant.mesh;
  constexpr float kFrom = -27, kTo = 27, kNear = 6.6f, kFar = 3.8f;
  const float decks[] = {2.6f, 3.9f, 5.2f};
  mesh.setMaterial(plant.looks.steel);
  for (float x = kFrom + 1.5f; x < kTo; x += kBay) {
    for (const float z : {kNear, kFar}) beam(mesh, {x, 0, z}, {x, decks[2] + 0.3f, z}, 0.26f);
    for (const float y : decks) beam(mesh, {x, y - 0.3f, kNear}, {x, y - 0.3f, kFar}, 0.22f);
  }
  const Looks& l = plant.looks;
  const int kinds[] = {l.steam, l.water, l.gas, l.air, l.oil, l.lagging};
  const int lanes = plant.many(8);
  for (const float y : decks)
    for (int lane = 0; lane < lanes; ++lane) {
      const float z = kFar + (kNear - kFar) * (float(lane) + 0.5f) / float(lanes);
      const float maxRadius = std::min(0.16f, 0.4f * (kNear - kFar) / float(lanes));
      const float radius = maxRadius * plant.random.uniform(0.45f, 1.0f);
      const float turn = plant.random.uniform(-18, 14), up = y + plant.random.uniform(1.0f, 1.9f);
      // A loop up and back, or a branch into the frame.
      std::vector<vec3> way{{kFrom, y, z}, {turn, y, z}, {turn, up, z}};
      if (plant.random.below(2) == 0)
        way.insert(way.end(), {{turn + 2.5f, up, z}, {turn + 2.5f, y, z}, {kTo, y, z}});
      else
        way.push_back({turn, up, plant.random.uniform(-9, -1.5f)});
      pipe(plant, way, radius, kinds[plant.random.below(6)]);
    }
}

void addYard(Plant& plant) {
  MeshBuilder& mesh = plant.mesh;
  mesh.setMaterial(plant.looks.concrete);
  mesh.rectangle({-75, 0, 12}, {150, 0, 0}, {0, 0, -107}, 15, 11);
  addTank(plant, {-25.5f, 0, -6}, 5.0f, 9);
  addTank(plant, {-26.5f, 0, -19}, 5.5f, 11);
  addBall(plant, {24, 0, -4}, 3.6f);
  addBall(plant, {25, 0, -14}, 4.0f);
  for (const float x : {-7.0f, 3.0f, 12.0f}) addStack(plant, {x, 0, -30}, 1.7f, 40);
  addCoolingTower(plant, {-48, 0, -66}, 19, 42);
  addCoolingTower(plant, {44, 0, -72}, 19, 42);
}

}  // namespace fathom::powerplant
