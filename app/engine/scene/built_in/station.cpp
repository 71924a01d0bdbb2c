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

using Profile = std::vector<ProfilePoint>;

/// The mesh with its materials; each object is a part of its own.
class Station : public MeshBuilder {
 public:
  Station(Scene& scene, std::uint64_t seed)
      : MeshBuilder(scene), random_(seed), seed_(std::uint32_t(seed ^ seed >> 32)) {}
  void addSpine();
  void addPower();
  void addTanks();
  void addRing();
  void addHub();
  void addSolarWings();
  void addSmall();
  /// Of the parts, in their order.
  const std::vector<std::string>& names() const { return names_; }

 private:
  int painted(vec3 color, float gloss, vec3 emission = vec3(0)) {
    return addMaterial({.color = color, .emission = emission, .gloss = gloss});
  }
  /// `color` is a function of the place and a seed.
  template <class Color>
  int textured(const char* name, int width, int height, const Color& color, float gloss,
               vec3 emission = vec3(0)) {
    const int texture =
        addTexture(makeTexture(name, width, height, [&](vec2 p) { return color(p, seed_); }));
    return addMaterial(
        {.color = vec3(1), .emission = emission, .texture = texture, .gloss = gloss});
  }
  void begin(std::string name) {
    setPart(int(names_.size()));
    names_.push_back(std::move(name));
    setPlace(mat4(1));
  }
  void turn(int material, const Profile& profile, int around, bool smooth = false);
  void plate(int material, const Profile& profile, int around, int repeats);
  void bar(const mat4& place, vec3 a, vec3 b, float width);

  Random random_;
  std::uint32_t seed_;
  std::vector<std::string> names_;

  int hull = textured("hull", 512, 256, hullColor, 0.3f);
  int solar = textured("solar", 256, 128, solarColor, 0.8f);
  int radiator = textured("radiator", 128, 256, radiatorColor, 0.2f);
  int window = textured("window", 256, 32, windowColor, 0.5f, vec3(0.9f));
  int grey = painted(vec3(0.46f, 0.48f, 0.50f), 0.25f);
  int dark = painted(vec3(0.075f, 0.08f, 0.09f), 0.35f);
  int metal = painted(vec3(0.62f, 0.62f, 0.61f), 0.9f);
  int foil = painted(vec3(0.75f, 0.44f, 0.11f), 0.9f);
  int warm = painted(vec3(0.70f, 0.62f, 0.50f), 0.4f);
  int glass = painted(vec3(0.06f, 0.13f, 0.18f), 1.0f, vec3(0.02f, 0.06f, 0.08f));
  int glow = painted(vec3(0.2f, 0.5f, 0.9f), 0.0f, vec3(0.30f, 0.85f, 1.6f));
  int core = painted(vec3(0.9f, 0.4f, 0.1f), 0.0f, vec3(1.8f, 0.55f, 0.10f));
  int red = painted(vec3(0.8f, 0.1f, 0.08f), 0.2f, vec3(0.9f, 0.05f, 0.03f));
  int green = painted(vec3(0.1f, 0.7f, 0.2f), 0.2f, vec3(0.05f, 0.8f, 0.15f));
  int accent = painted(vec3(0.72f, 0.21f, 0.045f), 0.35f);
};

// ---- Objects, each a part of the scene

mat4 at(float x, float y = 0, float z = 0) { return glm::translate(mat4(1), vec3(x, y, z)); }
/// Turned about the spine.
mat4 around(float angle) { return glm::rotate(mat4(1), angle, vec3(1, 0, 0)); }
/// A lathe's axis along the spine, its up towards +x.
mat4 alongSpine(float x) { return at(x) * glm::rotate(mat4(1), -kPi / 2, vec3(0, 0, 1)); }

/// A lathe of hard edges or a smooth one.
void Station::turn(int material, const Profile& profile, int around, bool smooth) {
  setMaterial(material);
  lathe(profile, around, smooth);
}

