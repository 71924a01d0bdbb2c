// SPDX-License-Identifier: BSD-3-Clause
// <xform>, <finalxform> and their <motion> children.
#include "app/engine/flame/genome/attributes.h"
#include "app/engine/flame/genome/formula.h"
#include "app/engine/flame/genome/io_parts.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/genome/variations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace fathom::flame::reading {
namespace {

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
      const auto* at =
          std::find(std::begin(kMotionFunctions), std::end(kMotionFunctions), reader.value());
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
  XformReader(const Place& place, Warnings& warnings, LostParts& lost, Dialect dialect,
              bool isFinal)
      : place_(place), warnings_(warnings), lost_(lost), dialect_(dialect), isFinal_(isFinal) {}

  Xform read(const pugi::xml_node& node, int index) {
    needAttributes(node, place_);
    xform_.color = index & 1;
    flowsPixels_ = !node.attribute("pixel_flow").empty();
    if (dialect_ == Dialect::JWildfire) noteStages(node);
    for (const pugi::xml_attribute& attribute : node.attributes())
      attributeOf(inItsStage(attribute.name()), attribute.value());
    placeFormulas();
    addPlanes(before_, "pre_", VariationStage::Before, xform_.coefs);
    addPlanes(after_, "post_", VariationStage::After, {});
    if (dialect_ == Dialect::JWildfire) colorType(node.attribute("color_type").value());
    lost_.endXform(xform_.variations);
    for (const pugi::xml_node& child : node.children("motion"))
      xform_.motions.push_back(readMotion(child, place_.in("motion"), warnings_));
    if (!isFinite(xform_.coefs) || !isFinite(xform_.post))
      warnings_.add(place_, "coefs or post hold a value that is not finite: all it draws is noise");
    return std::move(xform_);
  }

 private:
  /// JWildfire lets a variation act before (-1) or after (1) the others, whatever its name says.
  /// Those that inflate act after them by nature.
  void noteStages(const pugi::xml_node& node) {
    constexpr std::string_view kEnd = "_fx_priority";
    for (const pugi::xml_attribute& attribute : node.attributes()) {
      const std::string name = attribute.name(), value = attribute.value();
      if (name.size() <= kEnd.size() || name.rfind(kEnd) != name.size() - kEnd.size()) continue;
      const std::string variation = name.substr(0, name.size() - kEnd.size());
      const auto [index, parameter] = variationTarget(variation);
      if (index < 0 || parameter >= 0 || index >= variationCount()) continue;
      const VariationInfo& info = variations()[std::size_t(index)];
      if (info.stage != VariationStage::Among || info.name.substr(0, 8) == "inflateZ") continue;
      if (value == "-1" || value == "1")
        moved_.emplace_back(variation, value == "1" ? "post_" : "pre_");
    }
  }
  std::string inItsStage(const std::string& name) const {
    for (const auto& [variation, stage] : moved_)
      if (name == variation || name.rfind(variation + "_", 0) == 0) return stage + name;
    return name;
  }

