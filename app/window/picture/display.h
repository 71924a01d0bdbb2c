// SPDX-License-Identifier: BSD-3-Clause
// From the linear picture to what the monitor shows: the settings, the display transform of an
// OpenColorIO config, and the pass that draws it.
#pragma once

#include "app/engine/core/fields.h"
#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/texture.h"
#include "app/engine/io/color_config.h"
#include "app/window/picture/picture_view.h"
#include "shaders/window/shared.h"

namespace fathom::viewer {

struct DisplaySettings {
  enum class Curve { Srgb, Gamma, Filmic, Ocio };
  enum class Channel { Rgba, R, G, B, A, Luminance };
  enum class Map { Inferno, Viridis, Cubehelix, Gray };
  enum class Difference { Signed, Absolute, Squared, Relative, RelativeSquared };
  enum class Background { Checker, Black, Gray, White };
  float exposureStops = 0;
  float offset = 0;  // added to exposed values
  Curve curve = Curve::Srgb;
  float gamma = 2.2f;
  Channel channel = Channel::Rgba;
  bool falseColor = false;
  Map map = Map::Inferno;                      // of false color and of differences
  Difference difference = Difference::Signed;  // what of A and B is shown
  bool normalize = false;                      // the smallest value black, the largest white
  bool markInvalid = true;
  Background background = Background::Checker;
  std::string ocioConfig, ocioDisplay, ocioView, ocioLook;  // empty: $OCIO, the config's defaults
};
void describe(DisplaySettings& settings, FieldVisitor& field);

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

/// One 8-bit value as the window shows it: exposed and encoded, for a linear color value. Display
/// transforms of a config mix channels: for them it is the value of sRGB.
int shownByte(const DisplaySettings& settings, float linear);

/// The color of a value in 0..1 in this map, as display.frag has it: display values.
glm::vec3 mapColor(DisplaySettings::Map map, float value);

/// What is normalized to 0 .. 1 before the exposure.
struct ValueRange {
  float low = 0, high = 1;
  bool operator==(const ValueRange&) const = default;
};

/// The two pictures and where the second begins.
struct ShownPictures {
  const gpu::Texture* a = nullptr;
  const gpu::Texture* b = nullptr;  // null: nothing is compared
  std::uint64_t generation = 0;     // differs whenever either has new contents
  float splitX = 1e9f;              // in window pixels
  float difference = 0;             // above 0: A - B times this everywhere, in false color
  ValueRange range{};               // used when the display normalizes
  ColorView* color = nullptr;       // its transform, where it is active
};

/// Whether two pictures have one shape; a preview's is rounded.
bool sameShape(glm::vec2 a, glm::vec2 b);

class Display {
 public:
  explicit Display(gpu::Context& context) : context_(context) {}
  /// The view's area as display values, row 0 on top. Nothing is drawn when nothing has changed.
  const gpu::Texture& draw(const ShownPictures& pictures, const PictureView& view,
                           const DisplaySettings& settings);

 private:
  struct Drawn {  // what the texture shows
    shared::DisplayParams params{};
    int encoding = -1, split = 0;
    std::uint64_t generation = 0, shaders = 0, transform = 0;
    bool operator==(const Drawn&) const = default;
  };
  void drawPicture(gpu::Target& target, const gpu::Texture& picture, const Rect& region,
                   shared::DisplayParams params, const gpu::Texture* second = nullptr);
  gpu::Context& context_;
  gpu::Texture texture_, linear_;
  gpu::Target target_, linearTarget_;
  Drawn drawn_;
};

}  // namespace fathom::viewer
