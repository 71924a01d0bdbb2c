// SPDX-License-Identifier: BSD-3-Clause
// Genomes of other programs than flam3: which one wrote a genome, the names that it gives to
// variations, what its settings mean, what of it is not drawn, and text that is nearly XML.
#include "app/engine/core/text.h"
#include "app/engine/flame/genome/io_parts.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/genome/variations.h"

namespace fathom::flame::reading {
namespace {

constexpr std::size_t kLongestName = 1000;
using Targets = std::unordered_map<std::string, VariationTarget>;

/// Names that flam3 or another program had before.
void addOlderNames(Targets& all) {
  for (const char* parameter : {"separation", "frequency", "amplitude", "damping"})
    all[std::string("oscope_") + parameter] = all.at(std::string("oscilloscope_") + parameter);
  for (const char letter : {'a', 'b', 'c', 'd'}) {
    all[std::string("Re_") + char(letter - 'a' + 'A')] = all.at(std::string("mobius_re_") + letter);
    all[std::string("Im_") + char(letter - 'a' + 'A')] = all.at(std::string("mobius_im_") + letter);
  }
  for (const char* parameter : {"x", "y", "z", "mode"})
    if (const auto at = all.find(std::string("octagon_") + parameter); at != all.end())
      all.emplace(std::string("octa_") + parameter, at->second);
  for (const auto& [name, written] : kNamesOfJWildfire) all[written] = all.at(name);
}

/// Every name that stands for a variation or a parameter.
const Targets& targets() {
  static const auto names = [] {
    Targets all;
    for (std::size_t v = 0; v < variations().size(); ++v) {
      const VariationInfo& info = variations()[v];
      const std::string name(info.name);
      all.emplace(name, VariationTarget{int(v), -1});
      for (std::size_t p = 0; p < info.parameters.size(); ++p)
        all.emplace(name + "_" + std::string(info.parameters[p].name),
                    VariationTarget{int(v), int(p)});
    }
    addOlderNames(all);
    return all;
  }();
  return names;
}

/// Names in lower case, where that is not ambiguous: first come, first served.
const Targets& loweredTargets() {
  static const auto names = [] {
    Targets all;
    std::vector<std::string> sorted;
    for (const auto& [name, target] : targets()) sorted.push_back(name);
    std::sort(sorted.begin(), sorted.end(), std::greater<>());  // lower case comes first
    for (const std::string& name : sorted) all.emplace(lowered(name), targets().at(name));
    return all;
  }();
  return names;
}

/// What changes nothing in the picture, or nothing before it is animated.
bool isHarmless(const std::string& name) {
  constexpr std::string_view words =
      " name var_color color_type material material_speed Fac. linked animate flattened "
      "mirror_pre_post_translations mirror_pre_post_transform ";
  const auto begins = [&](std::string_view with) { return name.starts_with(with); };
  return words.find(' ' + name + ' ') != words.npos || begins("mod_") || begins("wfield") ||
         begins("weighting_field") || begins("Fac._") || name.ends_with("_fx_priority") ||
         name.ends_with("_speed") || name.find("Curve_") != std::string::npos ||
         name.find("curve_") != std::string::npos;
}

/// A parameter that a variation does not have here, with the value that it is drawn with.
bool isAsDrawn(const std::string& name, const std::string& value) {
  const auto ends = [&](std::string_view with) { return name.ends_with(with); };
  if (ends("heart_wf_scale_t")) return realOf(value) == 1;
  if (ends("smartcrop_static")) return realOf(value) == 2;  // takes the point's place
  // Of plots of JWildfire: a number of a list that stands for the formula written beside it, and
  // strengths of maps that no file has. XformReader looks at modes of elliptic.
  constexpr const char* others[] = {"auger_half_scale",    "_buddhabrot_min_iter", "elliptic_mode",
                                    "plot2d_wf_preset_id", "plot3d_wf_preset_id",  "_displ_amount",
                                    "_blend_colormap",     "_blend_displ_map"};
  return std::ranges::any_of(others, ends);
}

/// A third dimension of the matrix, as long as it is the identity.
bool isIdentityMatrix(const std::string& value) {
  const auto numbers = realsOf(value);
  return numbers && *numbers == std::vector<double>{1, 0, 0, 1, 0, 0};
}

}  // namespace

VariationTarget variationTarget(const std::string& name) {
  if (const auto at = targets().find(name); at != targets().end()) return at->second;
  if (const auto at = loweredTargets().find(lowered(name)); at != loweredTargets().end())
    return at->second;
  // "bubble.1." and "julian.1._power" are what XML allows of "bubble#1#" and "julian#1#_power".
  std::string marked = name;
  for (const char copy : {'1', '2'}) {
    const std::size_t at = marked.find(std::string(".") + copy + ".");
    if (at != std::string::npos) marked[at] = marked[at + 2] = '#';
  }
  return marked == name ? VariationTarget{} : variationTarget(marked);
}

Dialect dialectOf(const pugi::xml_node& flame) {
  const std::string version = flame.attribute("version").value();
  const auto says = [&](const char* word) { return version.find(word) != std::string::npos; };
  if (says("JWildfire") || std::string_view(flame.name()) == "jwf-flame") return Dialect::JWildfire;
  if (says("Chaotica")) return Dialect::Chaotica;
  if (says("Apophysis")) return Dialect::Apophysis;
  if (says("EMBER") || says("Fractorium")) return Dialect::Fractorium;
  if (says("FLAM3H")) return Dialect::Flam3h;
  return Dialect::Flam3;
}

// ---- What is lost

void UnsupportedParts::note(const std::string& name, int xforms) {
  const auto [at, isNew] = places_.emplace(name, list_.size());
  if (isNew)
    list_.push_back({name, xforms});
  else
    list_[at->second].xforms += xforms;
}

void UnsupportedParts::feature(const std::string& name) { note(name, 0); }

void UnsupportedParts::endXform(const std::vector<VariationUse>& used) {
  std::set<std::string> names;
  for (const auto& attribute : unread_) names.insert(attribute.first);
  const auto isParameter = [&](const std::string& name) {
    for (auto at = name.find('_'); at < name.size() - 1; at = name.find('_', at + 1))
      if (names.contains(name.substr(0, at))) return true;
    return false;
  };
  // Of a variation that does nothing, or a curve of a parameter in time.
  const auto isIdle = [&](const std::string& name) {
    for (std::size_t at = name.find('_'); at != std::string::npos; at = name.find('_', at + 1)) {
      const VariationTarget target = variationTarget(name.substr(0, at));
      if (target.parameter >= 0) return true;
      if (std::any_of(used.begin(), used.end(), [&](const VariationUse& use) {
            return use.index == target.variation && use.weight == 0;
          }))
        return true;
    }
    return false;
  };
  for (const auto& [name, value] : unread_) {
    const bool isName = name.size() < kLongestName;  // not megabytes of parts
    if (isHarmless(name) || isIdentityMatrix(value) || isAsDrawn(name, value) ||
        (isName && (isParameter(name) || isIdle(name))))
      continue;
    const std::optional<double> weight = realOf(value);
    const bool counts = weight ? *weight != 0 : name.find("oefs") != std::string::npos;
    if (counts) note(name, 1);
  }
  unread_.clear();
}

std::vector<UnsupportedFeature> UnsupportedParts::take() {
  std::ranges::stable_sort(list_, std::ranges::greater{}, &UnsupportedFeature::xforms);
  return std::move(list_);
}

// ---- The whole flame

namespace {

const std::string* textIn(const Genome& genome, std::string_view name) {
  for (const auto& [key, value] : genome.other)
    if (key == name) return &value;
  return nullptr;
}

/// What the attribute says; 0 where it is no number.
double numberIn(const Genome& genome, std::string_view name) {
  const std::string* text = textIn(genome, name);
  return text ? realOf(*text).value_or(0) : 0;
}

/// No numbers where it is not a list of them.
std::vector<double> numbersIn(const Genome& genome, std::string_view name) {
  const std::string* text = textIn(genome, name);
  return text ? realsOf(*text).value_or(std::vector<double>{}) : std::vector<double>{};
}

/// Apophysis and Chaotica: four curves of four points with weights.
void readBezierCurves(Genome& genome) {
  const std::vector<double> numbers = numbersIn(genome, "curves");
  if (numbers.size() != 48) return;
  for (std::size_t c = 0; c < 4; ++c)
    for (std::size_t p = 0; p < 4; ++p)
      for (int i = 0; i < 3; ++i)
        genome.curves[c].points[p][i] = numbers[c * 12 + p * 3 + std::size_t(i)];
}

/// Fractorium: points that a spline meets, a list per channel.
void readSplineCurves(Genome& genome) {
  for (std::size_t c = 0; c < 4; ++c) {
    const std::vector<double> numbers = numbersIn(genome, kSplineNames[c]);
    if (numbers.size() < 4 || numbers.size() % 2 != 0) continue;
    std::vector<glm::dvec2> points;
    for (std::size_t i = 0; i < numbers.size(); i += 2)
      points.emplace_back(numbers[i], numbers[i + 1]);
    std::ranges::sort(points, {}, &glm::dvec2::x);
    const auto sameX = [](const glm::dvec2& a, const glm::dvec2& b) { return a.x == b.x; };
    points.erase(std::unique(points.begin(), points.end(), sameX), points.end());
    const bool straight =
        std::ranges::all_of(points, [](const glm::dvec2& p) { return std::abs(p.x - p.y) < 1e-9; });
    if (!straight && points.size() >= 2) genome.curves[c].spline = points;
  }
}

/// Curves whose points lie on the diagonal change nothing.
void dropStraightCurves(Genome& genome) {
  for (ToneCurve& curve : genome.curves) {
    const auto onDiagonal = [](const glm::dvec3& p) { return p.x == p.y; };
    if (curve.spline.empty() && std::ranges::all_of(curve.points, onDiagonal)) curve = {};
  }
}

void readCurves(Genome& genome) {
  readBezierCurves(genome);
  readSplineCurves(genome);
  dropStraightCurves(genome);
}

/// Colors of the corners and of the middle: drawn where all are the same.
void readGradientBackground(Genome& genome, UnsupportedParts& lost) {
  const std::string* type = textIn(genome, "background_type");
  if (!type || type->rfind("GRADIENT", 0) != 0) return;
  std::set<std::vector<double>> colors;
  for (const char* place : {"ul", "ur", "ll", "lr", "cc"})
    if (auto color = numbersIn(genome, std::string("background_") + place); color.size() == 3)
      colors.insert(std::move(color));
  if (colors.size() > 1) return lost.feature("gradient background");
  if (colors.empty()) return;
  const std::vector<double>& color = *colors.begin();
  genome.background = {color[0], color[1], color[2]};
}

/// Two xforms have the same variations in different orders, and it matters.
bool ordersDiffer(Genome genome) {
  bool agrees = actingOrder(genome).agrees;
  for (Layer& layer : genome.layers) {
    swapLayer(genome, layer);
    agrees = agrees && actingOrder(genome).agrees;
  }
  return !agrees;
}

void finishJWildfire(Genome& genome, UnsupportedParts& lost) {
  if (numberIn(genome, "sld_render_enabled") != 0) lost.feature("solid rendering");
  const auto differs = [&](const char* name, const char* plain) {
    const std::string* text = textIn(genome, name);
    return text && !text->empty() && *text != plain;
  };
  if (differs("mixer_mode", "OFF")) lost.feature("mixer_mode");
  if (differs("stereo3d_mode", "NONE")) lost.feature("stereo3d_mode");
  if (differs("background_image", "") || differs("bg_image_filename", ""))
    lost.feature("background image");
  if (genome.camera.blur != 0 && differs("cam_dof_shape", "BUBBLE")) lost.feature("cam_dof_shape");
  if (ordersDiffer(genome)) lost.feature("order of variations");
  readGradientBackground(genome, lost);
  if (numberIn(genome, "smooth_gradient") != 0) genome.paletteMode = PaletteMode::Linear;
  if (textIn(genome, "filter_kernel")) lost.feature("filter_kernel");  // of a name that is unknown
  if (numberIn(genome, "filter_indicator") != 0 &&
      genome.jwildfire.radialShape == RadialShape::MitchellSinePow)
    lost.feature("filter_indicator");
  if (numberIn(genome, "post_blur_radius") != 0) lost.feature("post_blur");
  if (numberIn(genome, "cam_zdimish") != 0) lost.feature("cam_zdimish");
}

}  // namespace

void setDefaults(Genome& genome) {
  if (genome.dialect != Dialect::JWildfire) return;
  genome.estimatorRadius = 0;  // none unless a genome of flam3 had asked for it
  genome.jwildfire.whiteLevel = 220;
  genome.jwildfire.lowDensityBrightness = 0.24;
  genome.jwildfire.radialShape = RadialShape::MitchellSmooth;
  genome.filter = 0.75;
  genome.jwildfire.antialiasAmount = 0.25, genome.jwildfire.antialiasRadius = 0.5;
}

bool isCurves(const std::string& name) {
  return name == "curves" || std::ranges::find(kSplineNames, name) != std::end(kSplineNames);
}

bool curvesAreAsRead(const Genome& genome) {
  Genome read;
  read.other = genome.other;
  readCurves(read);
  return read.curves == genome.curves;
}

void finishDialect(Genome& genome, UnsupportedParts& lost) {
  if (genome.dialect == Dialect::JWildfire) finishJWildfire(genome, lost);
  if (genome.dialect == Dialect::Apophysis || genome.dialect == Dialect::Fractorium)
    genome.preservesZ = 1;
  if (orbitCount(genome) > 1) lost.feature("orbits of more than one attractor");
  readCurves(genome);
}

// ---- Nearly XML

namespace {

bool isNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == ':' || c == '-' ||
         c == '.' || static_cast<unsigned char>(c) >= 128;
}

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// One start tag: its attributes with names that XML allows, each once (the last one counts).
class TagRepair {
 public:
  TagRepair(std::string_view tag, int& repairs) : tag_(tag), repairs_(repairs) {}

