// SPDX-License-Identifier: BSD-3-Clause
// Textures and materials of the atrium, all made by code. Colors in textures are sRGB, those of
// materials linear.
#include "app/engine/scene/built_in/atrium_looks.h"

namespace fathom::atrium {
namespace {

using glm::vec2;
using glm::vec3;
using glm::vec4;

vec4 opaque(vec3 c) { return {c, 1}; }

/// Courses of cut stone, 6 to the tile, each second one shifted; one bay (3 m) to the tile.
vec4 ashlarColor(vec2 p, std::uint32_t seed) {
  constexpr int kCourses = 6, kBlocks = 3;
  const float y = p.y * kCourses, row = std::floor(y);
  const float x = p.x * kBlocks + 0.5f * std::fmod(row, 2.0f), column = std::floor(x);
  const float tone = cellHash(int(column) % kBlocks, int(row), seed);
  const float edgeX = std::min(x - column, 1 - (x - column)) / kBlocks;
  const float edgeY = std::min(y - row, 1 - (y - row)) / kCourses;
  const float joint = smoothstep(0.002f, 0.006f, std::min(edgeX, edgeY));
  const float grain = tileFractal(p, 16, 4, seed + 7), stain = tileFractal(p, 3, 3, seed + 19);
  vec3 c(0.86f, 0.78f, 0.65f);
  c *= 0.90f + 0.10f * tone + 0.10f * (grain - 0.5f) + 0.10f * (stain - 0.5f);
  c += vec3(0.02f, 0.0f, -0.03f) * (tone - 0.5f);
  return opaque(c * (0.78f + 0.22f * joint));
}

vec4 stoneColor(vec2 p, std::uint32_t seed) {
  const float grain = tileFractal(p, 24, 3, seed), cloud = tileFractal(p, 4, 4, seed + 5);
  return opaque(vec3(0.88f, 0.81f, 0.69f) * (0.92f + 0.10f * grain + 0.12f * (cloud - 0.5f)));
}

vec4 marbleColor(vec2 p, std::uint32_t seed) {
  const float warp = tileFractal(p, 4, 4, seed);
  const float vein = std::fabs(tileFractal(p + vec2(warp * 0.35f, 0), 5, 4, seed + 3) - 0.5f) * 2;
  const float dark = 1 - smoothstep(0.0f, 0.12f, vein);
  return opaque(glm::mix(vec3(0.93f, 0.90f, 0.84f), vec3(0.62f, 0.58f, 0.54f), dark * 0.55f) *
                (0.94f + 0.10f * (warp - 0.5f)));
}

/// The court's paving: large slabs, small dark squares at their corners; two slabs to the tile.
vec4 courtColor(vec2 p, std::uint32_t seed) {
  const vec2 q = p * 2.0f;
  const vec2 cell = glm::floor(q), f = q - cell;
  const float tone = cellHash(int(cell.x), int(cell.y), seed);
  const vec2 corner = vec2(std::min(f.x, 1 - f.x), std::min(f.y, 1 - f.y));
  const float diamond = corner.x + corner.y;
  const float grain = tileFractal(p, 24, 3, seed + 2), cloud = tileFractal(p, 3, 4, seed + 8);
  vec3 c = glm::mix(vec3(0.82f, 0.74f, 0.62f), vec3(0.74f, 0.62f, 0.50f), tone);
  c *= 0.90f + 0.16f * (grain - 0.5f) + 0.22f * cloud;
  if (diamond < 0.2f) c = vec3(0.42f, 0.27f, 0.22f) * (0.9f + 0.3f * grain);
  const float joint =
      diamond < 0.2f ? smoothstep(0.0f, 0.012f, 0.2f - diamond)
                     : smoothstep(0.0f, 0.012f, std::min({corner.x, corner.y, diamond - 0.2f}));
  return opaque(c * (0.66f + 0.34f * joint));
}

/// Checkered marble of the galleries, set at a slant.
vec4 galleryColor(vec2 p, std::uint32_t seed) {
  const vec2 q(p.x * 2 + p.y * 2, p.x * 2 - p.y * 2);
  const int cx = int(std::floor(q.x)), cy = int(std::floor(q.y));
  const bool dark = ((cx + cy) & 1) != 0;
  const float grain = tileFractal(p, 8, 4, seed);
  const vec3 c = dark ? vec3(0.40f, 0.28f, 0.24f) : vec3(0.86f, 0.79f, 0.68f);
  return opaque(c * (0.86f + 0.24f * grain));
}

vec4 roofColor(vec2 p, std::uint32_t seed) {
  const float row = p.y - std::floor(p.y), grain = tileFractal(p, 12, 3, seed);
  return opaque(vec3(0.72f, 0.40f, 0.26f) * (0.72f + 0.35f * grain) *
                (0.65f + 0.35f * smoothstep(0.0f, 0.25f, row)));
}

vec4 woodColor(vec2 p, std::uint32_t seed) {
  const float plank = std::floor(p.x * 4), tone = cellHash(int(plank), 0, seed);
  const float grain = tileFractal(vec2(p.x, p.y * 0.25f), 32, 3, seed + 1);
  const float gap = smoothstep(0.0f, 0.03f, std::min(p.x * 4 - plank, 1 - (p.x * 4 - plank)));
  return opaque(vec3(0.42f, 0.27f, 0.17f) * (0.7f + 0.2f * tone + 0.35f * grain) *
                (0.6f + 0.4f * gap));
}

/// One leaf; alpha cuts it out. The foot is at the bottom, where v is 0 in texture coordinates.
vec4 leafColor(vec2 p, float bulge, std::uint32_t seed) {
  const float along = 1 - p.y, across = std::fabs(p.x - 0.5f) * 2;
  const float outline = std::pow(std::sin(3.14159f * std::pow(along, 0.75f)), bulge) * 0.92f;
  const float inside = smoothstep(-0.02f, 0.03f, outline - across);
  const float rib = 1 - smoothstep(0.0f, 0.06f, across);
  const float veins = 0.5f + 0.5f * std::cos((along * 9 - across * 1.6f) * 6.28f);
  vec3 c = glm::mix(vec3(0.24f, 0.40f, 0.13f), vec3(0.42f, 0.56f, 0.22f), along);
  c *= 0.85f + 0.12f * veins + 0.25f * rib + 0.2f * (tileFractal(p, 8, 2, seed) - 0.5f);
  return {c, inside * (0.94f)};
}

/// Leaflets in two rows along a rib.
vec4 frondColor(vec2 p, std::uint32_t seed) {
  const float along = 1 - p.y, across = std::fabs(p.x - 0.5f) * 2;
  const float reach = std::pow(std::sin(3.14159f * std::min(0.12f + 0.86f * along, 1.0f)), 0.6f);
  const float leaflet = along * 22 - across * 2.2f, f = leaflet - std::floor(leaflet);
  const float half = 0.38f * (1 - across / std::max(reach, 1e-3f));
  const float blade = smoothstep(-0.04f, 0.05f, half - std::fabs(f - 0.5f)) *
                      smoothstep(0.0f, 0.03f, reach - across);
  const float rib = 1 - smoothstep(0.02f, 0.05f, across);
  const float tone = cellHash(int(std::floor(leaflet)), p.x < 0.5f, seed);
  const vec3 c =
      glm::mix(vec3(0.20f, 0.36f, 0.12f), vec3(0.40f, 0.55f, 0.20f), 0.6f * along + 0.4f * tone);
  return {glm::mix(c, vec3(0.45f, 0.5f, 0.22f), rib), std::max(blade * 0.95f, rib)};
}

/// Woven cloth with a border and a device: a ring around an eight-pointed star.
vec4 bannerColor(vec2 p, vec3 ground, vec3 device) {
  const float x = (p.x - 0.5f) * 2, y = p.y;
  const float weave = 0.94f + 0.06f * std::sin(p.x * 300) * std::sin(p.y * 700);
  vec3 c = ground;
  const float border = std::min(1 - std::fabs(x), std::min(y, 1 - y) * 4);
  if (border > 0.06f && border < 0.13f) c = device;
  const vec2 q(x, (y - 0.36f) * 5.2f);
  const float r = glm::length(q), angle = std::atan2(q.y, q.x);
  const float star = 0.30f + 0.16f * std::cos(8 * angle);
  if (r < star || (r > 0.56f && r < 0.66f)) c = device;
  // A swallow tail at the lower end, and bars above it.
  const float bar = std::fmod(y * 24, 1.0f);
  if (y > 0.66f && y < 0.80f && bar > 0.35f && bar < 0.65f && std::fabs(x) < 0.75f) c = device;
  const float tail = y - 0.86f - 0.12f * std::fabs(x);
  return {c * weave, tail > 0 ? 0.0f : 0.97f};
}

/// Painted panels: a field of color with a darker frame.
vec4 frescoColor(vec2 p, std::uint32_t seed) {
  const vec3 field(0.66f, 0.30f, 0.20f), frame(0.36f, 0.14f, 0.12f);
  const float edge = std::min({p.x, p.y, 1 - p.x, 1 - p.y});
  const float cloud = tileFractal(p, 5, 4, seed);
  const vec3 c = edge < 0.05f ? frame : (edge < 0.07f ? vec3(0.86f, 0.74f, 0.48f) : field);
  return opaque(c * (0.86f + 0.28f * (cloud - 0.3f)));
}

/// The clear sky from the horizon (v 0) to the zenith (v 1).
vec4 skyColor(vec2 p) {
  const float up = 1 - p.y;
  const vec3 zenith(0.24f, 0.45f, 0.78f), middle(0.45f, 0.65f, 0.88f), horizon(0.83f, 0.87f, 0.89f);
  return opaque(glm::mix(glm::mix(horizon, middle, smoothstep(0.0f, 0.35f, up)), zenith,
                         smoothstep(0.25f, 1.0f, up)));
}

/// Fair-weather clouds; alpha is their density.
vec4 cloudColor(vec2 p, std::uint32_t seed) {
  const float base = tileFractal(p, 4, 5, seed), detail = tileFractal(p, 16, 3, seed + 11);
  const float density = smoothstep(0.50f, 0.72f, base + 0.18f * (detail - 0.5f));
  const float lit = 0.86f + 0.14f * smoothstep(0.35f, 0.7f, detail);
  return {vec3(lit, lit, lit * 1.01f), density < 0.02f ? 0.0f : density * 0.9f};
}

/// A texture whose color is a function of the place and a seed of its own.
template <class Color>
int seeded(MeshBuilder& mesh, const char* name, int width, int height, const Color& color,
           std::uint32_t seed) {
  return mesh.addTexture(makeTexture(name, width, height, [&](vec2 p) { return color(p, seed); }));
}

int textured(MeshBuilder& mesh, int texture, MaterialLook look) {
  look.texture = texture;
  look.color = vec3(1);
  return mesh.addMaterial(look);
}

/// What lets light through and keeps none off.
int clear(MeshBuilder& mesh, vec3 color, float alpha, float shineThrough, float gloss) {
  return mesh.addMaterial({.color = color,
                           .alpha = alpha,
                           .shineThrough = shineThrough,
                           .gloss = gloss,
                           .shadow = false});
}

void addMasonry(MeshBuilder& mesh, std::uint32_t seed, Looks& k) {
  k.ashlar = textured(mesh, seeded(mesh, "ashlar", 256, 256, ashlarColor, seed), {});
  k.stone = textured(mesh, seeded(mesh, "stone", 192, 192, stoneColor, seed + 40), {});
  k.marble =
      textured(mesh, seeded(mesh, "marble", 192, 192, marbleColor, seed + 80), {.gloss = 0.12f});
  k.tiles =
      textured(mesh, seeded(mesh, "court", 256, 256, courtColor, seed + 120), {.gloss = 0.05f});
  k.gallery =
      textured(mesh, seeded(mesh, "gallery", 192, 192, galleryColor, seed + 160), {.gloss = 0.1f});
  k.roofTiles = textured(mesh, seeded(mesh, "roof", 128, 128, roofColor, seed + 200), {});
  k.wood = textured(mesh, seeded(mesh, "wood", 128, 256, woodColor, seed + 240), {});
}

/// Leaves by their texture; the look of ivy, which cypresses share.
MaterialLook addLeaves(MeshBuilder& mesh, std::uint32_t seed, Looks& k) {
  const auto leaf = [](float bulge) {
    return [bulge](vec2 p, std::uint32_t own) { return leafColor(p, bulge, own); };
  };
  k.leaf = textured(mesh, seeded(mesh, "leaf", 64, 64, leaf(0.7f), seed),
                    {.shineThrough = 0.5f, .gloss = 0.25f});
  MaterialLook ivy{.color = {0.85f, 0.95f, 0.7f}, .shineThrough = 0.45f};
  ivy.texture = seeded(mesh, "ivy", 64, 64, leaf(0.45f), seed + 3);
  k.ivy = mesh.addMaterial(ivy);
  k.frond = textured(mesh, seeded(mesh, "frond", 64, 256, frondColor, seed + 5),
                     {.shineThrough = 0.45f, .gloss = 0.2f});
  return ivy;
}

/// Banners with their device, the panels of the gallery, the sky.
void addPaintings(MeshBuilder& mesh, std::uint32_t seed, Looks& k) {
  const vec3 gold(0.88f, 0.70f, 0.34f);
  const vec3 grounds[3] = {{0.52f, 0.08f, 0.10f}, {0.10f, 0.22f, 0.42f}, {0.12f, 0.34f, 0.24f}};
  for (int i = 0; i < 3; ++i)
    k.banners[i] = textured(
        mesh,
        mesh.addTexture(makeTexture(fmt::format("banner {}", i), 96, 256,
                                    [&](vec2 p) { return bannerColor(p, grounds[i], gold); })),
        {.alpha = 0.96f, .shineThrough = 0.35f});
  k.fresco[0] = mesh.addMaterial({.color = {0.16f, 0.30f, 0.34f}});
  k.fresco[1] = textured(mesh, seeded(mesh, "fresco", 128, 128, frescoColor, seed + 300), {});
  k.fresco[2] = mesh.addMaterial({.color = {0.10f, 0.20f, 0.34f}});

  MaterialLook sky{.color = vec3(0), .emission = vec3(0.95f), .shadow = false};
  sky.texture = mesh.addTexture(makeTexture("sky", 4, 128, skyColor));
  k.sky = mesh.addMaterial(sky);
  sky.texture = seeded(mesh, "cloud", 192, 192, cloudColor, seed + 9);
  k.cloud = mesh.addMaterial(sky);
}

/// What needs no texture of its own.
void addPlain(MeshBuilder& mesh, MaterialLook ivy, Looks& k) {
  ivy.color = {0.30f, 0.42f, 0.24f};
  k.cypress = mesh.addMaterial(ivy);
  k.lawn = mesh.addMaterial({.color = {0.13f, 0.18f, 0.06f}});
  k.inlay = mesh.addMaterial({.color = {0.16f, 0.075f, 0.05f}, .gloss = 0.1f});
  k.pane = clear(mesh, {0.55f, 0.62f, 0.62f}, 0.3f, 0.6f, 0.5f);
  k.plaster = mesh.addMaterial({.color = {0.74f, 0.63f, 0.47f}});
  k.terracotta = mesh.addMaterial({.color = {0.52f, 0.23f, 0.12f}});
  k.bronze = mesh.addMaterial({.color = {0.17f, 0.12f, 0.06f}, .gloss = 0.5f});
  k.gold = mesh.addMaterial({.color = {0.62f, 0.43f, 0.14f}, .gloss = 0.4f});
  k.soil = mesh.addMaterial({.color = {0.07f, 0.045f, 0.03f}});
  k.glass = clear(mesh, {0.9f, 0.75f, 0.45f}, 0.35f, 0.5f, 0.6f);
  k.water = clear(mesh, {0.10f, 0.26f, 0.28f}, 0.55f, 0, 0.9f);
  k.spray = clear(mesh, {0.85f, 0.92f, 0.95f}, 0.3f, 0.8f, 0.4f);
  k.lampGlow = mesh.addMaterial(
      {.color = {0.9f, 0.7f, 0.4f}, .emission = {1.0f, 0.72f, 0.36f}, .shadow = false});
  k.drapes[0] = clear(mesh, {0.62f, 0.06f, 0.07f}, 0.6f, 0.7f, 0);
  k.drapes[1] = clear(mesh, {0.80f, 0.46f, 0.08f}, 0.5f, 0.7f, 0);
  k.drapes[2] = clear(mesh, {0.05f, 0.28f, 0.42f}, 0.6f, 0.7f, 0);
  k.drapes[3] = clear(mesh, {0.85f, 0.80f, 0.68f}, 0.35f, 0.7f, 0);
}

}  // namespace

Looks addLooks(MeshBuilder& mesh, std::uint64_t wideSeed) {
  const auto seed = std::uint32_t(wideSeed);
  Looks looks{};
  addMasonry(mesh, seed, looks);
  const MaterialLook ivy = addLeaves(mesh, seed, looks);
  addPaintings(mesh, seed, looks);
  addPlain(mesh, ivy, looks);
  return looks;
}

}  // namespace fathom::atrium
