// SPDX-License-Identifier: BSD-3-Clause
// Color management by OpenColorIO: a configuration, its transforms on the CPU, and what a shader of
// them needs; and colors as files have them (output_color.cpp). The only place that knows the
// library is color_config.cpp; without it no config opens.
#pragma once

#include "app/engine/core/deep_image.h"
#include "app/engine/core/image.h"

namespace fathom {

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
  /// Whether it has that space, or the role stands for it.
  bool knowsRec709() const;
  /// The same on the CPU, in place; alpha stays. Throws Error.
  void apply(const std::string& display, const std::string& view, const std::string& look,
             Image& image) const;
  /// To a color space of the config instead. Throws Error.
  void toSpace(const std::string& space, Image& image) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
  std::string name_;
};

/// From linear RGB of the primaries "chromaticities" to linear RGB of Rec. 709 with its white; none
/// when there is no such attribute, a damaged one, or that of Rec. 709. Chromatic adaptation after
/// Bradford (Lam 1985).
std::optional<glm::dmat3> matrixToRec709(const Attributes& attributes);

/// A display and view, or a color space, of the config in $OCIO; all empty: none of them.
struct OutputColor {
  std::string display, view, space;
};

/// Of all pictures that are written from now on; at first none. Throws Error or UsageError where
/// the config has no such display, view or space.
void setOutputColor(const OutputColor& color);
bool hasOutputColor();

/// Display values of a linear, premultiplied image whose primaries the attributes name, not
/// clipped: in the output color, else sRGB of Rec. 709. Alpha stays; colors are straight, or over
/// black.
Image displayed(const Image& image, bool straight, const SharedAttributes& attributes);
/// Where there is an output color: premultiplied colors in it for an EXR, and its attributes, whose
/// primaries are no longer those of the file.
Image exported(const Image& image, const SharedAttributes& attributes);
SharedAttributes exportedAttributes(const SharedAttributes& attributes);

}  // namespace fathom