/// A lathe of plates: the texture goes `repeats` times around and keeps its proportion in height.
void Station::plate(int material, const Profile& profile, int around, int repeats) {
  setMaterial(material);
  float along = 0;
  for (std::size_t i = 0; i + 1 < profile.size(); ++i) {
    const ProfilePoint p = profile[i], q = profile[i + 1];
    const float out = q.out - p.out, up = q.up - p.up;
    const float step = std::hypot(out, up) * float(repeats) / (kPi * (p.out + q.out));
    grid(around, 1, [&](float u, float v) {
      const float r = p.out + out * v, c = std::cos(2 * kPi * u), s = std::sin(2 * kPi * u);
      return SurfacePoint{{r * c, p.up + up * v, r * s},
                          {up * c, -out, up * s},
                          {u * float(repeats), along + 2 * v * step}};
    });
    along += 2 * step;
  }
}

/// A bar from a to b with a square section.
void Station::bar(const mat4& place, vec3 a, vec3 b, float width) {
  const vec3 along = b - a,
             other = std::abs(along.y) > 0.9f * glm::length(along) ? vec3(1, 0, 0) : vec3(0, 1, 0);
  const vec3 x = glm::normalize(glm::cross(other, along)), z = glm::normalize(glm::cross(x, along));
  setPlace(place * mat4(glm::vec4(x, 0), glm::vec4(glm::normalize(along), 0), glm::vec4(z, 0),
                        glm::vec4(a, 1)));
  const float h = width / 2, length = glm::length(along);
  rectangle({-h, 0, h}, {width, 0, 0}, {0, length, 0});
  rectangle({h, 0, -h}, {-width, 0, 0}, {0, length, 0});
  rectangle({h, 0, h}, {0, 0, -width}, {0, length, 0});
  rectangle({-h, 0, -h}, {0, 0, width}, {0, length, 0});
}

void Station::addSpine() {
  begin("spine");
  setMaterial(metal);
  constexpr float kHalf = 0.55f, kFrom = -9.0f, kStep = 1.755f;
  constexpr int kBays = 10;
  const vec3 corners[] = {
      {0, kHalf, kHalf}, {0, kHalf, -kHalf}, {0, -kHalf, -kHalf}, {0, -kHalf, kHalf}};
  for (int c = 0; c < 4; ++c)
    bar(at(kFrom), corners[c], corners[c] + vec3(kBays * kStep, 0, 0), 0.12f);
  for (int bay = 0; bay < kBays; ++bay)
    for (int c = 0; c < 4; ++c) {
      const mat4 place = at(kFrom + float(bay) * kStep);
      const vec3 next = corners[(c + 1) % 4];
      bar(place, corners[c], next, 0.08f);
      bar(place, bay % 2 ? next : corners[c], (bay % 2 ? corners[c] : next) + vec3(kStep, 0, 0),
          0.06f);
    }
  setPlace(alongSpine(kFrom));
  turn(foil, {{0.28f, 0}, {0.28f, kBays * kStep}}, 12);
}

