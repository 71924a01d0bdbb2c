// SPDX-License-Identifier: BSD-3-Clause
// Variations that are, or come close to, functions of the complex number x + iy. Those made of sine
// and cosine: hyperbolic.cpp.
#include "app/engine/flame/genome/variations/family.h"

#include <algorithm>

namespace fathom::flame {
namespace {

Point curl(const Input& in, Draws&) {
  const double c1 = in.parameters[0], c2 = in.parameters[1];
  const double u = 1 + c1 * in.x + c2 * (in.x * in.x - in.y * in.y);
  const double v = c1 * in.y + 2 * c2 * in.x * in.y;
  return in.weight / (u * u + v * v) * Point(in.x * u + in.y * v, in.y * u - in.x * v);
}

Point bipolar(const Input& in, Draws&) {
  const double sum = in.r2() + 1, shift = in.parameters[0] * kPi / 2;
  double v = std::atan2(2 * in.y, in.r2() - 1) / 2 - shift;
  if (v > kPi / 2)
    v = -kPi / 2 + std::fmod(v + kPi / 2, kPi);
  else if (v < -kPi / 2)
    v = kPi / 2 - std::fmod(kPi / 2 - v, kPi);
  return in.weight * Point(std::log((sum + 2 * in.x) / (sum - 2 * in.x)) / kTwoPi, 2 * v / kPi);
}

void packBipolar(const Input& in, double* packed) { packed[0] = in.parameters[0] * kPi / 2; }

/// Half the sum of the distances from (-1, 0) and (1, 0).
double ellipseRadius(const Input& in) {
  const double sum = in.r2() + 1;
  return (std::sqrt(sum + 2 * in.x) + std::sqrt(sum - 2 * in.x)) / 2;
}

Point edisc(const Input& in, Draws&) {
  const double m = std::max(1.0, ellipseRadius(in));
  const double angle = std::log(m + std::sqrt(m - 1)), h = -std::acos(in.x / m);
  const double s = in.y > 0 ? -std::sin(angle) : std::sin(angle);
  return in.weight / 11.57034632 * Point(std::cosh(h) * std::cos(angle), std::sinh(h) * s);
}

Point elliptic(const Input& in, Draws&) {
  const double m = ellipseRadius(in), a = in.x / m;
  const double b = std::sqrt(std::max(0.0, 1 - a * a)), s = std::sqrt(std::max(0.0, m - 1));
  const double l = std::log(m + s);
  return in.weight * 2 / kPi * Point(std::atan2(a, b), in.y > 0 ? l : -l);
}

Point foci(const Input& in, Draws&) {
  const double half = std::exp(in.x) / 2, inverse = 0.25 / half;
  return in.weight / (half + inverse - std::cos(in.y)) * Point(half - inverse, std::sin(in.y));
}

Point polar2(const Input& in, Draws&) {
  return in.weight / kPi * Point(in.theta(), std::log(in.r2()) / 2);
}

Point complexExp(const Input& in, Draws&) { return in.weight * std::exp(in.x) * direction(in.y); }

Point complexLog(const Input& in, Draws&) {
  return in.weight * Point(std::log(in.r2()) / 2, in.phi());
}

Point flux(const Input& in, Draws&) {
  const double w = in.weight, spread = in.parameters[0];
  const double radius =
      w * (2 + spread) * std::sqrt(std::hypot(in.x + w, in.y) / std::hypot(in.x - w, in.y));
  const double angle = (std::atan2(in.y, in.x - w) - std::atan2(in.y, in.x + w)) / 2;
  return radius * direction(angle);
}

void packFlux(const Input& in, double* packed) { packed[0] = in.weight * (2 + in.parameters[0]); }

/// (a z + b) / (c z + d)
Point mobius(const Input& in, Draws&) {
  const double* p = in.parameters;
  const double reU = p[0] * in.x - p[1] * in.y + p[2], imU = p[0] * in.y + p[1] * in.x + p[3];
  const double reV = p[4] * in.x - p[5] * in.y + p[6], imV = p[4] * in.y + p[5] * in.x + p[7];
  return in.weight / (reV * reV + imV * imV) * Point(reU * reV + imU * imV, imU * reV - reU * imV);
}

}  // namespace

VariationFamily complexVariations() {
  return {
      {39, "curl", curl, {{"c1", 1, -3, 3}, {"c2", 0, -3, 3}}},
      {55, "bipolar", bipolar, {{"shift", 0, -2, 2}}, {"shiftAngle"}, packBipolar},
      {61, "edisc", edisc},
      {62, "elliptic", elliptic},
      {64, "foci", foci},
      {70, "polar2", polar2},
      {82, "exp", complexExp},
      {83, "log", complexLog},
      {97, "flux", flux, {{"spread", 0, -4, 4}}, {"scale"}, packFlux},
      {98,
       "mobius",
       mobius,
       {{"re_a", 0, -3, 3},
        {"im_a", 0, -3, 3},
        {"re_b", 0, -3, 3},
        {"im_b", 0, -3, 3},
        {"re_c", 0, -3, 3},
        {"im_c", 0, -3, 3},
        {"re_d", 0, -3, 3},
        {"im_d", 0, -3, 3}}},
  };
}

}  // namespace fathom::flame
