// SPDX-License-Identifier: BSD-3-Clause
// Masks are united first; then the runs of the result are counted and written as the compressor
// writes those of textures.
#include "app/engine/active_pixel/compress/gpu_composite.h"

#include "app/engine/active_pixel/compress/device_image.h"
#include "app/engine/gpu/texture.h"

namespace fathom::active_pixel {
namespace {

Region united(const Region& a, const Region& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  const int x = std::min(a.x, b.x), y = std::min(a.y, b.y);
  return {x, y, std::max(a.x + a.width, b.x + b.width) - x,
          std::max(a.y + a.height, b.y + b.height) - y};
}

}  // namespace

GpuCompositor::GpuCompositor(gpu::Context& gpu)
    : gpu_(gpu), writer_(std::make_unique<ImageWriter>(gpu)) {}
GpuCompositor::~GpuCompositor() = default;

void GpuCompositor::setSpread(bool spread) { writer_->setSpread(spread); }

void GpuCompositor::composite(const DeviceImage& front, const DeviceImage& back,
                              DeviceImage& result) {
  FATHOM_CHECK(front.indexed && back.indexed);
  FATHOM_CHECK(front.format == back.format);
  FATHOM_CHECK(front.width == back.width && front.height == back.height);
  FATHOM_CHECK(&result != &front && &result != &back);
  result.reserve(gpu_, front.format, front.width, front.height, united(front.region, back.region));
  if (result.region.empty()) {
    result.writeEmpty();
    return;
  }
  const auto bindMasks = [&](gpu::Pass& pass, const shared::Params& target) {
    pass.storage(AP_BIND_FRONT_MASKS, front.masks)
        .storage(AP_BIND_BACK_MASKS, back.masks)
        .params(AP_BIND_PARAMS, shared::CompositeParams{target, sourceOf(front), sourceOf(back)});
  };
  std::vector<gpu::Define> defines{writer_->spreadDefine()};
  gpu::Pass& unite = gpu_.pass({"unite masks", "shaders/active_pixel/unite_masks.comp", defines});
  bindMasks(unite, writer_->params(result));
  writer_->mark(result, unite);
  writer_->scan(result);

  const gpu::TexelView frontWords(gpu_, front.words), backWords(gpu_, back.words);
  for (const gpu::Define& define : definesOf(result.format)) defines.push_back(define);
  defines.push_back(windowedDefine(gpu_, result));
  writer_->writeRuns(result, {"composite payloads", "shaders/active_pixel/composite.comp", defines},
                     [&](gpu::Pass& pass, const shared::Params& target) {
                       bindMasks(pass, target);
                       pass.storage(AP_BIND_FRONT_PREFIX, front.prefix)
                           .storage(AP_BIND_BACK_PREFIX, back.prefix)
                           .texels(AP_TEXTURE_COLOR, frontWords)
                           .texels(AP_TEXTURE_DEPTH, backWords);
                     });
}

}  // namespace fathom::active_pixel
