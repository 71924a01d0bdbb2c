// SPDX-License-Identifier: BSD-3-Clause
// Genomes from XML: attributes, palettes and xforms, the checks of what was read, then <flame>
// elements and the document.
#include "app/engine/core/random.h"
#include "app/engine/core/text.h"
#include "app/engine/flame/genome/fields.h"
#include "app/engine/flame/genome/formula.h"
#include "app/engine/flame/genome/io_parts.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/genome/palettes.h"
#include "app/engine/flame/genome/variations.h"
#include "app/engine/io/atomic_file.h"

namespace fathom::flame {

namespace reading {

// ---- Attributes

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

void AttributeReader::pixels(FieldName name, glm::ivec2& target, unsigned) {
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

namespace {

/// Elements without any attribute are wrong anywhere.
void needAttributes(const pugi::xml_node& node, const Place& place) {
  if (!node.first_attribute()) place.fail(fmt::format("attributes of <{}>", node.name()), "none");
}

// ---- Palettes

/// The colors of a flame while its elements are read.
struct PaletteReader {
  Palette colors{};
  std::array<bool, 256> set{};
  bool any = false;

  void color(const pugi::xml_node& node, const Place& place);
  void hexAttribute(const pugi::xml_node& node, const Place& place);                 // <colors>
  void element(const pugi::xml_node& node, const Place& place, Warnings& warnings);  // <palette>
  /// Chooses between the elements read and the palette number of the genome.
  void finish(Genome& genome, const Place& place, Warnings& warnings);

 private:
  void blend(const pugi::xml_node& node, const Place& place, Warnings& warnings);
  void setFirst(int count);
};

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
    warnings.add(place, "expected colors or a palette number, found none; the image is black");
  }
}

// ---- Xforms

Affine affineOf(const AttributeReader& reader) {
  const std::vector<double> v = reader.numbers(6);
  return {v[0], v[1], v[2], v[3], v[4], v[5]};
}

bool isFinite(const Affine& a) {
  return std::isfinite(a.a) && std::isfinite(a.b) && std::isfinite(a.c) && std::isfinite(a.d) &&
         std::isfinite(a.e) && std::isfinite(a.f);
}

bool isPlainNumber(std::string_view name) {
  return name == "weight" || name == "color_speed" || name == "animate" || name == "opacity" ||
         name == "symmetry" || name == "var1";
}

Xform::Motion readMotion(const pugi::xml_node& node, const Place& place, Warnings& warnings) {
  needAttributes(node, place);
  Xform::Motion motion;
  for (const pugi::xml_attribute& attribute : node.attributes()) {
    const std::string name = attribute.name();
    const AttributeReader reader(place, warnings, name, attribute.value());
    if (name == "motion_frequency") {
      motion.frequency = reader.wholeNumber();
    } else if (name == "motion_function") {
      const auto* at = std::ranges::find(kMotionFunctions, reader.value());
      if (at == std::end(kMotionFunctions))
        place.fail("sin, triangle or hill in motion_function", quote(reader.value()));
      motion.function = MotionFunction(at - std::begin(kMotionFunctions));
    } else {
      if (name == "coefs" || name == "post")
        affineOf(reader);
      else if (name == "color" || name == "chaos" || name == "var")
        reader.numbers(-1);
      else if (isPlainNumber(name) || variationTarget(name).variation >= 0)
        reader.number();
      else
        warnings.add(place, fmt::format("{} is no variation; kept, without effect", quote(name)));
      motion.fields.emplace_back(name, reader.value());
    }
  }
  return motion;
}

/// JWildfire's maps of the other two planes of space.
struct Planes {
  std::optional<Affine> yz, zx;
};

class XformReader {
 public:
  XformReader(const Place& place, Warnings& warnings, UnsupportedParts& lost, Dialect dialect,
              bool isFinal)
      : place_(place), warnings_(warnings), lost_(lost), dialect_(dialect), isFinal_(isFinal) {}

