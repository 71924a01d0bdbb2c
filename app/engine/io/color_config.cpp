// SPDX-License-Identifier: BSD-3-Clause
// Configurations through OpenColorIO, whose shaders get our own texture lookups.
#include "app/engine/io/color_config.h"

#include "app/engine/core/error.h"

#include <OpenColorIO/OpenColorIO.h>
#include <regex>

namespace fathom {
namespace {

namespace ocio = OCIO_NAMESPACE;

/// Runs a call of the library; its exceptions become ours.
template <class Call>
auto guarded(const std::string& name, Call&& call) {
  try {
    return call();
  } catch (const ocio::Exception& e) {
    std::string line = e.what();
    for (char& c : line)
      if (c == '\n') c = ' ';
    fail("{}: expected a color transform, found: {}", name, line);
  }
}

std::string sceneLinear(const ocio::ConstConfigRcPtr& config) {
  for (const char* name : {"Linear Rec.709 (sRGB)", "lin_rec709", "lin_rec709_srgb", "lin_srgb",
                           "Utility - Linear - sRGB", "Utility - Linear - Rec.709"})
    if (config->getColorSpace(name)) return config->getColorSpace(name)->getName();
  return ocio::ROLE_SCENE_LINEAR;
}

void applied(const ocio::ConstProcessorRcPtr& processor, Image& image) {
  if (image.pixels.empty()) return;
  ocio::PackedImageDesc pixels(&image.pixels[0].x, image.width, image.height, 4);
  processor->getDefaultCPUProcessor()->apply(pixels);
}

/// Takes the declaration of a sampler out and sends its texture() calls to fetch_NAME().
void redirect(std::string& text, const std::string& sampler) {
  text =
      std::regex_replace(text, std::regex("uniform\\s+sampler[123]D\\s+" + sampler + "\\s*;"), "");
  text = std::regex_replace(text, std::regex("texture[123]?D?\\s*\\(\\s*" + sampler + "\\s*,"),
                            "fetch_" + sampler + "(");
}

/// One row or several of values, the texel centers as OpenColorIO computes them.
std::string flatFetch(const std::string& sampler, unsigned binding, bool oneRow, bool nearest) {
  const std::string read = nearest
                               ? fmt::format(
                                     "texelFetch({0}, clamp(ivec2(at * vec2(textureSize({0}, 0))), "
                                     "ivec2(0), textureSize({0}, 0) - 1), 0)",
                                     sampler)
                               : fmt::format("textureLod({}, at, 0.0)", sampler);
  return fmt::format(R"(layout(binding = {1}) uniform sampler2D {0};
vec4 fetch_{0}({2} return {3}; }}
)",
                     sampler, binding, oneRow ? "float x) { vec2 at = vec2(x, 0.5);" : "vec2 at) {",
                     read);
}

/// A cube of `edge` texels on a side, its blue slices side by side; linear between all eight.
std::string cubeFetch(const std::string& sampler, unsigned binding, unsigned edge, bool nearest) {
  return fmt::format(R"(layout(binding = {1}) uniform sampler2D {0};
vec4 texel_{0}(ivec3 i) {{
  i = clamp(i, ivec3(0), ivec3({2}));
  return texelFetch({0}, ivec2(i.z * {3} + i.x, i.y), 0);
}}
vec4 fetch_{0}(vec3 at) {{
  vec3 p = at * {3}.0 - 0.5;
  if ({4}) return texel_{0}(ivec3(floor(p + 0.5)));
  ivec3 i = ivec3(floor(p));
  vec3 f = p - vec3(i);
  vec4 low = mix(mix(texel_{0}(i), texel_{0}(i + ivec3(1, 0, 0)), f.x),
                 mix(texel_{0}(i + ivec3(0, 1, 0)), texel_{0}(i + ivec3(1, 1, 0)), f.x), f.y);
  vec4 high = mix(mix(texel_{0}(i + ivec3(0, 0, 1)), texel_{0}(i + ivec3(1, 0, 1)), f.x),
                  mix(texel_{0}(i + ivec3(0, 1, 1)), texel_{0}(i + ivec3(1, 1, 1)), f.x), f.y);
  return mix(low, high, f.z);
}}
)",
                     sampler, binding, edge - 1, edge, nearest ? "true" : "false");
}

}  // namespace

struct ColorConfig::State {
  ocio::ConstConfigRcPtr config;

  ocio::ConstProcessorRcPtr processor(std::string display, std::string view,
                                      const std::string& look) const {
    if (display.empty()) display = config->getDefaultDisplay();
    if (view.empty()) view = config->getDefaultView(display.c_str());
    const auto transform = ocio::DisplayViewTransform::Create();
    transform->setSrc(sceneLinear(config).c_str());
    transform->setDisplay(display.c_str());
    transform->setView(view.c_str());
    const auto group = ocio::GroupTransform::Create();
    if (!look.empty()) {
      const auto looks = ocio::LookTransform::Create();
      looks->setSrc(sceneLinear(config).c_str());
      looks->setDst(sceneLinear(config).c_str());
      looks->setLooks(look.c_str());
      group->appendTransform(looks);
      transform->setLooksBypass(true);
    }
    group->appendTransform(transform);
    return config->getProcessor(group);
  }
};

