// SPDX-License-Identifier: BSD-3-Clause
// Thinning out evenly, counting and collecting on device or host, the map from fragment to box, the
// box around most depths; and drawing: the frame of the box, then points and the segments of
// volumes.
#include "app/engine/deep/view/points.h"

#include "app/engine/core/stages.h"

namespace fathom::deep {
namespace {

/// hashBits() of common/random.glsl.
std::uint32_t hashOfRun(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

}  // namespace

PointPlan PointPlan::of(std::uint64_t fragments, std::uint64_t maxPoints) {
  PointPlan plan{.fragments = fragments};
  maxPoints = std::max<std::uint64_t>(maxPoints, 1);
  plan.every = std::uint32_t((fragments + maxPoints - 1) / maxPoints);
  plan.every = std::max(plan.every, 1u);
  plan.points = std::uint32_t(fragments / plan.every);  // what is left of the last run is left out
  return plan;
}

std::int64_t PointPlan::pointOf(std::uint64_t index) const {
  const auto run = std::uint32_t(index / every);
  return run < points && index % every == hashOfRun(run) % every ? std::int64_t(run) : -1;
}

std::uint32_t PointPlan::placeOf(std::uint32_t point) const {
  const std::uint32_t set = point % DEEP_POINT_SETS;
  return set * (points / DEEP_POINT_SETS) + std::min(set, points % DEEP_POINT_SETS) +
         point / DEEP_POINT_SETS;
}

// ---- The box

glm::vec3 PointSpace::place(glm::vec2 pixel, float z) const {
  const glm::vec2 center(float(region.x) + float(region.width) / 2,
                         float(region.y) + float(region.height) / 2);
  const glm::vec2 at = (pixel - center) * unitsPerPixel();
  const float share = (z - nearest) / (farthest - nearest);
  return {at.x, -at.y, (0.5f - share) * depth};
}

Box PointSpace::box() const {
  Box box;
  box.add(place({region.x, region.y}, nearest));
  box.add(place({region.right(), region.bottom()}, farthest));
  return box;
}

ZRange boxRange(std::vector<float>& depths) {
  std::erase_if(depths, [](float z) { return !std::isfinite(z); });
  if (depths.empty()) return {0, 1};
  std::sort(depths.begin(), depths.end());
  const auto at = [&](double share) {
    return depths[std::size_t(share * double(depths.size() - 1) + 0.5)];
  };
  const float low = at(0.005), high = at(0.995), reach = (high - low) / 4;
  ZRange range{std::max(depths.front(), low - reach), std::min(depths.back(), high + reach)};
  if (range.farthest <= range.nearest) {  // one depth only: it is put in the middle
    const float around = std::max(std::abs(range.nearest) * 0.01f, 1e-6f);
    range = {range.nearest - around, range.nearest + around};
  }
  return range;
}

Camera homePointCamera() {
  return {.position = {2.6f, 1.7f, 4.6f}, .target = {0, 0, 0}, .verticalFovDeg = 32};
}

glm::mat4 pointsToClip(const Camera& camera, const PointSpace& space, glm::ivec2 size) {
  Camera fitted = camera;
  fitted.fitDepth(space.box());
  fitted.farZ *= 4;  // for what lies outside of the box
  fitted.nearZ = std::max(fitted.nearZ / 4, fitted.farZ * 1e-4f);
  return fitted.projection(float(size.x) / float(size.y)) * fitted.view();
}

std::vector<float> axisTicks(float low, float high, int about) {
  std::vector<float> ticks;
  const double span = double(high) - double(low);
  if (!(span > 0) || !std::isfinite(span)) return ticks;
  const double rough = span / about, power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = power * 10;
  for (const double factor : {5.0, 2.0, 1.0})
    if (power * factor >= rough * 0.999) step = power * factor;
  for (double at = std::ceil(low / step) * step; at <= high + step * 1e-6; at += step)
    ticks.push_back(float(std::abs(at) < step * 1e-6 ? 0 : at));
  return ticks;
}

// ---- Colors

const std::array<glm::vec3, DEEP_POINT_COLORS>& scaleColors() {
  // From near to far, or from clear to opaque: violet, blue, green, yellow; evenly brighter.
  static const std::array<glm::vec3, DEEP_POINT_COLORS> colors{{{0.058f, 0.0006f, 0.089f},
                                                                {0.064f, 0.031f, 0.186f},
                                                                {0.035f, 0.100f, 0.260f},
                                                                {0.018f, 0.187f, 0.271f},
                                                                {0.014f, 0.319f, 0.246f},
                                                                {0.097f, 0.491f, 0.156f},
                                                                {0.396f, 0.658f, 0.046f},
                                                                {0.984f, 0.799f, 0.019f}}};
  return colors;
}

const std::array<glm::vec3, DEEP_POINT_COLORS>& inputColors() {
  // Those of the inspector, linear.
  static const std::array<glm::vec3, DEEP_POINT_COLORS> colors{{{0.036f, 0.552f, 0.462f},
                                                                {0.871f, 0.418f, 0.076f},
                                                                {0.156f, 0.392f, 0.991f},
                                                                {0.558f, 0.254f, 0.947f},
                                                                {0.333f, 0.604f, 0.130f},
                                                                {0.905f, 0.278f, 0.434f},
                                                                {0.80f, 0.75f, 0.20f},
                                                                {0.55f, 0.55f, 0.55f}}};
  return colors;
}

namespace {

shared::CollectParams collectParams(const FragmentLists& lists, const Rect& region) {
  const Rect both = intersect(lists.region, region);
  shared::CollectParams p{};
  if (!both.empty()) {
    p.left = std::uint32_t(both.x - lists.region.x), p.top = std::uint32_t(both.y - lists.region.y);
    p.right = p.left + std::uint32_t(both.width), p.bottom = p.top + std::uint32_t(both.height);
  }
  // Unsigned sums wrap: a region that begins inside of the lists' is subtracted.
  p.originX = std::uint32_t(lists.region.x - region.x);
  p.originY = std::uint32_t(lists.region.y - region.y);
  return p;
}

std::uint32_t packedColor(const Fragment& f) {
  std::uint32_t packed = 0;
  const float alpha = f.a > 0 ? f.a : 1;
  const float values[] = {std::sqrt(std::max(f.r / alpha, 0.0f)),
                          std::sqrt(std::max(f.g / alpha, 0.0f)),
                          std::sqrt(std::max(f.b / alpha, 0.0f)), f.a};
  for (int i = 0; i < 4; ++i)
    packed |= std::uint32_t(std::lround(std::clamp(values[i], 0.0f, 1.0f) * 255)) << (8 * i);
  return packed;
}

}  // namespace

/// Leaves in scratch().order where the points of each list begin.
std::uint64_t countPoints(ListStore& store, const FragmentLists& lists, const Rect& region) {
  gpu::Words& offsets = store.scratch().order;
  store.ensure(offsets, "points of each list", std::uint64_t(lists.slotCount) + 1);
  gpu::Pass& count = store.pass("count points", "view/count_points.comp", lists.shape);
  bind(count, lists)
      .storage(DEEP_BIND_ORDER, offsets)
      .params(DEEP_BIND_PARAMS, paramsOf(lists))
      .params(DEEP_BIND_COLLECT, collectParams(lists, region));
  count.dispatch(lists.slotCount, walkCost(lists, {4, 1}));
  gpu::barrier(gpu::Access::Storage);  // scan
  store.scanner().exclusive(offsets, offsets, lists.slotCount);
  gpu::barrier(gpu::Access::Storage | gpu::Access::Transfer);  // collect; the host
  return offsets.download(lists.slotCount, 1).front();
}

std::uint64_t collectPoints(ListStore& store, const FragmentLists& lists, int source,
                            std::uint64_t base, PointCloud& cloud) {
  const std::uint64_t added = countPoints(store, lists, cloud.region);
  if (added == 0) return 0;
  shared::CollectParams p = collectParams(lists, cloud.region);
  p.base = std::uint32_t(base);
  p.every = cloud.plan.every;
  p.points = cloud.plan.points;
  p.source = std::uint32_t(source);
  gpu::Pass& collect = store.pass("collect points", "view/collect_points.comp", lists.shape);
  bind(collect, lists)
      .storage(DEEP_BIND_ORDER, store.scratch().order)
      .storage(DEEP_BIND_SCRATCH, cloud.words)
      .params(DEEP_BIND_PARAMS, paramsOf(lists))
      .params(DEEP_BIND_COLLECT, p);
  collect.dispatch(lists.slotCount, walkCost(lists, {30, 1}));
  gpu::barrier(gpu::Access::Storage | gpu::Access::Transfer);  // drawing; a sample for the host
  store.expectWhole();
  return added;
}

std::uint64_t collectPoints(const DeepImage& image, std::uint32_t firstIndex, glm::ivec2 origin,
                            int source, std::uint64_t base, const PointCloud& cloud,
                            std::span<std::uint32_t> words) {
  const auto stride = std::size_t(image.stride());
  const Rect& r = cloud.region;
  const Rect both =
      intersect(image.dataWindow, {r.x + origin.x, r.y + origin.y, r.width, r.height});
  std::uint64_t index = base;
  for (int y = both.y; y < both.bottom(); ++y)
    for (int x = both.x; x < both.right(); ++x) {
      const std::size_t p = image.pixelIndex(x, y);
      for (std::size_t i = image.fragmentOffsets[p]; i < image.fragmentOffsets[p + 1]; ++i) {
        const std::int64_t point = cloud.plan.pointOf(index++);
        if (point < 0) continue;
        std::array<std::uint32_t, 4> fragment{};
        std::copy_n(image.words.begin() + std::ptrdiff_t(i * stride), stride, fragment.begin());
        if (image.format == FragmentFormat::Indexed) fragment[0] -= firstIndex;
        const Fragment f = decodeWords(image, fragment.data());
        std::uint32_t* at =
            &words[std::size_t(cloud.plan.placeOf(std::uint32_t(point))) * DEEP_POINT_WORDS];
        at[0] = std::uint32_t(x - origin.x - r.x) | std::uint32_t(y - origin.y - r.y) << 16;
        at[1] = std::bit_cast<std::uint32_t>(f.z), at[2] = std::bit_cast<std::uint32_t>(f.zBack);
        at[3] = packedColor(f);
        at[4] = std::uint32_t(source);
      }
    }
  return index - base;
}

void PointRenderer::begin(glm::ivec2 size, const Camera& camera, const PointSpace& space,
                          const PointLook& look) {
  if (!target_.id() || picture_.width() != size.x || picture_.height() != size.y) {
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
  constexpr glm::vec4 kGround(0.0036f, 0.0042f, 0.0054f, 1);  // of the window's canvas
  target_.clear(kGround);
  drawFrame(space, look);
  next_ = 0;
}

void PointRenderer::drawFrame(const PointSpace& space, const PointLook& look) {
  constexpr glm::vec4 kEdge(0.060f, 0.070f, 0.090f, 1), kSlice(0.035f, 0.55f, 0.46f, 1);
  std::vector<glm::vec4> lines;
  const auto line = [&](glm::vec3 from, glm::vec3 to, glm::vec4 color) {
    for (const glm::vec3 end : {from, to}) lines.emplace_back(end, 1), lines.push_back(color);
  };
  const Box box = space.box();
  for (int i = 0; i < 8; ++i)
    for (const int axis : {1, 2, 4})
      if (!(i & axis)) line(box.corner(i), box.corner(i | axis), kEdge);
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
  constexpr std::uint64_t kChunkSoftware = 8192, kChunkDevice = 1 << 19;
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
