// SPDX-License-Identifier: BSD-3-Clause
// The document and its <flame> elements.
#include "app/engine/core/random.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/flame/genome/attributes.h"
#include "app/engine/flame/genome/io_parts.h"
#include "app/engine/flame/genome/operations.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

namespace fathom::flame {

namespace fs = std::filesystem;

namespace reading {

// Attributes
// ----------------------------------------------------------------------------------------------

double AttributeReader::number() const {
  const std::optional<double> value = realOf(value_);
  if (!value) place_.fail("a number in " + name_, quote(value_));
  return *value;
}

int AttributeReader::wholeNumber() const {
  if (const std::optional<int> value = integerOf(value_)) return *value;
  const std::optional<double> real = realOf(value_);
  if (!real || *real != std::trunc(*real) || std::abs(*real) > 2e9)
    place_.fail("a whole number in " + name_, quote(value_));
  return int(*real);
}

std::vector<double> AttributeReader::numbers(int count) const {
  const auto values = realsOf(value_);
  if (!values || (count >= 0 && int(values->size()) != count))
    place_.fail(count < 0 ? "numbers in " + name_ : fmt::format("{} numbers in {}", count, name_),
                quote(value_));
  return *values;
}

void AttributeReader::pixels(std::string_view name, glm::ivec2& target) {
  if (!is(name)) return;
  const std::vector<std::string> words = wordsOf(value_);
  std::vector<int> sides;
  for (const std::string& word : words)
    if (const std::optional<double> side = realOf(word); side && std::abs(*side) < 2e9)
      if (*side == std::trunc(*side)) sides.push_back(int(*side));
  if (words.size() != 2 || sides.size() != 2)
    place_.fail("width and height in size", quote(value_));
  target = {sides[0], sides[1]};
}

void needAttributes(const pugi::xml_node& node, const Place& place) {
  if (!node.first_attribute()) place.fail(fmt::format("attributes of <{}>", node.name()), "none");
}

namespace {

bool isRadialShape(const std::string& word) {
  return std::find(std::begin(kRadialShapes), std::end(kRadialShapes), word) !=
         std::end(kRadialShapes);
}

void readFlameAttribute(Genome& genome, const Place& place, Warnings& warnings,
                        const pugi::xml_attribute& attribute) {
  std::string_view name = attribute.name();
  if (name == "oversample") name = "supersample";
  if (name == "interpolation_space") name = "interpolation_type";
  if (name == "cam_persp") name = "cam_perspective";
  AttributeReader reader(place, warnings, name, attribute.value());
  if (name == "palette") {
    genome.paletteNumber = reader.wholeNumber();
  } else if (name == "hue") {
    genome.hue = std::fmod(reader.number(), 1);
  } else if (name == "highlight_power") {  // the one number that flam3 reads leniently
    genome.highlightPower = leadingReal(reader.value());
    if (!realOf(reader.value()))
      warnings.add(place, fmt::format("expected a number in highlight_power, found {}; {} is used",
                                      quote(reader.value()), genome.highlightPower));
  } else if (name == "filter_kernel" && !isRadialShape(reader.value())) {
    genome.other.emplace_back(attribute.name(), attribute.value());
  } else {
    visitFlameAttributes(genome, reader);
    if (!reader.matched) genome.other.emplace_back(attribute.name(), attribute.value());
  }
}

std::string xmlOf(const pugi::xml_node& node) {
  std::ostringstream out;
  node.print(out, "", pugi::format_raw);
  return out.str();
}

constexpr int kMaxLayers = 32;  // further ones are lost

/// The elements of a flame, in the order of the file.
class FlameReader {
 public:
  FlameReader(const Place& place, Warnings& warnings, std::uint64_t seed)
      : place_(place), warnings_(warnings), seed_(seed) {}

  Genome read(const pugi::xml_node& node) {
    needAttributes(node, place_);
    genome_.dialect = dialectOf(node);
    setDefaults(genome_);
    for (const pugi::xml_attribute& attribute : node.attributes())
      readFlameAttribute(genome_, place_, warnings_, attribute);
    readElements(node);
    palette_.finish(genome_, place_, warnings_);
    if (genome_.xforms.empty() && !genome_.layers.empty()) {
      swapLayer(genome_, genome_.layers.front());
      genome_.layers.erase(genome_.layers.begin());
    }
    finishDialect(genome_, lost_);
    genome_.lost = lost_.take();
    check(genome_, place_, warnings_);
    return std::move(genome_);
  }

 private:
  void readElements(const pugi::xml_node& node) {
    for (const pugi::xml_node& child : node.children())
      if (child.type() == pugi::node_element) element(child);
  }

