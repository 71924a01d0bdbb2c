// SPDX-License-Identifier: BSD-3-Clause
// Genomes as XML that flam3 reads: what the reader understood by the lists of fields.h, what it did
// not as it was. And fragments of it for the clipboard.
#include "app/engine/core/error.h"
#include "app/engine/flame/genome/fields.h"
#include "app/engine/flame/genome/io.h"
#include "app/engine/flame/genome/io_parts.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/genome/text.h"
#include "app/engine/flame/genome/variations.h"
#include "app/engine/io/atomic_file.h"

#include <pugixml.hpp>

namespace fathom::flame {
namespace {

/// Visitor of the lists: attributes as texts.
class Collector : public EachField<Collector> {
 public:
  struct Entry {
    std::string name, text;
    unsigned use;
  };
  std::vector<Entry> entries;

  void real(FieldName name, double value, unsigned use) { add(name, textOf(value), use); }
  void integer(FieldName name, int value, unsigned use) { add(name, std::to_string(value), use); }
  void reals(FieldName name, const double* values, int count, unsigned use) {
    add(name, fmt::format("{}", fmt::join(values, values + count, " ")), use);
  }
  void pixels(FieldName name, glm::ivec2 size, unsigned use) {
    add(name, fmt::format("{} {}", size.x, size.y), use);
  }
  void text(FieldName name, const std::string& value) { add(name, value, kChanged); }
  template <class E>
  void word(FieldName name, E value, std::span<const std::string_view> words, unsigned use) {
    add(name, std::string(words[std::size_t(value)]), use);
  }

 private:
  void add(FieldName name, std::string text, unsigned use) {
    entries.push_back({std::string(name.file), std::move(text), use});
  }
};

void set(pugi::xml_node node, const std::string& name, const std::string& text) {
  node.append_attribute(name.c_str()) = text.c_str();
}

/// Writes what is always written, and what differs from the defaults.
void setChanged(pugi::xml_node node, const Collector& values, const Collector& defaults) {
  for (std::size_t i = 0; i < values.entries.size(); ++i)
    if ((values.entries[i].use & kAlways) || values.entries[i].text != defaults.entries[i].text)
      set(node, values.entries[i].name, values.entries[i].text);
}

std::string coefsOf(const Affine& m) {
  return fmt::format("{} {} {} {} {} {}", m.a, m.d, m.b, m.e, m.c, m.f);
}

// ---- Xforms

/// "bubble#1#" as XML allows it: "bubble.1."
std::string attributeName(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), '#', '.');
  return text;
}

void writeVariations(pugi::xml_node node, Xform xform) {
  sortByPlace(xform);
  for (const VariationUse& use : xform.variations)
    set(node, attributeName(variations()[std::size_t(use.index)].name), textOf(use.weight));
  for (const VariationUse& use : xform.variations) {
    const VariationInfo& info = variations()[std::size_t(use.index)];
    for (std::size_t p = 0; p < info.parameters.size(); ++p) {
      std::string name = fmt::format("{}_{}", attributeName(info.name), info.parameters[p].name);
      for (const auto& [ours, written] : reading::kNamesOfJWildfire)
        if (name == ours) name = written;
      set(node, name, textOf(use.parameters[p]));
    }
  }
}

void writeMotion(pugi::xml_node parent, const Xform::Motion& motion) {
  pugi::xml_node node = parent.append_child("motion");
  set(node, "motion_frequency", textOf(motion.frequency));
  set(node, "motion_function", std::string(kMotionFunctions[std::size_t(motion.function)]));
  for (const auto& [name, text] : motion.fields) set(node, name, text);
}

void writeXform(pugi::xml_node flame, const Xform& xform, bool isFinal) {
  pugi::xml_node node = flame.append_child(isFinal ? "finalxform" : "xform");
  if (!isFinal) set(node, "weight", textOf(xform.weight));
  set(node, "color", textOf(xform.color));
  Collector values, defaults;
  visitXformFields(xform, values);
  const Xform plain;
  visitXformFields(plain, defaults);
  setChanged(node, values, defaults);
  writeVariations(node, xform);
  set(node, "coefs", coefsOf(xform.coefs));
  if (!(xform.post == Affine())) set(node, "post", coefsOf(xform.post));
  if (!xform.chaos.empty()) set(node, "chaos", fmt::format("{}", fmt::join(xform.chaos, " ")));
  for (const auto& [name, text] : xform.other) set(node, name, text);
  for (const Xform::Motion& motion : xform.motions) writeMotion(node, motion);
}

