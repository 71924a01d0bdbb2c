// SPDX-License-Identifier: BSD-3-Clause
// `forest`: trees along a path that runs away from the camera, ferns between them. Thousands of
// leaves that cover a part of a pixel each, in front of and behind one another: what deep images
// and depth of field are made for. Parts: leaves, trunks, ground.
#include "app/engine/scene/built_in/built_in.h"
#include "app/engine/scene/built_in/mesh_builder.h"

namespace fathom {
namespace {

using glm::vec2;
using glm::vec3;
using glm::vec4;

enum Part { kLeaves, kTrunks, kGround };
constexpr float kDeep = 46, kWide = 15;  // m: how far trees stand, along the path and beside it
constexpr float kPath = 1.7f;            // m, half of its width
constexpr int kGreens = 5;

struct Looks {
  int bark, soil, fern;
  int leaves[kGreens];
};

/// A spray of leaves on twigs: leaflets on both sides of a stem, clear between them.
vec4 sprayColor(vec2 p, std::uint32_t seed) {
  constexpr int kLeaflets = 9;
  const float across = (p.x - 0.5f) * 2, along = p.y * kLeaflets;
  const int i = int(along);
  const float turn = cellHash(i, across > 0, seed) - 0.5f;
  const float room = 0.92f * std::sqrt(std::max(0.0f, 1 - std::pow(2 * p.y - 1, 2.0f)));
  const float x = std::abs(across) / std::max(room, 0.05f);
  const float y = along - float(i) - 0.5f - 0.3f * (x - 0.5f) - 0.25f * turn;
  const float leaf = 0.42f * std::sin(std::min(x, 1.0f) * kPi);
  const bool covers = (x < 1 && std::abs(y) < leaf) || std::abs(across) < 0.02f;
  const float vein = 1 - 0.25f * smoothstep(0.05f, 0.0f, std::abs(y));
  const float tone = 0.75f + 0.4f * cellHash(i + 31, across > 0, seed);
  return {vec3(tone * vein), covers ? 1.0f : 0.0f};
}

vec4 barkColor(vec2 p, std::uint32_t seed) {
  const float ridge = tileFractal({p.x * 3 - std::floor(p.x * 3), p.y}, 8, 5, seed);
  const float moss = smoothstep(0.56f, 0.75f, tileFractal(p, 4, 4, seed + 1));
  return {glm::mix(vec3(0.40f, 0.32f, 0.25f) * (0.45f + ridge), vec3(0.30f, 0.36f, 0.17f), moss),
          1};
}

vec4 soilColor(vec2 p, std::uint32_t seed) {
  const float grain = tileFractal(p, 24, 5, seed), patch = tileFractal(p, 5, 3, seed + 2);
  const vec3 earth = vec3(0.45f, 0.36f, 0.25f) * (0.6f + 0.8f * grain);
  return {glm::mix(earth, vec3(0.30f, 0.38f, 0.16f) * (0.6f + 0.8f * grain),
                   0.8f * smoothstep(0.5f, 0.75f, patch)),
          1};
}

Looks addLooks(MeshBuilder& mesh) {
  const auto add = [&](vec3 color, int texture, float shineThrough) {
    return mesh.addMaterial({.color = color, .texture = texture, .shineThrough = shineThrough});
  };
  Looks looks{};
  looks.bark = add(
      vec3(1),
      mesh.addTexture(makeTexture("bark", 256, 256, [](vec2 p) { return barkColor(p, 5); })), 0);
  looks.soil = add(
      vec3(1),
      mesh.addTexture(makeTexture("soil", 512, 512, [](vec2 p) { return soilColor(p, 8); })), 0);
  const int spray =
      mesh.addTexture(makeTexture("leaves", 256, 256, [](vec2 p) { return sprayColor(p, 3); }));
  looks.fern = add({0.16f, 0.36f, 0.08f}, spray, 0.5f);
  for (int i = 0; i < kGreens; ++i)
    looks.leaves[i] = add(
        glm::mix(vec3(0.14f, 0.30f, 0.06f), vec3(0.36f, 0.40f, 0.07f), float(i) / (kGreens - 1)),
        spray, 0.6f);
  return looks;
}

/// How high the ground lies: flat on the path, soft hills beside it.
float heightAt(float x, float z) {
  const float beside = smoothstep(kPath, kPath * 4, std::abs(x));
  return beside *
             (0.35f * std::sin(x * 0.55f + z * 0.21f) + 0.25f * std::sin(z * 0.43f - x * 0.3f)) +
         0.3f * beside;
}

/// A tube that becomes thinner from `a` to `b`, bent by `sag`.
void addLimb(MeshBuilder& mesh, vec3 a, vec3 b, float thick, float thin, vec3 sag, int around,
             int rows) {
  const vec3 along = glm::normalize(b - a);
  const vec3 side =
      glm::normalize(glm::cross(along, std::abs(along.y) < 0.9f ? vec3(0, 1, 0) : vec3(1, 0, 0)));
  const vec3 other = glm::cross(along, side);
  mesh.grid(around, rows, [&](float u, float v) {
    const float angle = -u * 2 * kPi;
    const vec3 out = side * std::cos(angle) + other * std::sin(angle);
    const vec3 middle = glm::mix(a, b, v) + sag * (4 * v * (1 - v));
    return SurfacePoint{
        middle + out * glm::mix(thick, thin, v), out, {u * 2, v * glm::length(b - a) * 0.5f}};
  });
}

/// A flat spray that hangs from `at` along `down`, `size` long.
void addSpray(MeshBuilder& mesh, vec3 at, vec3 down, float size, Random& random) {
  const vec3 normal = glm::normalize(glm::cross(down, random.direction()));
  const vec3 side = glm::cross(normal, down) * (size * 0.35f);
  const vec3 end = at + down * size;
  mesh.quad(at - side, at + side, end + side, end - side, normal);
}

void addTree(MeshBuilder& mesh, const Looks& looks, vec3 foot, int sprays, Random& random) {
  const float height = random.uniform(6.5f, 11.0f), thick = height * random.uniform(0.018f, 0.03f);
  const float leanZ = random.uniform(-0.5f, 0.5f);
  const vec3 lean(random.uniform(-0.5f, 0.5f), 0, leanZ);
  const vec3 top = foot + vec3(0, height, 0) + lean;
  mesh.setPart(kTrunks);
  mesh.setMaterial(looks.bark);
  addLimb(mesh, foot - vec3(0, 0.3f, 0), top, thick, thick * 0.2f, lean * 0.4f, 12, 10);
  constexpr int kBranches = 11;
  const int green = looks.leaves[random.below(kGreens)];
  for (int i = 0; i < kBranches; ++i) {
    const float at = random.uniform(0.32f, 0.97f), angle = random.uniform(0.0f, 2 * kPi);
    const vec3 from = glm::mix(foot, top, at) + lean * (1.6f * at * (1 - at));
    const float reach = height * 0.34f * (1.15f - at) * random.uniform(0.7f, 1.3f);
    const vec3 to = from + vec3(std::cos(angle) * reach, reach * random.uniform(0.1f, 0.6f),
                                std::sin(angle) * reach);
    mesh.setPart(kTrunks);
    mesh.setMaterial(looks.bark);
    addLimb(mesh, from, to, thick * 0.35f * (1.2f - at), thick * 0.06f, vec3(0, -0.06f * reach, 0),
            6, 4);
    mesh.setPart(kLeaves);
    mesh.setMaterial(green);
    for (int s = 0; s < sprays; ++s) {
      const vec3 aside = random.direction() * (0.14f * reach);
      const vec3 where = glm::mix(from, to, random.uniform(0.25f, 1.05f)) + aside;
      const float size = random.uniform(0.35f, 0.75f);
      addSpray(mesh, where, glm::normalize(random.direction() + vec3(0, -0.7f, 0)), size, random);
    }
  }
}

void addFern(MeshBuilder& mesh, const Looks& looks, vec3 foot, Random& random) {
  mesh.setPart(kLeaves);
  mesh.setMaterial(looks.fern);
  const int fronds = 5 + int(random.below(4));
  for (int i = 0; i < fronds; ++i) {
    const float angle = (float(i) + random.uniform()) * 2 * kPi / float(fronds);
    const vec3 out(std::cos(angle), random.uniform(0.5f, 1.1f), std::sin(angle));
    addSpray(mesh, foot, glm::normalize(out), random.uniform(0.4f, 0.9f), random);
  }
}

/// Somewhere beside the path; near ones are rarer, so that the view stays open.
vec3 placeFor(Random& random, float nearest) {
  for (;;) {
    const float x = random.uniform(-kWide, kWide), z = -random.uniform(0.5f, kDeep);
    const float clear = nearest + 1.2f * std::max(0.0f, 1 + z / 12);
    if (std::abs(x) > clear) return {x, heightAt(x, z), z};
  }
}

void makeForest(Scene& scene, const SceneArguments& arguments, Progress& progress) {
  const int trees = arguments.count("trees"), sprays = arguments.count("sprays");
  scene.camera.position = {0.3f, 1.7f, 4.5f};
  scene.camera.target = {0, 2.3f, -8};
  scene.camera.verticalFovDeg = 45;
  scene.lighting.toSun = {-0.55f, 0.75f, -0.2f};
  scene.lighting.sun = {1.3f, 1.15f, 0.85f};
  scene.lighting.sky = {0.36f, 0.44f, 0.5f};
  scene.lighting.ground = {0.16f, 0.17f, 0.1f};

  MeshBuilder mesh(scene);
  const Looks looks = addLooks(mesh);
  Random random(arguments.seed());
  progress.begin("planting trees", trees);
  for (int i = 0; i < trees; ++i) {
    addTree(mesh, looks, placeFor(random, kPath + 0.6f), sprays, random);
    progress.advance(1);
  }
  for (int i = 0; i < trees * 5; ++i) addFern(mesh, looks, placeFor(random, kPath), random);
  mesh.setPart(kGround);
  mesh.setMaterial(looks.soil);
  mesh.grid(40, 90, [](float u, float v) {
    const float x = (u * 2 - 1) * (kWide + 8), z = 8 - v * (kDeep + 20), d = 0.05f;
    const vec3 slope(heightAt(x - d, z) - heightAt(x + d, z), 2 * d,
                     heightAt(x, z - d) - heightAt(x, z + d));
    return SurfacePoint{{x, heightAt(x, z), z}, glm::normalize(slope), {x / 4, z / 4}};
  });
  finishScene(scene, mesh.take(), {"leaves", "trunks", "ground"}, BatchOrder::Spatial, progress);
}

}  // namespace

BuiltInScene forestScene() {
  return {"forest",
          "trees and ferns along a path, with leaves smaller than a pixel",
          {{"trees", 1, 2000, 110, true, "trees"},
           {"sprays", 0, 60, 16, true, "sprays of leaves on a branch"}},
          makeForest};
}

}  // namespace fathom
