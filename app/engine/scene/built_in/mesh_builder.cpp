// SPDX-License-Identifier: BSD-3-Clause
// Turning shapes into triangles.
#include "app/engine/scene/built_in/mesh_builder.h"

namespace fathom {
namespace {
constexpr float kTau = 6.283185307f;
}

int MeshBuilder::addTexture(SceneTexture texture) {
  scene_.textures.push_back(std::move(texture));
  return int(scene_.textures.size()) - 1;
}

int MeshBuilder::addMaterial(const MaterialLook& look) {
  scene::shared::Material m{};
  m.color = glm::vec4(look.color, look.alpha);
  m.emission = glm::vec4(look.emission, look.texture >= 0 ? 1.0f : 0.0f);
  m.surface = glm::vec4(look.shineThrough, look.gloss, look.shadow ? 1.0f : 0.0f, 0.0f);
  scene_.materials.push_back(m);
  textureOf_.resize(scene_.materials.size(), -1);
  textureOf_.back() = look.texture;
  return int(scene_.materials.size()) - 1;
}

void MeshBuilder::setPlace(const glm::mat4& place) {
  place_ = place;
  placed_ = place != glm::mat4(1);
}

std::uint32_t MeshBuilder::vertex(glm::vec3 p, glm::vec3 n, glm::vec2 uv) {
  if (placed_) {
    p = glm::vec3(place_ * glm::vec4(p, 1));
    n = glm::mat3(place_) * n;
  }
  n = glm::normalize(n);
  const std::uint32_t light = packLight((0.5f + 0.5f * n.y) * openness_, openness_);
  mesh_.vertices.push_back(
      {p.x, p.y, p.z, packNormal(n), uv.x, uv.y, std::uint32_t(material_), light});
  return std::uint32_t(mesh_.vertices.size()) - 1;
}

void MeshBuilder::triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const int texture = textureOf_[std::size_t(material_)];
  if (mesh_.runs.empty() || mesh_.runs.back().part != part_ || mesh_.runs.back().texture != texture)
    mesh_.runs.push_back({part_, texture, std::uint32_t(mesh_.indices.size() / 3), 0});
  mesh_.indices.insert(mesh_.indices.end(), {a, b, c});
  ++mesh_.runs.back().triangleCount;
}

void MeshBuilder::stitch(std::uint32_t first, int columns, int rows) {
  const auto stride = std::uint32_t(columns + 1);
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) {
      const std::uint32_t a = first + std::uint32_t(j) * stride + std::uint32_t(i);
      triangle(a, a + 1, a + stride + 1);
      triangle(a, a + stride + 1, a + stride);
    }
}

void MeshBuilder::quad(glm::vec3 a, glm::vec3 b, glm::vec3 c, glm::vec3 d, glm::vec3 normal) {
  const std::uint32_t v = vertex(a, normal, {0, 0});
  vertex(b, normal, {1, 0}), vertex(c, normal, {1, 1}), vertex(d, normal, {0, 1});
  triangle(v, v + 1, v + 2), triangle(v, v + 2, v + 3);
}

void MeshBuilder::rectangle(glm::vec3 corner, glm::vec3 a, glm::vec3 b, int columns, int rows) {
  const glm::vec3 normal = glm::cross(a, b);
  const float width = glm::length(a) * uvScale_, height = glm::length(b) * uvScale_;
  grid(columns, rows, [&](float u, float v) {
    return SurfacePoint{corner + a * u + b * v, normal, {u * width, v * height}};
  });
}

void MeshBuilder::box(glm::vec3 low, glm::vec3 high, bool bottom) {
  const glm::vec3 s = high - low, x(s.x, 0, 0), y(0, s.y, 0), z(0, 0, s.z);
  rectangle(low + z, x, y);       // +z
  rectangle(low + x, -x, y);      // -z
  rectangle(low + x + z, -z, y);  // +x
  rectangle(low, z, y);           // -x
  rectangle(low + y + z, x, -z);  // +y
  if (bottom) rectangle(low, x, z);
}

void MeshBuilder::lathe(std::span<const ProfilePoint> profile, int around, bool smooth) {
  const auto edgeNormal = [&](std::size_t i) {
    const float dOut = profile[i + 1].out - profile[i].out, dUp = profile[i + 1].up - profile[i].up;
    return glm::normalize(glm::vec2(dUp, -dOut));  // to the right of the way along the profile
  };
  const auto ring = [&](const ProfilePoint& p, glm::vec2 normal, float v) {
    for (int k = 0; k <= around; ++k) {
      const float angle = kTau * float(k) / float(around);
      const float c = std::cos(angle), s = std::sin(angle);
      vertex({p.out * c, p.up, p.out * s}, {normal.x * c, normal.y, normal.x * s},
             {float(k) / float(around), v});
    }
  };
  const std::size_t edges = profile.size() - 1;
  if (smooth) {
    const auto first = std::uint32_t(mesh_.vertices.size());
    for (std::size_t i = 0; i <= edges; ++i) {
      glm::vec2 normal(0);
      if (i > 0) normal += edgeNormal(i - 1);
      if (i < edges) normal += edgeNormal(i);
      ring(profile[i], normal, float(i) / float(edges));
    }
    stitch(first, around, int(edges));
    return;
  }
  for (std::size_t i = 0; i < edges; ++i) {
    const auto first = std::uint32_t(mesh_.vertices.size());
    ring(profile[i], edgeNormal(i), profile[i].up * uvScale_);
    ring(profile[i + 1], edgeNormal(i), profile[i + 1].up * uvScale_);
    stitch(first, around, 1);
  }
}

