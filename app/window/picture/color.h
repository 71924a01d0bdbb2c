// SPDX-License-Identifier: BSD-3-Clause
// Color management by OpenColorIO: the configuration that is in use, and its display transform on
// the GPU. The only place that knows the library is color.cpp.
#pragma once

#include "app/engine/core/image.h"
#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/texture.h"

namespace fathom::viewer {

struct DisplaySettings;

/// GLSL with a function `vec4 displayTransform(vec4)` from scene-linear to display values. Its
/// tables are sampled from 2-D textures, which the text declares at bindings from `firstBinding`
/// on.
struct ColorShader {
  std::string text;
  std::vector<Image> tables;  // RGB in x, y, z; a cube has its blue slices side by side
};

/// A configuration with its displays, views and looks, and the shader that OpenColorIO writes for
/// one of them, with its tables.
class ColorConfig {
 public:
  /// The config of this file; empty: of $OCIO. Throws Error naming the file.
  explicit ColorConfig(const std::string& file);
  ~ColorConfig();
  ColorConfig(const ColorConfig&) = delete;
  ColorConfig& operator=(const ColorConfig&) = delete;

  /// "OpenColorIO 2.1: studio-config.ocio".
  const std::string& name() const { return name_; }
  std::vector<std::string> displays() const;  // the default one first
  std::vector<std::string> views(const std::string& display) const;
  std::vector<std::string> looks() const;
  /// From the scene-linear space with Rec. 709 primaries where the config has one by a usual name,
  /// else from its role scene_linear. An empty display, view or look is the config's default.
  /// Throws Error.
  ColorShader shader(const std::string& display, const std::string& view, const std::string& look,
                     unsigned firstBinding) const;
  /// The same on the CPU for one color, to check the shader against.
  glm::vec4 apply(const std::string& display, const std::string& view, const std::string& look,
                  glm::vec4 color) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
  std::string name_;
};

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
