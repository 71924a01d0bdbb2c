// SPDX-License-Identifier: BSD-3-Clause
// The display transform of an OpenColorIO config on the GPU.
#pragma once

#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/texture.h"
#include "app/engine/io/color_config.h"

namespace fathom::viewer {

struct DisplaySettings;

/// The display transform that the settings choose, on the GPU: from the picture as it is shown,
/// scene-linear, to display values.
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
