// SPDX-License-Identifier: BSD-3-Clause
// Attractors of other programs that follow an orbit of their own, whatever the point.
#include "app/engine/flame/genome/variations/family.h"

#include <algorithm>
#include <cmath>

namespace fathom::flame {
namespace {

/// Half away from minus infinity, as in shaders.
double nearestAttractor(double v) { return std::floor(v + 0.5); }

/// Martin's attractor: an orbit of its own, whatever the point.
Point wildHopalong(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double a = in.parameters[1], b = in.parameters[2], c = in.parameters[3],
               startx = in.parameters[4], starty = in.parameters[5];
  Point at = draws.orbit(Point(startx, starty));
  double side = at.x > 0.0 ? 1.0 : at.x < 0.0 ? -1.0 : 0.0;
  Point to = Point(at.y - side * std::sqrt(std::abs(b * at.x - c)), a - at.x);
  draws.setOrbit(to);
  return w * to;
}

/// Three-ply of Peters: an orbit of its own, drawn a thousand times smaller.
Point wildThreeply(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double a = in.parameters[0], b = in.parameters[1], c = in.parameters[2];
  Point at = draws.orbit(Point(0.0, 0.0));
  double side = at.x > 0.0 ? 1.0 : at.x < 0.0 ? -1.0 : 0.0;
  double away = std::abs(std::sin(at.x) * std::cos(b) + c - at.x * std::sin(a + b + c));
  Point to = Point(at.y - side * away, a - at.x);
  draws.setOrbit(to);
  return 0.001 * w * to;
}

/// Devaney's gingerbread man: an orbit of its own.
Point wildGingerbreadMan(const Input& in, Draws& draws) {
  const double w = in.weight;
  Point at = draws.orbit(Point(-0.1, 0.0));
  Point to = Point(1.0 - at.y + std::abs(at.x), at.x);
  draws.setOrbit(to);
  return w * to;
}

double miraCurve(double x, double m) { return m * x + 2.0 * (1.0 - m) * x * x / (1.0 + x * x); }

/// The map of Gumowski and Mira: an orbit of its own.
Point wildGumowskiMira(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double random = in.parameters[0], step = in.parameters[1], a = in.parameters[2],
               b = in.parameters[3];
  double m = (nearestAttractor(random) > 1.0 ? -0.078 : -0.0795) + step;
  Point at = draws.orbit(Point(5.0, 5.0));
  double x = at.y + a * (1.0 - b * at.y * at.y) * at.y + miraCurve(at.x, m);
  Point to = Point(x, miraCurve(x, m) - at.x);
  draws.setOrbit(to);
  return w * to;
}

/// McMillan's map: an orbit of its own, every second step of it.
Point wildMacmillan(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double a = in.parameters[0], b = in.parameters[1], startx = in.parameters[2],
               starty = in.parameters[3];
  Point at = draws.orbit(Point(startx, starty));
  double x = at.y;
  double y = 2.0 * a * x / (1.0 + x * x) + b * x - at.x;
  Point to = Point(y, 2.0 * a * y / (1.0 + y * y) + b * y - x);
  draws.setOrbit(to);
  return w * to;
}

// Rows, in the order of their numbers.

WildFamily wildAttractorRows1() {
  return {
      WildVariation{"hopalong",
                    wildHopalong,
                    {{"random", 1, 0, 10000},
                     {"a", 0.75, -1, 1},
                     {"b", 0.5, -1, 1},
                     {"c", 0.25, -1, 1},
                     {"startx", 0, -1, 1},
                     {"starty", 0, -1, 1}}}
          .orbiting(),
      WildVariation{"threeply",
                    wildThreeply,
                    {{"a", -55, -100, 100}, {"b", -1, -3.15, 3.15}, {"c", -42, -200, 200}}}
          .orbiting(),
      WildVariation{"gingerbread_man", wildGingerbreadMan}.orbiting(),
      WildVariation{"gumowski_mira",
                    wildGumowskiMira,
                    {{"random", 1, 0, 10000},
                     {"step", 0.001, 0, 1},
                     {"a", 0.000001, 0, 0.01},
                     {"b", 0.05, 0, 1}}}
          .orbiting(),
      WildVariation{
          "macmillan",
          wildMacmillan,
          {{"a", 1.6, -3, 3}, {"b", 0.4, -3, 3}, {"startx", 0.1, -3, 3}, {"starty", 0.1, -3, 3}}}
          .orbiting(),
  };
}

}  // namespace

WildFamily wildAttractorVariations() { return joined({wildAttractorRows1()}); }

}  // namespace fathom::flame
