// SPDX-License-Identifier: BSD-3-Clause
// Symmetries and crops of other programs, mostly used after the other variations.
#include "app/engine/flame/genome/variations/family.h"

#include <algorithm>
#include <cmath>

namespace fathom::flame {
namespace {

/// What lies outside of a rectangle goes to its border.
Point wildCrop(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double left = in.parameters[0], right = in.parameters[1], top = in.parameters[2],
               bottom = in.parameters[3], scatter_area = in.parameters[4], zero = in.parameters[5];
  const double x0 = std::min(left, right), x1 = std::max(left, right), y0 = std::min(top, bottom),
               y1 = std::max(top, bottom);
  const double dx = (x1 - x0) * 0.5 * scatter_area, dy = (y1 - y0) * 0.5 * scatter_area;
  const bool outside = x < x0 || x > x1 || y < y0 || y > y1;
  if (outside && zero != 0.0) return Point(0.0, 0.0);
  const double u = draws.unit();
  const double v = draws.unit();
  const double cx = x < x0 ? x0 + u * dx : x > x1 ? x1 - u * dx : x;
  const double cy = y < y0 ? y0 + v * dy : y > y1 ? y1 - v * dy : y;
  return w * Point(cx, cy);
}

/// What lies outside of a circle goes to its border.
Point wildCirclecrop(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y, w = in.weight;
  const double radius = in.parameters[0], x = in.parameters[1], y = in.parameters[2],
               scatter_area = in.parameters[3], zero = in.parameters[4];
  const double dx = px - x, dy = py - y;
  const bool outside = std::sqrt(dx * dx + dy * dy) > radius;
  const double u = draws.unit();
  const double to = radius + u * 0.5 * std::max(-1.0, std::min(scatter_area, 1.0));
  if (outside && zero == 1.0) return Point(0.0, 0.0);
  if (outside) return w * to * direction(std::atan2(dy, dx)) + Point(x, y);
  return w * Point(dx, dy) + Point(x, y);
}

/// Half of the points mirrored at an axis.
Point wildAxisSymmetryWf(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double axis = in.parameters[0], centre_x = in.parameters[1], centre_y = in.parameters[2],
               rotation = in.parameters[4];
  const double away = 0.5 * w, a = rotation * kTwoPi / 180.0 * 0.5;
  const bool first = draws.unit() < 0.5;
  double tx = x, ty = y;
  if (axis == 0.0) tx = centre_x + (first ? 1.0 : -1.0) * (x - centre_x + away);
  if (axis == 1.0) ty = centre_y + (first ? 1.0 : -1.0) * (y - centre_y + away);
  const Point d = direction(a);
  const double sn = first ? d.y : -d.y;
  const double dx = tx - centre_x, dy = ty - centre_y;
  return Point(centre_x + dx * d.x + dy * sn, centre_y + dy * d.x - dx * sn);
}

/// Copies turned about a point.
Point wildPointSymmetryWf(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double centre_x = in.parameters[0], centre_y = in.parameters[1], order = in.parameters[2];
  const double turn = std::trunc(order * draws.unit());
  const Point d = direction(turn * kTwoPi / order);
  const double dx = (x - centre_x) * w, dy = (y - centre_y) * w;
  return Point(centre_x + dx * d.x + dy * d.y, centre_y + dy * d.x - dx * d.y);
}

/// Blurs outside of a circle.
Point wildRblur(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double strength = in.parameters[0], offset = in.parameters[1], center_x = in.parameters[2],
               center_y = in.parameters[3];
  const double dx = x - center_x, dy = y - center_y;
  const double reach = 2.0 * strength * std::max(0.0, std::sqrt(dx * dx + dy * dy) - offset);
  const double u = draws.unit();
  const double v = draws.unit();
  return w * Point(x + (u - 0.5) * reach, y + (v - 0.5) * reach);
}

/// A polygon or a sector cut out; the rest goes to its border.
Point wildSmartcrop(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double power = in.parameters[0], radius = in.parameters[1], roundstr = in.parameters[2],
               roundwidth = in.parameters[3], distortion = in.parameters[4],
               edge = in.parameters[5], scatter = in.parameters[6], offset = in.parameters[7],
               cropmode = in.parameters[8];
  const bool moves_outside = (power > 0.0) == (radius > 0.0);
  const double reach = std::abs(radius), corners = std::abs(power), a = std::atan2(y, x),
               away = std::sqrt(x * x + y * y);
  const double u = draws.unit() - 0.5;
  const double v = draws.unit();
  if (corners < 2.0) {
    const double sector = corners * kPi, at = a / kTwoPi + 1.0 + edge * u;
    const bool outside = (at - std::trunc(at)) * kTwoPi > sector;
    if (outside != moves_outside) return w * Point(x, y);
    const double turn = (v * scatter + offset + edge * u) * kPi;
    return w * away * direction(draws.unit() < 0.5 ? sector + turn : -turn);
  }
  double alpha = kTwoPi / corners, stretch = 1.0;
  if (distortion != 0.0) {
    const double t = (a + kPi) / alpha;
    const double part = t - std::trunc(t), fold = part < 0.5 ? part : 1.0 - part;
    stretch = 1.0 / std::cos(fold * alpha);
    if (roundstr != 0.0) {
      const double width =
          std::pow(2.0 * fold, roundwidth) * roundstr / std::sin(0.5 * alpha) / corners * 2.0;
      stretch = std::abs((1.0 - width) * stretch + width);
    }
    stretch = std::pow(stretch, distortion);
  }
  const double rim = stretch * (reach + edge * u);
  if ((away > rim) != moves_outside) return w * Point(x, y);
  return w * ((cropmode > 0.0 ? rim : 0.0) + stretch * (v * scatter + offset)) * direction(a);
}

}  // namespace

WildFamily wildMirrorVariations() {
  return {
      {"crop",
       wildCrop,
       {{"left", -1, -3, 3},
        {"right", 1, -3, 3},
        {"top", -1, -3, 3},
        {"bottom", 1, -3, 3},
        {"scatter_area", 0, -1, 1},
        {"zero", 0, 0, 1}}},
      {"circlecrop",
       wildCirclecrop,
       {{"radius", 1, 0, 3},
        {"x", 0, -3, 3},
        {"y", 0, -3, 3},
        {"scatter_area", 0, -1, 1},
        {"zero", 1, 0, 1}}},
      {"axis_symmetry_wf",
       wildAxisSymmetryWf,
       {{"axis", 0, 0, 2},
        {"centre_x", 0.25, -3, 3},
        {"centre_y", 0.5, -3, 3},
        {"centre_z", 0.5, -3, 3},
        {"rotation", 30, -180, 180}}},
      {"point_symmetry_wf",
       wildPointSymmetryWf,
       {{"centre_x", 0.25, -3, 3}, {"centre_y", 0.5, -3, 3}, {"order", 3, 1, 20}}},
      {"rblur",
       wildRblur,
       {{"strength", 1, 0, 3},
        {"offset", 1, 0, 3},
        {"center_x", 0, -3, 3},
        {"center_y", 1, -3, 3}}},
      {"smartcrop",
       wildSmartcrop,
       {{"power", 4, -12, 12},
        {"radius", 1, -3, 3},
        {"roundstr", 0, -3, 3},
        {"roundwidth", 1, 0, 3},
        {"distortion", 1, -3, 3},
        {"edge", 0, -1, 1},
        {"scatter", 0, -1, 1},
        {"offset", 0, -1, 1},
        {"cropmode", 1, 0, 2}}},
  };
}

}  // namespace fathom::flame
