// SPDX-License-Identifier: BSD-3-Clause
// Triangles are clipped at the near plane and filled by edge functions at pixel centers.
#include "tests/scene/count_fragments.h"

namespace fathom {
namespace {

struct ClipVertex {
  glm::vec4 position;
  glm::vec2 uv;
};

ClipVertex mixed(const ClipVertex& a, const ClipVertex& b, float t) {
  return {a.position + (b.position - a.position) * t, a.uv + (b.uv - a.uv) * t};
}

/// The part of the triangle with z > -w.
std::vector<ClipVertex> clippedNear(const std::array<ClipVertex, 3>& triangle) {
  std::vector<ClipVertex> result;
  for (std::size_t i = 0; i < 3; ++i) {
    const ClipVertex &a = triangle[i], &b = triangle[(i + 1) % 3];
    const float da = a.position.z + a.position.w, db = b.position.z + b.position.w;
    if (da >= 0) result.push_back(a);
    if ((da >= 0) != (db >= 0)) result.push_back(mixed(a, b, da / (da - db)));
  }
  return result;
}

float textureAlpha(const SceneTexture& texture, glm::vec2 uv) {
  const auto wrapped = [](float t, int size) {
    return std::clamp(int((t - std::floor(t)) * float(size)), 0, size - 1);
  };
  const int x = wrapped(uv.x, texture.width), y = wrapped(1 - uv.y, texture.height);
  return float(texture.rgba[std::size_t(y * texture.width + x) * 4 + 3]);
}

class Counter {
 public:
  Counter(int width, int height)
      : width_(width), height_(height), counts_(std::size_t(width) * std::size_t(height)) {}

  void fill(const ClipVertex& a, const ClipVertex& b, const ClipVertex& c,
            const SceneTexture* texture) {
    const glm::dvec2 pa = pixel(a), pb = pixel(b), pc = pixel(c);
    const double area = cross(pb - pa, pc - pa);
    if (area == 0) return;
    const int x0 = std::max(0, int(std::ceil(std::min({pa.x, pb.x, pc.x}) - 0.5)));
    const int x1 = std::min(width_ - 1, int(std::floor(std::max({pa.x, pb.x, pc.x}) - 0.5)));
    const int y0 = std::max(0, int(std::ceil(std::min({pa.y, pb.y, pc.y}) - 0.5)));
    const int y1 = std::min(height_ - 1, int(std::floor(std::max({pa.y, pb.y, pc.y}) - 0.5)));
    for (int y = y0; y <= y1; ++y)
      for (int x = x0; x <= x1; ++x) {
        const glm::dvec2 p(x + 0.5, y + 0.5);
        const double wa = cross(pb - p, pc - p) / area, wb = cross(pc - p, pa - p) / area;
        const double wc = 1 - wa - wb;
        if (wa < 0 || wb < 0 || wc < 0) continue;
        if (texture) {
          const double ia = wa / a.position.w, ib = wb / b.position.w, ic = wc / c.position.w;
          const glm::vec2 uv =
              (a.uv * float(ia) + b.uv * float(ib) + c.uv * float(ic)) / float(ia + ib + ic);
          if (textureAlpha(*texture, uv) == 0) continue;
        }
        ++counts_[std::size_t(y) * std::size_t(width_) + std::size_t(x)];
      }
  }
  std::vector<std::uint32_t> take() { return std::move(counts_); }

 private:
  static double cross(glm::dvec2 a, glm::dvec2 b) { return a.x * b.y - a.y * b.x; }
  glm::dvec2 pixel(const ClipVertex& v) const {
    const double w = v.position.w;
    return {(v.position.x / w * 0.5 + 0.5) * width_, (0.5 - v.position.y / w * 0.5) * height_};
  }
  int width_, height_;
  std::vector<std::uint32_t> counts_;
};

}  // namespace

std::vector<std::uint32_t> countFragments(const Scene& scene, std::size_t part,
                                          const Camera& camera, int width, int height) {
  const glm::mat4 toClip = camera.projection(float(width) / float(height)) * camera.view();
  Counter counter(width, height);
  for (const SceneBatch& batch : scene.parts[part].batches) {
    const SceneTexture* texture =
        batch.texture < 0 ? nullptr : &scene.textures[std::size_t(batch.texture)];
    for (std::uint32_t i = batch.firstIndex; i < batch.firstIndex + batch.indexCount; i += 3) {
      std::array<ClipVertex, 3> triangle;
      for (std::uint32_t k = 0; k < 3; ++k) {
        const auto& v = scene.vertices[scene.indices[i + k]];
        triangle[k] = {toClip * glm::vec4(v.px, v.py, v.pz, 1), {v.u, v.v}};
      }
      const std::vector<ClipVertex> polygon = clippedNear(triangle);
      for (std::size_t k = 2; k < polygon.size(); ++k)
        counter.fill(polygon[0], polygon[k - 1], polygon[k], texture);
    }
  }
  return counter.take();
}

}  // namespace fathom
