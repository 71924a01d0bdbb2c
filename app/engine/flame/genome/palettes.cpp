// SPDX-License-Identifier: BSD-3-Clause
// Reading libraries of palettes, color spaces, and hue rotation as flam3 does it.
#include "app/engine/flame/genome/palettes.h"

#include "app/engine/gpu/shader_loader.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/flame/genome/text.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <glm/common.hpp>

#include <pugixml.hpp>

namespace fathom::flame {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMaxLibraryBytes = 64u << 20;

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool isSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

void appendPalettes(const pugi::xml_node& node, const Place& place,
                    std::vector<NamedPalette>& library) {
  for (const pugi::xml_node& child : node.children("palette")) {
    NamedPalette palette;
    palette.name = child.attribute("name").value();
    const std::optional<int> number = integerOf(child.attribute("number").value());
    if (!child.attribute("number") || !number)
      place.in("palette " + palette.name)
          .fail("a number", quote(child.attribute("number").value()));
    palette.number = *number;
    const std::string wrong =
        readHexColors(child.attribute("data").value(), 256, 8, false, palette.colors);
    if (!wrong.empty()) throw Error(place.in(fmt::format("palette {}", *number)).line(wrong));
    library.push_back(std::move(palette));
  }
}

}  // namespace

std::vector<NamedPalette> readPalettes(const fs::path& file) {
  const std::string text = readFile(file, kMaxLibraryBytes);
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_buffer(text.data(), text.size());
  const Place place(file.string());
  if (!parsed) place.fail("a palette library in XML", parsed.description());
  std::vector<NamedPalette> library;
  appendPalettes(document.document_element(), place, library);
  if (library.empty()) place.fail("<palette number name data> elements", "none");
  std::stable_sort(
      library.begin(), library.end(),
      [](const NamedPalette& a, const NamedPalette& b) { return a.number < b.number; });
  return library;
}

const std::vector<NamedPalette>& ownPalettes() {
  static const std::vector<NamedPalette> library =
      readPalettes(gpu::shaderRoot() / "assets" / "flame" / "palettes.xml");
  return library;
}

const std::vector<NamedPalette>& flam3Palettes() {
  static const std::vector<NamedPalette> library = [] {
    const char* chosen = std::getenv("flam3_palettes");
    if (chosen && *chosen) return readPalettes(chosen);
    const fs::path usual = "/usr/share/flam3/flam3-palettes.xml";
    std::error_code ignored;
    return fs::is_regular_file(usual, ignored) ? readPalettes(usual) : std::vector<NamedPalette>();
  }();
  return library;
}

const NamedPalette* paletteNumbered(const std::vector<NamedPalette>& library, int number) {
  const auto at = std::lower_bound(
      library.begin(), library.end(), number,
      [](const NamedPalette& palette, int wanted) { return palette.number < wanted; });
  return at != library.end() && at->number == number ? &*at : nullptr;
}

// Colors
// -------------------------------------------------------------------------------------------------

glm::dvec3 hsvFromRgb(glm::dvec3 rgb) {
  const double largest = std::max({rgb.r, rgb.g, rgb.b}),
               smallest = std::min({rgb.r, rgb.g, rgb.b});
  const double range = largest - smallest;
  const double saturation = largest > 0 ? range / largest : 0;
  if (!(range > 0) || saturation == 0) return {0, 0, largest};
  double hue = 0;
  if (rgb.r == largest)
    hue = (rgb.g - rgb.b) / range;
  else if (rgb.g == largest)
    hue = 2 + (rgb.b - rgb.r) / range;
  else
    hue = 4 + (rgb.r - rgb.g) / range;
  return {hue < 0 ? hue + 6 : hue, saturation, largest};
}

