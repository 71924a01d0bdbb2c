// SPDX-License-Identifier: BSD-3-Clause
// The settings of the display, the same transfer curve on the CPU for the inspector, and the pass
// that draws one or two pictures side by side.
#include "app/window/picture/display.h"

#include "app/engine/core/error.h"
#include "app/window/ui/theme.h"

namespace fathom::viewer {
using namespace ui;

void describe(DisplaySettings& s, FieldVisitor& field) {
  const auto shown = [&](auto& value, auto info) { field(value, info.under(Section::Picture)); };
  const bool colors = !s.falseColor && s.channel != DisplaySettings::Channel::A;
  shown(s.exposureStops,
        range("exposure", -12.0f, 12.0f, "Brightness of the view: one stop up doubles it.")
            .in("stops"));
  shown(s.offset, range("offset", -1.0f, 1.0f, "Added to the exposed values: lifts the blacks."));
  shown(s.channel, choice("channel", {"rgba", "r", "g", "b", "a", "luminance"},
                          "Which channel of the image is shown.")
                       .titled({"All", "Red", "Green", "Blue", "Alpha", "Luminance"}));
  shown(s.falseColor, toggle("false-color",
                             "Values as the colors of a map from 0 to 1, after exposure; luminance "
                             "unless one channel is chosen."));
  shown(s.map, choice("color-map", {"inferno", "viridis", "cubehelix", "gray"},
                      "Color map of false color and differences.")
                   .titled({"Inferno", "Viridis", "Cubehelix", "Gray"}));
  shown(s.difference,
        choice("difference", {"signed", "absolute", "squared", "relative", "relative-squared"},
               "How the difference of A and the reference B is shown.")
            .titled(
                {"A - B", "|A - B|", "(A - B)\u00b2", "|A - B| / |B|", "(A - B)\u00b2 / B\u00b2"}));
  shown(s.normalize, toggle("normalize", "The smallest value black and the largest white."));
  shown(s.curve, choice("curve", {"srgb", "gamma", "filmic", "ocio"},
                        "How linear values become display values.")
                     .label("Transfer function")
                     .titled({"sRGB", "Gamma", "Filmic", "OpenColorIO"})
                     .explain({"the sRGB transfer curve", "a plain power",
                               "highlights roll off as on film, then sRGB",
                               "display, view and look of a config: $OCIO or ocio-config"})
                     .onlyIf(colors, "alpha and false color are shown without a curve"));
  const bool ocio = s.curve == DisplaySettings::Curve::Ocio;
  const char* const kOnlyOcio = "OpenColorIO is not in use";
  const auto name = [&](const char* setting, const char* label, const char* help) {
    return text(setting, help).label(label).onlyIf(ocio, kOnlyOcio);
  };
  shown(s.ocioConfig, name("ocio-config", "Color config", "An OpenColorIO config; empty: $OCIO."));
  shown(s.ocioDisplay, name("ocio-display", "Display device", "Empty: the config's default."));
  shown(s.ocioView, name("ocio-view", "View transform", "Empty: the display's default."));
  shown(s.ocioLook, name("ocio-look", "Look", "A look before the view; empty: the view's own."));
  shown(s.gamma, range("gamma", 0.5f, 4.0f, "Exponent of the plain power curve.")
                     .onlyIf(colors && s.curve == DisplaySettings::Curve::Gamma,
                             "another transfer function is in use"));
  shown(s.background, choice("background", {"checker", "black", "gray", "white"},
                             "Background of transparent pixels.")
                          .titled({"Checker", "Black", "Gray", "White"})
                          .onlyIf(!s.falseColor && s.channel == DisplaySettings::Channel::Rgba,
                                  "only the full color image is shown over a background"));
  shown(
      s.markInvalid,
      toggle("mark-nan", "Pixels with NaN or infinity in magenta stripes.").label("Highlight NaN"));
}

int shownByte(const DisplaySettings& settings, float linear) {
  float value = linear * std::exp2(settings.exposureStops) + settings.offset;
  if (!(value > 0)) return 0;                              // NaN too
  if (settings.curve == DisplaySettings::Curve::Filmic) {  // as in display.frag
    const float x = value * 0.6f;
    value = x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f);
  }
  value = settings.curve == DisplaySettings::Curve::Gamma
              ? std::pow(std::min(value, 1.0f), 1 / settings.gamma)
              : srgbFromLinear(value);
  return int(std::lround(value * 255));
}

