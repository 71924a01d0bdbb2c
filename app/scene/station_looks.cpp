// SPDX-License-Identifier: BSD-3-Clause
// Plated hulls, solar cells, lit windows: textures made by code. Colors in textures are sRGB, those
// of materials linear.
#include "app/scene/station_looks.h"

#include "app/scene/procedural_texture.h"

#include <algorithm>
#include <cmath>

#include <glm/common.hpp>

namespace fathom::station {
namespace {

using glm::vec2;
using glm::vec3;
using glm::vec4;

/// 0 at the joint between two cells, 1 away from it; `x` in cells.
float joint(float x, float width) {
  const float f = x - std::floor(x);
  return std::min(f, 1 - f) < width ? 0.0f : 1.0f;
}

/// Plates in rows of different division, some darker or tinted, stained along the joints.
vec4 hullColor(vec2 p, std::uint32_t seed) {
  constexpr int kRows = 10;
  const float y = p.y * kRows;
  const int row = int(y), columns = 12 + 4 * int(cellHash(row, 3, seed) * 3);
  const float x = p.x * float(columns);
  const int column = int(x);
  const float tone = cellHash(column, row, seed), kind = cellHash(column, row, seed + 9);
  vec3 c = vec3(0.80f, 0.81f, 0.82f) * (0.86f + 0.14f * tone);
  if (kind > 0.93f) c = vec3(0.36f, 0.39f, 0.43f) * (0.9f + 0.2f * tone);
  if (kind < 0.03f) c = vec3(0.80f, 0.47f, 0.22f);
  c *= 0.94f + 0.12f * (tileFractal(p, 12, 4, seed + 4) - 0.5f);
  const float seam = joint(x, 0.025f) * joint(y, 0.03f);
  return {c * (0.62f + 0.38f * seam), 1};
}

/// Blue cells with silver lines; 8 x 4 of them to the tile.
vec4 solarColor(vec2 p, std::uint32_t seed) {
  const vec2 q = p * vec2(8, 4);
  const float tone = cellHash(int(q.x), int(q.y), seed);
  const float sheen = tileFractal(p, 4, 3, seed + 1);
  const vec3 cell =
      glm::mix(vec3(0.05f, 0.09f, 0.25f), vec3(0.13f, 0.22f, 0.48f), 0.6f * tone + 0.4f * sheen);
  const float line = joint(q.x, 0.04f) * joint(q.y, 0.04f);
  const float fine = joint(q.x * 3, 0.06f);
  return {glm::mix(vec3(0.62f, 0.65f, 0.70f), cell * (0.85f + 0.15f * fine), line), 1};
}

/// Pipes across a white plate.
vec4 radiatorColor(vec2 p, std::uint32_t seed) {
  const float pipe = 0.5f + 0.5f * std::cos(6.2831853f * 24 * p.y);
  const float stain = tileFractal(p, 6, 4, seed);
  vec3 c = vec3(0.88f, 0.86f, 0.84f) * (0.72f + 0.28f * pipe);
  c *= 0.90f + 0.16f * (stain - 0.5f);
  return {c * (0.7f + 0.3f * joint(p.x * 6, 0.02f)), 1};
}

/// A row of windows, most of them lit; black between.
vec4 windowColor(vec2 p, std::uint32_t seed) {
  const float x = p.x * 16;
  const float f = x - std::floor(x), light = cellHash(int(x), 1, seed);
  const bool pane = f > 0.2f && f < 0.8f && p.y > 0.22f && p.y < 0.78f;
  if (!pane) return {0.05f, 0.055f, 0.06f, 1};
  const vec3 warm(1.0f, 0.86f, 0.58f), cool(0.72f, 0.87f, 1.0f);
  if (light < 0.25f) return {0.10f, 0.11f, 0.13f, 1};
  return {(light > 0.8f ? cool : warm) * (0.7f + 0.3f * cellHash(int(x), 2, seed)), 1};
}

int painted(MeshBuilder& mesh, vec3 color, float gloss, vec3 emission = vec3(0)) {
  MaterialLook look;
  look.color = color, look.gloss = gloss, look.emission = emission;
  return mesh.addMaterial(look);
}

template <class Color>
int textured(MeshBuilder& mesh, const char* name, int width, int height, Color&& color, float gloss,
             vec3 emission = vec3(0)) {
  MaterialLook look;
  look.texture = mesh.addTexture(makeTexture(name, width, height, color));
  look.color = vec3(1), look.gloss = gloss, look.emission = emission;
  return mesh.addMaterial(look);
}

}  // namespace

Looks addLooks(MeshBuilder& mesh, std::uint64_t seed) {
  const auto s = std::uint32_t(seed ^ (seed >> 32));
  Looks looks{};
  looks.hull = textured(
      mesh, "hull", 512, 256, [=](vec2 p) { return hullColor(p, s); }, 0.3f);
  looks.solar = textured(
      mesh, "solar", 256, 128, [=](vec2 p) { return solarColor(p, s); }, 0.8f);
  looks.radiator = textured(
      mesh, "radiator", 128, 256, [=](vec2 p) { return radiatorColor(p, s); }, 0.2f);
  looks.window = textured(
      mesh, "window", 256, 32, [=](vec2 p) { return windowColor(p, s); }, 0.5f, vec3(0.9f));
  looks.grey = painted(mesh, vec3(0.46f, 0.48f, 0.50f), 0.25f);
  looks.dark = painted(mesh, vec3(0.075f, 0.08f, 0.09f), 0.35f);
  looks.metal = painted(mesh, vec3(0.62f, 0.62f, 0.61f), 0.9f);
  looks.foil = painted(mesh, vec3(0.75f, 0.44f, 0.11f), 0.9f);
  looks.warm = painted(mesh, vec3(0.70f, 0.62f, 0.50f), 0.4f);
  looks.glass = painted(mesh, vec3(0.06f, 0.13f, 0.18f), 1.0f, vec3(0.02f, 0.06f, 0.08f));
  looks.glow = painted(mesh, vec3(0.2f, 0.5f, 0.9f), 0.0f, vec3(0.30f, 0.85f, 1.6f));
  looks.core = painted(mesh, vec3(0.9f, 0.4f, 0.1f), 0.0f, vec3(1.8f, 0.55f, 0.10f));
  looks.red = painted(mesh, vec3(0.8f, 0.1f, 0.08f), 0.2f, vec3(0.9f, 0.05f, 0.03f));
  looks.green = painted(mesh, vec3(0.1f, 0.7f, 0.2f), 0.2f, vec3(0.05f, 0.8f, 0.15f));
  looks.accent = painted(mesh, vec3(0.72f, 0.21f, 0.045f), 0.35f);
  return looks;
}

}  // namespace fathom::station
