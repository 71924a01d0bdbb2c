// SPDX-License-Identifier: BSD-3-Clause
// A color and a depth per pixel become lists of one fragment; bad values are repaired and counted.
#include "app/engine/deep/files/flat_input.h"

#include "app/engine/core/error.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/exr/flat_exr.h"

#include <half.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace fathom::deep {
namespace {

glm::vec4 repaired(glm::vec4 color, DeepRepairs& repairs) {
  for (int c = 0; c < 4; ++c)
    if (!std::isfinite(color[c])) color[c] = 0, ++repairs.nanColor;
  if (color.a < 0 || color.a > 1) color.a = std::clamp(color.a, 0.0f, 1.0f), ++repairs.alphaOutside;
  return color;
}

float repaired(float z, DeepRepairs& repairs) {
  if (!std::isnan(z)) return z;
  ++repairs.nanDepth;
  return INFINITY;
}

bool isHalf(const glm::vec4& color) {
  for (int c = 0; c < 4; ++c)
    if (float(half(color[c])) != color[c]) return false;
  return true;
}

std::uint32_t packedHalves(float low, float high) {
  return half(low).bits() | std::uint32_t(half(high).bits()) << 16;
}

template <class T>
std::vector<std::byte> planeOf(const std::vector<T>& values) {
  std::vector<std::byte> plane(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(plane.data(), values.data(), plane.size());
  return plane;
}

}  // namespace

std::optional<Picture> readFlatWithDepth(const std::filesystem::path& file,
                                         const std::string& part) {
  if (!looksLikeExr(file) || looksLikeDeepExr(file)) return std::nullopt;
  std::optional<Picture> picture = loadFlatExr(file, part);
  if (!picture || picture->depth.empty()) return std::nullopt;
  return picture;
}

DeepImage deepened(const Picture& picture, float thickness) {
  FATHOM_CHECK_OP(picture.depth.size(), ==, picture.image.pixels.size());
  DeepImage image;
  image.dataWindow = picture.dataWindow;
  image.displayWindow = picture.displayWindow;
  image.pixelAspect = picture.pixelAspect;
  image.hasZBack = thickness > 0;

  std::vector<glm::vec4> colors;
  std::vector<float> depths, backs;
  for (std::size_t p = 0; p < picture.image.pixels.size(); ++p) {
    const glm::vec4 color = repaired(picture.image.pixels[p], image.repairs);
    if (color != glm::vec4(0)) {
      const float z = repaired(picture.depth[p], image.repairs);
      colors.push_back(color), depths.push_back(z), backs.push_back(z + std::max(thickness, 0.0f));
    }
    image.fragmentOffsets.push_back(colors.size());
  }

  const bool fits = std::all_of(colors.begin(), colors.end(), isHalf);
  image.format = fits ? FragmentFormat::Half : FragmentFormat::Indexed;
  for (std::size_t i = 0; i < colors.size(); ++i) {
    const glm::vec4& c = colors[i];
    const auto z = std::bit_cast<std::uint32_t>(depths[i]);
    const auto zBack = std::bit_cast<std::uint32_t>(backs[i]);
    image.words.insert(image.words.end(), {fits ? packedHalves(c.r, c.g) : std::uint32_t(i),
                                           fits ? packedHalves(c.b, c.a) : 0, z, zBack});
  }
  constexpr int components[] = {3, 2, 1, 0};
  constexpr const char* names[] = {"A", "B", "G", "R"};
  for (int c = 0; c < 4; ++c) {
    DeepChannel& channel = image.channels.emplace_back();
    channel.name = names[c], channel.type = fits ? ChannelType::Half : ChannelType::Float;
    if (fits) continue;
    std::vector<float> values;
    for (const glm::vec4& color : colors) values.push_back(color[components[c]]);
    channel.values = planeOf(values);
  }
  const auto addDepth = [&](const char* name, const std::vector<float>& values) {
    image.channels.push_back(
        {name, ChannelType::Float, fits ? std::vector<std::byte>{} : planeOf(values)});
  };
  addDepth("Z", depths);
  if (image.hasZBack) addDepth("ZBack", backs);
  return image;
}

}  // namespace fathom::deep
