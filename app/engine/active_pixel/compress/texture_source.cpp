// SPDX-License-Identifier: BSD-3-Clause
// Which texture formats serve which color, and which of them a view gives as words bit for bit.
#include "app/engine/active_pixel/compress/texture_source.h"

namespace fathom::active_pixel {

using gpu::TextureFormat;

namespace {

bool serves(TextureFormat texture, Color color) {
  if (color == Color::Rgba8)
    return texture == TextureFormat::Rgba8 || texture == TextureFormat::SrgbA8;
  return texture == TextureFormat::Rgba32f || texture == TextureFormat::Rgba16f;
}

}  // namespace

TextureSource::TextureSource(gpu::Context& gpu, const CompressRequest& request) {
  if (request.format.color != Color::None) {
    FATHOM_CHECK(request.color != nullptr);
    FATHOM_CHECK(serves(request.color->format(), request.format.color));
    if (gpu::WordView::possible(request.color->format()))
      colorWords_ = gpu::WordView(gpu, *request.color);
    else
      color_ = request.color;
  }
  if (request.format.depth != Depth::None) {
    FATHOM_CHECK(request.depth != nullptr);
    const TextureFormat format = request.depth->format();
    FATHOM_CHECK(format == TextureFormat::Depth32f || format == TextureFormat::R32f);
    if (gpu::WordView::possible(format))
      depthWords_ = gpu::WordView(gpu, *request.depth);
    else
      depth_ = request.depth;
  }
}

std::vector<gpu::Define> TextureSource::defines() const {
  return {{"AP_COLOR_VIEW", color_ ? 0 : 1}, {"AP_DEPTH_VIEW", depth_ ? 0 : 1}};
}

void TextureSource::bind(gpu::Pass& pass) const {
  if (color_) pass.texture(AP_TEXTURE_COLOR, *color_);
  if (depth_) pass.texture(AP_TEXTURE_DEPTH, *depth_);
  if (colorWords_.id()) pass.words(AP_TEXTURE_COLOR, colorWords_);
  if (depthWords_.id()) pass.words(AP_TEXTURE_DEPTH, depthWords_);
}

}  // namespace fathom::active_pixel