  /// The first layer's xforms and palette are those of the genome.
  void layer(const pugi::xml_node& node) {
    if (++layers_ > kMaxLayers) return lost_.feature("layer");
    Layer own;
    own.settings = layerSettings(node);
    if (layers_ == 1) {
      genome_.layer = own.settings;
      return readElements(node);
    }
    PaletteReader palette = std::exchange(palette_, {});
    const int number = std::exchange(genome_.paletteNumber, -1);
    swapLayer(genome_, own);  // what is read goes to the genome
    readElements(node);
    palette_.finish(genome_, place_, warnings_);
    const bool isEmpty = genome_.xforms.empty();  // draws nothing
    const Place here = place_.in(fmt::format("layer {}", layers_));
    if (!isEmpty) check(genome_, here, warnings_);
    swapLayer(genome_, own);
    palette_ = palette, genome_.paletteNumber = number;
    if (!isEmpty) genome_.layers.push_back(std::move(own));
  }

  LayerSettings layerSettings(const pugi::xml_node& node) {
    LayerSettings settings;
    for (const pugi::xml_attribute& attribute : node.attributes()) {
      AttributeReader reader(place_, warnings_, attribute.name(), attribute.value());
      int visible = 1;
      reader.text("name", settings.name);
      reader.real("weight", settings.weight, Write::Changed);
      reader.real("density", settings.density, Write::Changed);
      reader.integer("visible", visible, Write::Changed);
      settings.visible = settings.visible && visible != 0;
      if (!reader.matched) settings.other.emplace_back(attribute.name(), attribute.value());
    }
    if (!std::isfinite(settings.weight) || !std::isfinite(settings.density))
      place_.fail("a finite weight and density of a layer", "one that is not");
    return settings;
  }

  void element(const pugi::xml_node& node) {
    const std::string_view name = node.name();
    if (name == "layer")
      layer(node);
    else if (name == "xform" || name == "jwf-xform")
      add(readXform(node, int(genome_.xforms.size()), false, genome_.dialect,
                    place_.in(fmt::format("xform {}", genome_.xforms.size() + 1)), warnings_,
                    lost_));
    else if (name == "finalxform" || name == "jwf-finalxform")
      finalXform(node);
    else if (name == "symmetry")
      symmetry(node);
    else if (name == "color")
      palette_.color(node, place_);
    else if (name == "colors")
      palette_.hexAttribute(node, place_);
    else if (name == "palette")
      palette_.element(node, place_, warnings_);
    else
      genome_.children.push_back(xmlOf(node));
  }

  void add(Xform xform) {
    if (int(genome_.xforms.size()) >= kMaxXforms)
      place_.fail(fmt::format("at most {} xforms", kMaxXforms), "more");
    genome_.xforms.push_back(std::move(xform));
  }

  void finalXform(const pugi::xml_node& node) {
    Xform read = readXform(node, int(genome_.xforms.size()), true, genome_.dialect,
                           place_.in("final xform"), warnings_, lost_);
    if (!genome_.finalXform) {
      genome_.finalXform = std::move(read);
      return;
    }
    if (genome_.dialect == Dialect::Flam3) place_.fail("one finalxform at most", "two");
    if (genome_.furtherFinals.size() >= 8) place_.fail("at most 9 final xforms", "more");
    genome_.furtherFinals.push_back(std::move(read));
  }

  void symmetry(const pugi::xml_node& node) {
    needAttributes(node, place_);
    int kind = 0;
    for (const pugi::xml_attribute& attribute : node.attributes()) {
      if (std::strcmp(attribute.name(), "kind") != 0)
        place_.fail("the attribute kind of <symmetry>", quote(attribute.name()));
      kind = AttributeReader(place_, warnings_, "the kind of symmetry", attribute.value())
                 .wholeNumber();
    }
    if (kind < -kMaxXforms || kind > kMaxXforms)
      place_.fail(fmt::format("at most {} xforms", kMaxXforms),
                  fmt::format("symmetry of kind {}", kind));
    if (kind == 0) kind = randomSymmetry(seed_);
    for (Xform& xform : symmetryXforms(kind)) add(std::move(xform));
  }

