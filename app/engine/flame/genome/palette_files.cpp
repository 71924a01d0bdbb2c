// SPDX-License-Identifier: BSD-3-Clause
// Lists of colors are resampled to 256; gradients are evaluated there.
#include "app/engine/flame/genome/palette_files.h"

#include "app/engine/io/atomic_file.h"
#include "app/engine/flame/genome/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <numbers>
#include <sstream>

#include <glm/common.hpp>

namespace fathom::flame {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxPaletteFileBytes = 16u << 20;
constexpr std::size_t kMaxColors = 65536, kMaxSegments = 4096, kMaxPalettes = 10000;

std::string endingOf(const fs::path& file) {
  std::string ending = file.extension().string();
  for (char& c : ending) c = char(std::tolower(static_cast<unsigned char>(c)));
  return ending;
}

std::vector<std::string> linesOf(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(std::move(line));
  }
  return lines;
}

/// The three numbers that a line begins with; none: it is no color.
std::optional<glm::vec4> byteColor(const std::string& line) {
  const std::vector<std::string> words = wordsOf(line);
  if (words.size() < 3) return std::nullopt;
  glm::vec4 color(1);
  for (int c = 0; c < 3; ++c) {
    const std::optional<int> value = integerOf(words[std::size_t(c)]);
    if (!value || *value < 0 || *value > 255) return std::nullopt;
    color[c] = float(*value) / 255.0f;
  }
  return color;
}

/// Lines of red, green and blue; what is no color is passed over (headers, remarks).
NamedPalette colorList(const std::vector<std::string>& lines, const Place& place) {
  std::vector<glm::vec4> colors;
  NamedPalette palette;
  for (const std::string& line : lines) {
    if (line.rfind("Name:", 0) == 0) palette.name = line.substr(line.find_first_not_of(' ', 5));
    if (const auto color = byteColor(line)) colors.push_back(*color);
    if (colors.size() > kMaxColors)
      place.fail(fmt::format("at most {} colors", kMaxColors), "more");
  }
  if (colors.empty()) place.fail("lines of red, green and blue in 0..255", "none");
  palette.colors = colors.size() == 256 ? Palette{} : resampled(colors);
  if (colors.size() == 256) std::copy(colors.begin(), colors.end(), palette.colors.begin());
  return palette;
}

/// A segment of a GIMP gradient: where it begins, has its middle and ends; colors; how it blends.
struct Segment {
  double left, middle, right;
  glm::dvec4 first, last;
  int blending;
};

double blended(const Segment& s, double at) {
  const double width = std::max(s.right - s.left, 1e-12), middle = (s.middle - s.left) / width;
  const double t = (at - s.left) / width;
  const double linear = t <= middle ? (middle > 0 ? 0.5 * t / middle : 0)
                                    : 0.5 + (middle < 1 ? 0.5 * (t - middle) / (1 - middle) : 0.5);
  switch (s.blending) {
    case 1:
      return std::pow(t, std::log(0.5) / std::log(std::clamp(middle, 1e-6, 1 - 1e-6)));
    case 2:
      return 0.5 * (std::sin(std::numbers::pi * (linear - 0.5)) + 1);
    case 3:
      return std::sqrt(1 - (linear - 1) * (linear - 1));
    case 4:
      return 1 - std::sqrt(1 - linear * linear);
    default:
      return linear;
  }
}

NamedPalette gimpGradient(const std::vector<std::string>& lines, const Place& place) {
  NamedPalette palette;
  std::vector<Segment> segments;
  for (const std::string& line : lines) {
    if (line.rfind("Name:", 0) == 0) palette.name = line.substr(line.find_first_not_of(' ', 5));
    const std::vector<std::string> words = wordsOf(line);
    if (words.size() < 11) continue;
    std::vector<double> v;
    for (const std::string& word : words)
      if (const auto number = realOf(word); number && std::isfinite(*number)) v.push_back(*number);
    if (v.size() < 11) continue;
    segments.push_back({v[0],
                        v[1],
                        v[2],
                        {v[3], v[4], v[5], v[6]},
                        {v[7], v[8], v[9], v[10]},
                        v.size() > 11 ? int(v[11]) : 0});
    if (segments.size() > kMaxSegments)
      place.fail(fmt::format("at most {} segments", kMaxSegments), "more");
  }
  if (segments.empty()) place.fail("the segments of a GIMP gradient", "none");
  for (std::size_t i = 0; i < palette.colors.size(); ++i) {
    const double at = double(i) / 255;
    const auto segment = std::find_if(segments.begin(), segments.end() - 1,
                                      [&](const Segment& s) { return at <= s.right; });
    const double share =
        std::clamp(blended(*segment, std::clamp(at, segment->left, segment->right)), 0.0, 1.0);
    palette.colors[i] =
        glm::vec4(glm::clamp(glm::mix(segment->first, segment->last, share), 0.0, 1.0));
    palette.colors[i].a = 1;
  }
  return palette;
}

