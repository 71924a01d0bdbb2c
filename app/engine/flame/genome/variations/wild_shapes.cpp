// SPDX-License-Identifier: BSD-3-Clause
// Variations of other programs whose point comes from the draws, or is smeared by them.
#include "app/engine/flame/genome/variations/family.h"

#include <algorithm>
#include <cmath>

namespace fathom::flame {
namespace {

/// A disc, denser towards the middle.
Point wildSineblur(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double power = in.parameters[0];
  const double turn = draws.unit() * kTwoPi;
  const double u = draws.unit();
  const double c = 2.0 * std::pow(u, std::max(power, 0.0)) - 1.0;
  return w / kPi * std::atan2(std::sqrt(std::max((1.0 - c) * (1.0 + c), 0.0)), c) * direction(turn);
}

/// A disc of even density.
Point wildCircleblur(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double radius = w * std::sqrt(draws.unit());
  return radius * direction(draws.unit() * kTwoPi);
}

/// A star.
Point wildStarblur(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double power = in.parameters[0], range = in.parameters[1];
  const double half_turn = kPi / power;
  const double side = std::sqrt(1.0 + range * range - 2.0 * range * std::cos(half_turn));
  const double sn = std::sin(half_turn) * range / side;
  const double alpha = std::atan2(sn, std::sqrt(std::max(1.0 - sn * sn, 0.0)));
  const double f = draws.unit() * power * 2.0;
  const double point = std::trunc(f);
  const double away = (f - point) * side;
  const double to = std::sqrt(1.0 + away * away - 2.0 * away * std::cos(alpha));
  const double s2 = std::sin(alpha) * away / to;
  const double lean = std::atan2(s2, std::sqrt(std::max(1.0 - s2 * s2, 0.0)));
  const double pair = std::floor(0.5 * point);
  const double a = kTwoPi / power * pair + (point - 2.0 * pair < 0.5 ? lean : -lean);
  return w * to * std::sqrt(draws.unit()) * direction(a - 0.5 * kPi);
}

/// A clover leaf.
Point wildCloverleafWf(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double filled = in.parameters[0];
  const double a = std::atan2(x, y);
  double radius = std::sin(2.0 * a) + 0.25 * std::sin(6.0 * a);
  if (filled > 0.0 && filled > draws.unit()) radius *= draws.unit();
  return w * radius * Point(std::sin(a), std::cos(a));
}

/// A leaf with nine fingers.
Point wildCannabiscurveWf(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double filled = in.parameters[0];
  const double a = std::atan2(x, y);
  double radius = (1.0 + 0.9 * std::cos(8.0 * a)) * (1.0 + 0.1 * std::cos(24.0 * a)) *
                  (0.9 + 0.1 * std::cos(200.0 * a)) * (1.0 + std::sin(a));
  if (filled > 0.0 && filled > draws.unit()) radius *= draws.unit();
  return w * radius * Point(std::cos(a), -std::sin(a));
}

/// A rose.
Point wildRoseWf(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double amp = in.parameters[0], waves = in.parameters[1], filled = in.parameters[2];
  const double a = std::atan2(x, y);
  double radius = amp * std::cos(waves * a);
  if (filled > 0.0 && filled > draws.unit()) radius *= draws.unit();
  return w * radius * Point(std::sin(a), std::cos(a));
}

/// A waffle.
Point wildWaffle(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double slices = in.parameters[0], xthickness = in.parameters[1],
               ythickness = in.parameters[2], rotation = in.parameters[3];
  const double kind = std::trunc(5.0 * draws.unit());
  const double i = std::trunc(slices * draws.unit());
  const double j = std::trunc(slices * draws.unit());
  const double u = draws.unit();
  const double v = draws.unit();
  double a = (i + u) / slices;
  double b = (j + v) / slices;
  if (kind == 0.0) {
    a = (i + u * xthickness) / slices;
    b = (j + v * ythickness) / slices;
  }
  if (kind == 1.0) b = (j + ythickness) / slices;
  if (kind == 2.0) a = (i + xthickness) / slices;
  if (kind == 3.0) {
    a = u;
    b = (j + ythickness + v * (1.0 - ythickness)) / slices;
  }
  if (kind == 4.0) {
    a = (i + xthickness + u * (1.0 - xthickness)) / slices;
    b = v;
  }
  const Point d = w * direction(rotation);
  return Point(d.x * a + d.y * b, d.x * b - d.y * a);
}

/// A disc made of squares.
Point wildBlurCircle(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double u = 2.0 * draws.unit() - 1.0;
  const double v = 2.0 * draws.unit() - 1.0;
  const double au = std::abs(u), av = std::abs(v);
  const double side = std::max(au, av);
  const double perimeter =
      au >= av ? (u >= av ? au + v : 5.0 * au - v) : (v >= au ? 3.0 * av - u : 7.0 * av + u);
  return w * side * direction(0.25 * kPi * perimeter / side - 0.25 * kPi);
}

/// The point, smeared along a line.
Point wildBlurLinear(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double length = in.parameters[0], angle = in.parameters[1];
  return w * (Point(x, y) + length * draws.unit() * direction(angle));
}

/// The point, smeared away from a center.
Point wildBlurZoom(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y, w = in.weight;
  const double length = in.parameters[0], x = in.parameters[1], y = in.parameters[2];
  const double k = 1.0 + length * draws.unit();
  return w * Point((px - x) * k + x, (py + y) * k - y);
}

/// A figure of Lissajous.
Point wildLissajous(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double tmin = in.parameters[0], tmax = in.parameters[1], a = in.parameters[2],
               b = in.parameters[3], c = in.parameters[4], d = in.parameters[5],
               e = in.parameters[6];
  const double t = (tmax - tmin) * draws.unit() + tmin;
  const double v = draws.unit() - 0.5;
  return w * Point(std::sin(a * t + d) + c * t + e * v, std::sin(b * t) + c * t + e * v);
}

/// A heart of dust.
Point wildXheartBlurWf(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double angle = in.parameters[0], ratio = in.parameters[1];
  const double u = 2.0 - 4.0 * draws.unit();
  const double v = 2.0 - 4.0 * draws.unit();
  const double k = 1.0 / (u * u + v * v + 4.0);
  const Point d = direction(0.25 * kPi + 0.125 * kPi * angle);
  const double bx = 4.0 * k * u, by = (6.0 + 2.0 * ratio) * k * v;
  const double qx = d.x * bx - d.y * by, qy = d.y * bx + d.x * by;
  return w * Point(qx, qx > 0.0 ? qy : -qy);
}

}  // namespace

WildFamily wildShapeVariations() {
  return {
      {"sineblur", wildSineblur, {{"power", 1, 0, 5}}, true},
      {"circleblur", wildCircleblur, {}, true},
      {"starblur", wildStarblur, {{"power", 5, 2, 12}, {"range", 0.4016228, 0, 2}}, true},
      {"cloverleaf_wf", wildCloverleafWf, {{"filled", 0.85, 0, 1}}},
      {"cannabiscurve_wf", wildCannabiscurveWf, {{"filled", 0.85, 0, 1}}},
      {"rose_wf", wildRoseWf, {{"amp", 0.5, -3, 3}, {"waves", 4, 1, 20}, {"filled", 0.85, 0, 1}}},
      {"waffle",
       wildWaffle,
       {{"slices", 6, 1, 20},
        {"xthickness", 0.5, 0, 1},
        {"ythickness", 0.5, 0, 1},
        {"rotation", 0, -3.15, 3.15}},
       true},
      {"blur_circle", wildBlurCircle, {}, true},
      {"blur_linear", wildBlurLinear, {{"length", 1, -3, 3}, {"angle", 0.5, -3.15, 3.15}}},
      {"blur_zoom", wildBlurZoom, {{"length", 0.24, -3, 3}, {"x", 0.2, -3, 3}, {"y", -0.1, -3, 3}}},
      {"lissajous",
       wildLissajous,
       {{"tmin", -3.14159265, -10, 10},
        {"tmax", 3.14159265, -10, 10},
        {"a", 3, -10, 10},
        {"b", 2, -10, 10},
        {"c", 0, -3, 3},
        {"d", 0, -3, 3},
        {"e", 0, -3, 3}}},
      {"xheart_blur_wf", wildXheartBlurWf, {{"angle", 0, -3, 3}, {"ratio", 0, -3, 3}}, true},
  };
}

}  // namespace fathom::flame