void Station::addPower() {
  begin("reactor");
  setPlace(alongSpine(-12.6f));
  plate(hull,
        {{0.9f, 0}, {1.5f, 0.35f}, {1.75f, 0.9f}, {1.75f, 2.2f}, {1.45f, 2.75f}, {0.8f, 3.0f}}, 26,
        2);
  turn(dark, {{1.7f, 1.15f}, {1.9f, 1.2f}, {1.9f, 1.35f}, {1.7f, 1.4f}}, 26);
  turn(core, {{1.8f, 1.42f}, {1.8f, 1.73f}}, 26);
  turn(dark, {{1.7f, 1.75f}, {1.9f, 1.8f}, {1.9f, 1.95f}, {1.7f, 2.0f}}, 26);

  begin("shield");
  setPlace(alongSpine(-9.45f));
  turn(grey, {{0.5f, -0.1f}, {2.3f, 0}, {2.55f, 0.12f}, {2.55f, 0.3f}, {0.7f, 0.75f}}, 30);
  turn(accent, {{2.57f, 0.14f}, {2.57f, 0.28f}}, 30);

  for (int i = 0; i < 3; ++i) {
    begin("engine-" + std::to_string(i + 1));
    const float angle = 2 * kPi * float(i) / 3 + kPi / 2;
    setPlace(alongSpine(-14.9f) * at(0.95f * std::cos(angle), 0, 0.95f * std::sin(angle)));
    turn(dark,
         {{0.78f, 0},
          {0.72f, 0.35f},
          {0.56f, 0.85f},
          {0.32f, 1.3f},
          {0.22f, 1.5f},
          {0.30f, 1.7f},
          {0.42f, 2.4f}},
         14, true);
    turn(glow, {{0.70f, 0.06f}, {0.45f, 0.7f}, {0.0f, 1.0f}}, 14, true);
  }
  for (int i = 0; i < 4; ++i) {
    begin("radiator-" + std::to_string(i + 1));
    const mat4 place = around(kPi / 4 + kPi / 2 * float(i));
    setPlace(place);
    setMaterial(radiator);
    setUvScale(0.35f);
    for (int panel = 0; panel < 3; ++panel) {
      const float y = 1.1f + 1.75f * float(panel), x0 = -8.7f + 0.25f * float(panel);
      box({x0, y, -0.05f}, {-5.1f - 0.1f * float(panel), y + 1.6f, 0.05f});
    }
    setUvScale(1);
    setMaterial(core);
    box({-8.8f, 0.8f, -0.09f}, {-5.0f, 0.98f, 0.09f});
    setMaterial(metal);
    for (const float x : {-8.0f, -6.9f, -5.8f}) bar(place, {x, 0.4f, 0}, {x, 6.1f, 0}, 0.13f);
  }
}

void Station::addTanks() {
  for (int i = 0; i < 6; ++i) {
    begin("tank-" + std::to_string(i + 1));
    const float angle = kPi / 2 * float(i % 3) * 4 / 3 + (i < 3 ? 0.0f : kPi / 3);
    const mat4 place = at(i < 3 ? -3.9f : -2.2f) * around(angle) * at(0, 1.55f);
    setPlace(place);
    setMaterial(i % 2 ? warm : foil);
    sphere(vec3(0), 0.88f, 14, 7);
    turn(dark, {{0.90f, -0.07f}, {0.90f, 0.07f}}, 14);
    setMaterial(metal);
    bar(place, {0, -1.1f, 0}, {0, -0.7f, 0}, 0.3f);
  }
}

/// A rim around the spine with windows outside, on four spokes.
void Station::addRing() {
  constexpr float kRadius = 5.4f, kX = 1.6f;
  constexpr int kAround = 64;
  begin("ring");
  setPlace(alongSpine(kX));
  plate(hull,
        {{kRadius - 0.55f, -0.55f},
         {kRadius + 0.3f, -0.8f},
         {kRadius + 0.62f, -0.55f},
         {kRadius + 0.66f, -0.3f}},
        kAround, 8);
  plate(hull,
        {{kRadius + 0.66f, 0.3f},
         {kRadius + 0.62f, 0.55f},
         {kRadius + 0.3f, 0.8f},
         {kRadius - 0.55f, 0.55f}},
        kAround, 8);
  turn(grey, {{kRadius - 0.55f, 0.55f}, {kRadius - 0.62f, 0.0f}, {kRadius - 0.55f, -0.55f}},
       kAround);
  setMaterial(window);
  grid(kAround, 1, [&](float u, float v) {
    const float angle = 2 * kPi * u, r = kRadius + 0.64f;
    const vec3 out(std::cos(angle), 0, std::sin(angle));
    return SurfacePoint{out * r + vec3(0, 0.6f * v - 0.3f, 0), out, {u * 8, v}};
  });
  for (const float side : {-1.0f, 1.0f}) {
    setMaterial(side < 0 ? accent : dark);
    lathe(Profile{{kRadius + 0.02f, side * 0.73f}, {kRadius + 0.22f, side * 0.79f}}, kAround,
          false);
  }

  for (int i = 0; i < 4; ++i) {
    begin("spoke-" + std::to_string(i + 1));
    setPlace(at(kX) * around(kPi / 2 * float(i)));
    plate(hull, {{0.36f, 1.3f}, {0.30f, 1.8f}, {0.30f, 4.2f}, {0.44f, 4.9f}}, 12, 1);
    turn(dark, {{0.33f, 2.6f}, {0.36f, 2.65f}, {0.36f, 2.85f}, {0.33f, 2.9f}}, 12);
    turn(accent, {{0.33f, 3.7f}, {0.33f, 3.9f}}, 12);
  }
}

