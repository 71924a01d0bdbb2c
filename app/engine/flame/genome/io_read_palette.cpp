// SPDX-License-Identifier: BSD-3-Clause
// The forms of a palette: <color>, <colors>, <palette> with hex text, <palette> as a blend of two
// numbered ones, and the number in <flame>, which overrides the others.
#include "app/engine/flame/genome/io_parts.h"
#include "app/engine/flame/genome/palettes.h"

#include <algorithm>
#include <cstring>

namespace fathom::flame::reading {
namespace {

Palette white() {
  Palette palette{};
  palette.fill(glm::vec4(1));
  return palette;
}

/// A palette of flam3's library with its hue turned. A number that it does not have is white, as in
/// flam3; without the library, one of Fathom's own stands in.
Palette numbered(int number, double hue, const Place& place, Warnings& warnings) {
  if (flam3Palettes().empty()) {
    const auto& own = ownPalettes();
    const auto index = std::size_t(std::max(number, 0)) % own.size();
    warnings.add(place, fmt::format("palette {} needs flam3's palettes (package flam3-palette), "
                                    "which are not installed; {} is used",
                                    number, own[index].name));
    return rotatedHue(own[index].colors, hue);
  }
  const NamedPalette* found = paletteNumbered(flam3Palettes(), number);
  if (found) return rotatedHue(found->colors, hue);
  warnings.add(place,
               fmt::format("expected a palette from {} to {}, found {}; white is used",
                           flam3Palettes().front().number, flam3Palettes().back().number, number));
  return white();
}

constexpr int kMaxColors = 65536;

/// The hex forms hold at least one color; more than 256 are resampled.
int countOf(const pugi::xml_node& node, const Place& place) {
  const std::optional<int> count = integerOf(node.attribute("count").value());
  if (!count || *count < 1 || *count > kMaxColors)
    place.fail(fmt::format("a count from 1 to {} in <{}>", kMaxColors, node.name()),
               node.attribute("count") ? quote(node.attribute("count").value()) : "none");
  return *count;
}

void readHex(const pugi::xml_node& node, const Place& place, std::string_view text, int count,
             int digits, bool alphaLast, Palette& colors) {
  std::vector<glm::vec4> list(static_cast<std::size_t>(count));
  const std::string wrong = readHexColors(text, count, digits, alphaLast, list);
  if (wrong.empty() && list.size() > colors.size())
    colors = resampled(list);
  else
    std::copy(list.begin(), list.begin() + std::min(count, 256), colors.begin());
  if (!wrong.empty()) throw Error(place.line(fmt::format("<{}>: {}", node.name(), wrong)));
}

}  // namespace

void PaletteReader::setFirst(int count) {
  std::fill_n(set.begin(), std::min<std::size_t>(std::size_t(count), set.size()), true);
  any = true;
}

void PaletteReader::color(const pugi::xml_node& node, const Place& flame) {
  const Place place = flame.in("color");
  needAttributes(node, place);
  Warnings none;
  int index = -1;
  glm::dvec3 rgb(0);
  double alpha = 255;
  for (const pugi::xml_attribute& attribute : node.attributes()) {
    const std::string_view name = attribute.name();
    const AttributeReader reader(place, none, name, attribute.value());
    alpha = 255;  // the alpha of an attribute counts when no other one follows
    if (name == "index") {
      index = reader.wholeNumber();
    } else if (name == "rgb" || name == "rgba") {
      const std::vector<double> v = reader.numbers(name == "rgb" ? 3 : 4);
      rgb = {v[0], v[1], v[2]};
      if (name == "rgba") alpha = v[3];
    } else if (name == "a") {
      alpha = reader.number();
    } else {
      place.fail("index, rgb, rgba or a", quote(name));
    }
  }
  if (index < 0 || index > 255)
    place.fail("an index from 0 to 255",
               node.attribute("index") ? quote(node.attribute("index").value()) : "none");
  colors[std::size_t(index)] = glm::vec4(rgb / 255.0 * (alpha / 255), alpha / 255);
  set[std::size_t(index)] = any = true;
}

void PaletteReader::hexAttribute(const pugi::xml_node& node, const Place& place) {
  needAttributes(node, place);
  for (const pugi::xml_attribute& attribute : node.attributes())
    if (std::strcmp(attribute.name(), "count") != 0 && std::strcmp(attribute.name(), "data") != 0)
      place.fail("count and data in <colors>", quote(attribute.name()));
  const int count = countOf(node, place);
  readHex(node, place, node.attribute("data").value(), count, 8, false, colors);
  setFirst(count);
}

void PaletteReader::element(const pugi::xml_node& node, const Place& place, Warnings& warnings) {
  needAttributes(node, place);
  bool old = false, hex = false;
  for (const pugi::xml_attribute& attribute : node.attributes()) {
    const std::string_view name = attribute.name();
    const bool isOld =
        name == "index0" || name == "index1" || name == "hue0" || name == "hue1" || name == "blend";
    const bool isHex = name == "count" || name == "format";
    if (!isOld && !isHex)
      place.fail("count and format, or index0 hue0 index1 hue1 blend in <palette>", quote(name));
    old = old || isOld, hex = hex || isHex;
  }
  if (old && hex) place.fail("one form of <palette>", "attributes of the old and the new one");
  if (old) return blend(node, place, warnings);

  const int count = countOf(node, place);
  const std::string format = node.attribute("format").value();
  if (format != "RGB" && format != "RGBA")
    place.fail("the format RGB or RGBA in <palette>", quote(format));
  const bool alpha = format == "RGBA";
  readHex(node, place, node.text().get(), count, alpha ? 8 : 6, alpha, colors);
  setFirst(count);
}

void PaletteReader::blend(const pugi::xml_node& node, const Place& place, Warnings& warnings) {
  const auto number = [&](const char* name) {
    return AttributeReader(place, warnings, name, node.attribute(name).value()).wholeNumber();
  };
  const auto real = [&](const char* name, double fallback) {
    const pugi::xml_attribute attribute = node.attribute(name);
    return attribute ? AttributeReader(place, warnings, name, attribute.value()).number()
                     : fallback;
  };
  const Palette first = numbered(number("index0"), real("hue0", 0), place, warnings);
  const Palette second = numbered(number("index1"), real("hue1", 0), place, warnings);
  colors = blended(first, second, real("blend", 0.5));
  setFirst(256);
}

void PaletteReader::finish(Genome& genome, const Place& place, Warnings& warnings) {
  if (genome.paletteNumber != -1) {
    genome.palette = numbered(genome.paletteNumber, genome.hue, place, warnings);
  } else if (any) {
    fillGaps(colors, set);
    genome.palette = colors;
  } else {
    warnings.add(place, "expected colors or a palette number, found none; the picture is black");
  }
}

}  // namespace fathom::flame::reading