// ---- Palettes

/// The byte that reads back as this value, or nothing.
bool isByte(float value) {
  const float scaled = value * 255.0f;
  return scaled >= 0 && scaled <= 255 && std::round(scaled) / 255.0f == value;
}

/// Hex text when every value is a byte: 8 colors a line.
bool writeHexPalette(pugi::xml_node flame, const Palette& palette) {
  bool opaque = true;
  for (const glm::vec4& color : palette) {
    for (int c = 0; c < 4; ++c)
      if (!isByte(color[c])) return false;
    opaque = opaque && color.a == 1;
  }
  std::string text = "\n";
  for (std::size_t i = 0; i < palette.size(); ++i) {
    if (i % 8 == 0) text += "      ";
    for (int c = 0; c < (opaque ? 3 : 4); ++c)
      text += fmt::format("{:02X}", int(std::round(palette[i][c] * 255.0f)));
    if (i % 8 == 7) text += "\n";
  }
  pugi::xml_node node = flame.append_child("palette");
  set(node, "count", "256");
  set(node, "format", opaque ? "RGB" : "RGBA");
  text += "   ";
  node.text() = text.c_str();
  return true;
}

/// A list otherwise; colors with alpha are multiplied by it when they are read.
void writeColors(pugi::xml_node flame, const Palette& palette) {
  for (std::size_t i = 0; i < palette.size(); ++i) {
    pugi::xml_node node = flame.append_child("color");
    set(node, "index", std::to_string(i));
    const glm::dvec4 color(palette[i]);
    const glm::dvec3 rgb = glm::dvec3(color) * (color.a > 0 ? 255 / color.a : 255);
    if (color.a == 1)
      set(node, "rgb", fmt::format("{} {} {}", rgb.r, rgb.g, rgb.b));
    else
      set(node, "rgba", fmt::format("{} {} {} {}", rgb.r, rgb.g, rgb.b, color.a * 255));
  }
}

void writePalette(pugi::xml_node flame, const Genome& genome) {
  if (genome.palette == Palette{}) return;  // none was given
  if (!writeHexPalette(flame, genome.palette)) writeColors(flame, genome.palette);
}

/// Curves that were edited: splines as Fractorium has them, the others as Apophysis has them.
void writeCurves(pugi::xml_node flame, const Genome& genome) {
  std::vector<double> bezier;
  bool bends = false;
  for (std::size_t c = 0; c < genome.curves.size(); ++c) {
    const ToneCurve& curve = genome.curves[c];
    std::vector<double> spline;
    for (const glm::dvec2& p : curve.spline) spline.insert(spline.end(), {p.x, p.y});
    if (!spline.empty())
      set(flame, reading::kSplineNames[c], fmt::format("{}", fmt::join(spline, " ")));
    bends |= curve.points != ToneCurve().points;
    for (const glm::dvec3& p : curve.points) bezier.insert(bezier.end(), {p.x, p.y, p.z});
  }
  if (bends) set(flame, "curves", fmt::format("{}", fmt::join(bezier, " ")));
}

void writeXforms(pugi::xml_node node, const Genome& genome) {
  for (const Xform& xform : genome.xforms) writeXform(node, xform, false);
  if (genome.finalXform) writeXform(node, *genome.finalXform, true);
  for (const Xform& xform : genome.furtherFinals) writeXform(node, xform, true);
  writePalette(node, genome);
}

void writeLayer(pugi::xml_node flame, const Genome& genome) {
  pugi::xml_node node = flame.append_child("layer");
  const LayerSettings& settings = genome.layerSettings;
  if (!settings.name.empty()) set(node, "name", settings.name);
  set(node, "weight", textOf(settings.weight));
  set(node, "density", textOf(settings.density));
  set(node, "visible", settings.visible ? "1" : "0");
  for (const auto& [name, text] : settings.other) set(node, name, text);
  writeXforms(node, genome);
}

