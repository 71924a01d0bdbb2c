// SPDX-License-Identifier: BSD-3-Clause
// The display transform that the settings choose from an OpenColorIO config, on the GPU: from the
// picture as it is shown, scene-linear, to display values.
#pragma once

#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/texture.h"
#include "app/window/picture/color_config.h"
#include "app/window/picture/display_settings.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fathom::viewer {

class ColorView {
 public:
  explicit ColorView(gpu::Context& context) : context_(context) {}

  /// Follows the settings. A config or transform that fails is told once; sRGB is shown instead.
  std::optional<std::string> update(const DisplaySettings& settings);
  /// True when the settings ask for a transform and it is there.
  bool active() const { return active_; }
  /// The config, while one is loaded.
  const ColorConfig* config() const { return config_.get(); }
  /// Counts changes of the transform.
  std::uint64_t generation() const { return generation_; }
  /// From `linear` (Rgba16f; alpha 0: a display value already) into `shown` (Rgba8) of the same
  /// size.
  void apply(const gpu::Texture& linear, const gpu::Texture& shown);

 private:
  gpu::Context& context_;
  std::unique_ptr<ColorConfig> config_;
  std::vector<std::string> key_;  // what the transform was made of
  std::string file_;
  ColorShader shader_;
  std::vector<gpu::Texture> tables_;
  bool active_ = false;
  std::uint64_t generation_ = 0;
};

}  // namespace fathom::viewer
