// SPDX-License-Identifier: BSD-3-Clause
// `powerplant`: for the paper's model of that name. A steel frame with floors of gratings, full of
// pipes, vessels and the boiler's banks of tubes: few fragments over the sky, hundreds in one pixel
// where the view runs through the plates that heat the boiler's air. The frame, its walls and the
// yard are the exterior; what the frame holds is the interior.
#include "app/engine/scene/built_in/built_in.h"
#include "app/engine/scene/built_in/powerplant_parts.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>

namespace fathom {
namespace powerplant {

using glm::vec3;

// The pieces, and what they are painted with
// -------------------------------------------------------------------------------------------------

namespace {

/// The y axis along `direction`, standing at `origin`; z is as upright as it can be.
glm::mat4 along(vec3 origin, vec3 direction) {
  const vec3 y = glm::normalize(direction);
  const vec3 other = std::abs(y.y) > 0.9f ? vec3(0, 0, 1) : vec3(0, 1, 0);
  const vec3 x = glm::normalize(glm::cross(y, other)), z = glm::cross(x, y);
  return {glm::vec4(x, 0), glm::vec4(y, 0), glm::vec4(z, 0), glm::vec4(origin, 1)};
}

}  // namespace

Looks addLooks(MeshBuilder& mesh) {
  const auto paint = [&](vec3 color, float alpha, float gloss) {
    MaterialLook look;
    look.color = color;
    look.alpha = alpha;
    look.gloss = gloss;
    return mesh.addMaterial(look);
  };
  Looks l{};
  l.steel = paint({0.36f, 0.42f, 0.48f}, 0.9f, 0.2f);
  l.grating = paint({0.42f, 0.43f, 0.42f}, 0.8f, 0.1f);
  l.rail = paint({0.92f, 0.70f, 0.08f}, 1, 0.2f);
  l.concrete = paint({0.50f, 0.49f, 0.46f}, 1, 0);
  l.shell = paint({0.72f, 0.76f, 0.80f}, 0.35f, 0.6f);
  l.lagging = paint({0.78f, 0.78f, 0.74f}, 0.75f, 0.4f);
  l.copper = paint({0.72f, 0.38f, 0.20f}, 0.7f, 0.5f);
  l.hot = paint({0.80f, 0.22f, 0.10f}, 0.6f, 0.3f);
  l.water = paint({0.12f, 0.45f, 0.22f}, 0.85f, 0.4f);
  l.steam = paint({0.70f, 0.72f, 0.74f}, 0.85f, 0.6f);
  l.gas = paint({0.85f, 0.62f, 0.12f}, 0.85f, 0.4f);
  l.oil = paint({0.38f, 0.22f, 0.12f}, 0.85f, 0.4f);
  l.air = paint({0.25f, 0.55f, 0.75f}, 0.85f, 0.4f);
  l.flange = paint({0.24f, 0.25f, 0.27f}, 1, 0.3f);
  l.glass = paint({0.55f, 0.75f, 0.80f}, 0.15f, 0.8f);
  l.cladding = paint({0.46f, 0.60f, 0.68f}, 0.3f, 0.1f);
  l.red = paint({0.75f, 0.12f, 0.10f}, 1, 0.1f);
  l.white = paint({0.86f, 0.86f, 0.84f}, 1, 0.1f);
  return l;
}

int Plant::many(int n) const { return std::max(1, int(std::lround(float(n) * density))); }
int Plant::manyPerSide(int n) const {
  return std::max(1, int(std::lround(float(n) * std::sqrt(density))));
}

void turned(MeshBuilder& mesh, vec3 foot, vec3 axis, std::span<const ProfilePoint> profile,
            int around, bool smooth) {
  mesh.setPlace(along(foot, axis));
  mesh.lathe(profile, around, smooth);
  mesh.setPlace(glm::mat4(1));
}

void tube(MeshBuilder& mesh, vec3 from, vec3 to, float radius, int around) {
  const ProfilePoint profile[] = {{radius, 0}, {radius, glm::distance(from, to)}};
  turned(mesh, from, to - from, profile, around, true);
}

void bar(MeshBuilder& mesh, vec3 from, vec3 to, float width, float height) {
  mesh.setPlace(along(from, to - from));
  mesh.box({-width / 2, 0, -height / 2}, {width / 2, glm::distance(from, to), height / 2});
  mesh.setPlace(glm::mat4(1));
}

void beam(MeshBuilder& mesh, vec3 from, vec3 to, float size) {
  const float half = size / 2, length = glm::distance(from, to);
  mesh.setPlace(along(from, to - from));
  mesh.rectangle({0, 0, -half}, {0, 0, size}, {0, length, 0});
  mesh.box({-half, 0, -half - 0.03f}, {half, length, -half});
  mesh.box({-half, 0, half}, {half, length, half + 0.03f});
  mesh.setPlace(glm::mat4(1));
}

void vessel(MeshBuilder& mesh, vec3 from, vec3 to, float radius, int around) {
  const float length = glm::distance(from, to), head = 0.5f * radius;
  constexpr int kSteps = 5;
  std::vector<ProfilePoint> profile;
  for (int i = 0; i <= kSteps; ++i) {
    const float a = 1.5707963f * float(i) / kSteps;
    profile.push_back({radius * std::sin(a), head * (1 - std::cos(a))});
  }
  for (int i = kSteps; i >= 0; --i)
    profile.push_back({profile[std::size_t(i)].out, length - profile[std::size_t(i)].up});
  turned(mesh, from, to - from, profile, around, true);
}

void pipe(Plant& plant, std::span<const vec3> points, float radius, int material) {
  constexpr int kAround = 8, kSteps = 3;
  MeshBuilder& mesh = plant.mesh;
  const float bend = 2.5f * radius;
  const auto flange = [&](vec3 at, vec3 direction) {
    const float wide = 1.55f * radius, thick = 0.35f * radius;
    const ProfilePoint profile[] = {
        {radius, -thick}, {wide, -thick}, {wide, thick}, {radius, thick}};
    mesh.setMaterial(plant.looks.flange);
    turned(mesh, at, direction, profile, kAround);
    mesh.setMaterial(material);
  };
  mesh.setMaterial(material);
  vec3 start = points[0];
  for (std::size_t i = 1; i < points.size(); ++i) {
    const vec3 d = glm::normalize(points[i] - points[i - 1]);
    const bool last = i + 1 == points.size();
    const vec3 end = last ? points[i] : points[i] - d * bend;
    tube(mesh, start, end, radius, kAround);
    if (last || plant.random.below(3) == 0) flange(end - d * (0.5f * radius), d);
    if (last) break;
    const vec3 next = glm::normalize(points[i + 1] - points[i]);
    mesh.bend(end, d, next, bend, radius, kAround, kSteps);
    start = points[i] + next * bend;
    if (plant.random.below(3) == 0) flange(start + next * (0.5f * radius), next);
  }
}

void railing(Plant& plant, vec3 from, vec3 to) {
  constexpr float kPostEvery = 1.5f, kHeight = 1.1f;
  MeshBuilder& mesh = plant.mesh;
  mesh.setMaterial(plant.looks.rail);
  const int gaps = std::max(1, int(std::lround(glm::distance(from, to) / kPostEvery)));
  for (int i = 0; i <= gaps; ++i) {
    const vec3 foot = from + (to - from) * (float(i) / float(gaps));
    tube(mesh, foot, foot + vec3(0, kHeight, 0), 0.03f, 5);
  }
  for (const float height : {0.55f, kHeight})
    tube(mesh, from + vec3(0, height, 0), to + vec3(0, height, 0), 0.03f, 5);
}

// The whole
// -------------------------------------------------------------------------------------------------

namespace {

/// What makes the mean at density 1 that of the paper's model, 18.5 fragments per pixel.
constexpr float kDensity = 1.11f;

void makePowerplant(Scene& scene, const SceneArguments& arguments, Progress& progress) {
  progress.begin("building the plant", 0);
  scene.camera.position = {14, 10.5f, 33};
  scene.camera.target = {0.5f, 8.2f, -8};
  scene.camera.verticalFovDeg = 33;
  scene.lighting.toSun = {0.5f, 0.8f, 0.65f};

  MeshBuilder mesh(scene);
  const Looks looks = addLooks(mesh);
  Random inside(arguments.seed()), outside(arguments.seed(), 1);
  const float density = kDensity * float(arguments.get("density"));

  Plant interior{mesh, looks, inside, density};
  mesh.setPart(kInterior);
  mesh.setOpenness(0.75f);
  addBoiler(interior);
  addVessels(interior);
  addPipes(interior);

  Plant exterior{mesh, looks, outside, density};
  mesh.setPart(kExterior);
  mesh.setOpenness(1);
  addFrame(exterior);
  addGratings(exterior);
  addStairs(exterior);
  addWalls(exterior);
  addRack(exterior);
  addYard(exterior);

  overrideAlpha(scene, arguments.get("alpha"));
  finishScene(scene, mesh.take(), {"interior", "exterior"}, BatchOrder::Spatial, progress);
  Box& shadows = scene.lighting.shadowBounds;
  shadows.add({-34, 0, -36});
  shadows.add({34, 26, 9});
}

}  // namespace
}  // namespace powerplant

BuiltInScene powerplantScene() {
  return {"powerplant",
          "a steel frame full of pipes, vessels and banks of tubes, and the yard around it",
          {{"density", 0.1, 3, 1, false, "how many pipes, tubes and bars"},
           seedParameter(),
           alphaParameter()},
          powerplant::makePowerplant};
}

}  // namespace fathom