void Station::addHub() {
  begin("hub");
  setPlace(alongSpine(0.1f));
  plate(hull,
        {{0.5f, -0.4f}, {1.1f, -0.1f}, {1.35f, 0.3f}, {1.35f, 2.7f}, {1.1f, 3.1f}, {0.75f, 3.4f}},
        28, 2);
  turn(dark, {{1.37f, 0.45f}, {1.45f, 0.5f}, {1.45f, 0.7f}, {1.37f, 0.75f}}, 28);
  turn(dark, {{1.37f, 2.25f}, {1.45f, 2.3f}, {1.45f, 2.5f}, {1.37f, 2.55f}}, 28);

  begin("bridge");
  setPlace(alongSpine(8.4f));
  plate(hull, {{0.6f, 0}, {1.25f, 0.4f}, {1.35f, 0.9f}, {1.35f, 2.0f}}, 28, 2);
  plate(hull, {{1.35f, 2.4f}, {1.2f, 2.9f}, {0.75f, 3.2f}}, 28, 2);
  setMaterial(window);
  grid(28, 1, [&](float u, float v) {
    const vec3 out(std::cos(2 * kPi * u), 0, std::sin(2 * kPi * u));
    return SurfacePoint{out * 1.34f + vec3(0, 2.0f + 0.4f * v, 0), out, {u * 3, v}};
  });
  begin("dome");
  setPlace(alongSpine(11.6f));
  turn(glass, {{0.75f, 0}, {0.72f, 0.2f}, {0.62f, 0.42f}, {0.36f, 0.66f}, {0.0f, 0.75f}}, 20, true);
  turn(metal, {{0.80f, -0.06f}, {0.84f, 0.0f}, {0.80f, 0.08f}}, 20);

  begin("dock");
  setPlace(at(9.7f, -1.2f));
  turn(grey, {{0.75f, -1.5f}, {0.8f, -1.35f}, {0.55f, -1.1f}, {0.5f, 0.2f}}, 16);
  turn(dark, {{0.0f, -1.38f}, {0.75f, -1.48f}}, 16);
  turn(green, {{0.78f, -1.45f}, {0.83f, -1.4f}, {0.78f, -1.33f}}, 16);
}

