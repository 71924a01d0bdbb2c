// SPDX-License-Identifier: BSD-3-Clause
// The structure of `powerplant`: steel frame, floors of gratings, stairs and railings, walls. All
// of it belongs to the exterior part.
#include "app/engine/scene/built_in/powerplant_parts.h"

#include <cmath>

namespace fathom::powerplant {

using glm::vec3;

namespace {

vec3 node(int i, int floor, int k) {
  return {kLeft + kBay * float(i), kStorey * float(floor), -kBay * float(k)};
}

/// Bays that the boiler stands in have no floors.
bool isBoilerBay(int i, int k) {
  const vec3 middle = 0.5f * (node(i, 0, k) + node(i + 1, 0, k + 1));
  return middle.x > kBoilerLow.x && middle.x < kBoilerHigh.x && middle.z > kBoilerLow.z &&
         middle.z < kBoilerHigh.z;
}

/// Bearing bars on edge along x, cross rods along z, in a panel of one bay.
void addPanel(Plant& plant, vec3 corner) {
  MeshBuilder& mesh = plant.mesh;
  constexpr float kHeight = 0.06f, kThick = 0.012f;
  const int bars = plant.many(70), rods = plant.many(16);
  mesh.setMaterial(plant.looks.grating);
  for (int b = 0; b < bars; ++b) {
    const vec3 from = corner - vec3(0, 0, kBay * (float(b) + 0.5f) / float(bars));
    for (const float side : {-1.0f, 1.0f})
      mesh.rectangle(from + vec3(0, 0, 0.5f * kThick * side), {side * kBay, 0, 0}, {0, kHeight, 0});
    mesh.rectangle(from + vec3(0, kHeight, 0.5f * kThick), {kBay, 0, 0}, {0, 0, -kThick});
  }
  for (int r = 0; r < rods; ++r) {
    const vec3 from = corner + vec3(kBay * (float(r) + 0.5f) / float(rods), 0.9f * kHeight, 0);
    mesh.rectangle(from, {kThick, 0, 0}, {0, 0, -kBay});
  }
}

}  // namespace

void addFrame(Plant& plant) {
  MeshBuilder& mesh = plant.mesh;
  mesh.setMaterial(plant.looks.steel);
  for (int i = 0; i <= kBaysX; ++i)
    for (int k = 0; k <= kBaysZ; ++k) {
      beam(mesh, node(i, 0, k), node(i, kFloors, k), 0.42f);
      for (int floor = 1; floor <= kFloors; ++floor) {
        const vec3 drop(0, -0.25f, 0);
        if (i < kBaysX) beam(mesh, node(i, floor, k) + drop, node(i + 1, floor, k) + drop, 0.36f);
        if (k < kBaysZ) beam(mesh, node(i, floor, k) + drop, node(i, floor, k + 1) + drop, 0.36f);
      }
    }
  // Braces cross the outer bays of front and back, and every bay of the sides.
  for (int floor = 0; floor < kFloors; ++floor) {
    for (const int k : {0, kBaysZ})
      for (const int i : {0, kBaysX - 1}) {
        bar(mesh, node(i, floor, k), node(i + 1, floor + 1, k), 0.14f, 0.14f);
        bar(mesh, node(i + 1, floor, k), node(i, floor + 1, k), 0.14f, 0.14f);
      }
    for (const int i : {0, kBaysX})
      for (int k = 0; k < kBaysZ; ++k)
        bar(mesh, node(i, floor, k), node(i, floor + 1, k + 1), 0.14f, 0.14f);
  }
}

void addGratings(Plant& plant) {
  for (int floor = 1; floor <= kFloors; ++floor)
    for (int i = 0; i < kBaysX; ++i)
      for (int k = 0; k < kBaysZ; ++k) {
        const bool hatch = plant.random.below(9) == 0;
        if (!isBoilerBay(i, k) && !hatch) addPanel(plant, node(i, floor, k));
      }
  for (int floor = 1; floor <= kFloors; ++floor) {
    for (const int k : {0, kBaysZ})
      for (int i = 0; i < kBaysX; ++i) railing(plant, node(i, floor, k), node(i + 1, floor, k));
    for (const int i : {0, kBaysX})
      for (int k = 0; k < kBaysZ; ++k) railing(plant, node(i, floor, k), node(i, floor, k + 1));
  }
}

/// A tower of flights before the front, two to a storey, turning on landings.
void addStairs(Plant& plant) {
  MeshBuilder& mesh = plant.mesh;
  constexpr float kWidth = 1.2f, kRun = 4.2f, kFoot = 6.8f;
  constexpr int kSteps = 12;
  for (int flight = 0; flight < 2 * kFloors; ++flight) {
    const bool back = flight % 2 == 1;
    const float y = 0.5f * kStorey * float(flight), z = back ? 0.5f : 1.9f;
    const float x = back ? kFoot + kRun : kFoot, run = back ? -kRun : kRun;
    const vec3 foot(x, y, z), rise(run, 0.5f * kStorey, 0);
    for (int s = 0; s < kSteps; ++s) {
      const vec3 middle = foot + rise * ((float(s) + 0.5f) / kSteps);
      mesh.setMaterial(plant.looks.grating);
      mesh.box(middle - vec3(0.15f, 0.02f, 0), middle + vec3(0.15f, 0.02f, kWidth));
    }
    for (const float side : {0.0f, kWidth}) {
      const vec3 edge = foot + vec3(0, 0, side);
      mesh.setMaterial(plant.looks.steel);
      bar(mesh, edge, edge + rise, 0.06f, 0.28f);
      railing(plant, edge, edge + rise);
    }
    const float landing = back ? kFoot - 1.3f : kFoot + kRun;
    const vec3 low(landing, y + 0.5f * kStorey - 0.06f, 0.5f);
    mesh.setMaterial(plant.looks.grating);
    mesh.box(low, low + vec3(1.3f, 0.06f, 2.6f));
    const float outer = back ? landing : landing + 1.3f;
    railing(plant, {outer, low.y, 0.5f}, {outer, low.y, 3.1f});
  }
  mesh.setMaterial(plant.looks.steel);
  for (const float x : {kFoot - 1.3f, kFoot + kRun + 1.3f})
    beam(mesh, {x, 0, 3.2f}, {x, kTop, 3.2f}, 0.24f);
}

/// Corrugated sheets behind and at the left, glass over some bays of the front and the right.
void addWalls(Plant& plant) {
  MeshBuilder& mesh = plant.mesh;
  const auto sheet = [&](vec3 from, vec3 across, vec3 outward, float height) {
    constexpr int kWaves = 20;
    mesh.grid(2 * kWaves, 1, [&](float u, float v) {
      const bool out = int(std::lround(u * 2 * kWaves)) % 2 == 1;
      return SurfacePoint{
          from + across * u + outward * (out ? 0.2f : 0.1f) + vec3(0, v * height, 0),
          outward,
          {u, v}};
    });
  };
  for (int floor = 0; floor < kFloors; ++floor) {
    for (int i = 0; i < kBaysX; ++i) {
      mesh.setMaterial(plant.looks.cladding);
      sheet(node(i, floor, kBaysZ), {kBay, 0, 0}, {0, 0, -1}, kStorey);
      mesh.setMaterial(plant.looks.glass);
      if (plant.random.below(4) == 0)
        mesh.rectangle(node(i, floor, 0) + vec3(0, 1.2f, 0.25f), {kBay, 0, 0}, {0, 2.6f, 0});
    }
    for (int k = 0; k < kBaysZ; ++k) {
      mesh.setMaterial(plant.looks.cladding);
      if (floor > 0) sheet(node(0, floor, k + 1), {0, 0, kBay}, {-1, 0, 0}, kStorey);
      mesh.setMaterial(plant.looks.glass);
      if (plant.random.below(3) == 0)
        mesh.rectangle(node(kBaysX, floor, k) + vec3(0.25f, 1.2f, 0), {0, 0, -kBay}, {0, 2.6f, 0});
    }
  }
}

}  // namespace fathom::powerplant