  void attributeOf(const std::string& name, std::string value) {
    AttributeReader reader(place_, warnings_, name, std::move(value));
    visitXformAttributes(xform_, reader);
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
    const bool hasOthers = std::any_of(
        xform_.variations.begin(), xform_.variations.end(), [&](const VariationUse& use) {
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
    VariationUse& use = variationIn(xform_, variationNamed(name));
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
      VariationUse& use = variationIn(xform_, variationNamed("distance_color"));
      if (use.weight != 0) return;  // written by Fathom
      use.weight = 1;
      use.parameters[0] = xform_.color;
      use.parameters[1] = symmetry + 1;
    } else if (type == "CYCLIC") {
      VariationUse& use = variationIn(xform_, variationNamed("cyclic_color"));
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
    variationIn(xform_, index).weight = 1;
  }

  void allVariations(const std::vector<double>& weights) {
    for (int v = 0; v < kFlam3Variations; ++v)
      if (weights[std::size_t(v)] != 0 || weightIn(xform_, v) != 0)
        variationIn(xform_, v).weight = weights[std::size_t(v)];
  }

  /// The letters of JWildfire's text_wf, two hexadecimal digits each: the parameters c1 to c16.
  void letters(const VariationTarget& first, const std::string& digits) {
    constexpr std::size_t kMost = 16;
    if (digits.size() % 2 != 0 || digits.find_first_not_of("0123456789abcdefABCDEF") != digits.npos)
      place_.fail("pairs of hexadecimal digits in text_wf_text", quote(digits));
    auto& parameters = variationIn(xform_, first.variation).parameters;
    for (std::size_t i = 0; i < kMost; ++i)
      parameters[std::size_t(first.parameter) + i] =
          2 * i < digits.size() ? std::stoi(digits.substr(2 * i, 2), nullptr, 16) : 0;
    if (digits.size() > 2 * kMost) lost_.feature("text_wf beyond 16 letters");
  }

  /// JWildfire's prepost_circlize acts before the others, and its inverse after them.
  void beforeAndAfter(const std::string& name, double value) {
    for (const char* stage : {"pre_", "post_"}) {
      const auto [index, parameter] = variationTarget(stage + name);
      VariationUse& use = variationIn(xform_, index);
      static const VariationTarget reverse = variationTarget("prepost_circlize_reverse");
      const bool before = stage == std::string("pre_");
      if (before && parameter < 0) use.parameters[std::size_t(reverse.parameter)] = 1;
      (parameter < 0 ? use.weight : use.parameters[std::size_t(parameter)]) =
          before && parameter == reverse.parameter ? 1 - value : value;
    }
  }

  /// "yplot2d_wf_formula", "parplot2d_wf_xformula" and such, in any stage.
  static bool isFormula(const std::string& name) {
    constexpr std::string_view kEnd = "formula";
    if (name.size() < kEnd.size() || name.rfind(kEnd) != name.size() - kEnd.size()) return false;
    const std::size_t end = name.rfind('_');
    return end != std::string::npos &&
           variationTarget(name.substr(0, end) + "_code1").parameter >= 0;
  }

  /// A formula of JWildfire's plots, two hexadecimal digits for a letter: noted until all are
  /// there.
  void formula(const std::string& name, const std::string& digits) {
    if (digits.size() % 2 != 0 || digits.find_first_not_of("0123456789abcdefABCDEF") != digits.npos)
      place_.fail("pairs of hexadecimal digits in " + name, quote(digits));
    xform_.other.emplace_back(name, digits);  // written as it was
    std::string text;
    for (std::size_t i = 0; i < digits.size(); i += 2)
      text += char(std::stoi(digits.substr(i, 2), nullptr, 16));
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
      auto& parameters = variationIn(xform_, first.variation).parameters;
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

  void variation(const std::string& name, const AttributeReader& reader) {
    constexpr std::string_view kText = "text_wf_text";
    if (name.size() >= kText.size() && name.rfind(kText) == name.size() - kText.size())
      return letters(variationTarget(name.substr(0, name.size() - 4) + "c1"), reader.value());
    if (isFormula(name)) return formula(name, reader.value());
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
      variationIn(xform_, index).weight = value;
      return;
    }
    static const VariationTarget roundness = variationTarget("super_shape_rnd");
    if (index == roundness.variation && parameter == roundness.parameter)
      value = std::clamp(value, 0.0, 1.0);
    variationIn(xform_, index).parameters[std::size_t(parameter)] = value;
  }

  const Place& place_;
  Warnings& warnings_;
  LostParts& lost_;
  Dialect dialect_;
  bool isFinal_;
  bool flowsPixels_ = false;  // Apophysis writes pixel_flow's parameters without its name
  Xform xform_;
  Planes before_, after_;
  std::vector<std::pair<std::string, std::string>> moved_;      // variations, "pre_" or "post_"
  std::map<std::string, std::array<std::string, 3>> formulas_;  // of each plot: x, y, z
};

}  // namespace

Xform readXform(const pugi::xml_node& node, int index, bool isFinal, Dialect dialect,
                const Place& place, Warnings& warnings, LostParts& lost) {
  return XformReader(place, warnings, lost, dialect, isFinal).read(node, index);
}

}  // namespace fathom::flame::reading