  std::string repaired() {
    std::size_t at = 1;
    while (at < tag_.size() && isNameCharacter(tag_[at])) ++at;
    const std::string head(tag_.substr(0, at));
    while (readAttribute(at)) {
    }
    if (!changed_) return std::string(tag_);
    std::string out = head;
    for (const auto& [name, value] : attributes_) out += " " + name + "=" + value;
    const bool closes = tag_.size() > 1 && tag_[tag_.size() - 2] == '/';
    return out + (closes ? "/>" : ">");
  }

 private:
  bool readAttribute(std::size_t& at) {
    while (at < tag_.size() && isSpace(tag_[at])) ++at;
    const std::size_t equals = tag_.find('=', at);
    if (equals == std::string_view::npos) return false;
    const std::size_t open = tag_.find_first_of("\"'", equals);
    if (open == std::string_view::npos) return false;
    const std::size_t close = tag_.find(tag_[open], open + 1);
    if (close == std::string_view::npos) return false;
    add(tag_.substr(at, equals - at), std::string(tag_.substr(open, close + 1 - open)));
    at = close + 1;
    return true;
  }

  void add(std::string_view written, std::string value) {
    while (!written.empty() && isSpace(written.back())) written.remove_suffix(1);
    std::string name(written);
    for (char& c : name) c = c == '#' ? '.' : isNameCharacter(c) ? c : '_';
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) || name[0] == '.')
      name = "_" + name;
    if (name != written) ++repairs_, changed_ = true;
    const auto [at, isNew] = places_.emplace(name, attributes_.size());
    if (isNew) return void(attributes_.emplace_back(std::move(name), std::move(value)));
    attributes_[at->second].second = std::move(value);
    ++repairs_, changed_ = true;
  }

  std::string_view tag_;
  int& repairs_;
  bool changed_ = false;
  Attributes attributes_;
  std::map<std::string, std::size_t> places_;  // there, by name
};

