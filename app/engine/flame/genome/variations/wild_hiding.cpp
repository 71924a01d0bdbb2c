// SPDX-License-Identifier: BSD-3-Clause
// Variations of other programs that hide points, and show others again.
#include "app/engine/flame/genome/variations/family.h"

#include <algorithm>
#include <cmath>

namespace fathom::flame {
namespace {

/// Half away from minus infinity, as in shaders.
double nearestHiding(double v) { return std::floor(v + 0.5); }

/// Within 1e-14 for arguments up to 1e6: half turns taken off in two steps, then Taylor's series.
double sineInDouble(double angle) {
  double halves = std::floor(angle * 0.31830988618379067154 + 0.5);
  double t = (angle - halves * 3.1415926218032836914) - halves * 3.1786509547050787e-8;
  double u = t * t, sum = 0.0;
  for (int i = 12; i > 0; --i) sum = -(sum + 1.0) * u / double(4 * i * i + 2 * i);
  double value = t + t * sum;
  return halves - 2.0 * std::floor(0.5 * halves) > 0.5 ? -value : value;
}

/// The state after `state`: 48 bits, multiplied in halves of 24.
double javaNext(double state) {
  double high = std::floor(state / 16777216.0), low = state - high * 16777216.0;
  double middle = high * 15525485.0 + low * 1502.0;
  middle -= std::floor(middle / 16777216.0) * 16777216.0;
  double next = low * 15525485.0 + middle * 16777216.0 + 11.0;
  return next - std::floor(next / 281474976710656.0) * 281474976710656.0;
}
/// Of a whole number from 0 on.
double javaSeed(double seed) {
  return 21474836480.0 + double(unsigned(std::min(seed, 2147483000.0)) ^ 0xdeece66du);
}
/// The number that two states one after the other make, 0..1.
double javaUnit(double first, double second) {
  return (std::floor(first / 4194304.0) * 134217728.0 + std::floor(second / 2097152.0)) /
         9007199254740992.0;
}

/// Where a crop leaves the point: hidden ones at the origin.
Point keptWithin(bool inside, Point at) { return inside ? at : Point(0.0, 0.0); }

/// The farthest that `v` lies along the normals of a polygon with `count` edges, one at `first`.
double alongNormals(Point v, double count, double first) {
  double most = -1e20;
  for (int i = 0; i < 8; ++i) {
    if (double(i) >= count) break;
    Point n = direction(first + kTwoPi * double(i) / count);
    most = std::max(most, n.x * v.x + n.y * v.y);
  }
  return most;
}

/// Hides what lies outside of a rectangle, or inside of it.
Point wildCropBox(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double width = in.parameters[0], height = in.parameters[1], invert = in.parameters[2];
  bool inside = (std::abs(px) <= width && std::abs(py) <= height) == (nearestHiding(invert) == 0.0);
  draws.setHidden(!inside);
  return w * keptWithin(inside, Point(px, py));
}

/// Hides what lies outside of a cross, or inside of it.
Point wildCropCross(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double width = in.parameters[0], size = in.parameters[1], rounded = in.parameters[2],
               invert = in.parameters[3];
  Point v = Point(std::max(std::abs(px), std::abs(py)), std::min(std::abs(px), std::abs(py)));
  Point q = Point(v.x - std::max(width, size), v.y - std::min(width, size));
  double k = std::max(q.x, q.y);
  Point away = k > 0.0 ? q : Point(std::min(width, size) - v.x, -k);
  Point beyond = Point(std::max(away.x, 0.0), std::max(away.y, 0.0));
  double side = k > 0.0 ? 1.0 : k < 0.0 ? -1.0 : 0.0;
  double far =
      side * std::sqrt(beyond.x * beyond.x + beyond.y * beyond.y) + 0.1 * std::sin(1.2 * rounded);
  bool inside = (far <= 0.0) == (nearestHiding(invert) == 0.0);
  draws.setHidden(!inside);
  return w * keptWithin(inside, Point(px, py));
}

/// Hides what lies outside of a circle, a polygon or a star of six points, or inside of it.
Point wildCropPolygon(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double type = in.parameters[0], radius = in.parameters[1], invert = in.parameters[2];
  double kind = nearestHiding(type), edges = kind == 1.0   ? 5.0
                                             : kind == 2.0 ? 6.0
                                             : kind == 3.0 ? 8.0
                                                           : 3.0;
  Point v = Point(px, py);
  double first = kind == 1.0 ? -0.5 * kPi : 0.5 * kPi;
  double far = alongNormals(v, edges, first), other = alongNormals(v, 3.0, -0.5 * kPi);
  far = kind == 4.0 ? std::min(far, other) : kind == 0.0 ? std::sqrt(px * px + py * py) : far;
  bool inside = (far <= radius) == (nearestHiding(invert) == 0.0);
  draws.setHidden(!inside);
  return w * keptWithin(inside, v);
}

/// Hides what lies outside of a rhombus, or inside of it.
Point wildCropRhombus(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double width = in.parameters[0], height = in.parameters[1], invert = in.parameters[2];
  bool within = std::abs(px) * height + std::abs(py) * width <= width * height;
  bool inside = within == (nearestHiding(invert) == 0.0);
  draws.setHidden(!inside);
  return w * keptWithin(inside, Point(px, py));
}

/// Hides what lies outside of a star, or inside of it.
Point wildCropStars(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double radius = in.parameters[0], n = in.parameters[1], bent = in.parameters[2],
               invert = in.parameters[3];
  double points = std::max(nearestHiding(n), 1.0), half_sector = kPi / points;
  double m = 4.0 + bent * bent * (points * 2.0 - 4.0);
  Point a = direction(half_sector), e = direction(kTwoPi / m);
  double angle = std::fmod(std::atan2(px, py) + kTwoPi, 2.0 * half_sector) - half_sector;
  Point t = direction(angle);
  double r = std::sqrt(px * px + py * py);
  Point v = Point(r * t.x - radius * a.x, r * std::abs(t.y) - radius * a.y);
  double along = -(v.x * e.x + v.y * e.y), most = std::max(radius * a.y / e.y, 0.0);
  double x = v.x + e.x * std::max(0.0, std::min(along, most));
  bool inside = (x <= 0.0) == (nearestHiding(invert) == 0.0);
  draws.setHidden(!inside);
  return w * keptWithin(inside, Point(px, py));
}

/// Hides what lies outside of a trapezoid, or inside of it.
Point wildCropTrapezoid(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double base = in.parameters[0], top = in.parameters[1], height = in.parameters[2],
               invert = in.parameters[3];
  double x = std::abs(px), slant = top - base;
  double share = ((top - x) * slant + (height - py) * 2.0 * height) /
                 std::max(slant * slant + 4.0 * height * height, 1e-20);
  double beyond = x - top + slant * std::max(0.0, std::min(share, 1.0));
  bool within = beyond < 0.0 && std::abs(py) < height;
  bool inside = within == (nearestHiding(invert) == 0.0);
  draws.setHidden(!inside);
  return w * keptWithin(inside, Point(px, py));
}

/// Hides what lies outside of a triangle.
Point wildCropTriangle(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double x1 = in.parameters[0], y1 = in.parameters[1], x2 = in.parameters[2],
               y2 = in.parameters[3], x3 = in.parameters[4], y3 = in.parameters[5];
  double a = (px - x1) * (y2 - y1) - (py - y1) * (x2 - x1);
  double b = (px - x2) * (y3 - y2) - (py - y2) * (x3 - x2);
  double c = (px - x3) * (y1 - y3) - (py - y3) * (x1 - x3);
  bool inside = (a >= 0.0 && b >= 0.0 && c >= 0.0) || (a <= 0.0 && b <= 0.0 && c <= 0.0);
  draws.setHidden(!inside);
  return w * Point(px, py);
}

/// Hides what lies outside of two circles' common part, or inside of it.
Point wildCropVesica(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double width = in.parameters[0], height = in.parameters[1], invert = in.parameters[2];
  double r = 1.0 + height, d = 0.8 + width, x = std::abs(px), y = std::abs(py);
  double tip = std::sqrt(std::max(r * r - d * d, 0.0));
  bool within = (y - tip) * d > x * tip && r * r >= d * d
                    ? x == 0.0 && y == tip
                    : std::sqrt((x + d) * (x + d) + y * y) <= r;
  bool inside = within == (nearestHiding(invert) == 0.0);
  draws.setHidden(!inside);
  return w * keptWithin(inside, Point(px, py));
}

/// Hides what lies outside of an X with round ends, or inside of it.
Point wildCropX(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double radius = in.parameters[0], size = in.parameters[1], invert = in.parameters[2];
  double x = std::abs(px), y = std::abs(py), to = 0.5 * std::min(x + y, size);
  bool within = std::sqrt((x - to) * (x - to) + (y - to) * (y - to)) <= radius;
  draws.setHidden(within != (nearestHiding(invert) == 0.0));
  return w * Point(px, py);
}

/// Whether a square is light, by the last digits of a sine: in double precision.
bool cutFunLight(double x, double y) {
  double v = sineInDouble(std::floor(x) * 12.9898 + std::floor(y) * 78.233) * 43758.5453;
  return v - std::floor(v) >= 0.5;
}

/// Hides the dark ones of squares by chance, which join where they meet at a corner.
Point wildCutFun(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double seed = in.parameters[0], mode = in.parameters[1], zoom = in.parameters[2],
               invert = in.parameters[3];
  double first = javaNext(javaSeed(nearestHiding(std::abs(seed)))), second = javaNext(first);
  double third = javaNext(second), fourth = javaNext(third),
         scale = double(nearestHiding(std::abs(seed)));
  bool drawn = nearestHiding(mode) != 0.0;
  double u = draws.unit(), v = draws.unit();
  double x = drawn ? u : px, y = drawn ? v : py;
  double at_x = double(x) * double(zoom) + scale * javaUnit(first, second);
  double at_y = double(y) * double(zoom) + scale * javaUnit(third, fourth);
  double in_x = 2.0 * double(at_x - std::floor(at_x)) - 1.0,
         in_y = 2.0 * double(at_y - std::floor(at_y)) - 1.0;
  double to_x = at_x + (in_x > 0.0 ? 0.9 : in_x < 0.0 ? -0.9 : 0.0);
  double to_y = at_y + (in_y > 0.0 ? 0.9 : in_y < 0.0 ? -0.9 : 0.0);
  bool own = cutFunLight(at_x, at_y), side = cutFunLight(to_x, at_y),
       above = cutFunLight(at_x, to_y);
  bool corner = cutFunLight(to_x, to_y);
  bool joined = side != above ? own : own == corner && side != own ? false : side;
  double far = std::sqrt(in_x * in_x + in_y * in_y);
  bool light = own || (far > 1.01 && joined);
  bool inside = light == (nearestHiding(invert) != 0.0);
  draws.setHidden(!inside);
  double shift = drawn ? 0.5 : 0.0;
  return w * (keptWithin(inside, Point(x, y)) - Point(shift, shift));
}

/// Where t + 0.1 sin(1.6 t) is `to`.
double tileRow(double to) {
  double t = to;
  for (int i = 0; i < 8; ++i)
    t -= (t + 0.1 * std::sin(1.6 * t) - to) / (1.0 + 0.16 * std::cos(1.6 * t));
  return t;
}

/// Hides every other tile of rows whose heights differ.
Point wildCutTileillusion(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double mode = in.parameters[0], zoom = in.parameters[1], invert = in.parameters[2],
               time = in.parameters[3];
  bool drawn = nearestHiding(mode) != 0.0;
  double u = draws.unit(), v = draws.unit();
  double x = drawn ? u - 0.5 : px, y = drawn ? v - 0.5 : py;
  double down = y * zoom, row = down + 0.1 * std::sin(1.6 * down), number = std::floor(row);
  double across = x * zoom / (tileRow(number + 1.0) - tileRow(number));
  bool odd = number - 2.0 * std::floor(0.5 * number) > 0.5;
  double count = std::floor(across + (odd ? time : -time)) + number;
  bool light = row - number > 0.05 && count - 2.0 * std::floor(0.5 * count) > 0.5;
  bool inside = light == (nearestHiding(invert) == 0.0);
  draws.setHidden(!inside);
  return w * keptWithin(inside, Point(x, y));
}

// Rows, in the order of their numbers.

WildFamily wildHidingRows1() {
  return {
      WildVariation{"crop_box",
                    wildCropBox,
                    {{"width", 0.5, 0, 3}, {"height", 0.5, 0, 3}, {"invert", 0, 0, 1}}}
          .hiding(),
      WildVariation{
          "crop_cross",
          wildCropCross,
          {{"width", 0.5, 0, 3}, {"Size", 0.5, 0, 3}, {"round", 0.001, -1, 1}, {"invert", 0, 0, 1}}}
          .hiding(),
      WildVariation{"crop_polygon",
                    wildCropPolygon,
                    {{"type", 4, 0, 4}, {"radius", 0.35, 0, 2}, {"invert", 0, 0, 1}}}
          .hiding(),
      WildVariation{"crop_rhombus",
                    wildCropRhombus,
                    {{"width", 0.5, 0, 3}, {"height", 0.5, 0, 3}, {"invert", 0, 0, 1}}}
          .hiding(),
      WildVariation{
          "crop_stars",
          wildCropStars,
          {{"radius", 0.35, 0, 3}, {"n", 3, 2, 16}, {"r2", 0.333, 0, 1}, {"invert", 0, 0, 1}}}
          .hiding(),
  };
}

WildFamily wildHidingRows2() {
  return {
      WildVariation{"crop_trapezoid",
                    wildCropTrapezoid,
                    {{"Base_Sup.", 0.5, 0, 3},
                     {"Base_Inf.", 0.2, 0, 3},
                     {"height", 0.5, 0, 3},
                     {"invert", 0, 0, 1}}}
          .hiding(),
      WildVariation{"crop_triangle",
                    wildCropTriangle,
                    {{"x1", 0, -2, 2},
                     {"y1", 0.5, -2, 2},
                     {"x2", 0.5, -2, 2},
                     {"y2", 0.5, -2, 2},
                     {"x3", 0, -2, 2},
                     {"y3", -0.5, -2, 2}}}
          .hiding(),
      WildVariation{"crop_vesica",
                    wildCropVesica,
                    {{"width", 0.2, -0.8, 1}, {"height", 0.1, -1, 1}, {"invert", 0, 0, 1}}}
          .hiding(),
      WildVariation{
          "crop_x", wildCropX, {{"radius", 0.1, 0, 1}, {"w", 0.5, 0, 3}, {"invert", 0, 0, 1}}}
          .hiding(),
      WildVariation{
          "cut_fun",
          wildCutFun,
          {{"seed", 1000, 0, 10000}, {"mode", 1, 0, 1}, {"zoom", 10, 0.1, 30}, {"invert", 0, 0, 1}}}
          .hiding(),
  };
}

WildFamily wildHidingRows3() {
  return {
      WildVariation{
          "cut_tileillusion",
          wildCutTileillusion,
          {{"mode", 1, 0, 1}, {"zoom", 15, 0.1, 40}, {"invert", 0, 0, 1}, {"time", 0, -5, 5}}}
          .hiding(),
  };
}

}  // namespace

WildFamily wildHidingVariations() {
  return joined({wildHidingRows1(), wildHidingRows2(), wildHidingRows3()});
}

}  // namespace fathom::flame