void Station::addSolarWings() {
  for (int i = 0; i < 4; ++i) {
    begin("solar-" + std::to_string(i + 1));
    const float side = i % 2 ? -1.0f : 1.0f, x = i < 2 ? 5.2f : 7.5f;
    const mat4 place = at(x) * glm::rotate(mat4(1), side * 0.35f, vec3(0, 0, 1)) *
                       glm::rotate(mat4(1), side > 0 ? 0.0f : kPi, vec3(1, 0, 0));
    setPlace(place);
    setMaterial(solar);
    setUvScale(0.5f);
    for (int panel = 0; panel < 5; ++panel) {
      const float z = 1.5f + 1.5f * float(panel);
      box({-0.95f, -0.03f, z}, {0.95f, 0.03f, z + 1.4f});
    }
    setUvScale(1);
    setMaterial(metal);
    bar(place, {0, 0.06f, 0.3f}, {0, 0.06f, 9.0f}, 0.14f);
    for (int panel = 0; panel < 6; ++panel) {
      const float z = 1.45f + 1.5f * float(panel);
      bar(place, {-1.0f, 0, z}, {1.0f, 0, z}, 0.07f);
    }
    setPlace(place * at(0, 0, 9.05f));
    setMaterial(side < 0 ? red : green);
    sphere(vec3(0), 0.11f, 6, 4);
  }
}

void Station::addSmall() {
  for (int i = 0; i < 2; ++i) {
    begin("antenna-" + std::to_string(i + 1));
    const mat4 foot = at(i ? 4.2f : 8.9f) * around(i ? 2.5f : 0.5f);
    setMaterial(metal);
    bar(foot, {0, 0.5f, 0}, {0, 2.3f, 0}, 0.12f);
    setPlace(foot * at(0, 2.3f) * glm::rotate(mat4(1), random_.uniform(0.5f, 0.9f), vec3(0, 0, 1)));
    turn(warm, {{0.05f, 0}, {0.35f, 0.06f}, {0.65f, 0.2f}, {0.9f, 0.42f}}, 20, true);
    turn(dark, {{0.04f, 0}, {0.03f, 0.65f}, {0.09f, 0.7f}, {0.0f, 0.78f}}, 8);
  }
  begin("shuttle");
  setPlace(at(9.7f, -3.35f) * glm::rotate(mat4(1), kPi, vec3(0, 1, 0)));
  turn(warm, {{0.45f, -1.1f}, {0.52f, -0.5f}, {0.50f, 0.2f}, {0.30f, 0.55f}, {0.26f, 0.68f}}, 16,
       true);
  turn(dark, {{0.30f, -1.35f}, {0.24f, -1.1f}, {0.47f, -1.08f}}, 16);
  setMaterial(accent);
  for (const float side : {-1.0f, 1.0f})
    box({-0.05f, -1.1f, side > 0 ? 0.4f : -1.05f}, {0.05f, -0.35f, side > 0 ? 1.05f : -0.4f});

  begin("arm");
  const vec3 joints[] = {{0, 0.55f, 0}, {0.5f, 2.2f, 0.6f}, {2.1f, 3.0f, 1.2f}, {2.6f, 2.3f, 1.5f}};
  setMaterial(warm);
  for (int i = 0; i < 3; ++i) bar(at(3.6f), joints[i], joints[i + 1], 0.16f);
  setPlace(at(3.6f));
  setMaterial(accent);
  for (const vec3& p : joints) sphere(p, 0.16f, 8, 5);

  begin("containers");
  for (int i = 0; i < 12; ++i) {
    setPlace(at(4.0f + 0.75f * float(i % 4)) * around(kPi / 2 * float(i / 4) + kPi / 2));
    const int colors[] = {accent, grey, warm, foil};
    setMaterial(colors[random_.below(4)]);
    const float height = random_.uniform(0.35f, 0.6f);
    box({-0.33f, 0.56f, -0.45f}, {0.33f, 0.56f + height, 0.45f});
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

  Station station(scene, arguments.seed());
  station.addSpine();
  station.addPower();
  station.addTanks();
  station.addHub();
  station.addRing();
  station.addSolarWings();
  station.addSmall();
  finishScene(scene, station.take(), station.names(), BatchOrder::Kept, progress);
  scene.lighting.shadowBounds = scene.bounds;
}

}  // namespace

BuiltInScene stationScene() {
  return {"station",
          "a space station with a nuclear power plant, 34 objects of about 9,100 triangles",
          {},
          makeStation};
}

}  // namespace fathom
