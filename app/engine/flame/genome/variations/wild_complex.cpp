// SPDX-License-Identifier: BSD-3-Clause
// Variations of other programs that are functions of x + iy, or of elliptic coordinates.
#include "app/engine/flame/genome/variations/family.h"

#include <algorithm>
#include <cmath>
#include <complex>

namespace fathom::flame {
namespace {

/// Half away from minus infinity, as in shaders.
double nearestOfComplex(double v) { return std::floor(v + 0.5); }

/// sinh(a) / den and cosh(a) / den, where den grows as cosh(b).
double sinhOver(double a, double, double den) { return std::sinh(a) / den; }
double coshOver(double a, double, double den) { return std::cosh(a) / den; }

/// cosh(a) - cos(b): 0 where both are.
double coshLessCos(double a, double b) {
  const double sh = std::sinh(0.5 * a), s = std::sin(0.5 * b);
  return 2 * (sh * sh + s * s);
}

Point complexSquare(double x, double y) { return {x * x - y * y, 2 * x * y}; }
Point complexRoot(Point v) {
  const std::complex<double> root = std::sqrt(std::complex<double>(v.x, v.y));
  return {root.real(), root.imag()};
}
Point complexLog(Point v) { return {0.5 * std::log(v.x * v.x + v.y * v.y), std::atan2(v.y, v.x)}; }

/// log(v + sqrt(v^2 - 1)).
Point complexAcosh(Point v) {
  return complexLog(v + complexRoot(complexSquare(v.x, v.y) - Point(1, 0)));
}

/// mu and nu >= 0: x = cosh(mu) cos(nu), |y| = sinh(mu) sin(nu).
Point elliptic(double x, double y) {
  const double sum = x * x + y * y + 1, twice = 2 * x;
  const double root = std::sqrt(std::max(sum + twice, 0.0)) + std::sqrt(std::max(sum - twice, 0.0));
  const double most = std::max(0.5 * root, 1.0), nu = std::clamp(x / most, -1.0, 1.0);
  return {std::acosh(most), std::acos(nu)};
}

/// sinh of x + iy with factors.
Point wildSinh2Bs(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double x1 = in.parameters[0], x2 = in.parameters[1], y1 = in.parameters[2],
               y2 = in.parameters[3];
  return w * Point(std::sinh(x * x1) * std::cos(y * y2), std::cosh(x * x2) * std::sin(y * y1));
}

/// cosh of x + iy with factors.
Point wildCosh2Bs(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double x1 = in.parameters[0], x2 = in.parameters[1], y1 = in.parameters[2],
               y2 = in.parameters[3];
  return w * Point(std::cosh(x * x2) * std::cos(y * y2), std::sinh(x * x1) * std::sin(y * y1));
}

/// tan of x + iy with factors.
Point wildTan2Bs(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double x1 = in.parameters[0], x2 = in.parameters[1], y1 = in.parameters[2],
               y2 = in.parameters[3];
  double den = std::cos(x2 * x) + std::cosh(y2 * y);
  return w * Point(std::sin(x1 * x) / den, sinhOver(y1 * y, y2 * y, den));
}

/// cot of x + iy with factors.
Point wildCot2Bs(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double x1 = in.parameters[0], x2 = in.parameters[1], y1 = in.parameters[2],
               y2 = in.parameters[3];
  double den = coshLessCos(y2 * y, x2 * x);
  return w * Point(std::sin(x1 * x) / den, -sinhOver(y1 * y, y2 * y, den));
}

/// tanh of x + iy with factors.
Point wildTanh2Bs(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double x1 = in.parameters[0], x2 = in.parameters[1], y1 = in.parameters[2],
               y2 = in.parameters[3];
  double den = std::cos(y2 * y) + std::cosh(x2 * x);
  return w * Point(sinhOver(x1 * x, x2 * x, den), std::sin(y1 * y) / den);
}

/// coth of x + iy with factors.
Point wildCoth2Bs(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double x1 = in.parameters[0], x2 = in.parameters[1], y1 = in.parameters[2],
               y2 = in.parameters[3];
  double den = coshLessCos(x2 * x, y2 * y);
  return w * Point(sinhOver(x1 * x, x2 * x, den), std::sin(y1 * y) / den);
}

/// csc of x + iy with factors.
Point wildCsc2Bs(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double x1 = in.parameters[0], x2 = in.parameters[1], y1 = in.parameters[2],
               y2 = in.parameters[3];
  double den = coshLessCos(2.0 * y, 2.0 * x);
  if (den == 0.0) return Point(0.0, 0.0);
  return 2.0 * w *
         Point(std::sin(x * x1) * coshOver(y * y2, 2.0 * y, den),
               -std::cos(x * x2) * sinhOver(y * y1, 2.0 * y, den));
}

/// csch of x + iy with factors.
Point wildCsch2Bs(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double x1 = in.parameters[0], x2 = in.parameters[1], y1 = in.parameters[2],
               y2 = in.parameters[3];
  double den = coshLessCos(2.0 * x, 2.0 * y);
  if (den == 0.0) return Point(0.0, 0.0);
  return 2.0 * w *
         Point(sinhOver(x * x1, 2.0 * x, den) * std::cos(y * y2),
               -coshOver(x * x2, 2.0 * x, den) * std::sin(y * y1));
}

/// sech of x + iy with factors.
Point wildSech2Bs(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double x1 = in.parameters[0], x2 = in.parameters[1], y1 = in.parameters[2],
               y2 = in.parameters[3];
  double den = std::cos(2.0 * y) + std::cosh(2.0 * x);
  if (den == 0.0) return Point(0.0, 0.0);
  return 2.0 * w *
         Point(std::cos(y * y2) * coshOver(x * x2, 2.0 * x, den),
               -std::sin(y * y1) * sinhOver(x * x1, 2.0 * x, den));
}

/// Inverse cosh of x + iy, either sign.
Point wildAcosh(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  Point q = complexAcosh(Point(x, y));
  return (draws.unit() < 0.5 ? w : -w) * 2.0 / kPi * q;
}

/// Inverse cosh of 1 / (x + iy), axes swapped, either sign.
Point wildAcosech(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  double k = 1.0 / (x * x + y * y);
  Point q = complexAcosh(Point(x * k, -y * k));
  return (draws.unit() < 0.5 ? w : -w) * 2.0 / kPi * Point(q.y, q.x);
}

/// Inverse coth of x + iy, axes swapped.
Point wildAcoth(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  double far = (x + 1.0) * (x + 1.0) + y * y, near = (x - 1.0) * (x - 1.0) + y * y;
  return w / kPi *
         Point(std::atan2(-2.0 * y, x * x + y * y - 1.0), 0.5 * (std::log(far) - std::log(near)));
}

/// julian in elliptic coordinates.
Point wildEjulia(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double power = in.parameters[0];
  double n = nearestOfComplex(power);
  double scale = n < 0.0 ? 1.0 / (x * x + y * y) : 1.0;
  Point e = elliptic(x * scale, y * scale);
  double turn = std::floor(draws.unit() * n);
  double nu = (y < 0.0 ? -e.y : e.y) / n + kTwoPi / n * turn, mu = e.x / n;
  return w * Point(std::cosh(mu) * std::cos(nu), std::sinh(mu) * std::sin(nu));
}

/// Scaled in elliptic coordinates.
Point wildEscale(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double scale = in.parameters[0], angle = in.parameters[1];
  Point e = elliptic(x, y);
  double mu = e.x * scale;
  double nu = std::fmod(std::fmod(scale * ((y < 0.0 ? -e.y : e.y) + kPi + angle), kTwoPi * scale) -
                            angle - scale * kPi,
                        kTwoPi);
  nu = nu > kPi ? nu - kTwoPi : nu < -kPi ? nu + kTwoPi : nu;
  return w * Point(std::cosh(mu) * std::cos(nu), std::sinh(mu) * std::sin(nu));
}

/// A complex power, on several branches.
Point wildCpow2(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double r = in.parameters[0], a = in.parameters[1], divisor = in.parameters[2],
               range = in.parameters[3];
  double c = r * std::cos(0.5 * kPi * a) / divisor, d = r * std::sin(0.5 * kPi * a) / divisor;
  double turn = std::floor(range * draws.unit());
  double phi = std::atan2(y, x);
  phi += kTwoPi * (phi < 0.0 ? turn + 1.0 : turn);
  phi -= std::cos(phi * 0.5 / range) < draws.unit() * 2.0 - 1.0 ? kTwoPi * range : 0.0;
  double lnr2 = std::log(x * x + y * y);
  double side = std::floor(divisor * draws.unit());
  return w * std::exp(0.5 * c * lnr2 - d * phi) *
         direction(c * phi + 0.5 * d * lnr2 + kTwoPi / divisor * side);
}

/// A complex power along a spiral.
Point wildCpow3(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double r = in.parameters[0], d = in.parameters[1], divisor = in.parameters[2],
               spread = in.parameters[3];
  double lean = std::atan2((d < 0.0 ? -std::log(-d) : std::log(d)) * r, kTwoPi);
  double tc = std::cos(lean) * r * std::cos(lean) / divisor,
         td = std::cos(lean) * r * std::sin(lean) / divisor;
  double phi = std::atan2(y, x);
  phi += phi < 0.0 ? kTwoPi : 0.0;
  phi -= std::cos(0.5 * phi) < draws.unit() * 2.0 - 1.0 ? kTwoPi : 0.0;
  double sign = draws.unit() < 0.5 ? kTwoPi : -kTwoPi;
  double far = std::log(std::max(draws.unit(), 1e-9));
  phi += td == 0.0 ? 0.0 : sign * std::floor(far * -0.095 * spread / td + 0.5);
  double lnr2 = std::log(x * x + y * y);
  double side = std::floor(divisor * draws.unit());
  return w * std::exp(0.5 * tc * lnr2 - td * phi) *
         direction(tc * phi + 0.5 * td * lnr2 + kTwoPi / divisor * side);
}

/// Joukowski's map of an airfoil.
Point wildJoukowski(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double p1 = in.parameters[0], p2 = in.parameters[1], inverse_p = in.parameters[2];
  if (inverse_p < 0.5) {
    double a = x - p2, b = y + 0.2, k = p1 * p1 / (a * a + b * b);
    return w * Point(a + a * k, b - b * k);
  }
  Point root = complexRoot(0.25 * complexSquare(x, y) - Point(p1 * p1, 0.0));
  Point one = 0.5 * Point(x, y) + root - Point(-p2, 0.2),
        other = 0.5 * Point(x, y) - root - Point(-p2, 0.2);
  return w * (one.x * one.x + one.y * one.y > other.x * other.x + other.y * other.y ? one : other);
}

}  // namespace

WildFamily wildComplexVariations() {
  return {
      {"sinh2_bs",
       wildSinh2Bs,
       {{"x1", 1, -5, 5}, {"x2", 1, -5, 5}, {"y1", 1, -5, 5}, {"y2", 1, -5, 5}}},
      {"cosh2_bs",
       wildCosh2Bs,
       {{"x1", 1, -5, 5}, {"x2", 1, -5, 5}, {"y1", 1, -5, 5}, {"y2", 1, -5, 5}}},
      {"tan2_bs",
       wildTan2Bs,
       {{"x1", 2, -5, 5}, {"x2", 2, -5, 5}, {"y1", 2, -5, 5}, {"y2", 2, -5, 5}}},
      {"cot2_bs",
       wildCot2Bs,
       {{"x1", 2, -5, 5}, {"x2", 2, -5, 5}, {"y1", 2, -5, 5}, {"y2", 2, -5, 5}}},
      {"tanh2_bs",
       wildTanh2Bs,
       {{"x1", 2, -5, 5}, {"x2", 2, -5, 5}, {"y1", 2, -5, 5}, {"y2", 2, -5, 5}}},
      {"coth2_bs",
       wildCoth2Bs,
       {{"x1", 2, -5, 5}, {"x2", 2, -5, 5}, {"y1", 2, -5, 5}, {"y2", 2, -5, 5}}},
      {"csc2_bs",
       wildCsc2Bs,
       {{"x1", 1, -5, 5}, {"x2", 1, -5, 5}, {"y1", 1, -5, 5}, {"y2", 1, -5, 5}}},
      {"csch2_bs",
       wildCsch2Bs,
       {{"x1", 1, -5, 5}, {"x2", 1, -5, 5}, {"y1", 1, -5, 5}, {"y2", 1, -5, 5}}},
      {"sech2_bs",
       wildSech2Bs,
       {{"x1", 1, -5, 5}, {"x2", 1, -5, 5}, {"y1", 1, -5, 5}, {"y2", 1, -5, 5}}},
      {"acosh", wildAcosh, {}},
      {"acosech", wildAcosech, {}},
      {"acoth", wildAcoth, {}},
      {"ejulia", wildEjulia, {{"power", 2, -8, 8}}},
      {"escale", wildEscale, {{"scale", 1, -3, 3}, {"angle", 0, -3.15, 3.15}}},
      {"cpow2",
       wildCpow2,
       {{"r", 1, -3, 3}, {"a", 0, -2, 2}, {"divisor", 1, 1, 8}, {"range", 1, 1, 8}}},
      {"cpow3",
       wildCpow3,
       {{"r", 1, -3, 3}, {"d", 1, 0.1, 5}, {"divisor", 1, 1, 8}, {"spread", 1, -3, 3}}},
      {"joukowski", wildJoukowski, {{"p1", 2.5, -4, 4}, {"p2", 0, -3, 3}, {"inverse", 0, 0, 1}}},
  };
}

}  // namespace fathom::flame
