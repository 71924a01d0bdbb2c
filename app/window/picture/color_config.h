// SPDX-License-Identifier: BSD-3-Clause
// Display transforms by OpenColorIO: a config with its displays, views and looks, and the shader
// that OpenColorIO writes for one of them, with its tables. The only place that knows the library.
#pragma once

#include "app/engine/core/image.h"

#include <memory>
#include <string>
#include <vector>

namespace fathom::viewer {

/// GLSL with a function `vec4 displayTransform(vec4)` from scene-linear to display values. Its
/// tables are sampled from 2-D textures, which the text declares at bindings from `firstBinding`
/// on.
struct ColorShader {
  std::string text;
  std::vector<Image> tables;  // RGB in x, y, z; a cube has its blue slices side by side
};

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

}  // namespace fathom::viewer