  /// `index`: how many xforms were read before, which decides the default color.
  Xform read(const pugi::xml_node& node, int index) {
    needAttributes(node, place_);
    xform_.color = index & 1;
    flowsPixels_ = !node.attribute("pixel_flow").empty();
    if (dialect_ == Dialect::JWildfire) noteStages(node);
    for (const pugi::xml_attribute& attribute : node.attributes()) {
      const std::string name = actingName(attribute.name());
      if (name.empty())
        xform_.other.emplace_back(attribute.name(), attribute.value());
      else
        attributeOf(name, attribute.value());
    }
    placeFormulas();
    addPlanes(before_, "pre_", VariationStage::Before, xform_.coefs);
    addPlanes(after_, "post_", VariationStage::After, {});
    if (dialect_ == Dialect::JWildfire) colorType(node.attribute("color_type").value());
    // There flam3's own doubles have few places left for the angle of a sine.
    if (const double far = farthest(xform_.coefs); far > 1e12 && std::isfinite(far))
      lost_.attribute("precision of coefs above 1e12", "1");
    const std::string_view field = node.attribute("wfield_type").value();
    if (!field.empty() && field != "NONE") lost_.attribute("weighting field", "1");
    noteMemories();
    lost_.endXform(xform_.variations);
    for (const pugi::xml_node& child : node.children("motion"))
      xform_.motions.push_back(readMotion(child, place_.in("motion"), warnings_));
    if (!isFinite(xform_.coefs) || !isFinite(xform_.post))
      warnings_.add(place_, "coefs or post hold a value that is not finite: all it draws is noise");
    return std::move(xform_);
  }

 private:
  /// In its third mode smartcrop puts points where it left one before.
  void noteMemories() {
    static const VariationTarget mode = variationTarget("smartcrop_cropmode");
    for (const VariationUse& use : xform_.variations)
      if (baseOf(use.index) == mode.variation && use.weight != 0 &&
          use.parameters[std::size_t(mode.parameter)] == 2)
        lost_.attribute("smartcrop_cropmode 2", "1");
  }

  /// What JWildfire means by the variations of an xform: when they act, which of them do nothing,
  /// and the form of elliptic.
  void noteStages(const pugi::xml_node& node) {
    for (const pugi::xml_attribute& attribute : node.attributes()) {
      const std::string name = attribute.name();
      const auto [index, parameter] = variationTarget(name);
      if (index < 0 || parameter >= 0) continue;
      const std::string mode = node.attribute((name + "_mode").c_str()).value();
      std::string acting = name;
      static const int elliptic = variationNamed("elliptic");
      if (const std::size_t at = name.find("elliptic");
          at != name.npos && baseOf(index) == elliptic && (mode.empty() || realOf(mode) == 1))
        acting.insert(at + std::strlen("elliptic"), "_mirrored");
      // Adds to the point there; the other two names are of its blurs.
      if (name == "post_falloff2" || name == "post_depth") acting = "post_add_" + name.substr(5);
      if (name == "gaussian") acting = "gaussian_blur";
      if (name == "pre_gaussian") acting = "pre_blur";
      const std::string priority = node.attribute((name + "_fx_priority").c_str()).value();
      if (!priority.empty()) acting = inItsStage(node, acting, index, int(leadingReal(priority)));
      if (acting != name) renamed_.emplace_back(name, acting);
    }
  }

  /// The name of a variation that acts before (-1), among (0) or after (1) the others, whatever it
  /// is called; empty where it does nothing there. Those that inflate act after them by nature.
  std::string inItsStage(const pugi::xml_node& node, const std::string& name, int index,
                         int priority) {
    // Before the others by nature: elsewhere it moves a point that nobody looks at any more.
    // JWildfire 7 wrote 0 of those that acted before all the same.
    if (name.starts_with("pre_"))
      return priority < 0 || (priority == 0 && versionOf(node) < 8) ? name : "";
    if (name.starts_with("post_")) {
      if (priority == 0 && othersFollow(node, name)) lost_.attribute(name + " among others", "1");
      return priority < 0 ? "pre_" + name.substr(5) : name;
    }
    const VariationInfo& info = variations()[std::size_t(index)];
    if (priority == 0 || info.stage != VariationStage::Among || name.starts_with("inflateZ"))
      return name;
    return (priority < 0 ? "pre_" : "post_") + std::string(info.assigns ? "" : "add_") + name;
  }

  /// 7.3 of "JWildfire V7.30 (27.11.2021)".
  static double versionOf(pugi::xml_node node) {
    while (node && !node.attribute("version")) node = node.parent();
    const std::string_view text = node.attribute("version").value();
    const std::size_t at = text.find(" V");
    return at == text.npos ? 0 : leadingReal(std::string(text.substr(at + 2)));
  }

  /// Variations that act among the others stand after this one in the file.
  static bool othersFollow(const pugi::xml_node& node, const std::string& name) {
    for (pugi::xml_attribute next = node.attribute(name.c_str()).next_attribute(); next;
         next = next.next_attribute()) {
      const auto [index, parameter] = variationTarget(next.name());
      const pugi::xml_attribute priority =
          node.attribute((std::string(next.name()) + "_fx_priority").c_str());
      if (index >= 0 && index != kPreBlur && parameter < 0 &&
          (!priority || std::string_view(priority.value()) == "0") &&
          variations()[std::size_t(index)].stage == VariationStage::Among)
        return true;
    }
    return false;
  }