void writeFlame(pugi::xml_node parent, const Genome& genome) {
  pugi::xml_node node = parent.append_child("flame");
  Collector values, defaults;
  visitGenomeFields(genome, values);
  Genome plain;
  plain.dialect = genome.dialect;
  reading::setDefaults(plain);
  visitGenomeFields(plain, defaults);
  setChanged(node, values, defaults);
  const bool sameCurves = reading::curvesAreAsRead(genome);
  for (const auto& [name, text] : genome.other)
    if (sameCurves || !reading::isCurves(name)) set(node, name, text);
  if (!sameCurves) writeCurves(node, genome);

  if (genome.layers.empty() && genome.layerSettings == LayerSettings()) {
    writeXforms(node, genome);
  } else {
    writeLayer(node, genome);
    Genome other = genome;
    for (const Layer& layer : genome.layers) {
      Layer own = layer;
      swapLayer(other, own);
      writeLayer(node, other);
    }
  }
  for (const std::string& child : genome.children) {
    const pugi::xml_parse_result added = node.append_buffer(child.data(), child.size());
    FATHOM_CHECK(added);
  }
}

/// For pugixml, which leaves out what it has no memory for.
void* allocate(std::size_t bytes) {
  void* const made = std::malloc(bytes);
  return made ? made : throw std::bad_alloc();
}

}  // namespace

std::string genomesXml(std::span<const Genome> genomes) {
  pugi::set_memory_management_functions(allocate, std::free);
  pugi::xml_document document;
  pugi::xml_node parent = document;
  if (genomes.size() != 1) parent = document.append_child("flames");
  for (const Genome& genome : genomes) writeFlame(parent, genome);
  std::ostringstream out;
  out.exceptions(std::ios::badbit);  // without memory it would be empty
  document.print(out, "   ", pugi::format_indent | pugi::format_no_declaration);
  return out.str();
}

void writeGenomes(const fs::path& file, std::span<const Genome> genomes) {
  writeFile(file, genomesXml(genomes));
}

// ---- Fragments: xforms are written and read within a flame that holds nothing else

namespace {

constexpr const char* kName = "clipboard";
constexpr std::size_t kMaxBytes = 16 << 20;

/// A text with every ` chaos="..."` taken out.
std::string withoutChaos(std::string text) {
  constexpr std::string_view kAttribute = "chaos=";
  for (std::size_t at = 0; (at = text.find(kAttribute, at)) != std::string::npos;) {
    const std::size_t open = at + kAttribute.size();
    const bool begins = at > 0 && std::isspace(static_cast<unsigned char>(text[at - 1]));
    const std::size_t close =
        begins && open < text.size() ? text.find(text[open], open + 1) : std::string::npos;
    if (close == std::string::npos)
      at = open;
    else
      text.erase(at, close + 1 - at);
  }
  return text;
}

/// A flame of the dialect that holds one xform and this text.
std::string wrapped(const std::string& inside, const Genome& dialectOf) {
  Genome around;
  around.name = kName;
  around.dialect = dialectOf.dialect;
  for (const auto& attribute : dialectOf.other)
    if (attribute.first == "version") around.other.push_back(attribute);
  around.xforms.emplace_back().weight = 1;
  std::string text = genomesXml(std::span(&around, 1));
  return text.insert(text.rfind("</flame>"), inside);
}

}  // namespace

std::string xformsXml(const Genome& genome, std::span<const std::size_t> indices) {
  Genome part;
  for (const std::size_t index : indices) {
    if (index < genome.xforms.size())
      part.xforms.push_back(genome.xforms[index]);
    else
      part.finalXform = genome.finalXform;
  }
  for (Xform& xform : part.xforms) xform.chaos.clear();
  const std::string xml = genomesXml(std::span(&part, 1));
  const std::size_t first = xml.find('\n') + 1;
  return xml.substr(first, xml.rfind("</flame>") - first);
}

Fragment parseFragment(const std::string& text, const Genome& dialectOf) {
  const auto holds = [&](const char* tag) { return text.find(tag) != std::string::npos; };
  if (text.size() > kMaxBytes) fail("{}: expected at most 16 MiB of text, found more", kName);
  if (holds("<flame") || holds("<jwf-flame")) return {parseGenomes(text, kName).genomes, {}, {}};
  if (!holds("<xform") && !holds("<finalxform"))
    fail("{}: expected <flame> or <xform> elements, found {}", kName,
         text.empty() ? "nothing" : "other text");
  Genome genome = parseGenomes(wrapped(withoutChaos(text), dialectOf), kName).genomes.at(0);
  genome.xforms.erase(genome.xforms.begin());
  return {{}, std::move(genome.xforms), std::move(genome.finalXform)};
}

}  // namespace fathom::flame