ColorConfig::ColorConfig(const std::string& file) : state_(std::make_unique<State>()) {
  const char* const variable = std::getenv("OCIO");
  const std::string path = !file.empty() ? file : variable ? variable : "";
  if (path.empty()) fail("OpenColorIO: expected a config in $OCIO or a file, found none");
  // The library's own logging would go to standard error beside our messages.
  ocio::SetLoggingLevel(ocio::LOGGING_LEVEL_NONE);
  guarded(path, [&] {
    const auto config = ocio::Config::CreateFromFile(path.c_str());
    config->validate();
    state_->config = config;
  });
  name_ = fmt::format("OpenColorIO {}: {}", ocio::GetVersion(), fs::path(path).filename().string());
}

ColorConfig::~ColorConfig() = default;

std::vector<std::string> ColorConfig::displays() const {
  std::vector<std::string> names{state_->config->getDefaultDisplay()};
  for (int i = 0; i < state_->config->getNumDisplays(); ++i)
    if (names[0] != state_->config->getDisplay(i))
      names.emplace_back(state_->config->getDisplay(i));
  return names;
}

std::vector<std::string> ColorConfig::views(const std::string& display) const {
  const std::string of = display.empty() ? state_->config->getDefaultDisplay() : display;
  std::vector<std::string> names;
  for (int i = 0; i < state_->config->getNumViews(of.c_str()); ++i)
    names.emplace_back(state_->config->getView(of.c_str(), i));
  return names;
}

std::vector<std::string> ColorConfig::looks() const {
  std::vector<std::string> names;
  for (int i = 0; i < state_->config->getNumLooks(); ++i)
    names.emplace_back(state_->config->getLookNameByIndex(i));
  return names;
}

ColorShader ColorConfig::shader(const std::string& display, const std::string& view,
                                const std::string& look, unsigned firstBinding) const {
  return guarded(name_, [&] {
    const auto gpu = state_->processor(display, view, look)->getDefaultGPUProcessor();
    auto description = ocio::GpuShaderDesc::CreateShaderDesc();
    description->setLanguage(ocio::GPU_LANGUAGE_GLSL_4_0);
    description->setFunctionName("displayTransform");
    description->setResourcePrefix("ocio_");
    gpu->extractGpuShaderInfo(description);
    ColorShader shader;
    std::string body = description->getShaderText(), fetches;
    const char *texture = nullptr, *sampler = nullptr;
    ocio::Interpolation interpolation{};
    for (unsigned i = 0; i < description->getNum3DTextures(); ++i) {
      unsigned edge = 0;
      const float* values = nullptr;
      description->get3DTexture(i, texture, sampler, edge, interpolation);
      description->get3DTextureValues(i, values);
      Image table(int(edge * edge), int(edge));  // values: red runs fastest, then green, then blue
      for (unsigned b = 0; b < edge; ++b)
        for (unsigned g = 0; g < edge; ++g)
          for (unsigned r = 0; r < edge; ++r, values += 3)
            table.at(int(b * edge + r), int(g)) = {values[0], values[1], values[2], 1};
      fetches += cubeFetch(
          sampler, firstBinding + unsigned(shader.tables.size()), edge,
          interpolation == ocio::INTERP_NEAREST || interpolation == ocio::INTERP_TETRAHEDRAL);
      redirect(body, sampler);
      shader.tables.push_back(std::move(table));
    }
    for (unsigned i = 0; i < description->getNumTextures(); ++i) {
      unsigned width = 0, height = 0;
      ocio::GpuShaderDesc::TextureType channels{};
      const float* values = nullptr;
      description->getTexture(i, texture, sampler, width, height, channels, interpolation);
      description->getTextureValues(i, values);
      const bool gray = channels == ocio::GpuShaderDesc::TEXTURE_RED_CHANNEL;
      Image table{int(width), int(height)};
      for (glm::vec4& texel : table.pixels) {
        texel = gray ? glm::vec4(values[0], values[0], values[0], 1)
                     : glm::vec4(values[0], values[1], values[2], 1);
        values += gray ? 1 : 3;
      }
      const bool oneRow = std::regex_search(
          body, std::regex("uniform\\s+sampler1D\\s+" + std::string(sampler) + "\\s*;"));
      fetches += flatFetch(sampler, firstBinding + unsigned(shader.tables.size()), oneRow,
                           interpolation == ocio::INTERP_NEAREST);
      redirect(body, sampler);
      shader.tables.push_back(std::move(table));
    }
    shader.text = fetches + body;
    return shader;
  });
}

bool ColorConfig::knowsRec709() const {
  return sceneLinear(state_->config) != ocio::ROLE_SCENE_LINEAR;
}

void ColorConfig::apply(const std::string& display, const std::string& view,
                        const std::string& look, Image& image) const {
  guarded(name_, [&] { applied(state_->processor(display, view, look), image); });
}

void ColorConfig::toSpace(const std::string& space, Image& image) const {
  guarded(name_, [&] {
    applied(state_->config->getProcessor(sceneLinear(state_->config).c_str(), space.c_str()),
            image);
  });
}

}  // namespace fathom