  /// The attribute's name with that of the variation as it acts; empty where that does nothing.
  std::string actingName(const std::string& name) const {
    const VariationTarget target = variationTarget(name);
    for (const auto& [written, acting] : renamed_)
      if (name == written ||
          (name.rfind(written + "_", 0) == 0 &&
           (target.variation < 0 || target.variation == variationTarget(written).variation)))
        return acting.empty() || name.ends_with("_fx_priority") || name == written + "_mode"
                   ? ""
                   : acting + name.substr(written.size());
    return name;
  }

  /// A use of a variation, which JWildfire lets act after those before it in the file.
  VariationUse& useOf(int index) {
    VariationUse& use = variationIn(xform_, index);
    if (dialect_ == Dialect::JWildfire && use.place == 0) use.place = ++places_;
    return use;
  }

  void attributeOf(const std::string& name, std::string value) {
    AttributeReader reader(place_, warnings_, name, std::move(value));
    visitXformFields(xform_, reader);
    if (reader.matched) return;
    if (name == "weight")
      weight(reader);
    else if (name == "color")
      color(reader);
    else if (name == "symmetry")
      oldSymmetry(reader.number());
    else if (name == "plotmode")
      xform_.opacity = reader.value() == "off" ? 0 : xform_.opacity;
    else if (name == "chaos")
      xform_.chaos = reader.numbers(-1);
    else if (name == "coefs")
      xform_.coefs = affineOf(reader);
    else if (name == "post")
      xform_.post = affineOf(reader);
    else if (name == "var1")
      oneVariation(reader.wholeNumber());
    else if (name == "var")
      allVariations(reader.numbers(kFlam3Variations));
    else if (std::optional<Affine>* plane = planeNamed(name))
      *plane = affineOf(reader);
    else if (name == "motion_frequency" || name == "motion_function")
      place_.fail(name + " in <motion> alone", "it in the xform");
    else
      variation(name, reader);
  }

  std::optional<Affine>* planeNamed(const std::string& name) {
    return name == "yzCoefs"   ? &before_.yz
           : name == "zxCoefs" ? &before_.zx
           : name == "yzPost"  ? &after_.yz
           : name == "zxPost"  ? &after_.zx
                               : nullptr;
  }

  /// JWildfire's maps of (y, z) and (z, x) follow that of (x, y), and the shifts of all three come
  /// last: here as two variations, with shifts that make up for the order.
  void addPlanes(const Planes& planes, const std::string& prefix, VariationStage stage,
                 const Affine& plane) {
    const Affine yz = planes.yz.value_or(Affine{}), zx = planes.zx.value_or(Affine{});
    if (yz == Affine{} && zx == Affine{}) return;
    const bool hasOthers = std::ranges::any_of(xform_.variations, [&](const VariationUse& use) {
      return use.weight != 0 && variations()[std::size_t(use.index)].stage == stage;
    });
    if (hasOthers || (stage == VariationStage::After && !(xform_.post == Affine{})))
      return lost_.attribute(stage == VariationStage::After ? "yzPost" : "yzCoefs", "1");
    addPlane(prefix + "yz_affine",
             {yz.a, yz.d, yz.b, yz.e, plane.f + yz.c - yz.a * plane.f, yz.f - yz.d * plane.f});
    addPlane(prefix + "zx_affine",
             {zx.a, zx.d, zx.b, zx.e, plane.c + zx.c - zx.a * plane.c - zx.b * yz.f,
              yz.f + zx.f - zx.d * plane.c - zx.e * yz.f});
  }

  void addPlane(const std::string& name, const Affine& map) {
    VariationUse& use = useOf(variationNamed(name));
    use.weight = 1;
    const double values[] = {map.a, map.d, map.b, map.e, map.c, map.f};
    std::copy(std::begin(values), std::end(values), use.parameters.begin());
  }

  void weight(const AttributeReader& reader) {
    const double value = reader.number();
    if (isFinal_ && value != 0 && dialect_ == Dialect::Flam3)
      place_.fail("no weight", quote(reader.value()));
    if (!isFinal_) xform_.weight = value;
  }

  /// "c", or "c" and a second number that old files had.
  void color(const AttributeReader& reader) {
    const std::vector<double> values = reader.numbers(-1);
    if (values.size() > 2 || (values.empty() && !reader.value().empty()))
      place_.fail("one number in color", quote(reader.value()));
    xform_.color = values.empty() ? 0 : values[0];
  }