/// UltraFractal: indices of a circle of 400, colors as red + 256 green + 65536 blue.
Palette ofStops(const std::map<int, int>& stops) {
  constexpr int kCircle = 400;
  const auto colorOf = [](int packed) {
    return glm::vec4(float(packed & 255), float(packed >> 8 & 255), float(packed >> 16 & 255),
                     255) /
           255.0f;
  };
  Palette palette{};
  for (std::size_t i = 0; i < palette.size(); ++i) {
    const double at = double(i) * kCircle / 256;
    auto after = stops.lower_bound(int(std::ceil(at)));
    auto before = after == stops.begin() ? std::prev(stops.end()) : std::prev(after);
    if (after != stops.end() && after->first == at) before = after;
    if (after == stops.end()) after = stops.begin();
    const double start = before->first > at ? before->first - kCircle : before->first;
    const double end = after->first < at ? after->first + kCircle : after->first;
    const double share = end > start ? (at - start) / (end - start) : 0;
    palette[i] = glm::mix(colorOf(before->second), colorOf(after->second), float(share));
  }
  return palette;
}

/// Blocks `name { gradient: title="..." index=N color=N ... }`; what belongs to opacity is left.
std::vector<NamedPalette> ultraFractal(const std::string& text, const Place& place) {
  std::vector<NamedPalette> list;
  for (std::size_t open = text.find('{'); open != std::string::npos;) {
    const std::size_t close = std::min(text.find('}', open), text.size());
    std::string block = text.substr(open + 1, close - open - 1);
    block.resize(std::min(block.find("opacity:"), block.size()));
    std::size_t nameEnd = open;
    while (nameEnd > 0 && std::isspace(static_cast<unsigned char>(text[nameEnd - 1]))) --nameEnd;
    std::size_t nameStart = nameEnd;
    while (nameStart > 0 && text[nameStart - 1] != '\n' && text[nameStart - 1] != '}') --nameStart;
    NamedPalette palette;
    palette.name = text.substr(nameStart, nameEnd - nameStart);
    std::map<int, int> stops;
    int index = 0;
    for (const std::string& word : wordsOf(block)) {
      if (word.rfind("title=\"", 0) == 0 && word.size() > 8)
        palette.name = word.substr(7, word.find('"', 7) - 7);
      if (word.rfind("index=", 0) == 0)
        index = ((integerOf(word.substr(6)).value_or(0) % 400) + 400) % 400;
      if (word.rfind("color=", 0) == 0) stops[index] = integerOf(word.substr(6)).value_or(0);
    }
    if (!stops.empty()) {
      palette.colors = ofStops(stops);
      list.push_back(std::move(palette));
    }
    if (list.size() > kMaxPalettes)
      place.fail(fmt::format("at most {} gradients", kMaxPalettes), "more");
    open = close < text.size() ? text.find('{', close) : std::string::npos;
  }
  if (list.empty()) place.fail("gradients with index=N color=N", "none");
  return list;
}

}  // namespace

bool isPaletteFile(const fs::path& file) {
  constexpr std::string_view endings[] = {".map", ".gpl", ".ggr", ".ugr", ".gradient"};
  return std::find(std::begin(endings), std::end(endings), endingOf(file)) != std::end(endings);
}

std::vector<NamedPalette> parsePaletteFile(std::string_view text, const fs::path& name) {
  const Place place(name.string());
  const std::string ending = endingOf(name);
  std::vector<NamedPalette> list;
  if (ending == ".ugr" || ending == ".gradient")
    list = ultraFractal(std::string(text), place);
  else if (ending == ".ggr")
    list = {gimpGradient(linesOf(text), place)};
  else if (ending == ".map" || ending == ".gpl")
    list = {colorList(linesOf(text), place)};
  else
    place.fail("a palette: .map, .gpl, .ggr, .ugr or .gradient", quote(ending));
  for (NamedPalette& palette : list)
    if (palette.name.empty()) palette.name = name.stem().string();
  return list;
}

std::vector<NamedPalette> readPaletteFile(const fs::path& file) {
  return parsePaletteFile(readFile(file, kMaxPaletteFileBytes), file);
}

void writePaletteFile(const fs::path& file, const Palette& palette) {
  const std::string ending = endingOf(file);
  const bool gimp = ending == ".gpl";
  if (!gimp && ending != ".map")
    Place(file.string()).fail("a name that ends in .map or .gpl", quote(ending));
  std::string text;
  if (gimp) text = fmt::format("GIMP Palette\nName: {}\nColumns: 16\n#\n", file.stem().string());
  for (const glm::vec4& color : palette) {
    const auto byte = [&](int c) {
      return int(std::lround(std::clamp(color[c], 0.0f, 1.0f) * 255));
    };
    text += fmt::format("{:3} {:3} {:3}\n", byte(0), byte(1), byte(2));
  }
  writeFile(file, text);
}

}  // namespace fathom::flame
