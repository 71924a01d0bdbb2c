// SPDX-License-Identifier: BSD-3-Clause
// Building blocks of the scenes made by code: grids, lathes, boxes, profiles drawn along a path,
// all placed by the builder's current transform, part and material.
#pragma once

#include "app/engine/core/jobs.h"
#include "app/engine/scene/scene.h"
#include "app/engine/scene/triangle_mesh.h"

namespace fathom {

inline constexpr float kPi = 3.14159265f;

struct SurfacePoint {
  glm::vec3 position, normal;
  glm::vec2 uv{0};
};

/// A point of a profile: distance from the axis (lathe) or outward (molding), and height.
struct ProfilePoint {
  float out, up;
};

/// What a surface is made of, in the terms of scene::shared::Material.
struct MaterialLook {
  glm::vec3 color{0.5f};
  float alpha = 1;
  glm::vec3 emission{0};
  int texture = -1;
  float shineThrough = 0;  // share of the sun that reaches the other side
  float gloss = 0;
  bool shadow = true;
};

class MeshBuilder {
 public:
  explicit MeshBuilder(Scene& scene) : scene_(scene) {}

  int addTexture(SceneTexture texture);
  int addMaterial(const MaterialLook& look);

  void setPart(int part) { part_ = part; }
  void setMaterial(int material) { material_ = material; }
  /// Applied to everything that follows; rotations, translations and scales without skew.
  void setPlace(const glm::mat4& place);
  /// Share of sky and ground that what follows sees, beside what its direction decides; 0..1.
  void setOpenness(float share) { openness_ = share; }
  /// Texture coordinates of flat pieces are meters times this.
  void setUvScale(float perMeter) { uvScale_ = perMeter; }

  std::uint32_t vertex(glm::vec3 position, glm::vec3 normal, glm::vec2 uv = glm::vec2(0));
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c);

  /// A surface over (u, v) in 0..1, columns x rows cells.
  template <class Surface>
  void grid(int columns, int rows, Surface&& surface) {
    const auto first = std::uint32_t(mesh_.vertices.size());
    for (int j = 0; j <= rows; ++j)
      for (int i = 0; i <= columns; ++i) {
        const SurfacePoint p = surface(float(i) / float(columns), float(j) / float(rows));
        vertex(p.position, p.normal, p.uv);
      }
    stitch(first, columns, rows);
  }
  /// Joins rows of vertices that lie one behind the other, columns + 1 in each.
  void stitch(std::uint32_t first, int columns, int rows);
  /// Four corners in turn, textured from corner to corner.
  void quad(glm::vec3 a, glm::vec3 b, glm::vec3 c, glm::vec3 d, glm::vec3 normal);
  /// A flat rectangle from `corner` along the edges a and b; its normal is cross(a, b).
  void rectangle(glm::vec3 corner, glm::vec3 a, glm::vec3 b, int columns = 1, int rows = 1);
  /// Six faces, or five without the bottom.
  void box(glm::vec3 low, glm::vec3 high, bool bottom = true);
  /// Turns the profile about the y axis. Each edge of the profile is flat in height (a hard edge at
  /// every point) unless smooth.
  void lathe(std::span<const ProfilePoint> profile, int around, bool smooth);
  /// The same above `foot`, the profile scaled by `size`.
  void latheAt(glm::vec3 foot, float size, std::span<const ProfilePoint> profile, int around,
               bool smooth);
  /// A molding: the profile pushed along the straight line from `a` to `b`; `outward` is the
  /// direction of ProfilePoint::out, up is y.
  void molding(std::span<const ProfilePoint> profile, glm::vec3 a, glm::vec3 b, glm::vec3 outward);
  void sphere(glm::vec3 center, float radius, int around, int rings);
  /// A quarter of a torus: a pipe that comes to `start` along the unit vector `in` and leaves along
  /// the unit vector `out`, perpendicular to it; its center line turns with `bendRadius`.
  void bend(glm::vec3 start, glm::vec3 in, glm::vec3 out, float bendRadius, float radius,
            int around, int steps);

  TriangleMesh take();
  std::size_t triangleCount() const { return mesh_.indices.size() / 3; }

 private:
  Scene& scene_;
  TriangleMesh mesh_;
  std::vector<int> textureOf_;  // int[material]
  int part_ = 0, material_ = 0;
  float uvScale_ = 1, openness_ = 1;
  glm::mat4 place_{1};
  bool placed_ = false;
};

/// Value noise on an integer grid that repeats every `period` cells; 0..1.
float tileNoise(glm::vec2 p, int period, std::uint32_t seed);
/// Octaves of tileNoise, each of half size and weight; p in 0..1 covers the tile, `cells` the first
/// octave's period. 0..1.
float tileFractal(glm::vec2 p, int cells, int octaves, std::uint32_t seed);
/// 0 up to `low`, 1 from `high` on, smooth between.
inline float smoothstep(float low, float high, float x) { return glm::smoothstep(low, high, x); }
/// A number in 0..1 for a cell of a lattice.
float latticeHash(int x, int y, int z, std::uint32_t seed);
inline float cellHash(int x, int y, std::uint32_t seed) { return latticeHash(x, y, int(seed), 0); }

/// color(uv) gives sRGB and alpha, all 0..1; uv from the top left corner, v down.
template <class Color>
SceneTexture makeTexture(std::string name, int width, int height, Color&& color) {
  SceneTexture texture;
  texture.name = std::move(name);
  texture.width = width, texture.height = height;
  texture.rgba.resize(std::size_t(width) * std::size_t(height) * 4);
  parallelForEach(std::size_t(height), 16, [&](std::size_t y) {
    for (int x = 0; x < width; ++x) {
      const glm::vec4 c =
          color(glm::vec2((float(x) + 0.5f) / float(width), (float(y) + 0.5f) / float(height)));
      for (int i = 0; i < 4; ++i)
        texture.rgba[(y * std::size_t(width) + std::size_t(x)) * 4 + std::size_t(i)] =
            std::uint8_t(std::lround(std::fmin(std::fmax(c[i], 0.0f), 1.0f) * 255.0f));
    }
  });
  return texture;
}

}  // namespace fathom