namespace {

glm::vec3 cubehelix(float t) {  // as in display.frag
  const float angle = 6.2831853f * (0.5f / 3 + 1 - 1.5f * t), reach = t * (1 - t) / 2;
  const float x = std::cos(angle) * reach, y = std::sin(angle) * reach;
  const glm::vec3 color(t - 0.14861f * x + 1.78277f * y, t - 0.29227f * x - 0.90649f * y,
                        t + 1.97294f * x);
  return glm::clamp(color, 0.0f, 1.0f);
}

/// Between colors of equal distance, 0xrrggbb.
glm::vec3 between(std::span<const unsigned> colors, float t) {
  const auto at = [&](std::size_t i) {
    const unsigned c = colors[i];
    return glm::vec3(float(c >> 16 & 255), float(c >> 8 & 255), float(c & 255)) / 255.0f;
  };
  const float place = t * float(colors.size() - 1);
  const std::size_t i = std::min(std::size_t(place), colors.size() - 2);
  return glm::mix(at(i), at(i + 1), place - float(i));
}

}  // namespace

glm::vec3 mapColor(DisplaySettings::Map map, float value) {
  static constexpr unsigned kInferno[] = {0x000005, 0x1e0c45, 0x550f6d, 0x88226a, 0xba3655,
                                          0xe35933, 0xf98c0a, 0xf9c932, 0xf8fda0};
  static constexpr unsigned kViridis[] = {0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e,
                                          0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725};
  const float t = std::clamp(value, 0.0f, 1.0f);
  switch (map) {
    case DisplaySettings::Map::Viridis:
      return between(kViridis, t);
    case DisplaySettings::Map::Cubehelix:
      return cubehelix(t);
    case DisplaySettings::Map::Gray:
      return glm::vec3(t);
    default:
      return between(kInferno, t);
  }
}

bool sameShape(glm::vec2 a, glm::vec2 b) {
  return std::abs(a.x * b.y - b.x * a.y) <= 0.02f * a.x * b.y;
}

namespace {

shared::DisplayParams paramsOf(const PictureView& view, const DisplaySettings& s,
                               const ShownPictures& pictures) {
  shared::DisplayParams params{};
  params.background = {color::kCanvas.x, color::kCanvas.y, color::kCanvas.z, 1};
  params.corner = view.corner() - glm::vec2(view.area().x, view.area().y);
  params.pictureSize = glm::vec2(view.pictureSize());
  params.zoom = view.zoom();
  params.pixelAspect = view.aspect();
  params.gain = std::exp2(s.exposureStops);
  if (s.normalize) {
    params.offset = pictures.range.low;
    params.gain /= std::max(pictures.range.high - pictures.range.low, 1e-20f);
  }
  params.offset -= s.offset / params.gain;
  params.difference = pictures.difference;
  params.map = shared::uint(s.map);
  params.metric = shared::uint(s.difference);
  params.gamma = s.gamma;
  params.channel = shared::uint(s.channel);
  params.backdrop = shared::uint(s.background);
  params.markInvalid = s.markInvalid;
  params.pixelGrid = view.zoom() >= 20;
  return params;
}

int encodingOf(const DisplaySettings& s, const ShownPictures& pictures) {
  if (pictures.b && pictures.difference > 0) return VIEWER_ENCODING_DIFFERENCE;
  if (s.curve == DisplaySettings::Curve::Filmic && !s.falseColor) return VIEWER_ENCODING_FILMIC;
  const bool plain = s.falseColor || s.channel == DisplaySettings::Channel::A;
  if (pictures.color && pictures.color->active() && !plain) return VIEWER_ENCODING_LINEAR;
  if (s.falseColor) return VIEWER_ENCODING_SCALE;
  return s.curve == DisplaySettings::Curve::Gamma ? VIEWER_ENCODING_GAMMA : VIEWER_ENCODING_SRGB;
}

/// A picture of another shape keeps it: within the place of the one that is open, in its middle.
shared::DisplayParams keepShape(shared::DisplayParams params, glm::vec2 size) {
  const glm::vec2 room = params.pictureSize;
  if (sameShape(room, size)) return params;
  params.pictureSize = size * std::min(room.x / size.x, room.y / size.y);
  const glm::vec2 scale = params.zoom * glm::vec2(params.pixelAspect, 1);
  params.corner += scale * (room - params.pictureSize) / 2.0f;
  return params;
}

}  // namespace

