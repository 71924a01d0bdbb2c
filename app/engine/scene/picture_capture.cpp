// SPDX-License-Identifier: BSD-3-Clause
// One raster pass with depth test over all parts into targets that are kept between calls.
#include "app/engine/scene/picture_capture.h"

namespace fathom {

const gpu::Texture& PictureCapture::draw(SceneRenderer& renderer, const Camera& camera,
                                         glm::ivec2 size, std::size_t roll, int side) {
  if (gpu::ensure(gpu_, color_, "scene picture", gpu::TextureFormat::Rgba32f, size)) {
    gpu::ensure(gpu_, depth_, "scene picture depth", gpu::TextureFormat::Depth32f, size);
    color_.setNearest(true);
    target_ = gpu::Target(gpu_, "scene picture", &color_, &depth_);
  }
  target_.clear(glm::vec4(0));
  gpu::RasterPass& pass = gpu_.rasterPass(
      {"draw picture", "shaders/scene/scene.vert", "shaders/scene/draw_picture.frag", {}});
  const Rect whole{0, 0, size.x, size.y};
  scene::shared::Dice dice{};
  dice.roll = std::uint32_t(roll), dice.side = std::uint32_t(side);
  for (std::size_t part = 0; part < renderer.scene().parts.size(); ++part) {
    pass.params(SCENE_BIND_DICE, dice);
    renderer.drawPart(pass, target_, part, camera, whole, whole, true);
  }
  gpu::barrier(gpu::Reader::Texture | gpu::Reader::Transfer);  // whoever asked for it
  return color_;
}

}  // namespace fathom