/// Where a tag that begins at `open` ends: ">" within quotes does not count.
std::size_t endOfTag(std::string_view text, std::size_t open) {
  char quote = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (quote) {
      if (text[i] == quote) quote = 0;
    } else if (text[i] == '"' || text[i] == '\'') {
      quote = text[i];
    } else if (text[i] == '>') {
      return i;
    }
  }
  return std::string_view::npos;
}

}  // namespace

std::string repairedXml(std::string_view text, int& repairs) {
  std::string out;
  out.reserve(text.size() + 64);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find('<', at);
    out += text.substr(at, open == std::string_view::npos ? open : open - at);
    if (open == std::string_view::npos) break;
    const bool comment = text.compare(open, 4, "<!--") == 0;
    std::size_t end = comment ? text.find("-->", open) : endOfTag(text, open);
    if (end == std::string_view::npos) {  // left to the parser, which says what is wrong
      out += text.substr(open);
      break;
    }
    if (comment) end += 2;
    const std::string_view tag = text.substr(open, end + 1 - open);
    at = end + 1;
    const char kind = tag.size() > 1 ? tag[1] : '>';
    const bool hasAttributes = kind != '/' && kind != '!' && kind != '?';
    out += hasAttributes ? TagRepair(tag, repairs).repaired() : std::string(tag);
  }
  return out;
}

}  // namespace fathom::flame::reading