const gpu::Texture& Display::draw(const ShownPictures& pictures, const PictureView& view,
                                  const DisplaySettings& s) {
  const Area area = view.area();
  const int width = std::max(1, int(area.width)), height = std::max(1, int(area.height));
  const bool resized = texture_.width() != width || texture_.height() != height;
  if (resized) {
    texture_ = gpu::Texture(context_, "window image", gpu::TextureFormat::Rgba8, width, height);
    target_ = gpu::Target(context_, "window image", &texture_, nullptr);
    linear_ = {};
  }
  const bool transformed = encodingOf(s, pictures) == VIEWER_ENCODING_LINEAR;
  if (transformed && !linear_) {
    linear_ =
        gpu::Texture(context_, "window image, linear", gpu::TextureFormat::Rgba16f, width, height);
    linearTarget_ = gpu::Target(context_, "window image, linear", &linear_, nullptr);
  }
  gpu::Target& target = transformed ? linearTarget_ : target_;
  const Drawn now{paramsOf(view, s, pictures),
                  encodingOf(s, pictures),
                  pictures.b ? int(std::lround(pictures.splitX - area.x)) : width,
                  pictures.generation,
                  context_.shaderGeneration(),
                  pictures.color ? pictures.color->generation() : 0};
  if (!resized && now == drawn_) return texture_;
  drawn_ = now;
  if (!pictures.a) {
    target_.clear(now.params.background);
    return texture_;
  }
  if (now.encoding == VIEWER_ENCODING_DIFFERENCE) {
    drawPicture(target, *pictures.a, {0, 0, width, height}, now.params, pictures.b);
    return texture_;
  }
  const int split = std::clamp(now.split, 0, width);
  if (split > 0) drawPicture(target, *pictures.a, {0, 0, split, height}, now.params);
  if (split < width)
    drawPicture(target, *pictures.b, {split, 0, width - split, height},
                keepShape(now.params, glm::vec2(pictures.b->size())));
  if (transformed) {
    gpu::barrier(gpu::Access::Texture);  // the transform samples what was drawn
    pictures.color->apply(linear_, texture_);
  }
  return texture_;
}

void Display::drawPicture(gpu::Target& target, const gpu::Texture& picture, const Rect& region,
                          shared::DisplayParams params, const gpu::Texture* second) {
  const float texelsPerPixel =
      float(picture.width()) / std::max(params.pictureSize.x, 1.0f) / params.zoom;
  const bool coarse = float(picture.width()) < params.pictureSize.x;
  const int sampling = texelsPerPixel > 1 ? VIEWER_SAMPLING_AVERAGE
                       : coarse           ? VIEWER_SAMPLING_SMOOTH
                                          : VIEWER_SAMPLING_TEXEL;
  params.taps = shared::uint(std::clamp(int(std::ceil(texelsPerPixel / 2)), 1, 8));
  gpu::RasterPass& pass =
      context_.rasterPass({"display picture",
                           "shaders/window/display.vert",
                           "shaders/window/display.frag",
                           {{"VIEWER_SAMPLING", sampling}, {"VIEWER_ENCODING", drawn_.encoding}}});
  pass.params(VIEWER_BIND_PARAMS, params);
  pass.texture(VIEWER_TEXTURE_PICTURE, picture);
  if (second) pass.texture(VIEWER_TEXTURE_SECOND, *second);
  pass.draw(target, {.viewport = {0, 0, target.width(), target.height()}, .scissor = region}, 0, 3);
}

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
  pass.dispatchGrid(shown.size(), gpu::Each{1000});
  gpu::barrier(gpu::Access::Texture | gpu::Access::Transfer);  // ImGui samples it
}

}  // namespace fathom::viewer
