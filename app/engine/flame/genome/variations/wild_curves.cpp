// SPDX-License-Identifier: BSD-3-Clause
// Variations of other programs whose point comes from the draws: more curves and areas.
#include "app/engine/flame/genome/variations/family.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace fathom::flame {
namespace {

std::uint32_t mixedBits(std::uint32_t v) {
  v = (v ^ v >> 16) * 0x7feb352du;
  v = (v ^ v >> 15) * 0x846ca68bu;
  return v ^ v >> 16;
}

/// In -1..1, most often near 0.
double cellNoise(Point cell, std::uint32_t seed) {
  const auto x = std::uint32_t(int(cell.x)), y = std::uint32_t(int(cell.y));
  const std::uint32_t bits = mixedBits(x + mixedBits(y + mixedBits(seed)));
  return (bits & 0xffffu) / 65536.0 + (bits >> 16) / 65536.0 - 1.0;
}

Point cellMiddle(Point cell, double size, double distort, double z) {
  const auto seed = 2 * std::uint32_t(int(std::floor(64 * z + 0.5)));
  return size * (cell + distort * Point(cellNoise(cell, seed), cellNoise(cell, seed + 1)));
}

/// The one of nine cells whose middle is nearest to u.
Point cellAround(Point first, Point u, double size, double distort, double z) {
  Point best = first;
  double nearest = 1e30;
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j) {
      const Point cell = first + Point(i, j), away = u - cellMiddle(cell, size, distort, z);
      const double d = away.x * away.x + away.y * away.y;
      if (d < nearest) nearest = d, best = cell;
    }
  return best;
}

/// How far u is on its way from the middle of `cell` to an edge: 1 there.
double cellEdge(Point cell, Point u, double size, double distort, double z) {
  const Point middle = cellMiddle(cell, size, distort, z);
  double most = -1e30;
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j) {
      if (i == 0 && j == 0) continue;
      const Point to = cellMiddle(cell + Point(i, j), size, distort, z) - middle;
      most = std::max(most, 2 * ((u.x - middle.x) * to.x + (u.y - middle.y) * to.y) /
                                (to.x * to.x + to.y * to.y));
    }
  return most;
}

/// The point, blurred like a bell.
Point wildGaussian(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  double turn = kTwoPi * draws.unit();
  double a = draws.unit();
  double b = draws.unit();
  double c = draws.unit();
  double r = w * (a + b + c + draws.unit() - 2.0);
  return Point(x, y) + r * direction(turn);
}

/// The curve of a pen in a wheel that rolls.
Point wildSpirograph(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double a = in.parameters[0], b = in.parameters[1], d = in.parameters[2],
               c1 = in.parameters[3], c2 = in.parameters[4], tmin = in.parameters[5],
               tmax = in.parameters[6], ymin = in.parameters[7], ymax = in.parameters[8];
  double t = (tmax - tmin) * draws.unit() + tmin;
  double v = (ymax - ymin) * draws.unit() + ymin;
  double u = (a + b) / b * t;
  return w * Point((a + b) * std::cos(t) - c1 * std::cos(u) + d * std::cos(t) + v,
                   (a + b) * std::sin(t) - c2 * std::sin(u) + d * std::sin(t) + v);
}

/// Dust in irregular cells, which lie elsewhere than in other programs.
Point wildCrackle(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double cellsize = in.parameters[0], power = in.parameters[1], distort = in.parameters[2],
               scale = in.parameters[3], z_p = in.parameters[4];
  double s = std::max(std::abs(0.5 * cellsize), 1e-6);
  double far = draws.unit();
  far = 0.5 * (far + draws.unit());
  far += 0.25 * (draws.unit() - 0.5);
  Point d = direction(kTwoPi * draws.unit()), u = far * Point(d.y, d.x);
  Point cell = cellAround(Point(std::floor(u.x / s), std::floor(u.y / s)), u, s, distort, z_p);
  Point middle = cellMiddle(cell, s, distort, z_p);
  double edge = cellEdge(cell, u, s, distort, z_p);
  edge = std::abs(edge) < 1e-20 ? 1e-20 : edge;
  return w * (middle + std::pow(std::abs(edge), power) * scale / edge * (u - middle));
}

}  // namespace

WildFamily wildCurveVariations() {
  return {
      {"gaussian", wildGaussian, {}},
      {"spirograph",
       wildSpirograph,
       {{"a", 3, -10, 10},
        {"b", 2, -10, 10},
        {"d", 0, -5, 5},
        {"c1", 0, -5, 5},
        {"c2", 0, -5, 5},
        {"tmin", -1, -100, 100},
        {"tmax", 1, -100, 100},
        {"ymin", -1, -5, 5},
        {"ymax", 1, -5, 5}},
       true},
      {"crackle",
       wildCrackle,
       {{"cellsize", 1, 0.05, 3},
        {"power", 0.2, -1, 2},
        {"distort", 0, 0, 2},
        {"scale", 1, 0, 2},
        {"z", 0, -3, 3}},
       true},
  };
}

}  // namespace fathom::flame
