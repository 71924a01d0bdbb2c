// SPDX-License-Identifier: BSD-3-Clause
// Variations that change the angle, mostly with the radius: roots with a branch drawn at random
// (julian and its kin), wedges, spirals.
#include "app/engine/flame/genome/variations/family.h"

namespace fathom::flame {
namespace {

constexpr ParameterInfo kPower{"power", 1, -10, 10}, kDist{"dist", 1, -3, 3};

/// Which of the |power| roots.
double rootDrawn(double power, Draws& draws) { return std::trunc(std::abs(power) * draws.unit()); }

double rootRadius(const Input& in, double power, double dist) {
  return in.weight * std::pow(in.r2(), dist / (2 * power));
}

Point julian(const Input& in, Draws& draws) {
  const double power = in.parameters[0], dist = in.parameters[1];
  const double n = rootDrawn(power, draws);
  return rootRadius(in, power, dist) * direction((in.phi() + kTwoPi * n) / power);
}

/// As julian, every other root mirrored.
Point juliascope(const Input& in, Draws& draws) {
  const double power = in.parameters[0], dist = in.parameters[1];
  const double n = rootDrawn(power, draws);
  const double phi = std::fmod(n, 2) == 0 ? in.phi() : -in.phi();
  return rootRadius(in, power, dist) * direction((kTwoPi * n + phi) / power);
}

void packRoot(double power, double dist, double* packed) {
  packed[0] = std::abs(power);
  packed[1] = 1 / power;
  packed[2] = dist / (2 * power);
}

void packJulian(const Input& in, double* packed) {
  packRoot(in.parameters[0], in.parameters[1], packed);
}

/// Cuts `count` wedges of `angle` out of the plane and closes the gaps.
double wedgeAngle(double a, double angle, double count) {
  const double n = std::floor((count * a + kPi) / kTwoPi);
  return a * (1 - angle * count / kTwoPi) + n * angle;
}

Point wedgeAt(const Input& in, double r) {
  const double angle = in.parameters[0], hole = in.parameters[1];
  const double count = in.parameters[2], swirl = in.parameters[3];
  return in.weight * (r + hole) * direction(wedgeAngle(in.phi() + swirl * r, angle, count));
}

Point wedge(const Input& in, Draws&) { return wedgeAt(in, in.r()); }

Point wedgeSph(const Input& in, Draws&) { return wedgeAt(in, 1 / (in.r() + kEps)); }

void packWedge(const Input& in, double* packed) {
  for (int i = 0; i < 4; ++i) packed[i] = in.parameters[i];
  packed[4] = 1 - in.parameters[0] * in.parameters[2] / kTwoPi;
}

Point wedgeJulia(const Input& in, Draws& draws) {
  const double angle = in.parameters[0], count = in.parameters[1];
  const double power = in.parameters[2], dist = in.parameters[3];
  const double n = rootDrawn(power, draws);
  const double a = (in.phi() + kTwoPi * n) / power;
  return rootRadius(in, power, dist) * direction(wedgeAngle(a, angle, count));
}

void packWedgeJulia(const Input& in, double* packed) {
  packRoot(in.parameters[2], in.parameters[3], packed);
  packed[3] = in.parameters[0];
  packed[4] = in.parameters[1];
  packed[5] = 1 - in.parameters[0] * in.parameters[1] / kTwoPi;
}

Point whorl(const Input& in, Draws&) {
  const double inside = in.parameters[0], outside = in.parameters[1], r = in.r();
  const double angle = in.phi() + (r < in.weight ? inside : outside) / (in.weight - r);
  return in.weight * r * direction(angle);
}

/// int(v) as flam3's processor does it: out of range gives the smallest int.
double truncatedToInt(double v) {
  return std::abs(v) < 2147483648.0 ? std::trunc(v) : -2147483648.0;
}

Point fan2(const Input& in, Draws&) {
  const double x = in.parameters[0], y = in.parameters[1], theta = in.theta();
  const double k = kPi * (x * x + kEps);
  const double t = theta + y - k * truncatedToInt((theta + y) / k);
  const double angle = t > k / 2 ? theta - k / 2 : theta + k / 2;
  return in.weight * in.r() * Point(std::sin(angle), std::cos(angle));
}

void packFan2(const Input& in, double* packed) {
  const double k = kPi * (in.parameters[0] * in.parameters[0] + kEps);
  packed[0] = k;
  packed[1] = in.parameters[1];
  packed[2] = std::cos(k / 2);
  packed[3] = std::sin(k / 2);
}

Point rings2(const Input& in, Draws&) {
  const double k = in.parameters[0] * in.parameters[0] + kEps, r = in.r();
  const double radius = r - 2 * k * truncatedToInt((r + k) / (2 * k)) + r * (1 - k);
  return in.weight * radius * Point(in.sinTheta(), in.cosTheta());
}

void packRings2(const Input& in, double* packed) {
  packed[0] = in.parameters[0] * in.parameters[0] + kEps;
}

/// Turns the inside of a disc around (x, -y), the outside moves away from it.
Point lazysusan(const Input& in, Draws&) {
  const double spin = in.parameters[0], space = in.parameters[1], twist = in.parameters[2];
  const double cx = in.parameters[3], cy = in.parameters[4], w = in.weight;
  const double u = in.x - cx, v = in.y + cy, r = std::hypot(u, v);
  if (r < w) return w * r * direction(std::atan2(v, u) + spin + twist * (w - r)) + Point(cx, -cy);
  return w * (1 + space / r) * Point(u, v) + Point(cx, -cy);
}

Point cpow(const Input& in, Draws& draws) {
  const double power = in.parameters[2];
  const double c = in.parameters[0] / power, d = in.parameters[1] / power;
  const double logR = std::log(in.r2()) / 2, phi = in.phi();
  const double angle = c * phi + d * logR + kTwoPi / power * std::floor(power * draws.unit());
  return in.weight * std::exp(c * logR - d * phi) * direction(angle);
}

void packCpow(const Input& in, double* packed) {
  const double power = in.parameters[2];
  packed[0] = in.parameters[0] / power;
  packed[1] = in.parameters[1] / power;
  packed[2] = power;
  packed[3] = kTwoPi / power;
}

Point escher(const Input& in, Draws&) {
  const double beta = in.parameters[0];
  const double c = (1 + std::cos(beta)) / 2, d = std::sin(beta) / 2;
  const double logR = std::log(in.r2()) / 2, phi = in.phi();
  return in.weight * std::exp(c * logR - d * phi) * direction(c * phi + d * logR);
}

void packEscher(const Input& in, double* packed) {
  packed[0] = (1 + std::cos(in.parameters[0])) / 2;
  packed[1] = std::sin(in.parameters[0]) / 2;
}

}  // namespace

VariationFamily angularVariations() {
  const ParameterInfo angle{"angle", 0, -kPi, kPi}, hole{"hole", 0, -2, 2};
  const ParameterInfo count{"count", 1, 0, 12}, swirl{"swirl", 0, -2, 2};
  const std::vector<ParameterInfo> wedgeParameters{angle, hole, count, swirl};
  const std::vector<std::string_view> wedgePacked{"angle", "hole", "count", "swirl", "shrink"};
  const std::vector<std::string_view> rootPacked{"rootCount", "inversePower", "exponent"};
  return {
      {25,
       "fan2",
       fan2,
       {{"x", 0, -2, 2}, {"y", 0, -2, 2}},
       {"k", "y", "cosHalf", "sinHalf"},
       packFan2},
      {26, "rings2", rings2, {{"val", 0, -2, 2}}, {"k"}, packRings2},
      {32, "julian", julian, {kPower, kDist}, rootPacked, packJulian},
      {33, "juliascope", juliascope, {kPower, kDist}, rootPacked, packJulian},
      {59,
       "cpow",
       cpow,
       {{"r", 1, -3, 3}, {"i", 0, -3, 3}, kPower},
       {"c", "d", "power", "turn"},
       packCpow},
      {63, "escher", escher, {{"beta", 0, -kPi, kPi}}, {"c", "d"}, packEscher},
      {65,
       "lazysusan",
       lazysusan,
       {{"spin", 0, -kPi, kPi},
        {"space", 0, -2, 2},
        {"twist", 0, -3, 3},
        {"x", 0, -2, 2},
        {"y", 0, -2, 2}}},
      {77, "wedge", wedge, wedgeParameters, wedgePacked, packWedge},
      {78,
       "wedge_julia",
       wedgeJulia,
       {angle, count, kPower, {"dist", 0, -3, 3}},
       {"rootCount", "inversePower", "exponent", "angle", "count", "shrink"},
       packWedgeJulia},
      {79, "wedge_sph", wedgeSph, wedgeParameters, wedgePacked, packWedge},
      {80, "whorl", whorl, {{"inside", 0, -3, 3}, {"outside", 0, -3, 3}}},
  };
}

}  // namespace fathom::flame