  void oldSymmetry(double value) {
    xform_.colorSpeed = (1 - value) / 2;
    xform_.animate = value > 0 ? 0 : 1;
  }

  /// How an xform of JWildfire changes colors; final ones do not unless they say so.
  void colorType(std::string_view type) {
    if (type.empty()) type = isFinal_ ? "NONE" : "DIFFUSION";
    if (type == "DIFFUSION") return;
    const double symmetry = 1 - 2 * xform_.colorSpeed;
    xform_.colorSpeed = 0;
    if (type == "DISTANCE") {
      VariationUse& use = useOf(variationNamed("distance_color"));
      if (use.weight != 0) return;  // written by Fathom
      use.weight = 1;
      use.parameters[0] = xform_.color;
      use.parameters[1] = symmetry + 1;
    } else if (type == "CYCLIC") {
      VariationUse& use = useOf(variationNamed("cyclic_color"));
      if (use.weight != 0) return;
      use.weight = 1;
      use.parameters[0] = symmetry;
    } else if (type != "NONE")
      lost_.feature("color_type " + std::string(type));
  }

  void oneVariation(int index) {
    if (index < 0 || index >= kFlam3Variations)
      place_.fail(fmt::format("a variation from 0 to {} in var1", kFlam3Variations - 1),
                  std::to_string(index));
    for (VariationUse& use : xform_.variations) use.weight = 0;
    useOf(index).weight = 1;
  }

  void allVariations(const std::vector<double>& weights) {
    for (int v = 0; v < kFlam3Variations; ++v)
      if (weights[std::size_t(v)] != 0 || weightIn(xform_, v) != 0)
        useOf(v).weight = weights[std::size_t(v)];
  }

  /// JWildfire's texts: two hexadecimal digits for a letter; anything else is the text itself.
  static std::string textIn(const std::string& digits) {
    if (digits.size() % 2 != 0 || digits.find_first_not_of("0123456789abcdefABCDEF") != digits.npos)
      return digits;
    std::string text;
    for (std::size_t i = 0; i < digits.size(); i += 2)
      text += char(std::stoi(digits.substr(i, 2), nullptr, 16));
    return text;
  }

  /// The letters of text_wf: the parameters c1 to c16.
  void letters(const VariationTarget& first, const std::string& text) {
    constexpr std::size_t kMost = 16;
    auto& parameters = useOf(first.variation).parameters;
    for (std::size_t i = 0; i < kMost; ++i)
      parameters[std::size_t(first.parameter) + i] =
          i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
    if (text.size() > kMost) lost_.feature("text_wf beyond 16 letters");
  }

  /// JWildfire's prepost_circlize acts before the others, and its inverse after them.
  void beforeAndAfter(const std::string& name, double value) {
    for (const char* stage : {"pre_", "post_"}) {
      const auto [index, parameter] = variationTarget(stage + name);
      VariationUse& use = useOf(index);
      static const VariationTarget reverse = variationTarget("prepost_circlize_reverse");
      const bool before = stage == std::string("pre_");
      if (before && parameter < 0) use.parameters[std::size_t(reverse.parameter)] = 1;
      (parameter < 0 ? use.weight : use.parameters[std::size_t(parameter)]) =
          before && parameter == reverse.parameter ? 1 - value : value;
    }
  }

  /// "yplot2d_wf_formula", "parplot2d_wf_xformula" and such, in any stage.
  static bool isFormula(const std::string& name) {
    const std::size_t end = name.rfind('_');
    return name.ends_with("formula") && end != std::string::npos &&
           variationTarget(name.substr(0, end) + "_code1").parameter >= 0;
  }

  /// A formula of JWildfire's plots: noted until all are there.
  void formula(const std::string& name, const std::string& digits) {
    const std::string text = textIn(digits);
    xform_.other.emplace_back(name, digits);  // written as it was
    const std::size_t end = name.rfind('_');
    const char axis = name[end + 1] == 'f' ? 'x' : name[end + 1];
    formulas_[name.substr(0, end)][axis >= 'x' && axis <= 'z' ? std::size_t(axis - 'x') : 0] = text;
  }

