// SPDX-License-Identifier: BSD-3-Clause
// Shares and how they are drawn: triangles of scenes (whole parts dealt out in turn, or equal
// numbers of triangles), and clouds of points (equal numbers along longitude and latitude).
#include "app/engine/active_pixel/share/share_drawer.h"

#include "app/engine/gpu/pass.h"
#include "app/engine/scene/built_in/points.h"
#include "app/engine/scene/load_scene.h"
#include "app/engine/scene/scene_cut.h"
#include "app/engine/scene/scene_renderer.h"

namespace fathom::active_pixel {
namespace {

constexpr float kOpaque = 0.99f;  // alpha from which on a fragment hides what is behind it

class TriangleDrawer : public ShareDrawer {
 public:
  TriangleDrawer(gpu::Context& gpu, std::shared_ptr<const Scene> scene)
      : gpu_(gpu), renderer_(gpu, std::move(scene)) {}

  void draw(const gpu::Target& target, const Camera& camera, glm::ivec2 size, const Region& region,
            const Format& format, const shared::DrawParams& params) override {
    std::vector<std::size_t> order(renderer_.scene().parts.size());
    std::iota(order.begin(), order.end(), 0u);
    SceneDraw how{true, true, gpu::Blend::Off, true};
    shared::DrawParams p = params;
    if (format.compositing == Compositing::ZBuffer || p.flatColor.w > 0)
      return drawParts(order, target, camera, size, region, p, how);
    p.alpha.x = kOpaque;
    drawParts(order, target, camera, size, region, p, how);
    p.alpha = {1.0f / 512, kOpaque, 0, p.alpha.w};
    how.depthWrite = false, how.blend = gpu::Blend::Over;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return distance(a, camera) > distance(b, camera);
    });
    drawParts(order, target, camera, size, region, p, how);
  }

 private:
  float distance(std::size_t part, const Camera& camera) const {
    return glm::distance(renderer_.scene().parts[part].bounds.center(), camera.position);
  }

  void drawParts(const std::vector<std::size_t>& order, const gpu::Target& target,
                 const Camera& camera, glm::ivec2 size, const Region& region,
                 const shared::DrawParams& params, const SceneDraw& how) {
    gpu::RasterPass& pass = gpu_.rasterPass(
        {"draw share", "shaders/scene/scene.vert", "shaders/active_pixel/draw_share.frag", {}});
    const Rect whole{0, 0, size.x, size.y};
    const Rect touched{region.x, region.y, region.width, region.height};
    for (const std::size_t part : order) {
      pass.params(AP_DRAW_BIND_PARAMS, params);
      renderer_.drawPart(pass, target, part, camera, whole, touched, how);
    }
  }

  gpu::Context& gpu_;
  SceneRenderer renderer_;
};

/// Parts rank, rank + ranks, ...; or the rank's stretch of all triangles.
std::vector<PartRange> partsOfShare(const Scene& scene, std::uint64_t triangles, int rank,
                                    int ranks, Split split) {
  if (split == Split::Triangles) {
    const std::uint64_t n = triangles, r = std::uint64_t(rank);
    return rangesOf(scene, n * r / std::uint64_t(ranks), n * (r + 1) / std::uint64_t(ranks));
  }
  std::vector<PartRange> ranges;
  for (std::size_t p = std::size_t(rank); p < scene.parts.size(); p += std::size_t(ranks))
    if (const std::uint64_t count = triangleCount(scene.parts[p])) ranges.push_back({p, 0, count});
  return ranges;
}

class SceneSource : public ShareSource {
 public:
  explicit SceneSource(std::shared_ptr<const Scene> scene) : scene_(std::move(scene)) {
    whole_.bounds = scene_->bounds;
    whole_.camera = scene_->camera;
    whole_.content = contentOf(*scene_);
    for (const ScenePart& part : scene_->parts) {
      const std::uint64_t count = triangleCount(part);
      whole_.triangles += count, whole_.objects += count > 0;
    }
  }
  const Whole& whole() const override { return whole_; }
  std::shared_ptr<const Share> take(int rank, int ranks, Split split, Progress&) const override {
    Scene share = cut(*scene_, partsOfShare(*scene_, whole_.triangles, rank, ranks, split));
    if (rank == 0) share.warnings = scene_->warnings;
    return std::make_shared<TriangleShare>(whole_, std::move(share));
  }

 private:
  std::shared_ptr<const Scene> scene_;
  Whole whole_;
};

}  // namespace

TriangleShare::TriangleShare(const Whole& whole, Scene scene)
    : whole_(whole), scene_(std::make_shared<const Scene>(std::move(scene))) {}

