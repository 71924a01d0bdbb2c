// SPDX-License-Identifier: BSD-3-Clause
// Upload in chunks, culling by batch, few draws: neighbors that are both visible become one range.
#include "app/engine/scene/scene_renderer.h"

#include "app/engine/gpu/compiler.h"

#include <glm/gtc/matrix_transform.hpp>

namespace fathom {
namespace {

constexpr int kSunMapSize = 1024;

/// Clip space with y down, so that row 0 of the target is the picture's top row.
glm::mat4 flipped(glm::mat4 viewProjection) {
  for (int column = 0; column < 4; ++column) viewProjection[column].y *= -1;
  return viewProjection;
}

/// The planes that bound what is drawn into `region` of `viewport`: dot(plane, (p, 1)) >= 0 inside.
std::array<glm::vec4, 6> frustumOf(const glm::mat4& m, const Rect& viewport, const Rect& region) {
  const auto row = [&](int i) { return glm::vec4(m[0][i], m[1][i], m[2][i], m[3][i]); };
  const float left = 2.0f * float(region.x - viewport.x) / float(viewport.width) - 1;
  const float right = 2.0f * float(region.right() - viewport.x) / float(viewport.width) - 1;
  const float top = 2.0f * float(region.y - viewport.y) / float(viewport.height) - 1;
  const float bottom = 2.0f * float(region.bottom() - viewport.y) / float(viewport.height) - 1;
  return {row(0) - left * row(3),   right * row(3) - row(0), row(1) - top * row(3),
          bottom * row(3) - row(1), row(3) + row(2),         row(3) - row(2)};
}

/// On all levels.
bool hasOpaqueTexels(const SceneTexture& texture) {
  for (std::size_t i = 3; i < texture.rgba.size(); i += 4)
    if (texture.rgba[i] != 255) return false;
  return true;
}

gpu::RasterPassKey sunMapKey() {
  return {"draw sun map", "shaders/scene/scene.vert", "shaders/scene/draw_sun_map.frag", {}};
}

bool outside(const std::array<glm::vec4, 6>& planes, const Box& box) {
  for (const glm::vec4& plane : planes) {
    const glm::vec3 farthest(plane.x > 0 ? box.high.x : box.low.x,
                             plane.y > 0 ? box.high.y : box.low.y,
                             plane.z > 0 ? box.high.z : box.low.z);
    if (glm::dot(glm::vec3(plane), farthest) + plane.w < 0) return true;
  }
  return false;
}

}  // namespace

struct SceneRenderer::View {
  bool isSunMap = false;  // which must not be read while it is drawn, and knows no colors
  SceneDraw::Surfaces surfaces = SceneDraw::Surfaces::All;
  scene::shared::Params params;
  std::array<glm::vec4, 6> frustum;
};

SceneRenderer::SceneRenderer(gpu::Context& context, std::shared_ptr<const Scene> scene)
    : context_(context), scene_(std::move(scene)) {
  const bool hasShadows = !scene_->lighting.shadowBounds.empty();
  if (hasShadows) gpu::request(context_, {}, {sunMapKey()});  // before all is uploaded
  uploadTextures();
  uploadBatches();
  if (hasShadows) drawSunMap();
}

void SceneRenderer::uploadBatches() {
  // Chunks end where the next batch would pass the storage block limit.
  const auto limit = std::size_t(context_.memory().blockLimit()) / sizeof(scene::shared::Vertex);
  std::vector<std::uint32_t> indices = scene_->indices;
  std::size_t first = 0, end = 0;  // vertices of the chunk that is being filled
  const auto upload = [&] {
    vertices_.emplace_back(context_, fmt::format("scene vertices {}", vertices_.size()),
                           std::span(scene_->vertices).subspan(first, end - first));
  };
  for (const ScenePart& part : scene_->parts) {
    std::vector<Group> groups;
    for (std::size_t b = 0; b < part.batches.size(); ++b) {
      const SceneBatch& batch = part.batches[b];
      // Batches lie one behind the other unless a part in between was left out.
      const bool fits = batch.firstVertex == end &&
                        std::size_t(batch.firstVertex) + batch.vertexCount - first <= limit;
      if (!fits) {
        if (end > first) upload();
        first = batch.firstVertex;
      }
      end = std::size_t(batch.firstVertex) + batch.vertexCount;
      for (std::size_t i = batch.firstIndex; i < batch.firstIndex + batch.indexCount; ++i)
        indices[i] -= std::uint32_t(first);
      const bool opaque = isOpaque(batch);
      if (groups.empty() || groups.back().chunk != vertices_.size() ||
          groups.back().texture != batch.texture || groups.back().opaque != opaque)
        groups.push_back({vertices_.size(), batch.texture, opaque, b, 0});
      ++groups.back().batchCount;
    }
    groups_.push_back(std::move(groups));
  }
  if (end > first || vertices_.empty()) upload();
  indices_ = gpu::Words(context_, "scene indices", indices, gpu::RawBuffer::Use::Other);
  materials_ = gpu::Buffer<scene::shared::Material>(context_, "scene materials", scene_->materials);
  materialTexels_ = gpu::TexelView(context_, materials_);
}

void SceneRenderer::uploadTextures() {
  const auto limit = context_.limits().textureSize;
  for (const SceneTexture& source : scene_->textures) {
    if (source.width > limit || source.height > limit)
      fail("{}: expected a texture of at most {} pixels a side on this GPU, found {} x {}",
           source.name, limit, source.width, source.height);
    const int levels = mipmapLevels(source);
    gpu::Texture texture(context_, "scene texture " + source.name, gpu::TextureFormat::SrgbA8,
                         source.width, source.height, levels);
    std::size_t at = 0;
    for (int level = 0; level < levels; ++level) {
      const std::size_t bytes = mipmapBytes(source, level);
      texture.writeLevel(level, source.rgba.data() + at, std::int64_t(bytes));
      at += bytes;
    }
    texture.setRepeat(true);
    textures_.push_back({std::move(texture), hasOpaqueTexels(source)});
  }
  const std::uint8_t white[4] = {255, 255, 255, 255};
  white_ = gpu::Texture(context_, "scene white", gpu::TextureFormat::Rgba8, 1, 1);
  white_.write(white, sizeof white);
  white_.setNearest(true);  // much cheaper than filtering on a software renderer
}

void SceneRenderer::drawSunMap() {
  // An orthographic view along the sun that holds everything in the shadow bounds.
  const Box& bounds = scene_->lighting.shadowBounds;
  const glm::vec3 toSun = glm::normalize(scene_->lighting.toSun);
  const glm::vec3 up = std::abs(toSun.y) < 0.99f ? glm::vec3(0, 1, 0) : glm::vec3(1, 0, 0);
  const glm::mat4 toLight = glm::lookAt(toSun, glm::vec3(0), up);
  Box seen;
  for (int corner = 0; corner < 8; ++corner)
    seen.add(glm::vec3(toLight * glm::vec4(bounds.corner(corner), 1)));
  const glm::mat4 clip =
      glm::ortho(seen.low.x, seen.high.x, seen.low.y, seen.high.y, -seen.high.z, -seen.low.z) *
      toLight;
  sunMatrix_ = glm::translate(glm::mat4(1), glm::vec3(0.5f)) *
               glm::scale(glm::mat4(1), glm::vec3(0.5f)) * clip;

  sunMap_ = gpu::Texture(context_, "scene sun map", gpu::TextureFormat::Depth32f, kSunMapSize,
                         kSunMapSize);
  gpu::Target target(context_, "scene sun map", nullptr, &sunMap_);
  target.clear(glm::vec4(0), 1.0f);
  gpu::RasterPass& pass = context_.rasterPass(sunMapKey());
  const Rect whole{0, 0, kSunMapSize, kSunMapSize};
  View view{};
  view.isSunMap = true;
  view.params.viewProjection = clip;
  view.frustum = frustumOf(clip, whole, whole);
  const gpu::DrawState state{.viewport = whole, .depthTest = true, .depthWrite = true};
  for (std::size_t part = 0; part < scene_->parts.size(); ++part)
    draw(pass, target, part, view, state);
  gpu::barrier(gpu::Access::Texture);
}

void SceneRenderer::drawPart(gpu::RasterPass& pass, const gpu::Target& target, std::size_t part,
                             const Camera& camera, const Rect& viewport, const Rect& region,
                             const SceneDraw& how) {
  FATHOM_CHECK_OP(part, <, scene_->parts.size());
  const Rect touched = intersect(viewport, region);
  if (touched.empty()) return;
  const glm::mat4 worldToView = camera.view();
  const float aspect = float(viewport.width) / float(viewport.height);
  const glm::vec3 axis(-worldToView[0][2], -worldToView[1][2], -worldToView[2][2]);
  const Lighting& lighting = scene_->lighting;

  View view{};
  view.surfaces = how.surfaces;
  const glm::mat4 viewProjection = camera.projection(aspect) * worldToView;
  view.params.viewProjection = how.bottomFirst ? viewProjection : flipped(viewProjection);
  view.params.eye = glm::vec4(camera.position, how.bottomFirst ? 1.0f : 0.0f);
  view.params.light = glm::vec4(glm::normalize(lighting.toSun), sunMap_ ? 1.0f : 0.0f);
  view.params.sunColor = glm::vec4(lighting.sun, 0);
  view.params.skyColor = glm::vec4(lighting.sky, 0);
  view.params.groundColor = glm::vec4(lighting.ground, 0);
  view.params.viewAxis = glm::vec4(axis, -glm::dot(axis, camera.position));
  view.params.sunMatrix = sunMatrix_;
  view.frustum = frustumOf(view.params.viewProjection, viewport, touched);

  const gpu::DrawState state{.viewport = viewport,
                             .scissor = touched,
                             .depthTest = how.depthTest,
                             .depthWrite = how.depthWrite,
                             .blend = how.blend};
  draw(pass, target, part, view, state);
}

bool SceneRenderer::isOpaque(const SceneBatch& batch) const {
  if (batch.texture >= 0 && !textures_[std::size_t(batch.texture)].opaque) return false;
  const auto vertices = std::span(scene_->vertices).subspan(batch.firstVertex, batch.vertexCount);
  return std::all_of(vertices.begin(), vertices.end(), [&](const scene::shared::Vertex& v) {
    return v.material < scene_->materials.size() && scene_->materials[v.material].color.a >= 1;
  });
}

const gpu::Texture& SceneRenderer::textureOf(const Group& group, const View& view) const {
  if (group.texture < 0) return white_;
  const ColorTexture& texture = textures_[std::size_t(group.texture)];
  return view.isSunMap && texture.opaque ? white_ : texture.texture;
}

void SceneRenderer::draw(gpu::RasterPass& pass, const gpu::Target& target, std::size_t part,
                         const View& view, const gpu::DrawState& state) {
  const std::vector<SceneBatch>& batches = scene_->parts[part].batches;
  pass.params(SCENE_BIND_PARAMS, view.params)
      .texels(SCENE_TEXELS_MATERIALS, materialTexels_)
      .texture(SCENE_TEXTURE_SUN, sunMap_ && !view.isSunMap ? sunMap_ : white_);
  bool begun = false;
  for (const Group& group : groups_[part]) {
    if (group.opaque ? view.surfaces == SceneDraw::Surfaces::Translucent
                     : view.surfaces == SceneDraw::Surfaces::Opaque)
      continue;
    // Neighbors that are visible become one range.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
    for (std::size_t b = group.firstBatch; b < group.firstBatch + group.batchCount; ++b) {
      const SceneBatch& batch = batches[b];
      if (outside(view.frustum, batch.bounds)) continue;
      if (!ranges.empty() && ranges.back().first + ranges.back().second == batch.firstIndex)
        ranges.back().second += batch.indexCount;
      else
        ranges.push_back({batch.firstIndex, batch.indexCount});
    }
    if (ranges.empty()) continue;
    pass.storage(SCENE_BIND_VERTICES, vertices_[group.chunk])
        .texture(SCENE_TEXTURE_COLOR, textureOf(group, view));
    if (!begun) pass.begin(target, state, &indices_);
    begun = true;
    for (const auto& [first, count] : ranges) pass.drawRange(first, count);
  }
  // With nothing in view, the pass still has to drop what the caller has bound.
  if (!begun) {
    pass.storage(SCENE_BIND_VERTICES, vertices_[0]).texture(SCENE_TEXTURE_COLOR, white_);
    pass.begin(target, state, &indices_);
  }
  pass.end();
}

std::int64_t SceneRenderer::bytes() const {
  std::int64_t sum = indices_.bytes() + materials_.bytes();
  for (const auto& chunk : vertices_) sum += chunk.bytes();
  const auto add = [&](const gpu::Texture& t) {
    if (t) sum += std::int64_t(t.width()) * t.height() * gpu::bytesPerTexel(t.format());
  };
  for (const SceneTexture& texture : scene_->textures) sum += std::int64_t(texture.rgba.size());
  add(white_), add(sunMap_);
  return sum;
}

const gpu::Texture& PictureCapture::draw(SceneRenderer& renderer, const Camera& camera,
                                         glm::ivec2 size, std::size_t roll, int side) {
  if (gpu::ensure(gpu_, color_, "scene image", gpu::TextureFormat::Rgba32f, size)) target_ = {};
  if (!target_.id()) {
    gpu::ensure(gpu_, depth_, "scene image depth", gpu::TextureFormat::Depth32f, size);
    color_.setNearest(true);
    target_ = gpu::Target(gpu_, "scene image", &color_, &depth_);
  }
  target_.clear(glm::vec4(0));
  gpu::RasterPass& pass = gpu_.rasterPass(
      {"draw picture", "shaders/scene/scene.vert", "shaders/scene/draw_picture.frag", {}});
  const Rect whole{0, 0, size.x, size.y};
  scene::shared::Dice dice{};
  dice.roll = std::uint32_t(roll), dice.side = std::uint32_t(side);
  for (std::size_t part = 0; part < renderer.scene().parts.size(); ++part) {
    pass.params(SCENE_BIND_DICE, dice);
    renderer.drawPart(pass, target_, part, camera, whole, whole,
                      {.depthTest = true, .depthWrite = true});
  }
  gpu::barrier(gpu::Access::Texture | gpu::Access::Transfer);  // whoever asked for it
  return color_;
}

}  // namespace fathom