  /// One after the other as parameters code1, code2, ...
  void placeFormulas() {
    for (const auto& [name, texts] : formulas_) {
      const VariationTarget first = variationTarget(name + "_code1");
      const VariationInfo& info = variations()[std::size_t(first.variation)];
      if (weightIn(xform_, first.variation) == 0) continue;
      const std::optional<std::vector<double>> code = codeOf(info, texts);
      const std::size_t room = info.parameters.size() - std::size_t(first.parameter);
      if (!code || code->size() > room) {
        lost_.feature("formula of " + std::string(info.function));
        continue;
      }
      auto& parameters = useOf(first.variation).parameters;
      for (std::size_t i = 0; i < room; ++i)
        parameters[std::size_t(first.parameter) + i] =
            i < code->size() ? (*code)[i] : kFormulaCode + double(int(FormulaCode::End));
    }
  }

  static std::optional<std::vector<double>> codeOf(const VariationInfo& info,
                                                   const std::array<std::string, 3>& texts) {
    std::vector<std::string_view> variables = {info.function == "yplot2d_wf" ? "x" : "t", "u"};
    const bool isSurface = info.function == "parplot2d_wf";
    if (isSurface) variables = {"u", "v"};
    std::vector<double> code;
    for (std::size_t i = 0; i < (isSurface ? 3u : 1u); ++i) {
      const auto one = compiledFormula(texts[i].empty() ? "0" : texts[i], variables);
      if (!one) return std::nullopt;
      code.insert(code.end(), one->begin(), one->end());
      code.push_back(kFormulaCode + double(int(FormulaCode::Result)));
    }
    return code;
  }

  /// Fractorium's log has a base, of which one that is not e makes it another variation.
  bool isBaseOfLog(const std::string& name, const AttributeReader& reader) {
    static const int log = variationNamed("log"), based = variationNamed("based_log");
    const VariationTarget target = variationTarget(name.substr(0, name.rfind('_')));
    if (!name.ends_with("_base") || target.parameter >= 0 || baseOf(target.variation) != log)
      return false;
    if (std::abs(reader.number() - std::numbers::e) < 1e-4) return true;
    const double weight = std::exchange(useOf(target.variation).weight, 0);
    VariationUse& use = useOf(target.variation - log + based);
    use.weight = weight, use.parameters[0] = reader.number();
    return true;
  }

  void variation(const std::string& name, const AttributeReader& reader) {
    if (name.ends_with("text_wf_text"))
      return letters(variationTarget(name.substr(0, name.size() - 4) + "c1"),
                     textIn(reader.value()));
    if (isFormula(name)) return formula(name, reader.value());
    if (dialect_ != Dialect::JWildfire && isBaseOfLog(name, reader)) return;
    const bool isShort = flowsPixels_ && (name == "angle" || name == "len" || name == "width" ||
                                          name == "seed" || name == "enable_dc");
    const auto [index, parameter] = variationTarget(isShort ? "pixel_flow_" + name : name);
    if (index < 0) {
      lost_.attribute(name, reader.value());
      xform_.other.emplace_back(name, reader.value());
      return;
    }
    double value = reader.number();
    static const int twice = variationNamed("prepost_circlize");
    if (index == twice) return beforeAndAfter(name, value);
    if (parameter < 0) {
      useOf(index).weight = value;
      return;
    }
    static const VariationTarget roundness = variationTarget("super_shape_rnd");
    if (index == roundness.variation && parameter == roundness.parameter)
      value = std::clamp(value, 0.0, 1.0);
    useOf(index).parameters[std::size_t(parameter)] = value;
  }

  const Place& place_;
  Warnings& warnings_;
  UnsupportedParts& lost_;
  Dialect dialect_;
  bool isFinal_;
  bool flowsPixels_ = false;  // Apophysis writes pixel_flow's parameters without its name
  Xform xform_;
  Planes before_, after_;
  std::vector<std::pair<std::string, std::string>> renamed_;    // variations, see actingName()
  int places_ = 0;                                              // VariationUse::place of the last
  std::map<std::string, std::array<std::string, 3>> formulas_;  // of each plot: x, y, z
};

// ---- Flames

bool isRadialShape(const std::string& word) {
  return std::ranges::find(kRadialShapes, word) != std::end(kRadialShapes);
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
    visitGenomeFields(genome, reader);
    if (!reader.matched) genome.other.emplace_back(attribute.name(), attribute.value());
  }
}

std::string xmlOf(const pugi::xml_node& node) {
  std::ostringstream out;
  out.exceptions(std::ios::badbit);  // without memory it would be empty
  node.print(out, "", pugi::format_raw);
  return out.str();
}

/// An attribute as a number within limits.
double numberIn(const pugi::xml_node& node, const char* name, double missing, double low,
                double high) {
  const pugi::xml_attribute attribute = node.attribute(name);
  return std::clamp(attribute ? leadingReal(attribute.value()) : missing, low, high);
}

constexpr int kMaxLayers = 32;  // further ones are lost

/// The elements of a flame, in the order of the file.
class FlameReader {
 public:
  FlameReader(const Place& place, Warnings& warnings, std::uint64_t seed)
      : place_(place), warnings_(warnings), seed_(seed) {}

