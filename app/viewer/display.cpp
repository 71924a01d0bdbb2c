// SPDX-License-Identifier: BSD-3-Clause
#include "app/viewer/display.h"

#include "app/viewer/theme.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace fathom::viewer {

void describe(DisplaySettings& s, FieldVisitor& field) {
  const bool colors = !s.falseColor && s.channel != DisplaySettings::Channel::A;
  field(s.exposureStops,
        range("exposure", -12.0f, 12.0f, "Brightness of what is shown: one stop up doubles it.")
            .in("stops"));
  field(s.channel, choice("channel", {"rgba", "r", "g", "b", "a", "luminance"},
                          "Which channel of the picture is shown."));
  field(s.falseColor, toggle("false-color",
                             "Values as colors from dark violet (0) to pale yellow (1), after "
                             "exposure; luminance unless one channel is chosen."));
  field(s.curve, choice("curve", {"srgb", "gamma"}, "How linear values become display values.")
                     .explain({"the sRGB transfer curve", "a plain power"})
                     .onlyIf(colors, "alpha and false color are shown without a curve"));
  field(s.gamma, range("gamma", 0.5f, 4.0f, "Exponent of the plain power curve.")
                     .onlyIf(colors && s.curve == DisplaySettings::Curve::Gamma,
                             "the sRGB curve is in use"));
  field(s.background, choice("background", {"checker", "black", "gray", "white"},
                             "What lies behind transparent pixels.")
                          .onlyIf(!s.falseColor && s.channel == DisplaySettings::Channel::Rgba,
                                  "only the full color picture is shown over a background"));
  field(s.markInvalid, toggle("mark-nan", "Pixels with NaN or infinity in magenta stripes."));
}

int shownByte(const DisplaySettings& settings, float linear) {
  const float exposed = linear * std::exp2(settings.exposureStops);
  if (!(exposed > 0)) return 0;  // NaN too
  const float value = std::min(exposed, 1.0f);
  const float encoded = settings.curve == DisplaySettings::Curve::Gamma
                            ? std::pow(value, 1 / settings.gamma)
                        : value <= 0.0031308f ? value * 12.92f
                                              : 1.055f * std::pow(value, 1 / 2.4f) - 0.055f;
  return int(std::lround(encoded * 255));
}

const gpu::Texture& Display::draw(const ShownPictures& pictures, const PictureView& view,
                                  const DisplaySettings& s) {
  const Area area = view.area();
  const int width = std::max(1, int(area.width)), height = std::max(1, int(area.height));
  const bool resized = texture_.width() != width || texture_.height() != height;
  if (resized) {
    texture_ = gpu::Texture(context_, "window picture", gpu::TextureFormat::Rgba8, width, height);
    target_ = gpu::Target(context_, "window picture", &texture_, nullptr);
  }
  shared::DisplayParams params{};
  params.background = {color::kCanvas.x, color::kCanvas.y, color::kCanvas.z, 1};
  params.corner = view.corner() - glm::vec2(area.x, area.y);
  params.pictureSize = glm::vec2(view.pictureSize());
  params.zoom = view.zoom();
  params.splitX = pictures.b ? pictures.splitX - area.x : 1e9f;
  params.gain = std::exp2(s.exposureStops);
  params.gamma = s.curve == DisplaySettings::Curve::Gamma ? s.gamma : 0;
  params.channel = shared::uint(s.channel);
  params.backdrop = shared::uint(s.background);
  params.falseColor = s.falseColor;
  params.markInvalid = s.markInvalid;
  params.pixelGrid = view.zoom() >= 20;

  const std::uint64_t shaders = context_.shaderGeneration();
  if (!resized && pictures.generation == drawnGeneration_ && shaders == drawnShaders_ &&
      std::memcmp(&params, &drawnParams_, sizeof params) == 0)
    return texture_;
  drawnParams_ = params;
  drawnGeneration_ = pictures.generation;
  drawnShaders_ = shaders;

  if (!pictures.a) {
    target_.clear(params.background);
    return texture_;
  }
  gpu::RasterPass& pass = context_.rasterPass(
      {"display picture", "shaders/viewer/display.vert", "shaders/viewer/display.frag", {}});
  pass.params(VIEWER_BIND_PARAMS, params);
  pass.texture(VIEWER_TEXTURE_A, *pictures.a);
  pass.texture(VIEWER_TEXTURE_B, pictures.b ? *pictures.b : *pictures.a);
  gpu::DrawState state;
  state.viewport = {0, 0, width, height};
  pass.draw(target_, state, 0, 3);
  return texture_;
}

}  // namespace fathom::viewer
