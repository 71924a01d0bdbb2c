// SPDX-License-Identifier: BSD-3-Clause
// The frame of the box, then points and the segments of volumes.
#include "app/engine/deep/view/point_renderer.h"

#include "app/engine/core/stages.h"

namespace fathom::deep {
namespace {

constexpr std::uint64_t kChunkSoftware = 8192, kChunkDevice = 1 << 19;
constexpr glm::vec4 kGround(0.0036f, 0.0042f, 0.0054f, 1);  // of the window's canvas
constexpr glm::vec4 kEdge(0.060f, 0.070f, 0.090f, 1), kSlice(0.035f, 0.55f, 0.46f, 1);

}  // namespace

void PointRenderer::begin(glm::ivec2 size, const Camera& camera, const PointSpace& space,
                          const PointLook& look) {
  if (!picture_ || picture_.width() != size.x || picture_.height() != size.y) {
    target_ = {};
    picture_ = gpu::Texture(gpu_, "points", gpu::TextureFormat::Rgba16f, size.x, size.y);
    depth_ = gpu::Texture(gpu_, "depth of points", gpu::TextureFormat::Depth32f, size.x, size.y);
    target_ = gpu::Target(gpu_, "points", &picture_, &depth_);
  }
  const glm::vec2 center(float(space.region.width) / 2, float(space.region.height) / 2);
  params_ = {};
  params_.toClip = pointsToClip(camera, space, size);
  params_.place = {center, space.unitsPerPixel(), look.size};
  params_.depth = {space.nearest, 1 / (space.farthest - space.nearest), space.depth, 0};
  params_.look = {look.range.nearest, look.range.farthest, look.alpha ? 1 : 0, 0};
  for (std::size_t i = 0; i < look.colors.size(); ++i)
    params_.colors[i] = glm::vec4(look.colors[i], 1);
  params_.mode = std::uint32_t(look.color);
  target_.clear(kGround);
  drawFrame(space, look);
  next_ = 0;
}

void PointRenderer::drawFrame(const PointSpace& space, const PointLook& look) {
  std::vector<glm::vec4> lines;
  const auto line = [&](glm::vec3 from, glm::vec3 to, glm::vec4 color) {
    for (const glm::vec3 end : {from, to}) lines.emplace_back(end, 1), lines.push_back(color);
  };
  const Box box = space.box();
  const auto corner = [&](int i) {
    return glm::vec3(i & 1 ? box.high.x : box.low.x, i & 2 ? box.high.y : box.low.y,
                     i & 4 ? box.high.z : box.low.z);
  };
  for (int i = 0; i < 8; ++i)
    for (const int axis : {1, 2, 4})
      if (!(i & axis)) line(corner(i), corner(i | axis), kEdge);
  for (const float z : {look.range.nearest, look.range.farthest}) {
    if (!std::isfinite(z) || z <= space.nearest || z >= space.farthest) continue;
    const Rect& r = space.region;
    const glm::vec2 around[] = {
        {r.x, r.y}, {r.right(), r.y}, {r.right(), r.bottom()}, {r.x, r.bottom()}};
    for (int i = 0; i < 4; ++i)
      line(space.place(around[i], z), space.place(around[(i + 1) % 4], z), kSlice);
  }
  frame_ = gpu::Buffer<glm::vec4>(gpu_, "frame of points", std::span<const glm::vec4>(lines));
  gpu::RasterPass& pass = gpu_.rasterPass({"draw frame of points",
                                           "shaders/deep/view/draw_frame.vert",
                                           "shaders/deep/view/draw_points.frag",
                                           {}});
  gpu::DrawState state;
  state.viewport = {0, 0, picture_.width(), picture_.height()};
  state.depthTest = state.depthWrite = state.lines = true;
  pass.storage(DEEP_BIND_FRAME, frame_).params(DEEP_BIND_POINT_PARAMS, params_);
  pass.draw(target_, state, 0, lines.size() / 2);
}

void PointRenderer::drawRange(const PointCloud& cloud, std::uint64_t first, std::uint64_t count) {
  gpu::DrawState state;
  state.viewport = {0, 0, picture_.width(), picture_.height()};
  state.depthTest = state.depthWrite = true;
  for (const bool segments : {false, true}) {
    if (segments && !cloud.volumes) continue;
    state.points = !segments, state.lines = segments;
    gpu::RasterPass& pass = gpu_.rasterPass({segments ? "draw volumes" : "draw points",
                                             "shaders/deep/view/draw_points.vert",
                                             "shaders/deep/view/draw_points.frag",
                                             {{"SEGMENTS", segments ? 1 : 0}}});
    pass.storage(DEEP_BIND_POINTS, cloud.words).params(DEEP_BIND_POINT_PARAMS, params_);
    const std::uint64_t ends = segments ? 2 : 1;
    pass.draw(target_, state, first * ends, count * ends);
  }
}

bool PointRenderer::drawSome(const PointCloud& cloud, double budgetMs) {
  const TimeBudget budget(budgetMs);
  if (chunk_ == 0) chunk_ = gpu_.device().software ? kChunkSoftware : kChunkDevice;
  while (next_ < cloud.plan.points) {
    const std::uint64_t count = std::min<std::uint64_t>(chunk_, cloud.plan.points - next_);
    drawRange(cloud, next_, count);
    next_ += count;
    if (!budget.limited()) continue;
    gpu_.finish();  // the clock must see what the device did
    if (budget.spent()) break;
  }
  gpu::barrier(gpu::Access::Texture | gpu::Access::Transfer);  // display
  return next_ >= cloud.plan.points;
}

}  // namespace fathom::deep