  Genome read(const pugi::xml_node& node, double frame) {
    needAttributes(node, place_);
    genome_.dialect = dialectOf(node);
    setDefaults(genome_);
    if (genome_.dialect == Dialect::JWildfire) {
      const MotionCurves motion = applyMotionCurves(node, frame);
      moves_ = motion.any;
      for (const std::string& name : motion.unknown) lost_.feature("motion of " + name);
    }
    for (const pugi::xml_attribute& attribute : node.attributes())
      readFlameAttribute(genome_, place_, warnings_, attribute);
    readElements(node);
    palette_.finish(genome_, place_, warnings_);
    if (genome_.xforms.empty() && !genome_.layers.empty()) {
      swapLayer(genome_, genome_.layers.front());
      genome_.layers.erase(genome_.layers.begin());
    }
    finishDialect(genome_, lost_);
    if (moves_) openShutter(node);
    genome_.lost = lost_.take();
    check(genome_, place_, warnings_);
    return std::move(genome_);
  }
  /// By curves of JWildfire.
  bool moves() const { return moves_; }

 private:
  /// JWildfire's frames are sharp, or see as many moments more as its motion blur is long.
  void openShutter(const pugi::xml_node& node) {
    const double length = numberIn(node, "motion_blur_length", 0, 0, 1000);
    genome_.temporalFilterWidth = length * numberIn(node, "motion_blur_timestep", 0, 0, 1000);
    genome_.temporalSamples = 1 + int(length);
  }

  void readElements(const pugi::xml_node& node) {
    for (const pugi::xml_node& child : node.children())
      if (child.type() == pugi::node_element) element(child);
  }

