// SPDX-License-Identifier: BSD-3-Clause
// What the files of the scene `powerplant` share: measures of the building, looks by kind, and the
// pieces that everything is made of: tubes, pipes with elbows and flanges, bars, vessels.
#pragma once

#include "app/engine/core/random.h"
#include "app/engine/scene/built_in/mesh_builder.h"

#include <span>
#include <vector>

#include <glm/vec3.hpp>

namespace fathom::powerplant {

/// The frame: x to the right, y up, z towards the camera; its front stands at z = 0. Meters.
constexpr int kBaysX = 6, kBaysZ = 4, kFloors = 4;
constexpr float kBay = 6, kStorey = 4.5f;
constexpr float kLeft = -0.5f * kBaysX * kBay, kRight = -kLeft;
constexpr float kBack = -kBaysZ * kBay, kTop = kFloors * kStorey;
/// The boiler takes two bays by two in the middle of the frame and rises above it.
constexpr glm::vec3 kBoilerLow{-5.2f, 2.0f, -17.2f}, kBoilerHigh{5.2f, 19.5f, -6.8f};

/// Material numbers; color tells what a thing is for.
struct Looks {
  int steel, grating, rail, concrete;       // structure
  int shell, lagging, copper, hot;          // vessels, boiler
  int water, steam, gas, oil, air, flange;  // pipes by what runs in them
  int glass, cladding, red, white;          // walls and stacks
};
Looks addLooks(MeshBuilder& mesh);

/// What is being built: `density` scales how many pipes, tubes and bars there are.
struct Plant {
  MeshBuilder& mesh;
  const Looks& looks;
  Random& random;
  float density;
  /// n, scaled by the density, at least 1.
  int many(int n) const;
  /// The same for each side of a grid of n x m.
  int manyPerSide(int n) const;
};

enum Part { kInterior = 0, kExterior = 1 };

/// An open tube between two points.
void tube(MeshBuilder& mesh, glm::vec3 from, glm::vec3 to, float radius, int around = 6);
/// A beam of rectangular section, `height` measured upward (along z where the beam stands).
void bar(MeshBuilder& mesh, glm::vec3 from, glm::vec3 to, float width, float height);
/// An I-section, by its web and its two flanges.
void beam(MeshBuilder& mesh, glm::vec3 from, glm::vec3 to, float size);
/// A lathe turned about the line from `foot` along `axis`.
void turned(MeshBuilder& mesh, glm::vec3 foot, glm::vec3 axis,
            std::span<const ProfilePoint> profile, int around, bool smooth = false);
/// A vessel with domed heads around the straight line between two points.
void vessel(MeshBuilder& mesh, glm::vec3 from, glm::vec3 to, float radius, int around);
/// A pipe along points joined by right angles: elbows at the corners, flanges at both sides of
/// some of them. `material` is the pipe's.
void pipe(Plant& plant, std::span<const glm::vec3> points, float radius, int material);
/// Posts and two rails along a straight edge, 1.1 m high.
void railing(Plant& plant, glm::vec3 from, glm::vec3 to);

void addFrame(Plant& plant);     // powerplant_steel.cpp
void addGratings(Plant& plant);  // powerplant_steel.cpp
void addStairs(Plant& plant);    // powerplant_steel.cpp
void addWalls(Plant& plant);     // powerplant_steel.cpp
void addBoiler(Plant& plant);    // powerplant_process.cpp
void addVessels(Plant& plant);   // powerplant_process.cpp
void addPipes(Plant& plant);     // powerplant_process.cpp
void addRack(Plant& plant);      // powerplant_yard.cpp
void addYard(Plant& plant);      // powerplant_yard.cpp

}  // namespace fathom::powerplant