void MeshBuilder::latheAt(glm::vec3 foot, float size, std::span<const ProfilePoint> profile,
                          int around, bool smooth) {
  std::vector<ProfilePoint> scaled(profile.begin(), profile.end());
  for (ProfilePoint& p : scaled) p.out *= size, p.up = foot.y + p.up * size;
  const std::size_t first = mesh_.vertices.size();
  lathe(scaled, around, smooth);
  const glm::vec3 move = glm::mat3(place_) * glm::vec3(foot.x, 0, foot.z);
  for (std::size_t i = first; i < mesh_.vertices.size(); ++i) {
    auto& v = mesh_.vertices[i];
    v.px += move.x, v.py += move.y, v.pz += move.z;
  }
}

void MeshBuilder::molding(std::span<const ProfilePoint> profile, glm::vec3 a, glm::vec3 b,
                          glm::vec3 outward) {
  const float length = glm::length(b - a) * uvScale_;
  float along = 0;
  for (std::size_t i = 0; i + 1 < profile.size(); ++i) {
    const ProfilePoint p = profile[i], q = profile[i + 1];
    const float dOut = q.out - p.out, dUp = q.up - p.up, step = std::hypot(dOut, dUp) * uvScale_;
    const glm::vec3 normal = outward * dUp - glm::vec3(0, dOut, 0);
    grid(1, 1, [&](float u, float v) {
      const glm::vec3 offset = outward * (p.out + dOut * v) + glm::vec3(0, p.up + dUp * v, 0);
      return SurfacePoint{a + (b - a) * u + offset, normal, {u * length, along + v * step}};
    });
    along += step;
  }
}

void MeshBuilder::sphere(glm::vec3 center, float radius, int around, int rings) {
  grid(around, rings, [&](float u, float v) {
    const float angle = kTau * u, polar = kTau * 0.5f * v;
    const glm::vec3 n(std::sin(polar) * std::cos(angle), std::cos(polar),
                      std::sin(polar) * std::sin(angle));
    return SurfacePoint{center + n * radius, n, {u, v}};
  });
}

void MeshBuilder::bend(glm::vec3 start, glm::vec3 in, glm::vec3 out, float bendRadius, float radius,
                       int around, int steps) {
  const glm::vec3 center = start + out * bendRadius, side = glm::cross(in, out);
  grid(around, steps, [&](float u, float v) {
    const float turn = 0.25f * kTau * v, angle = kTau * u;
    const glm::vec3 away = in * std::sin(turn) - out * std::cos(turn);  // from the center
    const glm::vec3 n = away * std::cos(angle) + side * std::sin(angle);
    return SurfacePoint{center + away * bendRadius + n * radius, n, {u, v}};
  });
}

TriangleMesh MeshBuilder::take() { return std::move(mesh_); }

float latticeHash(int x, int y, int z, std::uint32_t seed) {
  std::uint32_t h = std::uint32_t(x) * 0x9E3779B1u ^ std::uint32_t(y) * 0x85EBCA77u ^
                    std::uint32_t(z) * 0xC2B2AE3Du ^ seed * 0x27D4EB2Fu;
  h = (h ^ (h >> 15)) * 0x2C1B3C6Du;
  h = (h ^ (h >> 12)) * 0x297A2D39u;
  return float((h ^ (h >> 15)) >> 8) * 0x1p-24f;
}

float tileNoise(glm::vec2 p, int period, std::uint32_t seed) {
  const float fx = std::floor(p.x), fy = std::floor(p.y);
  const auto wrap = [&](int i) { return ((i % period) + period) % period; };
  const int x0 = wrap(int(fx)), y0 = wrap(int(fy)), x1 = wrap(x0 + 1), y1 = wrap(y0 + 1);
  const auto smooth = [](float t) { return t * t * (3 - 2 * t); };
  const float u = smooth(p.x - fx), v = smooth(p.y - fy);
  const float top = cellHash(x0, y0, seed) * (1 - u) + cellHash(x1, y0, seed) * u;
  const float bottom = cellHash(x0, y1, seed) * (1 - u) + cellHash(x1, y1, seed) * u;
  return top * (1 - v) + bottom * v;
}

float tileFractal(glm::vec2 p, int cells, int octaves, std::uint32_t seed) {
  float sum = 0, weight = 1, total = 0;
  for (int i = 0; i < octaves; ++i) {
    sum += weight * tileNoise(p * float(cells), cells, seed + std::uint32_t(i));
    total += weight;
    weight *= 0.5f, cells *= 2;
  }
  return sum / total;
}

}  // namespace fathom