  /// The first layer's xforms and palette are those of the genome.
  void layer(const pugi::xml_node& node) {
    if (++layers_ > kMaxLayers) return lost_.feature("layer");
    Layer own;
    own.layerSettings = layerSettings(node);
    if (layers_ == 1) {
      genome_.layerSettings = own.layerSettings;
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
      reader.real("weight", settings.weight, kChanged);
      reader.real("density", settings.density, kChanged);
      reader.integer("visible", visible, kChanged);
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
      add(XformReader(place_.in(fmt::format("xform {}", genome_.xforms.size() + 1)), warnings_,
                      lost_, genome_.dialect, false)
              .read(node, int(genome_.xforms.size())));
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
    const Place place = place_.in("final xform");
    Xform read = XformReader(place, warnings_, lost_, genome_.dialect, true)
                     .read(node, int(genome_.xforms.size()));
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
  UnsupportedParts lost_;
  int layers_ = 0;
  bool moves_ = false;
};

// ---- The document

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

/// One root; or flames without one, as servers of Electric Sheep give the two of an edge.
void checkRoots(const pugi::xml_document& document, const Place& place) {
  const pugi::xml_node first = document.document_element();
  if (!first) place.fail("XML with <flame> elements", "no element");
  for (pugi::xml_node next = first.next_sibling(); next; next = next.next_sibling())
    if (next.type() == pugi::node_element && !(isFlame(first) && isFlame(next)))
      place.fail("one root element", fmt::format("<{}> and <{}>", first.name(), next.name()));
}

/// Walks the tree without recursion; what libxml2 calls malformed and pugixml does not is found on
/// the way. Returns the flames in the order of the document.
std::vector<pugi::xml_node> flamesIn(const pugi::xml_document& document, const Place& place) {
  checkRoots(document, place);
  std::vector<pugi::xml_node> flames;
  int depth = -1;  // of the document, whose elements are 0 deep
  pugi::xml_node node = document;
  while (node) {
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
    }
    if (node.first_child()) {
      if (++depth > kMaxElementDepth)
        place.fail(fmt::format("elements at most {} deep", kMaxElementDepth), "deeper ones");
      node = node.first_child();
      continue;
    }
    while (node && !node.next_sibling()) node = node.parent(), --depth;
    node = node.next_sibling();
  }
  return flames;
}

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
std::string lostText(const std::vector<UnsupportedFeature>& lost) {
  return joined(lost, ", ", [](const UnsupportedFeature& each) {
    if (each.xforms == 0) return each.name;
    return fmt::format("{} ({} xform{})", each.name, each.xforms, each.xforms == 1 ? "" : "s");
  });
}

// ---- Checks

constexpr double kMaxSamples = 1e15;  // centuries of them

void need(bool holds, const Place& place, const std::string& expected, double found) {
  if (!holds) place.fail(expected, textOf(found));
}

void checkSize(const Genome& g, const Place& place) {
  if (g.size.x < 1 || g.size.y < 1 || g.size.x > kMaxSide || g.size.y > kMaxSide)
    place.fail(fmt::format("a size from 1 to {} pixels", kMaxSide),
               fmt::format("{} x {}", g.size.x, g.size.y));
}

void checkSampling(const Genome& g, const Place& place) {
  need(g.supersample >= 1 && g.supersample <= kMaxSupersample, place,
       fmt::format("supersample from 1 to {}", kMaxSupersample), g.supersample);
  need(g.quality > 0, place, "quality above 0", g.quality);
  need(g.passes >= 1, place, "passes of at least 1", g.passes);
  need(g.temporalSamples >= 1, place, "temporal_samples of at least 1", g.temporalSamples);
  const double samples = g.quality * std::pow(4, g.zoom) * g.size.x * g.size.y;
  need(samples <= kMaxSamples, place,
       fmt::format("at most {} samples (quality * 4^zoom * pixels)", kMaxSamples), samples);
}

void checkFilters(const Genome& g, const Place& place) {
  const std::string limit = textOf(kMaxFilterRadius);
  need(g.filter >= 0 && g.filter <= kMaxFilterRadius, place, "a filter from 0 to " + limit,
       g.filter);
  need(g.estimatorRadius >= 0 && g.estimatorRadius <= kMaxFilterRadius, place,
       "an estimator_radius from 0 to " + limit, g.estimatorRadius);
  if (g.estimatorRadius == 0) return;
  need(g.estimatorMinimum >= 0 && g.estimatorMinimum <= g.estimatorRadius, place,
       "an estimator_minimum from 0 to the estimator_radius", g.estimatorMinimum);
  need(g.estimatorCurve > 0, place, "an estimator_curve above 0", g.estimatorCurve);
  const double widest = g.estimatorRadius * g.supersample + 1;
  const double narrowest = g.estimatorMinimum * g.supersample + 1;
  need(std::pow(widest / narrowest, 1 / g.estimatorCurve) <= 1e7, place,
       "an estimator_curve that gives at most 1e7 kernels", g.estimatorCurve);
}

/// A camera or a tone map that is not a number has no picture at all.
struct FiniteCheck : EachField<FiniteCheck> {
  explicit FiniteCheck(const Place& of) : place(of) {}
  void text(FieldName, const std::string&) {}
  void integer(FieldName, int, unsigned) {}
  void pixels(FieldName, glm::ivec2, unsigned) {}
  template <class E>
  void word(FieldName, E, std::span<const std::string_view>, unsigned) {}
  void real(FieldName name, double value, unsigned use) {
    if (use & kFinite)
      need(std::isfinite(value), place, fmt::format("a finite {}", name.file), value);
  }
  void reals(FieldName name, const double* values, int count, unsigned use) {
    real(name, std::accumulate(values, values + count, 0.0), use);
  }
  const Place& place;
};

void checkXforms(Genome& g, const Place& place, Warnings& warnings) {
  if (g.xforms.empty()) place.fail("at least one xform", "none");
  double total = 0;
  for (std::size_t i = 0; i < g.xforms.size(); ++i) {
    const Xform& xform = g.xforms[i];
    const Place here = place.in(fmt::format("xform {}", i + 1));
    need(xform.weight >= 0, here, "a weight of at least 0", xform.weight);
    need(xform.weight <= 1e100, here, "a weight of at most 1e100", xform.weight);
    if (!std::isfinite(xform.color) || !std::isfinite(xform.colorSpeed) ||
        !std::isfinite(xform.opacity))
      here.fail("finite color, color_speed and opacity", "one that is not");
    total += xform.weight;
  }
  if (total == 0)
    warnings.add(place, "expected a weight above 0, found none; the image stays empty");
}

/// Rows of factors: as long as there are xforms, not negative, and each leads somewhere.
void checkChaos(Genome& g, const Place& place, Warnings& warnings) {
  double total = 0;
  for (const Xform& xform : g.xforms) total += xform.weight;
  for (std::size_t i = 0; i < g.xforms.size(); ++i) {
    std::vector<double>& row = g.xforms[i].chaos;
    const Place here = place.in(fmt::format("xform {}", i + 1));
    if (row.size() > g.xforms.size()) {
      warnings.add(here, fmt::format("expected at most {} numbers in chaos, found {}; the rest is "
                                     "left out",
                                     g.xforms.size(), row.size()));
      row.resize(g.xforms.size());
    }
    double sum = 0;
    for (std::size_t j = 0; j < g.xforms.size(); ++j) {
      const double factor = g.xforms[i].chaosTo(j);
      need(factor >= 0 && std::isfinite(factor), here, "chaos of at least 0", factor);
      sum += factor * g.xforms[j].weight;
    }
    if (row.empty() || !(total > 0) || sum > 0) continue;
    if (g.dialect == Dialect::Flam3)
      here.fail("a chaos row that leads to an xform with weight", "none");
    warnings.add(here,
                 "expected a chaos row that leads to an xform with weight, found none; any "
                 "xform may follow");
    row.clear();
  }
}

}  // namespace

void check(Genome& genome, const Place& place, Warnings& warnings) {
  checkSize(genome, place);
  FiniteCheck finite(place);
  visitGenomeFields(genome, finite);
  checkSampling(genome, place);
  checkFilters(genome, place);
  checkXforms(genome, place, warnings);
  checkChaos(genome, place, warnings);
  if (!(genome.scale > 0))
    warnings.add(place, fmt::format("expected a scale above 0, found {}; the image stays empty",
                                    genome.scale));
  if (!(genome.gamma > 0))
    warnings.add(place, fmt::format("expected a gamma above 0, found {}; the image has no meaning",
                                    genome.gamma));
  if (genome.soloXform >= int(genome.xforms.size()))
    warnings.add(place, fmt::format("expected soloxform below {}, found {}; the image stays empty",
                                    genome.xforms.size(), genome.soloXform));
  if (genome.passes > 1)
    warnings.add(place, fmt::format("{} passes are drawn as one with all samples", genome.passes));
}

}  // namespace reading

