// SPDX-License-Identifier: BSD-3-Clause
// JWildfire's motion curves: numbers of a flame that move from frame to frame. Attributes beside
// each number hold the points of its curve. (AnimationService and Envelope of JWildfire 9)
#include "app/engine/flame/genome/io_parts.h"

#include <glm/gtx/spline.hpp>

namespace fathom::flame::reading {
namespace {

constexpr std::string_view kEnabled = "_enabled";
constexpr double kDegree = std::numbers::pi / 180;
constexpr std::size_t kMaxCurves = 1000;  // of an element

/// Through its points by a spline (Catmull, Rom), straight, or by quadratic Bezier curves between
/// the middles of its sides; beyond the points it stands still.
double valueAt(const std::vector<glm::dvec2>& p, std::string_view interpolation, double frame) {
  if (p.empty()) return 0;
  const auto [first, last] = std::ranges::minmax(p, {}, &glm::dvec2::x);
  if (p.size() == 1 || frame <= first.x) return p.front().y;
  if (frame >= last.x) return p.back().y;
  const std::size_t end = p.size() - 1;
  const bool straight = p.size() == 2 || interpolation == "LINEAR";
  const bool bezier = !straight && interpolation == "BEZIER";
  const auto pointAt = [&](std::size_t i, double u) {
    const glm::dvec2 b = p[i], c = p[i + 1];
    if (straight) return glm::mix(b, c, u);
    const glm::dvec2 a = p[i > 0 ? i - 1 : 0], d = p[std::min(i + 2, end)];
    if (!bezier) return glm::catmullRom(a, b, c, d, u);
    const glm::dvec2 from = i == 1 ? a : (a + b) / 2.0, to = i + 1 == end ? c : (b + c) / 2.0;
    return glm::mix(glm::mix(from, b, u), glm::mix(b, to, u), u);
  };
  std::size_t i = bezier ? 1 : 0;
  while (i + 1 < end && pointAt(i, 1).x <= frame) ++i;
  double low = 0, high = 1;
  for (int step = 0; step < 50; ++step) {
    const double middle = (low + high) / 2;
    (pointAt(i, middle).x <= frame ? low : high) = middle;
  }
  return pointAt(i, low).y;
}

/// The value of a curve, with those that it is laid upon; `attributes`: of its element.
double valueOf(const std::map<std::string, std::string>& attributes, std::string curve,
               double frame) {
  constexpr int kMaxParents = 8;
  const auto text = [&](const std::string& part) {
    const auto at = attributes.find(curve + part);
    return at == attributes.end() ? "" : at->second;
  };
  double sum = 0;
  for (int parents = 0; !curve.empty() && parents <= kMaxParents; ++parents) {
    const double count = leadingReal(text("_point_count"));
    std::vector<glm::dvec2> points(std::size_t(std::clamp(count, 0.0, double(attributes.size()))));
    for (std::size_t i = 0; i < points.size(); ++i)
      points[i] = {leadingReal(text(fmt::format("_x{}", i))),
                   leadingReal(text(fmt::format("_y{}", i)))};
    sum += valueAt(points, text("_interpolation"), frame);
    curve = text("_parent_curve");
  }
  return sum;
}

void setValue(pugi::xml_node element, const std::string& name, const std::string& value) {
  if (!element.attribute(name.c_str())) element.append_attribute(name.c_str());
  element.attribute(name.c_str()).set_value(value.c_str());
}

/// The numbers of an attribute, or these where it is not there.
std::vector<double> numbersOf(pugi::xml_node element, const std::string& name,
                              const std::vector<double>& others) {
  const auto written = realsOf(element.attribute(name.c_str()).value());
  return written && written->size() == others.size() ? *written : others;
}

void setNumbers(pugi::xml_node element, const std::string& name, const std::vector<double>& v) {
  setValue(element, name, fmt::format("{}", fmt::join(v, " ")));
}

/// "xyCoeff20" of coefs, "yzPostRotate" of yzPost, ...: false when it is none of them.
bool moveAffine(pugi::xml_node element, std::string_view name, double value) {
  const std::string plane(name.substr(0, 2));
  if (plane != "xy" && plane != "yz" && plane != "zx") return false;
  name.remove_prefix(2);
  const bool post = name.starts_with("Post");
  if (post) name.remove_prefix(4);
  const bool turns = name == "Rotate", scales = name == "Scale";
  const bool entry = name.size() == 7 && name.starts_with("Coeff") && name[5] >= '0' &&
                     name[5] <= '2' && (name[6] == '0' || name[6] == '1');
  if (!turns && !scales && !entry) return false;
  const std::string attribute =
      plane == "xy" ? (post ? "post" : "coefs") : plane + (post ? "Post" : "Coefs");
  std::vector<double> v = numbersOf(element, attribute, {1, 0, 0, 1, 0, 0});
  if (entry) v[std::size_t(2 * (name[5] - '0') + name[6] - '0')] = value;
  const double c = std::cos(value * kDegree), s = std::sin(value * kDegree);
  for (std::size_t i = 0; i < 4; i += 2) {
    const double x = v[i], y = v[i + 1];
    if (turns) v[i] = x * c + y * s, v[i + 1] = y * c - x * s;
    if (scales) v[i] = x * value, v[i + 1] = y * value;
  }
  setNumbers(element, attribute, v);
  return true;
}

/// The attribute of a number of a flame, layer or xform as JWildfire's program calls it, or "".
std::string attributeOf(const std::string& number) {
  constexpr std::string_view kAttributes =
      " weight:weight color:color colorSymmetry:symmetry opacity:opacity density:density "
      "camPitch:cam_pitch camYaw:cam_yaw camBank:cam_roll camRoll:rotate camZoom:cam_zoom "
      "camPerspective:cam_perspective camPosX:cam_pos_x camPosY:cam_pos_y camPosZ:cam_pos_z "
      "camZ:cam_zpos focusX:cam_xfocus focusY:cam_yfocus focusZ:cam_zfocus camDOF:cam_dof "
      "camDOFArea:cam_dof_area camDOFExponent:cam_dof_exponent pixelsPerUnit:scale gamma:gamma "
      "gammaThreshold:gamma_threshold brightness:brightness contrast:contrast "
      "saturation:saturation vibrancy:vibrancy whiteLevel:white_level "
      "lowDensityBrightness:low_density_brightness foregroundOpacity:fg_opacity "
      "balanceRed:balancing_red balanceGreen:balancing_green balanceBlue:balancing_blue "
      "postSymmetryCentreX:post_symmetry_centre_x postSymmetryCentreY:post_symmetry_centre_y "
      "postSymmetryDistance:post_symmetry_distance "
      "postSymmetryRotation:post_symmetry_rotation ";
  const std::size_t at = kAttributes.find(" " + number + ":");
  if (at == kAttributes.npos) return "";
  const std::size_t from = at + number.size() + 2;
  return std::string(kAttributes.substr(from, kAttributes.find(' ', from) - from));
}

/// Gives a number the value of its curve; false when none of that name is known.
bool move(pugi::xml_node element, std::string name, double value) {
  constexpr std::string_view kCurve = "Curve", kAmount = "_amount";
  if (name.ends_with(kCurve)) name.resize(name.size() - kCurve.size());
  if (moveAffine(element, name, value)) return true;
  if (name == "centreX" || name == "centreY") {
    std::vector<double> center = numbersOf(element, "center", {0, 0});
    center[name == "centreX" ? 0 : 1] = value;
    setNumbers(element, "center", center);
    return true;
  }
  const bool isAngle = name == "camPitch" || name == "camYaw" || name == "camBank";
  std::string attribute = attributeOf(name);
  if (attribute.empty() && name.ends_with(kAmount))
    attribute = name.substr(0, name.size() - kAmount.size());
  else if (attribute.empty() && variationTarget(name).parameter >= 0)
    attribute = name;
  if (attribute.empty()) return false;
  if (attribute == "weight") value = std::max(value, 0.0);  // splines overshoot
  setValue(element, attribute, textOf(isAngle ? value * kDegree : value));
  return true;
}

}  // namespace

MotionCurves applyMotionCurves(pugi::xml_node flame, double frame) {
  MotionCurves found;
  for (pugi::xml_node element = flame; element;) {
    std::map<std::string, std::string> attributes;
    for (const pugi::xml_attribute& attribute : element.attributes())
      attributes.emplace(attribute.name(), attribute.value());
    std::size_t curves = 0;
    for (const auto& [name, value] : attributes) {
      if (!name.ends_with(kEnabled) || value != "true" || curves == kMaxCurves) continue;
      const std::string curve = name.substr(0, name.size() - kEnabled.size());
      if (!attributes.contains(curve + "_point_count")) continue;
      if (!move(element, curve, valueOf(attributes, curve, frame))) found.unknown.push_back(curve);
      setValue(element, name, "false");
      ++curves;
    }
    found.any |= curves > 0;
    // The next element below the flame, without recursion.
    pugi::xml_node next = element.first_child();
    for (; !next && element != flame; element = element.parent()) next = element.next_sibling();
    element = next;
  }
  return found;
}

}  // namespace fathom::flame::reading
