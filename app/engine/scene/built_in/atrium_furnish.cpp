// SPDX-License-Identifier: BSD-3-Clause
// What fills the atrium: cloth, lanterns, the fountain, plants. Most of it is translucent or cut
// out by its texture, which is what deep images are for.
#include "app/engine/scene/built_in/atrium_parts.h"

#include <cmath>

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

namespace fathom::atrium {
namespace {

/// A grid whose normals come from the surface itself by differences.
template <class Position>
void addSmoothGrid(MeshBuilder& mesh, int columns, int rows, glm::vec2 uvScale,
                   Position&& position) {
  const float du = 0.5f / float(columns), dv = 0.5f / float(rows);
  mesh.grid(columns, rows, [&](float u, float v) {
    const glm::vec3 along =
        position(std::min(u + du, 1.0f), v) - position(std::max(u - du, 0.0f), v);
    const glm::vec3 down =
        position(u, std::min(v + dv, 1.0f)) - position(u, std::max(v - dv, 0.0f));
    glm::vec3 normal = glm::cross(along, down);
    if (glm::length(normal) < 1e-12f) normal = glm::vec3(0, 0, 1);
    return SurfacePoint{position(u, v), normal, glm::vec2(u, 1 - v) * uvScale};
  });
}

/// A card of a leaf, bent along its middle: two quads, `length` long from foot along `direction`.
void addLeafCard(MeshBuilder& mesh, glm::vec3 foot, glm::vec3 direction, glm::vec3 side,
                 float length, float width) {
  const glm::vec3 normal = glm::normalize(glm::cross(side, direction));
  const glm::vec3 droop = normal * (-0.18f * length);
  const glm::vec3 rows[3] = {foot, foot + direction * (0.5f * length),
                             foot + direction * length + droop};
  std::uint32_t previous = 0;
  for (int i = 0; i < 3; ++i) {
    const glm::vec3 n = i == 2 ? glm::normalize(normal + direction * 0.4f) : normal;
    const float v = float(i) / 2;
    const auto at = mesh.vertex(rows[i] - side * (width / 2), n, {0, v});
    mesh.vertex(rows[i] + side * (width / 2), n, {1, v});
    if (i > 0) {
      mesh.triangle(previous, previous + 1, at + 1);
      mesh.triangle(previous, at + 1, at);
    }
    previous = at;
  }
}

void addPot(MeshBuilder& mesh, const Looks& looks, glm::vec3 foot, float size) {
  static const ProfilePoint profile[] = {{0.20f, 0.0f},  {0.22f, 0.03f}, {0.20f, 0.06f},
                                         {0.27f, 0.30f}, {0.30f, 0.44f}, {0.33f, 0.45f},
                                         {0.34f, 0.53f}, {0.29f, 0.53f}, {0.28f, 0.48f}};
  std::vector<ProfilePoint> scaled(std::begin(profile), std::end(profile));
  for (ProfilePoint& p : scaled) p.out *= size, p.up = foot.y + p.up * size;
  auto first = mesh.mark();
  mesh.setMaterial(looks.terracotta);
  mesh.lathe(scaled, 24, true);
  mesh.setMaterial(looks.soil);
  const ProfilePoint soil[] = {{0.285f * size, foot.y + 0.47f * size},
                               {0.0f, foot.y + 0.5f * size}};
  mesh.lathe(soil, 12, true);
  mesh.moveSince(first, {foot.x, 0, foot.z});
}

}  // namespace

void addCurtain(MeshBuilder& mesh, int material, float bottom, float top, float open,
                Random& random) {
  mesh.setMaterial(material);
  // Two halves, each gathered towards its column at tie height.
  const float phase = random.uniform(0, 6.28f);
  for (const float side : {-1.0f, 1.0f})
    addSmoothGrid(mesh, 30, 14, {1.2f, 2.0f}, [&](float u, float v) {
      const float tie = std::exp(-8.0f * (v - 0.58f) * (v - 0.58f));
      const float spread = 1.0f - open * (0.25f + 0.55f * tie);
      const float edge = kOpening * 0.98f;
      const float x = side * (edge - (edge - 0.02f) * u * spread);
      const float fold =
          std::sin(u * 30.0f + phase + 2.0f * v) * 0.5f + std::sin(u * 11.0f + 2.0f * phase) * 0.5f;
      const float swing = 0.05f + 0.07f * v * (1 - 0.6f * tie);
      const float hang = top - (top - bottom) * v - 0.12f * std::sin(kPi * u) * (1 - v) * 0.5f;
      return glm::vec3(x, hang, fold * swing);
    });
}

void addAwning(MeshBuilder& mesh, int material, glm::vec3 a, glm::vec3 b, float width, float sag,
               Random& random) {
  mesh.setMaterial(material);
  const float phase = random.uniform(0, 6.28f), twist = random.uniform(-0.1f, 0.1f);
  addSmoothGrid(mesh, 14, 44, {1.0f, 6.0f}, [&](float u, float v) {
    glm::vec3 p = a + (b - a) * v;
    const float hang = 4 * v * (1 - v), across = (u - 0.5f) * 2;
    const float narrowed = width * (0.72f + 0.28f * hang) * 0.5f;
    // Folds run along the cloth and open in the middle; the edges hang lower.
    const float folds = 0.06f * std::sin(across * 9 + phase) * (1.1f - 0.6f * hang) +
                        0.03f * std::sin(v * 22 + 3 * across + phase);
    p.x += across * narrowed + twist * hang;
    p.y -= sag * hang + 0.16f * across * across * hang + folds;
    return p;
  });
}

void addBanner(MeshBuilder& mesh, int material, const Looks& looks, float top, Random& random) {
  constexpr float kHalf = 0.46f, kLength = 2.5f;
  const float phase = random.uniform(0, 6.28f), z = kWall + 0.42f;
  mesh.setMaterial(material);
  addSmoothGrid(mesh, 10, 18, {1.0f, 1.0f}, [&](float u, float v) {
    const float x = (u - 0.5f) * 2 * kHalf;
    const float wave =
        0.05f * v * std::sin(5 * v + 3 * u + phase) + 0.02f * std::sin(9 * u + phase);
    return glm::vec3(x, top - kLength * v, z + wave);
  });
  mesh.setMaterial(looks.bronze);
  mesh.box({-kHalf - 0.1f, top - 0.02f, z - 0.02f}, {kHalf + 0.1f, top + 0.02f, z + 0.02f});
  for (const float side : {-1.0f, 1.0f})
    mesh.sphere({side * (kHalf + 0.12f), top, z}, 0.04f, 10, 6);
}

void addLantern(MeshBuilder& mesh, const Looks& looks, glm::vec3 hook, float drop) {
  const float y = hook.y - drop;
  mesh.setMaterial(looks.bronze);
  for (int i = 0; i < 3; ++i) {
    const float angle = 2 * kPi * float(i) / 3;
    const glm::vec3 d(std::cos(angle), 0, std::sin(angle));
    const glm::vec3 side(-d.z * 0.008f, 0, d.x * 0.008f);
    const glm::vec3 low = glm::vec3(hook.x, y + 0.42f, hook.z) + d * 0.14f;
    const auto v = mesh.vertex(hook - side, d, {0, 0});
    mesh.vertex(hook + side, d, {1, 0});
    mesh.vertex(low + side, d, {1, 1}), mesh.vertex(low - side, d, {0, 1});
    mesh.triangle(v, v + 1, v + 2), mesh.triangle(v, v + 2, v + 3);
  }
  const auto turned = [&](std::initializer_list<ProfilePoint> points, int around, int material,
                          bool smooth) {
    std::vector<ProfilePoint> raised(points);
    for (ProfilePoint& p : raised) p.up += y;
    const auto first = mesh.mark();
    mesh.setMaterial(material);
    mesh.lathe(raised, around, smooth);
    mesh.moveSince(first, {hook.x, 0, hook.z});
  };
  turned({{0.02f, -0.06f}, {0.06f, -0.02f}, {0.14f, 0.0f}, {0.16f, 0.03f}, {0.13f, 0.05f}}, 12,
         looks.bronze, false);
  turned({{0.13f, 0.05f}, {0.17f, 0.20f}, {0.15f, 0.36f}}, 12, looks.glass, true);
  turned({{0.17f, 0.36f}, {0.17f, 0.39f}, {0.06f, 0.47f}, {0.03f, 0.52f}}, 12, looks.bronze, false);
  mesh.setMaterial(looks.lampGlow);
  mesh.sphere({hook.x, y + 0.18f, hook.z}, 0.06f, 12, 8);
}

void addFountain(MeshBuilder& mesh, const Looks& looks, Random& random) {
  mesh.setMaterial(looks.marble);
  const ProfilePoint steps[] = {{2.15f, 0.0f}, {2.15f, 0.12f}, {1.9f, 0.12f}, {1.9f, 0.22f}};
  mesh.lathe(steps, 8, false);
  const ProfilePoint basin[] = {{1.9f, 0.22f},  {1.62f, 0.22f}, {1.66f, 0.34f}, {1.58f, 0.40f},
                                {1.58f, 0.62f}, {1.70f, 0.68f}, {1.70f, 0.76f}, {1.45f, 0.76f},
                                {1.45f, 0.30f}, {0.0f, 0.28f}};
  mesh.lathe(basin, 8, false);
  const ProfilePoint stem[] = {{0.42f, 0.28f}, {0.42f, 0.5f},  {0.24f, 0.62f}, {0.16f, 0.9f},
                               {0.20f, 1.15f}, {0.26f, 1.22f}, {0.5f, 1.38f},  {0.78f, 1.52f},
                               {0.80f, 1.58f}, {0.72f, 1.56f}, {0.4f, 1.44f},  {0.1f, 1.42f},
                               {0.09f, 1.7f},  {0.15f, 1.84f}, {0.05f, 1.98f}, {0.0f, 2.02f}};
  mesh.lathe(stem, 36, true);

  // A ring of dark stone set into the paving.
  mesh.setMaterial(looks.inlay);
  const ProfilePoint rings[2][2] = {{{2.75f, 0.004f}, {2.55f, 0.004f}},
                                    {{3.15f, 0.004f}, {3.05f, 0.004f}}};
  for (const auto& ring : rings) mesh.lathe(ring, 64, false);

  mesh.setMaterial(looks.water);
  mesh.grid(64, 14, [&](float u, float v) {
    const float angle = 2 * kPi * u, r = 1.46f * v;
    const float slope = 0.16f * std::sin(26 * r) * (1.2f - r * 0.5f) + 0.05f * std::sin(9 * angle);
    const glm::vec3 out(std::cos(angle), 0, std::sin(angle));
    return SurfacePoint{{r * out.x, 0.60f, r * out.z}, glm::vec3(0, 1, 0) + out * slope, {u, v}};
  });
  mesh.grid(32, 4, [&](float u, float v) {
    const float angle = 2 * kPi * u, r = 0.74f * v;
    const glm::vec3 out(std::cos(angle), 0, std::sin(angle));
    return SurfacePoint{{r * out.x, 1.53f, r * out.z},
                        glm::vec3(0, 1, 0) + out * (0.15f * std::sin(30 * r)),
                        {u, v}};
  });

  // Streams over the rim of the bowl and jets from the top, as narrow ribbons along parabolas.
  mesh.setMaterial(looks.spray);
  const auto stream = [&](float angle, float r0, float y0, float speed, float rise, float fall,
                          float width) {
    const glm::vec3 out(std::cos(angle), 0, std::sin(angle)), side(-out.z, 0, out.x);
    mesh.grid(2, 14, [&](float u, float v) {
      const float y = y0 + rise * v - fall * v * v, r = r0 + speed * v;
      const float w = width * (0.5f + 0.8f * v) * (u - 0.5f);
      return SurfacePoint{out * r + side * w + glm::vec3(0, y, 0),
                          out + side * ((u - 0.5f) * 1.2f) + glm::vec3(0, 0.3f, 0),
                          {u, v}};
    });
  };
  for (int i = 0; i < 16; ++i)
    stream(2 * kPi * (float(i) + 0.3f * random.uniform()) / 16, 0.79f, 1.56f, 0.3f, 0.05f, 1.0f,
           0.09f);
  for (int i = 0; i < 10; ++i)
    stream(2 * kPi * (float(i) + 0.3f * random.uniform()) / 10, 0.03f, 1.98f, 0.5f, 0.9f, 1.35f,
           0.05f);
}

void addPalm(MeshBuilder& mesh, const Looks& looks, glm::vec3 foot, float size, Random& random) {
  addPot(mesh, looks, foot, size * 0.9f);
  mesh.setMaterial(looks.frond);
  const glm::vec3 heart = foot + glm::vec3(0, 0.52f * size, 0);
  constexpr int kFronds = 20, kSegments = 9;
  for (int i = 0; i < kFronds; ++i) {
    const float angle = 2.399963f * float(i) + random.uniform(-0.3f, 0.3f);
    const float lift = 1.35f - 1.0f * float(i) / kFronds + random.uniform(-0.1f, 0.1f);
    const float length = size * random.uniform(1.0f, 1.45f);
    const glm::vec3 out(std::cos(angle), 0, std::sin(angle)), side(-out.z, 0, out.x);
    glm::vec3 p = heart;
    std::uint32_t previous = 0;
    for (int s = 0; s <= kSegments; ++s) {
      const float t = float(s) / kSegments, bend = lift - 1.9f * t * t;
      const glm::vec3 forward = out * std::cos(bend) + glm::vec3(0, std::sin(bend), 0);
      const glm::vec3 normal = glm::normalize(glm::cross(forward, side));
      const glm::vec3 up = normal.y < 0 && bend < 1.2f ? -normal : normal;
      // A shallow V across, so that the frond catches light.
      const float half = 0.17f * size;
      const glm::vec3 raise = up * (0.3f * half);
      const auto at = mesh.vertex(p - side * half + raise, up + side * 0.3f, {0, t});
      mesh.vertex(p, up, {0.5f, t});
      mesh.vertex(p + side * half + raise, up - side * 0.3f, {1, t});
      for (std::uint32_t k = 0; s > 0 && k < 2; ++k) {
        mesh.triangle(previous + k, previous + k + 1, at + k + 1);
        mesh.triangle(previous + k, at + k + 1, at + k);
      }
      previous = at;
      p += forward * (length / kSegments);
    }
  }
}

void addLaurel(MeshBuilder& mesh, const Looks& looks, glm::vec3 foot, float size, Random& random) {
  addPot(mesh, looks, foot, size);
  const float crown = 0.52f * size;
  const glm::vec3 center = foot + glm::vec3(0, 1.62f * size, 0);
  mesh.setMaterial(looks.wood);
  const ProfilePoint trunk[] = {{0.04f * size, foot.y + 0.45f * size},
                                {0.03f * size, center.y - 0.3f * crown}};
  const auto first = mesh.mark();
  mesh.lathe(trunk, 8, true);
  mesh.moveSince(first, {foot.x, 0, foot.z});
  mesh.setMaterial(looks.leaf);
  for (int i = 0; i < 420; ++i) {
    const glm::vec3 d = random.direction();
    const glm::vec3 p = center + d * (crown * (0.78f + 0.22f * random.uniform()));
    const glm::vec3 along = glm::normalize(d * 0.7f + random.direction());
    const glm::vec3 side = glm::normalize(glm::cross(along, random.direction()));
    const float length = size * random.uniform(0.11f, 0.17f);
    addLeafCard(mesh, p, along, side, length, length * 0.55f);
  }
}

void addCypress(MeshBuilder& mesh, const Looks& looks, glm::vec3 foot, float size, Random& random) {
  mesh.setMaterial(looks.cypress);
  for (int i = 0; i < 170; ++i) {
    const float height = random.uniform(), angle = random.uniform(0, 2 * kPi);
    const float reach =
        0.14f * size * std::pow(1 - height, 0.7f) * std::min(1.0f, 0.4f + 6 * height);
    const glm::vec3 out(std::cos(angle), 0, std::sin(angle)), side(-out.z, 0, out.x);
    const glm::vec3 p = foot + out * (reach * random.uniform(0.5f, 1.0f)) +
                        glm::vec3(0, size * (0.04f + 0.9f * height), 0);
    const float length = size * random.uniform(0.11f, 0.15f);
    addLeafCard(mesh, p, glm::normalize(out * 0.35f + glm::vec3(0, 1, 0)), side, length,
                length * 0.6f);
  }
}

void addIvy(MeshBuilder& mesh, const Looks& looks, glm::vec3 a, glm::vec3 b, float drop, int leaves,
            Random& random) {
  mesh.setMaterial(looks.ivy);
  // Strands of different length; leaves sit along them.
  constexpr int kStrands = 9;
  float lengths[kStrands];
  for (float& length : lengths) length = drop * random.uniform(0.25f, 1.0f);
  for (int i = 0; i < leaves; ++i) {
    const auto strand = random.below(kStrands);
    const float along = random.uniform(), t = (float(strand) + 0.5f) / kStrands;
    const float sway = 0.10f * std::sin(6 * along + float(strand)) + random.uniform(-0.07f, 0.07f);
    glm::vec3 p = a + (b - a) * t;
    p.x += sway * (b.x > a.x ? 1.0f : 0.0f) + random.uniform(-0.06f, 0.06f);
    p.y -= lengths[strand] * along * std::sqrt(along) - 0.05f;
    p.z += 0.06f + random.uniform(0.0f, 0.14f);
    const glm::vec3 hang =
        glm::normalize(glm::vec3(random.uniform(-0.7f, 0.7f), -0.8f, random.uniform(0.0f, 0.8f)));
    const glm::vec3 side = glm::normalize(glm::cross(hang, glm::vec3(0, 0.3f, 1)));
    const float length = random.uniform(0.10f, 0.17f);
    addLeafCard(mesh, p, hang, side, length, length * 0.9f);
  }
}

}  // namespace fathom::atrium
