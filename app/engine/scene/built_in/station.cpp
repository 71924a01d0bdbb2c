// SPDX-License-Identifier: BSD-3-Clause
// `station`: a space station with a nuclear power plant, 34 objects of about 9,100 triangles in
// all, as the model of Lipinski et al. 2021 has. The spine lies along x: engines and reactor behind
// (-x), then radiators, tanks, the turning ring around the hub, solar wings, bridge and dock in
// front.
#include "app/engine/scene/built_in/built_in.h"
#include "app/engine/scene/built_in/mesh_builder.h"

#include <glm/gtc/matrix_transform.hpp>

namespace fathom {
namespace {

using glm::mat4;
using glm::vec2;
using glm::vec3;
using glm::vec4;

// ---- Materials: plated hulls, solar cells, lit windows. Colors in textures are sRGB, those of
// materials linear.

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
  return mesh.addMaterial({.color = color, .emission = emission, .gloss = gloss});
}

/// `color` is a function of the place and a seed.
template <class Color>
int textured(MeshBuilder& mesh, const char* name, int width, int height, const Color& color,
             std::uint32_t seed, float gloss, vec3 emission = vec3(0)) {
  const int texture =
      mesh.addTexture(makeTexture(name, width, height, [&](vec2 p) { return color(p, seed); }));
  return mesh.addMaterial(
      {.color = vec3(1), .emission = emission, .texture = texture, .gloss = gloss});
}

struct Looks {
  MeshBuilder& mesh;
  std::uint32_t seed;

