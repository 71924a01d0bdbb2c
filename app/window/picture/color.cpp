// SPDX-License-Identifier: BSD-3-Clause
// The shader that OpenColorIO writes for what the settings choose, with its tables.
#include "app/window/picture/color.h"

#include "app/engine/core/error.h"
#include "app/engine/gpu/pass.h"
#include "app/window/picture/display.h"
#include "shaders/window/shared.h"

namespace fathom::viewer {

std::optional<std::string> ColorView::update(const DisplaySettings& s) {
  const bool wanted = s.curve == DisplaySettings::Curve::Ocio;
  const std::vector<std::string> key{wanted ? "on" : "off", s.ocioConfig, s.ocioDisplay, s.ocioView,
                                     s.ocioLook};
  if (key == key_) return std::nullopt;
  key_ = key;
  ++generation_;
  active_ = false;
  if (!wanted) return std::nullopt;
  try {
    if (!config_ || file_ != s.ocioConfig) {
      config_.reset();
      config_ = std::make_unique<ColorConfig>(s.ocioConfig);
      file_ = s.ocioConfig;
    }
    shader_ = config_->shader(s.ocioDisplay, s.ocioView, s.ocioLook, VIEWER_TEXTURE_TABLES);
    tables_.clear();
    for (const Image& table : shader_.tables) {
      if (std::max(table.width, table.height) > context_.limits().textureSize)
        fail("{}: expected tables of at most {} texels on a side, found {}", config_->name(),
             context_.limits().textureSize, table.width);
      tables_.emplace_back(context_, "color table", gpu::TextureFormat::Rgba32f, table.width,
                           table.height);
      tables_.back().upload(table);
    }
    active_ = true;
    return std::nullopt;
  } catch (const Error& e) {
    return e.what();
  }
}

void ColorView::apply(const gpu::Texture& linear, const gpu::Texture& shown) {
  gpu::Pass& pass = context_.pass({"display transform",
                                   "shaders/window/apply_transform.comp",
                                   {},
                                   {{"generated/display_transform.glsl", shader_.text}}});
  pass.texture(VIEWER_TEXTURE_PICTURE, linear);
  for (std::size_t i = 0; i < tables_.size(); ++i)
    pass.texture(VIEWER_TEXTURE_TABLES + unsigned(i), tables_[i]);
  pass.image(0, shown);
  // A chain of curves, matrices and tables as long as configurations have them.
  gpu::dispatchGrid(pass, unsigned(shown.width() + 7) / 8, unsigned(shown.height() + 7) / 8,
                    gpu::Each{1000});
  gpu::barrier(gpu::Access::Texture | gpu::Access::Transfer);  // ImGui samples it
}

}  // namespace fathom::viewer