glm::dvec3 rgbFromHsv(glm::dvec3 hsv) {
  const double hue = hsv.x - 6 * std::floor(hsv.x / 6), value = hsv.z;
  const int sector = std::min(int(hue), 5);
  const double along = hue - sector;
  const double low = value * (1 - hsv.y), falling = value * (1 - hsv.y * along),
               rising = value * (1 - hsv.y * (1 - along));
  switch (sector) {
    case 0:
      return {value, rising, low};
    case 1:
      return {falling, value, low};
    case 2:
      return {low, value, rising};
    case 3:
      return {low, falling, value};
    case 4:
      return {rising, low, value};
    default:
      return {value, low, falling};
  }
}

Palette rotatedHue(const Palette& palette, double turns) {
  if (turns == 0) return palette;
  Palette turned = palette;
  for (glm::vec4& color : turned) {
    glm::dvec3 hsv = hsvFromRgb(glm::dvec3(color));
    hsv.x += 6 * turns;
    color = glm::vec4(glm::vec3(rgbFromHsv(hsv)), color.a);
  }
  return turned;
}

Palette blended(const Palette& first, const Palette& second, double share) {
  Palette mixed{};
  for (std::size_t i = 0; i < mixed.size(); ++i) {
    glm::dvec3 a = hsvFromRgb(glm::dvec3(first[i]));
    const glm::dvec3 b = hsvFromRgb(glm::dvec3(second[i]));
    if (b.x - a.x > 3) a.x += 6;
    if (b.x - a.x < -3) a.x -= 6;
    mixed[i] = glm::vec4(glm::vec3(rgbFromHsv(a * (1 - share) + b * share)), 1);
  }
  return mixed;
}

void fillGaps(Palette& palette, const std::array<bool, 256>& set) {
  constexpr int count = 256;
  const auto nearest = [&](int from, int step) {
    int distance = 1;
    while (!set[std::size_t((from + step * distance + count * count) % count)]) ++distance;
    return distance;
  };
  const Palette given = palette;
  for (int i = 0; i < count; ++i) {
    if (set[std::size_t(i)]) continue;
    const int below = nearest(i, -1), above = nearest(i, 1);
    const float share = float(below) / float(below + above);
    palette[std::size_t(i)] = given[std::size_t((i - below + count) % count)] * (1 - share) +
                              given[std::size_t((i + above) % count)] * share;
  }
}

std::string readHexColors(std::string_view text, int count, int digits, bool alphaLast,
                          std::span<glm::vec4> palette) {
  std::size_t at = 0;
  const auto skipSpace = [&] {
    while (at < text.size() && isSpace(text[at])) ++at;
  };
  for (int i = 0; i < count; ++i) {
    skipSpace();
    std::array<int, 4> bytes{0, 0, 0, 255};
    for (int d = 0; d < digits; ++d, ++at) {
      const int digit = at < text.size() ? hexDigit(text[at]) : -1;
      if (digit < 0)
        return fmt::format("expected {} colors of {} hex digits, found {} and then {}", count,
                           digits, i, at < text.size() ? quote(text.substr(at, 8)) : "the end");
      auto& byte = bytes[std::size_t(digits == 8 && !alphaLast ? (d / 2 + 3) % 4 : d / 2)];
      byte = d % 2 == 0 ? digit : byte * 16 + digit;
    }
    const float alpha = digits == 8 && alphaLast ? float(bytes[3]) / 255.0f : 1.0f;
    palette[std::size_t(i)] = glm::vec4(float(bytes[0]) / 255.0f, float(bytes[1]) / 255.0f,
                                        float(bytes[2]) / 255.0f, alpha);
  }
  skipSpace();
  if (at < text.size())
    return fmt::format("expected {} colors, found more: {}", count, quote(text.substr(at, 8)));
  return {};
}

Palette resampled(std::span<const glm::vec4> colors) {
  Palette palette{};
  for (std::size_t i = 0; i < palette.size(); ++i) {
    const double at = double(i) * double(colors.size() - 1) / double(palette.size() - 1);
    const auto low = std::min(std::size_t(at), colors.size() - 1);
    const auto high = std::min(low + 1, colors.size() - 1);
    palette[i] = glm::mix(colors[low], colors[high], float(at - double(low)));
  }
  return palette;
}

}  // namespace fathom::flame
