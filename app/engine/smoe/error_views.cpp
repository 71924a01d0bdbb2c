// SPDX-License-Identifier: BSD-3-Clause
// The passes difference.comp, beside.comp and heat.comp.
#include "app/engine/smoe/error_views.h"

#include "app/engine/gpu/pass.h"
#include "app/engine/smoe/model/reference.h"
#include "shaders/smoe/window/compare.h"

namespace fathom::smoe {
namespace {

constexpr int kHeatSide = 256;  // px at most

/// A picture of a training set as light.
Image linearOf(const Image& encodedPicture, const Coding& coding) {
  std::vector<glm::dvec3> colors;
  colors.reserve(encodedPicture.pixels.size());
  for (const glm::vec4& p : encodedPicture.pixels) colors.emplace_back(p);
  return reference::toImage(colors, {encodedPicture.width, encodedPicture.height}, coding);
}

shared::Compare compareOf(const ViewWindow& window, glm::ivec2 sourceSize, float gain) {
  shared::Compare p{};
  p.size = window.size;
  p.sourceSize = sourceSize;
  p.corner = glm::vec2(window.corner);
  p.step = float(window.step);
  p.gain = gain;
  return p;
}

}  // namespace

void DifferenceView::upload(gpu::Context& gpu, std::size_t index) {
  const glm::ivec2 size = source_->size;
  gpu::ensure(gpu, texture_, "smoe source", gpu::TextureFormat::Rgba32f, size);
  Image light = linearOf(source_->pictures[index], source_->coding());
  if (source_->alpha)
    for (std::size_t i = 0; i < light.pixels.size(); ++i)
      light.pixels[i].a = source_->alpha->pictures[0].pixels[i].r;
  texture_.upload(light);
  index_ = index;
}

void DifferenceView::show(gpu::Context& gpu, const std::shared_ptr<const TrainingSet>& source,
                          ViewCoordinates at) {
  const std::size_t index = source->nearest(at);
  if (source_ == source && index_ == index && texture_) return;
  source_ = source;
  upload(gpu, index);
}

void DifferenceView::apply(gpu::Context& gpu, const gpu::Texture& picture, const ViewWindow& window,
                           float gain, const std::shared_ptr<const TrainingSet>& source) {
  show(gpu, source, window.at);
  const shared::Compare p = compareOf(window, source->size, gain);
  gpu::barrier(gpu::Access::Storage);  // the picture, for the pass
  gpu::Pass& pass = gpu.pass({"difference", "shaders/smoe/window/difference.comp", {}});
  pass.texture(SMOE_COMPARE_SOURCE, texture_)
      .image(SMOE_COMPARE_RESULT, picture)
      .params(SMOE_COMPARE_PARAMS, p);
  pass.dispatchGrid(p.size, gpu::Each{60});
  gpu::barrier(gpu::Access::Texture | gpu::Access::Transfer);  // display
}

void DifferenceView::applyBeside(gpu::Context& gpu, const gpu::Texture& picture,
                                 const gpu::Texture& result, const ViewWindow& window, float gain,
                                 const std::shared_ptr<const TrainingSet>& source) {
  if (source) show(gpu, source, window.at);
  const shared::Compare p = compareOf(window, source ? source->size : glm::ivec2(0), gain);
  gpu::barrier(gpu::Access::Texture);  // the picture, for the pass
  gpu::Pass& pass = gpu.pass({"beside", "shaders/smoe/window/beside.comp", {}});
  pass.texture(SMOE_COMPARE_SOURCE, source ? texture_ : picture)
      .texture(SMOE_COMPARE_PICTURE, picture)
      .image(SMOE_COMPARE_RESULT, result)
      .params(SMOE_COMPARE_PARAMS, p);
  pass.dispatchGrid(result.size(), gpu::Each{60});
  gpu::barrier(gpu::Access::Texture | gpu::Access::Transfer);  // display
}

void ErrorHeat::draw(gpu::Context& gpu, const gpu::Texture& error) {
  if (!error) return;
  const glm::ivec2 from = error.size();
  const float step = std::max(1.0f, float(std::max(from.x, from.y)) / kHeatSide);
  const glm::ivec2 size = glm::max(glm::ivec2(glm::vec2(from) / step), glm::ivec2(1));
  gpu::ensure(gpu, texture_, "smoe error", gpu::TextureFormat::Rgba8, size);
  shared::Compare p{};
  p.size = size, p.sourceSize = from;
  p.step = step;
  p.gain = kGain;
  gpu::Pass& pass = gpu.pass({"heat", "shaders/smoe/window/heat.comp", {}});
  pass.texture(SMOE_COMPARE_SOURCE, error)
      .image(SMOE_COMPARE_RESULT, texture_)
      .params(SMOE_COMPARE_PARAMS, p);
  pass.dispatchGrid(size, gpu::Each{20 + 10.0 * step * step});
  gpu::barrier(gpu::Access::Texture);  // the page
}

}  // namespace fathom::smoe