  const Place& place_;
  Warnings& warnings_;
  std::uint64_t seed_;
  Genome genome_;
  PaletteReader palette_;
  LostParts lost_;
  int layers_ = 0;
};

// The document
// --------------------------------------------------------------------------------------------

std::size_t lineOf(std::string_view text, std::ptrdiff_t offset) {
  const auto end = std::min(text.size(), std::size_t(std::max<std::ptrdiff_t>(0, offset)));
  return 1 + std::size_t(std::count(text.begin(), text.begin() + std::ptrdiff_t(end), '\n'));
}

void checkAttributes(const pugi::xml_node& node, const Place& place) {
  std::vector<std::string_view> names;
  for (const pugi::xml_attribute& attribute : node.attributes()) names.push_back(attribute.name());
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end())
    place.fail(fmt::format("each attribute of <{}> once", node.name()), quote(*twice) + " twice");
}

bool isFlame(const pugi::xml_node& node) {
  return std::strcmp(node.name(), "flame") == 0 || std::strcmp(node.name(), "jwf-flame") == 0;
}

/// Walks the tree without recursion; what libxml2 calls malformed and pugixml does not is found on
/// the way. Returns the flames in the order of the document.
std::vector<pugi::xml_node> flamesIn(const pugi::xml_document& document, const Place& place) {
  std::vector<pugi::xml_node> flames;
  int depth = 0;
  pugi::xml_node node = document.document_element();
  if (!node) place.fail("XML with <flame> elements", "no element");
  for (pugi::xml_node next = node.next_sibling(); next; next = next.next_sibling())
    if (next.type() == pugi::node_element)
      place.fail("one root element", fmt::format("<{}> and <{}>", node.name(), next.name()));
  const pugi::xml_node root = node;
  while (node) {
    bool inside = false;
    if (node.type() == pugi::node_element) {
      checkAttributes(node, place);
      if (isFlame(node)) {
        bool nested = false;
        for (pugi::xml_node up = node.parent(); up; up = up.parent())
          nested = nested || isFlame(up);
        if (!nested) flames.push_back(node);
        if (int(flames.size()) > kMaxFlames)
          place.fail(fmt::format("at most {} flames", kMaxFlames), "more");
      }
      inside = bool(node.first_child());
    }
    if (inside) {
      if (++depth > kMaxElementDepth)
        place.fail(fmt::format("elements at most {} deep", kMaxElementDepth), "deeper ones");
      node = node.first_child();
      continue;
    }
    while (node != root && !node.next_sibling()) node = node.parent(), --depth;
    node = node == root ? pugi::xml_node() : node.next_sibling();
  }
  return flames;
}

}  // namespace
}  // namespace reading

namespace reading {
namespace {

/// The document as it is or, when a program of the wild wrote it, after repairs. `text` keeps what
/// the document was made of.
void load(pugi::xml_document& document, std::string_view xml, const Place& place,
          Warnings& warnings) {
  pugi::xml_parse_result parsed = document.load_buffer(xml.data(), xml.size());
  // flam3 refuses what is not XML; JWildfire and Apophysis write and read it.
  const bool tolerant = xml.find("JWildfire") != std::string_view::npos ||
                        xml.find("Apophysis") != std::string_view::npos;
  if (tolerant) {
    int repairs = 0;
    const std::string repaired = repairedXml(xml, repairs);
    if (repairs > 0) {
      parsed = document.load_buffer(repaired.data(), repaired.size());
      if (parsed)
        warnings.add(place,
                     fmt::format("expected XML, found {} that it does not allow; repaired",
                                 repairs == 1 ? "a name or an element"
                                              : fmt::format("{} names or elements", repairs)));
    }
  }
  if (parsed) return;
  std::string what = parsed.description();
  if (!what.empty()) what[0] = char(std::tolower(static_cast<unsigned char>(what[0])));
  place.fail("well-formed XML with <flame> elements",
             fmt::format("line {}: {}", lineOf(xml, parsed.offset), what));
}

/// "julia3D (2 xforms), layer"
std::string lostText(const std::vector<Lost>& lost) {
  std::string text;
  for (const Lost& each : lost) {
    text += (text.empty() ? "" : ", ") + each.name;
    if (each.xforms > 0)
      text += fmt::format(" ({} xform{})", each.xforms, each.xforms == 1 ? "" : "s");
  }
  return text;
}

}  // namespace
}  // namespace reading

GenomeFile parseGenomes(std::string_view xml, const std::string& name, std::uint64_t seed) {
  using namespace reading;
  const Place place(name);
  pugi::xml_document document;
  Warnings warnings;
  load(document, xml, place, warnings);
  const std::vector<pugi::xml_node> nodes = flamesIn(document, place);
  if (nodes.empty())
    place.fail("<flame> elements",
               fmt::format("none below <{}>", document.document_element().name()));

  GenomeFile file;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::string_view title = nodes[i].attribute("name").value();
    const std::string label = title.empty() ? std::to_string(i + 1) : quote(title);
    const Place flame =
        place.in("flame " + (title.empty() ? label : label.substr(1, label.size() - 2)));
    // A flame that cannot be drawn is left out, unless it is the only one.
    Warnings own;
    try {
      FlameReader reader(flame, own, seed);
      file.genomes.push_back(reader.read(nodes[i]));
      const std::vector<Lost>& lost = file.genomes.back().lost;
      if (!lost.empty()) own.add(flame, "lost: " + lostText(lost));
    } catch (const Error& error) {
      if (nodes.size() == 1 || (i + 1 == nodes.size() && file.genomes.empty())) throw;
      own.add(error.what());
    }
    warnings.append(std::move(own));
  }
  file.warnings = warnings.take();
  return file;
}

GenomeFile readGenomes(const fs::path& file, std::uint64_t seed) {
  return parseGenomes(readFile(file, kMaxGenomeFileBytes), file.string(), seed);
}

bool looksLikeGenomes(const fs::path& file) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return false;
  std::ifstream in(file, std::ios::binary);
  std::string start(64 * 1024, '\0');
  in.read(start.data(), std::streamsize(start.size()));
  start.resize(std::size_t(in.gcount()));
  const std::size_t first = start.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  return first != std::string::npos && start[first] == '<' &&
         (start.find("<flame") != std::string::npos ||
          start.find("<jwf-flame") != std::string::npos);
}

}  // namespace fathom::flame