GenomeFile parseGenomes(std::string_view xml, const std::string& name, std::uint64_t seed,
                        int flame, std::optional<double> frame) {
  using namespace reading;
  const Place place(name);
  pugi::xml_document document;
  Warnings warnings;
  load(document, xml, place, warnings);
  const std::vector<pugi::xml_node> nodes = flamesIn(document, place);
  if (nodes.empty())
    place.fail("<flame> elements",
               fmt::format("none below <{}>", document.document_element().name()));

  constexpr double kMaxFrames = 1e6;
  GenomeFile file;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::string_view title = nodes[i].attribute("name").value();
    const std::string label = title.empty() ? std::to_string(i + 1) : quote(title);
    const Place here =
        place.in("flame " + (title.empty() ? label : label.substr(1, label.size() - 2)));
    // A flame that cannot be drawn is left out, unless it is the only one.
    Warnings own;
    try {
      FlameReader reader(here, own, seed);
      file.frame = frame.value_or(numberIn(nodes[i], "frame", 1, 0, kMaxFrames));
      file.genomes.push_back(reader.read(nodes[i], file.frame));
      std::vector<UnsupportedFeature>& lost = file.genomes.back().lost;
      const bool isFilm = nodes.size() == 1 && file.genomes.back().layers.empty();
      if (reader.moves() && isFilm)
        file.frames = int(numberIn(nodes[i], "frame_count", 300, 1, kMaxFrames));
      else if (reader.moves())
        lost.push_back({"motion curves", 0});
      if (reader.moves() && !isFilm && file.genomes.back().temporalFilterWidth > 0)
        lost.push_back({"motion blur", 0});
      if (!lost.empty()) own.add(here, "unsupported: " + lostText(lost));
      if (flame > 0 && int(file.genomes.size()) != flame) own = {};
    } catch (const Error& error) {
      if (nodes.size() == 1 || (i + 1 == nodes.size() && file.genomes.empty())) throw;
      own.add(error.what());
    }
    warnings.append(std::move(own));
  }
  file.warnings = warnings.take();
  return file;
}

GenomeFile readGenomes(const fs::path& file, std::uint64_t seed, int flame) {
  return parseGenomes(readFile(file, kMaxGenomeFileBytes), file.string(), seed, flame);
}

bool looksLikeGenomes(const fs::path& file) {
  const std::string start = startOf(file, 64 * 1024);
  const std::size_t first = start.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  return first != std::string::npos && start[first] == '<' &&
         (start.find("<flame") != std::string::npos ||
          start.find("<jwf-flame") != std::string::npos);
}

}  // namespace fathom::flame