std::unique_ptr<ShareDrawer> TriangleShare::makeDrawer(gpu::Context& gpu) const {
  return std::make_unique<TriangleDrawer>(gpu, scene_);
}

std::shared_ptr<const ShareSource> openScene(const std::string& input, Progress& progress) {
  return std::make_shared<SceneSource>(loadScene(input, progress));
}

// Clouds of points
// -------------------------------------------------------------------------------------------------
// Points are made buffer by buffer on their way to the GPU; beside the table of cells nothing is
// kept on the CPU.

namespace {

struct PointRange {
  std::uint64_t first = 0, end = 0;
};

class PointDrawer : public ShareDrawer {
 public:
  PointDrawer(gpu::Context& gpu, const PointCloud& cloud, const PointRange& range)
      : gpu_(gpu), radius_(cloud.radius()) {
    using scene::shared::ScenePoint;
    constexpr std::uint64_t kMost = 1 << 23;  // 128 MiB
    const std::uint64_t limit = std::clamp<std::uint64_t>(
        std::uint64_t(gpu.memory().blockLimit()) / sizeof(ScenePoint), 1, kMost);
    for (std::uint64_t at = range.first; at < range.end; at += limit)
      buffers_.emplace_back(gpu, fmt::format("points {}", buffers_.size()),
                            cloud.make(at, std::min(at + limit, range.end)));
  }

  void draw(const gpu::Target& target, const Camera& camera, glm::ivec2 size, const Region& region,
            const Format&, const shared::DrawParams& params) override {
    gpu::RasterPass& pass = gpu_.rasterPass(
        {"draw points", "shaders/scene/points.vert", "shaders/active_pixel/draw_points.frag", {}});
    scene::shared::PointParams points{};
    points.view = camera.view();
    points.projection = camera.projection(float(size.x) / float(size.y));
    points.radius = glm::vec4(radius_, 0, 0);
    gpu::DrawState state;
    state.viewport = {0, 0, size.x, size.y};
    state.scissor = {region.x, region.y, region.width, region.height};
    state.depthTest = state.depthWrite = true;
    pass.params(AP_DRAW_BIND_PARAMS, params).params(POINTS_BIND_PARAMS, points);
    pass.storage(POINTS_BIND_POINTS, buffers_.front());
    pass.begin(target, state);
    for (const auto& buffer : buffers_) {
      pass.storage(POINTS_BIND_POINTS, buffer);
      pass.drawRange(0, buffer.count() * 3);
    }
    pass.end();
  }

 private:
  gpu::Context& gpu_;
  glm::vec2 radius_;
  std::vector<gpu::Buffer<scene::shared::ScenePoint>> buffers_;
};

class PointShare : public Share {
 public:
  PointShare(const Whole& whole, std::shared_ptr<const PointCloud> cloud, const PointRange& range)
      : whole_(whole),
        cloud_(std::move(cloud)),
        range_(range),
        bounds_(cloud_->boundsOf(range.first, range.end)) {}
  const Whole& whole() const override { return whole_; }
  Box bounds() const override { return bounds_; }
  std::uint64_t triangles() const override { return range_.end - range_.first; }
  const std::vector<std::string>& warnings() const override { return warnings_; }
  std::unique_ptr<ShareDrawer> makeDrawer(gpu::Context& gpu) const override {
    return std::make_unique<PointDrawer>(gpu, *cloud_, range_);
  }

 private:
  Whole whole_;
  std::shared_ptr<const PointCloud> cloud_;
  PointRange range_;
  Box bounds_;
  std::vector<std::string> warnings_;
};

class PointSource : public ShareSource {
 public:
  PointSource(const std::string& input, PointCloud cloud)
      : cloud_(std::make_shared<const PointCloud>(std::move(cloud))) {
    whole_.bounds = cloud_->bounds();
    whole_.camera = cloud_->camera();
    whole_.points = whole_.triangles = cloud_->count();
    whole_.objects = 1;
    whole_.content = input;
  }
  const Whole& whole() const override { return whole_; }
  std::shared_ptr<const Share> take(int rank, int ranks, Split, Progress&) const override {
    const std::uint64_t n = cloud_->count(), r = std::uint64_t(rank), all = std::uint64_t(ranks);
    return std::make_shared<PointShare>(whole_, cloud_, PointRange{n * r / all, n * (r + 1) / all});
  }

 private:
  std::shared_ptr<const PointCloud> cloud_;
  Whole whole_;
};

}  // namespace

std::shared_ptr<const ShareSource> openPoints(const std::string& input, Progress& progress) {
  std::optional<PointCloud> cloud = PointCloud::fromSpec(input, progress);
  if (!cloud) return nullptr;
  return std::make_shared<PointSource>(input, std::move(*cloud));
}

}  // namespace fathom::active_pixel