  int hull = textured(mesh, "hull", 512, 256, hullColor, seed, 0.3f);
  int solar = textured(mesh, "solar", 256, 128, solarColor, seed, 0.8f);
  int radiator = textured(mesh, "radiator", 128, 256, radiatorColor, seed, 0.2f);
  int window = textured(mesh, "window", 256, 32, windowColor, seed, 0.5f, vec3(0.9f));
  int grey = painted(mesh, vec3(0.46f, 0.48f, 0.50f), 0.25f);
  int dark = painted(mesh, vec3(0.075f, 0.08f, 0.09f), 0.35f);
  int metal = painted(mesh, vec3(0.62f, 0.62f, 0.61f), 0.9f);
  int foil = painted(mesh, vec3(0.75f, 0.44f, 0.11f), 0.9f);
  int warm = painted(mesh, vec3(0.70f, 0.62f, 0.50f), 0.4f);
  int glass = painted(mesh, vec3(0.06f, 0.13f, 0.18f), 1.0f, vec3(0.02f, 0.06f, 0.08f));
  int glow = painted(mesh, vec3(0.2f, 0.5f, 0.9f), 0.0f, vec3(0.30f, 0.85f, 1.6f));
  int core = painted(mesh, vec3(0.9f, 0.4f, 0.1f), 0.0f, vec3(1.8f, 0.55f, 0.10f));
  int red = painted(mesh, vec3(0.8f, 0.1f, 0.08f), 0.2f, vec3(0.9f, 0.05f, 0.03f));
  int green = painted(mesh, vec3(0.1f, 0.7f, 0.2f), 0.2f, vec3(0.05f, 0.8f, 0.15f));
  int accent = painted(mesh, vec3(0.72f, 0.21f, 0.045f), 0.35f);
};

// ---- Objects, each a part of the scene

/// Names of the parts in order; each part is one object.
class Parts {
 public:
  Parts(MeshBuilder& builder, const Looks& all) : mesh(builder), looks(all) {}
  void begin(std::string name) {
    mesh.setPart(int(names.size()));
    names.push_back(std::move(name));
    mesh.setPlace(mat4(1));
  }
  MeshBuilder& mesh;
  const Looks& looks;
  std::vector<std::string> names;
};

mat4 at(float x, float y = 0, float z = 0) { return glm::translate(mat4(1), vec3(x, y, z)); }
/// Turned about the spine.
mat4 around(float angle) { return glm::rotate(mat4(1), angle, vec3(1, 0, 0)); }
/// A lathe's axis along the spine, its up towards +x.
mat4 alongSpine(float x) { return at(x) * glm::rotate(mat4(1), -kPi / 2, vec3(0, 0, 1)); }

using Profile = std::vector<ProfilePoint>;
/// A lathe of hard edges or a smooth one.
void turn(MeshBuilder& mesh, int material, const Profile& profile, int around,
          bool smooth = false) {
  mesh.setMaterial(material);
  mesh.lathe(profile, around, smooth);
}

/// A lathe of plates: the texture goes `repeats` times around and keeps its proportion in height.
void plate(MeshBuilder& mesh, int material, const Profile& profile, int around, int repeats) {
  mesh.setMaterial(material);
  float along = 0;
  for (std::size_t i = 0; i + 1 < profile.size(); ++i) {
    const ProfilePoint p = profile[i], q = profile[i + 1];
    const float out = q.out - p.out, up = q.up - p.up;
    const float step = std::hypot(out, up) * float(repeats) / (kPi * (p.out + q.out));
    mesh.grid(around, 1, [&](float u, float v) {
      const float r = p.out + out * v, c = std::cos(2 * kPi * u), s = std::sin(2 * kPi * u);
      return SurfacePoint{{r * c, p.up + up * v, r * s},
                          {up * c, -out, up * s},
                          {u * float(repeats), along + 2 * v * step}};
    });
    along += 2 * step;
  }
}

/// A bar from a to b with a square section.
void bar(MeshBuilder& mesh, const mat4& place, vec3 a, vec3 b, float width) {
  const vec3 along = b - a,
             other = std::abs(along.y) > 0.9f * glm::length(along) ? vec3(1, 0, 0) : vec3(0, 1, 0);
  const vec3 x = glm::normalize(glm::cross(other, along)), z = glm::normalize(glm::cross(x, along));
  mesh.setPlace(place * mat4(glm::vec4(x, 0), glm::vec4(glm::normalize(along), 0), glm::vec4(z, 0),
                             glm::vec4(a, 1)));
  const float h = width / 2, length = glm::length(along);
  mesh.rectangle({-h, 0, h}, {width, 0, 0}, {0, length, 0});
  mesh.rectangle({h, 0, -h}, {-width, 0, 0}, {0, length, 0});
  mesh.rectangle({h, 0, h}, {0, 0, -width}, {0, length, 0});
  mesh.rectangle({-h, 0, -h}, {0, 0, width}, {0, length, 0});
}

void addSpine(Parts& parts) {
  MeshBuilder& mesh = parts.mesh;
  parts.begin("spine");
  mesh.setMaterial(parts.looks.metal);
  constexpr float kHalf = 0.55f, kFrom = -9.0f, kStep = 1.755f;
  constexpr int kBays = 10;
  const vec3 corners[] = {
      {0, kHalf, kHalf}, {0, kHalf, -kHalf}, {0, -kHalf, -kHalf}, {0, -kHalf, kHalf}};
  for (int c = 0; c < 4; ++c)
    bar(mesh, at(kFrom), corners[c], corners[c] + vec3(kBays * kStep, 0, 0), 0.12f);
  for (int bay = 0; bay < kBays; ++bay)
    for (int c = 0; c < 4; ++c) {
      const mat4 place = at(kFrom + float(bay) * kStep);
      const vec3 next = corners[(c + 1) % 4];
      bar(mesh, place, corners[c], next, 0.08f);
      bar(mesh, place, bay % 2 ? next : corners[c],
          (bay % 2 ? corners[c] : next) + vec3(kStep, 0, 0), 0.06f);
    }
  mesh.setPlace(alongSpine(kFrom));
  turn(mesh, parts.looks.foil, {{0.28f, 0}, {0.28f, kBays * kStep}}, 12);
}

void addPower(Parts& parts) {
  MeshBuilder& mesh = parts.mesh;
  const Looks& looks = parts.looks;
  parts.begin("reactor");
  mesh.setPlace(alongSpine(-12.6f));
  plate(mesh, looks.hull,
        {{0.9f, 0}, {1.5f, 0.35f}, {1.75f, 0.9f}, {1.75f, 2.2f}, {1.45f, 2.75f}, {0.8f, 3.0f}}, 26,
        2);
  turn(mesh, looks.dark, {{1.7f, 1.15f}, {1.9f, 1.2f}, {1.9f, 1.35f}, {1.7f, 1.4f}}, 26);
  turn(mesh, looks.core, {{1.8f, 1.42f}, {1.8f, 1.73f}}, 26);
  turn(mesh, looks.dark, {{1.7f, 1.75f}, {1.9f, 1.8f}, {1.9f, 1.95f}, {1.7f, 2.0f}}, 26);

  parts.begin("shield");
  mesh.setPlace(alongSpine(-9.45f));
  turn(mesh, looks.grey, {{0.5f, -0.1f}, {2.3f, 0}, {2.55f, 0.12f}, {2.55f, 0.3f}, {0.7f, 0.75f}},
       30);
  turn(mesh, looks.accent, {{2.57f, 0.14f}, {2.57f, 0.28f}}, 30);

  for (int i = 0; i < 3; ++i) {
    parts.begin("engine-" + std::to_string(i + 1));
    const float angle = 2 * kPi * float(i) / 3 + kPi / 2;
    mesh.setPlace(alongSpine(-14.9f) * at(0.95f * std::cos(angle), 0, 0.95f * std::sin(angle)));
    turn(mesh, looks.dark,
         {{0.78f, 0},
          {0.72f, 0.35f},
          {0.56f, 0.85f},
          {0.32f, 1.3f},
          {0.22f, 1.5f},
          {0.30f, 1.7f},
          {0.42f, 2.4f}},
         14, true);
    turn(mesh, looks.glow, {{0.70f, 0.06f}, {0.45f, 0.7f}, {0.0f, 1.0f}}, 14, true);
  }
  for (int i = 0; i < 4; ++i) {
    parts.begin("radiator-" + std::to_string(i + 1));
    const mat4 place = around(kPi / 4 + kPi / 2 * float(i));
    mesh.setPlace(place);
    mesh.setMaterial(looks.radiator);
    mesh.setUvScale(0.35f);
    for (int panel = 0; panel < 3; ++panel) {
      const float y = 1.1f + 1.75f * float(panel), x0 = -8.7f + 0.25f * float(panel);
      mesh.box({x0, y, -0.05f}, {-5.1f - 0.1f * float(panel), y + 1.6f, 0.05f});
    }
    mesh.setUvScale(1);
    mesh.setMaterial(looks.core);
    mesh.box({-8.8f, 0.8f, -0.09f}, {-5.0f, 0.98f, 0.09f});
    mesh.setMaterial(looks.metal);
    for (const float x : {-8.0f, -6.9f, -5.8f}) bar(mesh, place, {x, 0.4f, 0}, {x, 6.1f, 0}, 0.13f);
  }
}

void addTanks(Parts& parts) {
  MeshBuilder& mesh = parts.mesh;
  for (int i = 0; i < 6; ++i) {
    parts.begin("tank-" + std::to_string(i + 1));
    const float angle = kPi / 2 * float(i % 3) * 4 / 3 + (i < 3 ? 0.0f : kPi / 3);
    const mat4 place = at(i < 3 ? -3.9f : -2.2f) * around(angle) * at(0, 1.55f);
    mesh.setPlace(place);
    mesh.setMaterial(i % 2 ? parts.looks.warm : parts.looks.foil);
    mesh.sphere(vec3(0), 0.88f, 14, 7);
    turn(mesh, parts.looks.dark, {{0.90f, -0.07f}, {0.90f, 0.07f}}, 14);
    mesh.setMaterial(parts.looks.metal);
    bar(mesh, place, {0, -1.1f, 0}, {0, -0.7f, 0}, 0.3f);
  }
}

/// A rim around the spine with windows outside, on four spokes.
void addRing(Parts& parts) {
  MeshBuilder& mesh = parts.mesh;
  const Looks& looks = parts.looks;
  constexpr float kRadius = 5.4f, kX = 1.6f;
  constexpr int kAround = 64;
  parts.begin("ring");
  mesh.setPlace(alongSpine(kX));
  plate(mesh, looks.hull,
        {{kRadius - 0.55f, -0.55f},
         {kRadius + 0.3f, -0.8f},
         {kRadius + 0.62f, -0.55f},
         {kRadius + 0.66f, -0.3f}},
        kAround, 8);
  plate(mesh, looks.hull,
        {{kRadius + 0.66f, 0.3f},
         {kRadius + 0.62f, 0.55f},
         {kRadius + 0.3f, 0.8f},
         {kRadius - 0.55f, 0.55f}},
        kAround, 8);
  turn(mesh, looks.grey,
       {{kRadius - 0.55f, 0.55f}, {kRadius - 0.62f, 0.0f}, {kRadius - 0.55f, -0.55f}}, kAround);
  mesh.setMaterial(looks.window);
  mesh.grid(kAround, 1, [&](float u, float v) {
    const float angle = 2 * kPi * u, r = kRadius + 0.64f;
    const vec3 out(std::cos(angle), 0, std::sin(angle));
    return SurfacePoint{out * r + vec3(0, 0.6f * v - 0.3f, 0), out, {u * 8, v}};
  });
  for (const float side : {-1.0f, 1.0f}) {
    mesh.setMaterial(side < 0 ? looks.accent : looks.dark);
    mesh.lathe(Profile{{kRadius + 0.02f, side * 0.73f}, {kRadius + 0.22f, side * 0.79f}}, kAround,
               false);
  }

  for (int i = 0; i < 4; ++i) {
    parts.begin("spoke-" + std::to_string(i + 1));
    mesh.setPlace(at(kX) * around(kPi / 2 * float(i)));
    plate(mesh, looks.hull, {{0.36f, 1.3f}, {0.30f, 1.8f}, {0.30f, 4.2f}, {0.44f, 4.9f}}, 12, 1);
    turn(mesh, looks.dark, {{0.33f, 2.6f}, {0.36f, 2.65f}, {0.36f, 2.85f}, {0.33f, 2.9f}}, 12);
    turn(mesh, looks.accent, {{0.33f, 3.7f}, {0.33f, 3.9f}}, 12);
  }
}

void addHub(Parts& parts) {
  MeshBuilder& mesh = parts.mesh;
  const Looks& looks = parts.looks;
  parts.begin("hub");
  mesh.setPlace(alongSpine(0.1f));
  plate(mesh, looks.hull,
        {{0.5f, -0.4f}, {1.1f, -0.1f}, {1.35f, 0.3f}, {1.35f, 2.7f}, {1.1f, 3.1f}, {0.75f, 3.4f}},
        28, 2);
  turn(mesh, looks.dark, {{1.37f, 0.45f}, {1.45f, 0.5f}, {1.45f, 0.7f}, {1.37f, 0.75f}}, 28);
  turn(mesh, looks.dark, {{1.37f, 2.25f}, {1.45f, 2.3f}, {1.45f, 2.5f}, {1.37f, 2.55f}}, 28);

  parts.begin("bridge");
  mesh.setPlace(alongSpine(8.4f));
  plate(mesh, looks.hull, {{0.6f, 0}, {1.25f, 0.4f}, {1.35f, 0.9f}, {1.35f, 2.0f}}, 28, 2);
  plate(mesh, looks.hull, {{1.35f, 2.4f}, {1.2f, 2.9f}, {0.75f, 3.2f}}, 28, 2);
  mesh.setMaterial(looks.window);
  mesh.grid(28, 1, [&](float u, float v) {
    const vec3 out(std::cos(2 * kPi * u), 0, std::sin(2 * kPi * u));
    return SurfacePoint{out * 1.34f + vec3(0, 2.0f + 0.4f * v, 0), out, {u * 3, v}};
  });
  parts.begin("dome");
  mesh.setPlace(alongSpine(11.6f));
  turn(mesh, looks.glass,
       {{0.75f, 0}, {0.72f, 0.2f}, {0.62f, 0.42f}, {0.36f, 0.66f}, {0.0f, 0.75f}}, 20, true);
  turn(mesh, looks.metal, {{0.80f, -0.06f}, {0.84f, 0.0f}, {0.80f, 0.08f}}, 20);

  parts.begin("dock");
  mesh.setPlace(at(9.7f, -1.2f));
  turn(mesh, looks.grey, {{0.75f, -1.5f}, {0.8f, -1.35f}, {0.55f, -1.1f}, {0.5f, 0.2f}}, 16);
  turn(mesh, looks.dark, {{0.0f, -1.38f}, {0.75f, -1.48f}}, 16);
  turn(mesh, looks.green, {{0.78f, -1.45f}, {0.83f, -1.4f}, {0.78f, -1.33f}}, 16);
}

void addSolarWings(Parts& parts) {
  MeshBuilder& mesh = parts.mesh;
  const Looks& looks = parts.looks;
  for (int i = 0; i < 4; ++i) {
    parts.begin("solar-" + std::to_string(i + 1));
    const float side = i % 2 ? -1.0f : 1.0f, x = i < 2 ? 5.2f : 7.5f;
    const mat4 place = at(x) * glm::rotate(mat4(1), side * 0.35f, vec3(0, 0, 1)) *
                       glm::rotate(mat4(1), side > 0 ? 0.0f : kPi, vec3(1, 0, 0));
    mesh.setPlace(place);
    mesh.setMaterial(looks.solar);
    mesh.setUvScale(0.5f);
    for (int panel = 0; panel < 5; ++panel) {
      const float z = 1.5f + 1.5f * float(panel);
      mesh.box({-0.95f, -0.03f, z}, {0.95f, 0.03f, z + 1.4f});
    }
    mesh.setUvScale(1);
    mesh.setMaterial(looks.metal);
    bar(mesh, place, {0, 0.06f, 0.3f}, {0, 0.06f, 9.0f}, 0.14f);
    for (int panel = 0; panel < 6; ++panel) {
      const float z = 1.45f + 1.5f * float(panel);
      bar(mesh, place, {-1.0f, 0, z}, {1.0f, 0, z}, 0.07f);
    }
    mesh.setPlace(place * at(0, 0, 9.05f));
    mesh.setMaterial(side < 0 ? looks.red : looks.green);
    mesh.sphere(vec3(0), 0.11f, 6, 4);
  }
}

void addSmall(Parts& parts, Random& random) {
  MeshBuilder& mesh = parts.mesh;
  const Looks& looks = parts.looks;
  for (int i = 0; i < 2; ++i) {
    parts.begin("antenna-" + std::to_string(i + 1));
    const mat4 foot = at(i ? 4.2f : 8.9f) * around(i ? 2.5f : 0.5f);
    mesh.setMaterial(looks.metal);
    bar(mesh, foot, {0, 0.5f, 0}, {0, 2.3f, 0}, 0.12f);
    mesh.setPlace(foot * at(0, 2.3f) *
                  glm::rotate(mat4(1), random.uniform(0.5f, 0.9f), vec3(0, 0, 1)));
    turn(mesh, looks.warm, {{0.05f, 0}, {0.35f, 0.06f}, {0.65f, 0.2f}, {0.9f, 0.42f}}, 20, true);
    turn(mesh, looks.dark, {{0.04f, 0}, {0.03f, 0.65f}, {0.09f, 0.7f}, {0.0f, 0.78f}}, 8);
  }
  parts.begin("shuttle");
  mesh.setPlace(at(9.7f, -3.35f) * glm::rotate(mat4(1), kPi, vec3(0, 1, 0)));
  turn(mesh, looks.warm,
       {{0.45f, -1.1f}, {0.52f, -0.5f}, {0.50f, 0.2f}, {0.30f, 0.55f}, {0.26f, 0.68f}}, 16, true);
  turn(mesh, looks.dark, {{0.30f, -1.35f}, {0.24f, -1.1f}, {0.47f, -1.08f}}, 16);
  mesh.setMaterial(looks.accent);
  for (const float side : {-1.0f, 1.0f})
    mesh.box({-0.05f, -1.1f, side > 0 ? 0.4f : -1.05f}, {0.05f, -0.35f, side > 0 ? 1.05f : -0.4f});

  parts.begin("arm");
  const vec3 joints[] = {{0, 0.55f, 0}, {0.5f, 2.2f, 0.6f}, {2.1f, 3.0f, 1.2f}, {2.6f, 2.3f, 1.5f}};
  mesh.setMaterial(looks.warm);
  for (int i = 0; i < 3; ++i) bar(mesh, at(3.6f), joints[i], joints[i + 1], 0.16f);
  mesh.setPlace(at(3.6f));
  mesh.setMaterial(looks.accent);
  for (const vec3& p : joints) mesh.sphere(p, 0.16f, 8, 5);

  parts.begin("containers");
  for (int i = 0; i < 12; ++i) {
    mesh.setPlace(at(4.0f + 0.75f * float(i % 4)) * around(kPi / 2 * float(i / 4) + kPi / 2));
    const int colors[] = {looks.accent, looks.grey, looks.warm, looks.foil};
    mesh.setMaterial(colors[random.below(4)]);
    const float height = random.uniform(0.35f, 0.6f);
    mesh.box({-0.33f, 0.56f, -0.45f}, {0.33f, 0.56f + height, 0.45f});
  }
}

void makeStation(Scene& scene, const SceneArguments& arguments, Progress& progress) {
  progress.begin("building the station", 0);
  scene.camera.position = {12.9f, 7.6f, 19.0f};
  scene.camera.target = {0.0f, -0.4f, 0.0f};
  scene.camera.verticalFovDeg = 40;
  scene.lighting.toSun = {0.55f, 0.75f, 0.5f};
  scene.lighting.sun = {1.25f, 1.18f, 1.05f};
  scene.lighting.sky = {0.13f, 0.16f, 0.22f};
  scene.lighting.ground = {0.10f, 0.08f, 0.07f};

  MeshBuilder mesh(scene);
  const std::uint64_t seed = arguments.seed();
  const Looks looks{mesh, std::uint32_t(seed ^ seed >> 32)};
  Random random(seed);
  Parts parts(mesh, looks);
  addSpine(parts);
  addPower(parts);
  addTanks(parts);
  addHub(parts);
  addRing(parts);
  addSolarWings(parts);
  addSmall(parts, random);
  mesh.setPlace(mat4(1));
  finishScene(scene, mesh.take(), parts.names, BatchOrder::Kept, progress);
  scene.lighting.shadowBounds = scene.bounds;
  overrideAlpha(scene, arguments.get("alpha"));
}

}  // namespace

BuiltInScene stationScene() {
  return {"station",
          "a space station with a nuclear power plant, 34 objects of about 9,100 triangles",
          {seedParameter(), alphaParameter()},
          makeStation};
}

}  // namespace fathom
