// SPDX-License-Identifier: BSD-3-Clause
// Variations that cut the plane into pieces (half planes, strips, cells) and move or mirror them.
#include "app/engine/flame/genome/variations/family.h"

namespace fathom::flame {
namespace {

double inTile(double v, double size) {
  return size == 0 ? v : (2 * std::floor(v / size) + 1) * size - v;
}

Point rectangles(const Input& in, Draws&) {
  return in.weight * Point(inTile(in.x, in.parameters[0]), inTile(in.y, in.parameters[1]));
}

Point bent2(const Input& in, Draws&) {
  return in.weight * Point(in.x < 0 ? in.x * in.parameters[0] : in.x,
                           in.y < 0 ? in.y * in.parameters[1] : in.y);
}

/// Most points are drawn towards the border of their cell of the integer lattice.
Point boarders(const Input& in, Draws& draws) {
  const double cellX = std::nearbyint(in.x), cellY = std::nearbyint(in.y);
  const double u = in.x - cellX, v = in.y - cellY;
  Point q(cellX + u / 2, cellY + v / 2);
  if (draws.unit() < 0.75) {
    if (std::abs(u) >= std::abs(v)) {
      const double side = u >= 0 ? 0.25 : -0.25;
      q += side * Point(1, v / u);
    } else {
      const double side = v >= 0 ? 0.25 : -0.25;
      q += side * Point(u / v, 1);
    }
  }
  return in.weight * q;
}

/// Every cell moves to the cell of twice its index, negative ones to the odd between.
double cellShift(double index) { return index >= 0 ? 2 * index : -(2 * index + 1); }

Point cell(const Input& in, Draws&) {
  const double size = in.parameters[0];
  const double i = std::floor(in.x / size), j = std::floor(in.y / size);
  const double u = in.x - i * size, v = in.y - j * size;
  return in.weight * Point(u + cellShift(i) * size, -(v + cellShift(j) * size));
}

void packCell(const Input& in, double* packed) {
  packed[0] = in.parameters[0];
  packed[1] = 1 / in.parameters[0];
}

/// Brings v back into [-half, half].
double wrapped(double v, double half) {
  if (v > half) return -half + std::fmod(v + half, 2 * half);
  if (v < -half) return half - std::fmod(half - v, 2 * half);
  return v;
}

Point modulus(const Input& in, Draws&) {
  return in.weight * Point(wrapped(in.x, in.parameters[0]), wrapped(in.y, in.parameters[1]));
}

double stripSign(double v) { return std::cos(kPi * v) >= 0 ? 1 : -1; }

Point split(const Input& in, Draws&) {
  const double xsize = in.parameters[0], ysize = in.parameters[1];
  return in.weight * Point(in.x * stripSign(in.y * ysize), in.y * stripSign(in.x * xsize));
}

Point splits(const Input& in, Draws&) {
  const double x = in.parameters[0], y = in.parameters[1];
  return in.weight * Point(in.x >= 0 ? in.x + x : in.x - x, in.y >= 0 ? in.y + y : in.y - y);
}

Point stripes(const Input& in, Draws&) {
  const double space = in.parameters[0], warp = in.parameters[1];
  const double strip = std::floor(in.x + 0.5), offset = in.x - strip;
  return in.weight * Point(offset * (1 - space) + strip, in.y + offset * offset * warp);
}

}  // namespace

VariationFamily tileVariations() {
  return {
      {40, "rectangles", rectangles, {{"x", 1, -2, 2}, {"y", 1, -2, 2}}},
      {54, "bent2", bent2, {{"x", 1, -3, 3}, {"y", 1, -3, 3}}},
      {56, "boarders", boarders},
      {58, "cell", cell, {{"size", 1, -3, 3}}, {"size", "inverseSize"}, packCell},
      {68, "modulus", modulus, {{"x", 0, -3, 3}, {"y", 0, -3, 3}}},
      {74, "split", split, {{"xsize", 0, -3, 3}, {"ysize", 0, -3, 3}}},
      {75, "splits", splits, {{"x", 0, -2, 2}, {"y", 0, -2, 2}}},
      {76, "stripes", stripes, {{"space", 0, -2, 2}, {"warp", 0, -3, 3}}},
  };
}

}  // namespace fathom::flame
