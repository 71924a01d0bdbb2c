// SPDX-License-Identifier: BSD-3-Clause
// Variations of other programs that cut the plane into pieces and move them.
#include "app/engine/flame/genome/variations/family.h"

#include <algorithm>
#include <cmath>

namespace fathom::flame {
namespace {

/// Bubbles in the cells of a grid.
Point wildBwraps(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double cellsize = in.parameters[0], space = in.parameters[1], gain = in.parameters[2],
               inner_twist = in.parameters[3], outer_twist = in.parameters[4];
  if (std::abs(cellsize) < 1e-10) return w * Point(x, y);
  const double radius = 0.5 * (cellsize / (1.0 + space * space)),
               g2 = gain * gain / (radius + 1e-6) + 1e-6;
  double largest = g2 * radius;
  largest = largest > 2.0 ? 1.0 : largest / (largest * largest / 4.0 + 1.0);
  const double cx = (std::floor(x / cellsize) + 0.5) * cellsize,
               cy = (std::floor(y / cellsize) + 0.5) * cellsize;
  double lx = x - cx, ly = y - cy;
  if (lx * lx + ly * ly > radius * radius) return w * Point(x, y);
  lx *= g2;
  ly *= g2;
  const double k = radius / largest / ((lx * lx + ly * ly) / 4.0 + 1.0);
  lx *= k;
  ly *= k;
  const double away = (lx * lx + ly * ly) / (radius * radius);
  const Point d = direction(inner_twist * (1.0 - away) + outer_twist * away);
  return w * Point(cx + d.x * lx + d.y * ly, cy - d.y * lx + d.x * ly);
}

/// Bubbles in the cells of a grid, whose gain does not depend on its size.
Point wildBwraps7(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double cellsize = in.parameters[0], space = in.parameters[1], gain = in.parameters[2],
               inner_twist = in.parameters[3], outer_twist = in.parameters[4];
  if (std::abs(cellsize) < 1e-10) return w * Point(x, y);
  const double radius = 0.5 * (cellsize / (1.0 + space * space)), g2 = gain * gain + 1e-6;
  double largest = g2 * radius;
  largest = largest > 2.0 ? 1.0 : largest / (largest * largest / 4.0 + 1.0);
  const double cx = (std::floor(x / cellsize) + 0.5) * cellsize,
               cy = (std::floor(y / cellsize) + 0.5) * cellsize;
  double lx = x - cx, ly = y - cy;
  if (lx * lx + ly * ly > radius * radius) return w * Point(x, y);
  lx *= g2;
  ly *= g2;
  const double k = radius / largest / ((lx * lx + ly * ly) / 4.0 + 1.0);
  lx *= k;
  ly *= k;
  const double away = (lx * lx + ly * ly) / (radius * radius);
  const Point d = direction(inner_twist * (1.0 - away) + outer_twist * away);
  return w * Point(cx + d.x * lx + d.y * ly, cy - d.y * lx + d.x * ly);
}

/// boarders with widths.
Point wildBoarders2(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double c = in.parameters[0], left = in.parameters[1], right = in.parameters[2];
  const double ac = c == 0.0 ? 1e-10 : std::abs(c), al = left == 0.0 ? 1e-10 : std::abs(left),
               ar = right == 0.0 ? 1e-10 : std::abs(right);
  const double cl = ac * al, cr = ac + ac * ar;
  const double cx = std::nearbyint(x), cy = std::nearbyint(y), dx = x - cx, dy = y - cy;
  const Point q = Point(dx * ac + cx, dy * ac + cy);
  if (draws.unit() >= cr) return w * q;
  if (std::abs(dx) >= std::abs(dy)) return w * (q + (dx >= 0.0 ? cl : -cl) * Point(1.0, dy / dx));
  return w * (q + (dy >= 0.0 ? cl : -cl) * Point(dx / dy, 1.0));
}

/// Strips, narrowed.
Point wildShredlin(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double xdistance = in.parameters[0], xwidth = in.parameters[1],
               ydistance = in.parameters[2], ywidth = in.parameters[3];
  const double tx = x / xdistance, ty = y / ydistance, ix = std::trunc(tx), iy = std::trunc(ty);
  const double sx = x < 0.0 ? -0.5 : 0.5, sy = y < 0.0 ? -0.5 : 0.5;
  return w * Point(xdistance * ((tx - ix) * xwidth + ix + sx * (1.0 - xwidth)),
                   ydistance * ((ty - iy) * ywidth + iy + sy * (1.0 - ywidth)));
}

/// Copies to both sides, fewer and fewer.
Point wildTileLog(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double spread = in.parameters[0];
  const double side = draws.unit() < 0.5 ? spread : -spread;
  const double u = draws.unit();
  return w * Point(x + std::floor(side * std::log(std::max(u, 1e-9)) + 0.5), y);
}

/// Cells that pass into their neighbors.
Point wildTileHlp(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double width = in.parameters[0];
  const double t = x / width;
  const double a = std::cos((t > 0.0 ? t - std::trunc(t) : t + std::trunc(t)) * kPi);
  const double u = draws.unit();
  const double jump = a < u * 2.0 - 1.0 ? (x > 0.0 ? -width * w : width * w) : 0.0;
  return Point(x * w + jump, w * y);
}

/// A checkerboard of shifts.
Point wildChecks(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y, w = in.weight;
  const double x = in.parameters[0], y = in.parameters[1], size = in.parameters[2],
               rnd = in.parameters[3];
  const double scale = 1.0 / (size + 1e-10),
               sum = std::nearbyint(px * scale) + std::nearbyint(py * scale);
  const double u = rnd * draws.unit();
  const double v = rnd * draws.unit();
  return sum - 2.0 * std::floor(0.5 * sum) < 0.5 ? w * Point(px - x + u, py - y)
                                                 : w * Point(px + x, py + y + v);
}

}  // namespace

WildFamily wildTileVariations() {
  return {
      {"bwraps",
       wildBwraps,
       {{"cellsize", 1, -3, 3},
        {"space", 0, -2, 2},
        {"gain", 1, -3, 3},
        {"inner_twist", 0, -3.15, 3.15},
        {"outer_twist", 0, -3.15, 3.15}}},
      {"bwraps7",
       wildBwraps7,
       {{"cellsize", 1, -3, 3},
        {"space", 0, -2, 2},
        {"gain", 2, -3, 3},
        {"inner_twist", 0, -3.15, 3.15},
        {"outer_twist", 0, -3.15, 3.15}}},
      {"boarders2",
       wildBoarders2,
       {{"c", 0.4, 0.01, 1}, {"left", 0.65, 0.01, 2}, {"right", 0.35, 0.01, 2}}},
      {"shredlin",
       wildShredlin,
       {{"xdistance", 1, 0.1, 3},
        {"xwidth", 0.5, 0, 1},
        {"ydistance", 1, 0.1, 3},
        {"ywidth", 0.5, 0, 1}}},
      {"tile_log", wildTileLog, {{"spread", 1, -3, 3}}},
      {"tile_hlp", wildTileHlp, {{"width", 1, 0.1, 4}}},
      {"checks",
       wildChecks,
       {{"x", 3, -10, 10}, {"y", 3, -10, 10}, {"size", 1, 0.1, 20}, {"rnd", 0.5, -2, 2}}},
  };
}

}  // namespace fathom::flame
