// SPDX-License-Identifier: BSD-3-Clause
// Colors as flam3 mixes them, the palettes of its library, and palette files of other programs.
#include "app/engine/flame/genome/palettes.h"

#include "app/engine/core/text.h"
#include "app/engine/flame/genome/text.h"
#include "app/engine/gpu/shader_loader.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/exr/deep_exr.h"

#include <pugixml.hpp>

namespace fathom::flame {
namespace {

constexpr std::uint64_t kMaxLibraryBytes = 64u << 20;

}  // namespace

std::vector<NamedPalette> readPalettes(const fs::path& file) {
  const std::string text = readFile(file, kMaxLibraryBytes);
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_buffer(text.data(), text.size());
  const Place place(file.string());
  if (!parsed) place.fail("a palette library in XML", parsed.description());
  std::vector<NamedPalette> library;
  for (const pugi::xml_node& child : document.document_element().children("palette")) {
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
  if (library.empty()) place.fail("<palette number name data> elements", "none");
  std::ranges::stable_sort(library, {}, &NamedPalette::number);
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
  const auto at = std::ranges::lower_bound(library, number, {}, &NamedPalette::number);
  return at != library.end() && at->number == number ? &*at : nullptr;
}

// ---- Colors

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
  const glm::dvec3 sectors[] = {{value, rising, low}, {falling, value, low},
                                {low, value, rising}, {low, falling, value},
                                {rising, low, value}, {value, low, falling}};
  return sectors[sector];
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
  const auto skipSpace = [&](std::size_t& place) {
    place = std::min(text.find_first_not_of(" \t\n\v\f\r", place), text.size());
  };
  const auto digitAt = [&](std::size_t place) {
    return place < text.size() ? numberIn<int>(text.substr(place, 1), 16) : std::nullopt;
  };
  for (int i = 0; i < count; ++i) {
    skipSpace(at);
    std::array<int, 4> bytes{0, 0, 0, 255};
    std::size_t next = at;
    for (int c = 0; c < digits / 2; ++c, ++next) {
      skipSpace(next);  // flam3 writes a blank where a component's first digit is 0
      const std::optional<int> digit = digitAt(next);
      if (!digit)
        return fmt::format("expected {} colors of {} hex digits, found {} and then {}", count,
                           digits, i, at < text.size() ? quote(text.substr(at, 8)) : "the end");
      auto& byte = bytes[std::size_t(digits == 8 && !alphaLast ? (c + 3) % 4 : c)];
      byte = *digit;
      if (const auto second = digitAt(next + 1)) byte = byte * 16 + *second, ++next;
    }
    const float alpha = digits == 8 && alphaLast ? float(bytes[3]) / 255.0f : 1.0f;
    palette[std::size_t(i)] = glm::vec4(float(bytes[0]) / 255.0f, float(bytes[1]) / 255.0f,
                                        float(bytes[2]) / 255.0f, alpha);
    at = std::min(at + std::size_t(digits), text.size());  // as flam3: wherever its scanf got to
  }
  skipSpace(at);
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

// ---- Files of other programs

namespace {

constexpr std::uint64_t kMaxPaletteFileBytes = 16u << 20;
constexpr std::size_t kMaxColors = 65536, kMaxSegments = 4096, kMaxPalettes = 10000;

std::vector<std::string> linesOf(std::string_view text) {
  std::vector<std::string> lines = splitAt(text, '\n');
  for (std::string& line : lines)
    if (line.ends_with('\r')) line.pop_back();
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

/// Of "Name: NAME"; it may be empty.
std::string nameIn(const std::string& line) {
  return line.substr(std::min(line.find_first_not_of(' ', 5), line.size()));
}

/// Lines of red, green and blue; what is no color is passed over (headers, remarks).
NamedPalette colorList(const std::vector<std::string>& lines, const Place& place) {
  std::vector<glm::vec4> colors;
  NamedPalette palette;
  for (const std::string& line : lines) {
    if (line.rfind("Name:", 0) == 0) palette.name = nameIn(line);
    if (const auto color = byteColor(line)) colors.push_back(*color);
    if (colors.size() > kMaxColors)
      place.fail(fmt::format("at most {} colors", kMaxColors), "more");
  }
  if (colors.empty()) place.fail("lines of red, green and blue in 0..255", "none");
  palette.colors = resampled(colors);
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
    if (line.rfind("Name:", 0) == 0) palette.name = nameIn(line);
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
                        v.size() > 11 ? int(std::clamp(v[11], 0.0, 9.0)) : 0});
    if (!(-1 <= v[0] && v[0] <= v[1] && v[1] <= v[2] && v[2] <= 2))
      place.fail("segments whose middle lies between their ends", quote(line.substr(0, 40)));
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
      palette.colors = ofStops(stops), palette.number = int(list.size()) + 1;
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

bool isPaletteFile(const std::string& input) {
  const fs::path file = splitPart(input).first;
  if (endingOf(file) == ".xml") return startOf(file, 4096).find("<palettes") != std::string::npos;
  return std::set<std::string>{".map", ".gpl", ".ggr", ".ugr", ".gradient"}.contains(
      endingOf(file));
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

Palette readPalette(const std::string& input) {
  const auto [file, part] = splitPart(input);
  const std::vector<NamedPalette> list =
      endingOf(file) == ".xml" ? readPalettes(file)
                               : parsePaletteFile(readFile(file, kMaxPaletteFileBytes), file);
  const auto chosen = std::ranges::find_if(list, [&part = part](const NamedPalette& palette) {
    return part.empty() || palette.name == part || std::to_string(palette.number) == part;
  });
  if (chosen == list.end())
    fail("{}: expected a palette from {} to {} or its name, found \"{}\"", file,
         list.front().number, list.back().number, part);
  return chosen->colors;
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
