// SPDX-License-Identifier: BSD-3-Clause
// Variations whose point comes from the draws, wholly (blur, pie, square) or in its radius or angle
// (noise, rays, blade). Draws are taken in the order in which flam3 takes them.
#include "app/engine/flame/genome/variations/family.h"

namespace fathom::flame {
namespace {

Point noise(const Input& in, Draws& draws) {
  const double angle = kTwoPi * draws.unit(), radius = in.weight * draws.unit();
  return radius * Point(in.x, in.y) * direction(angle);
}

Point blur(const Input& in, Draws& draws) {
  const double angle = kTwoPi * draws.unit(), radius = in.weight * draws.unit();
  return radius * direction(angle);
}

Point gaussianBlur(const Input& in, Draws& draws) {
  const double angle = kTwoPi * draws.unit(), radius = in.weight * draws.gauss();
  return radius * direction(angle);
}

/// angle 0 zooms, angle 1 turns.
Point radialBlur(const Input& in, Draws& draws) {
  const double g = in.weight * draws.gauss(), angle = in.parameters[0] * kPi / 2;
  const double k = std::cos(angle) * g - 1;
  return in.r() * direction(in.phi() + std::sin(angle) * g) + k * Point(in.x, in.y);
}

void packRadialBlur(const Input& in, double* packed) {
  packed[0] = std::sin(in.parameters[0] * kPi / 2);
  packed[1] = std::cos(in.parameters[0] * kPi / 2);
}

Point pie(const Input& in, Draws& draws) {
  const double slices = in.parameters[0], rotation = in.parameters[1], thickness = in.parameters[2];
  const double slice = std::trunc(draws.unit() * slices + 0.5);
  const double angle = rotation + kTwoPi * (slice + draws.unit() * thickness) / slices;
  const double radius = in.weight * draws.unit();
  return radius * direction(angle);
}

void packPie(const Input& in, double* packed) {
  packed[0] = in.parameters[0];
  packed[1] = in.parameters[1];
  packed[2] = in.parameters[2];
  packed[3] = kTwoPi / in.parameters[0];
}

Point arch(const Input& in, Draws& draws) {
  const double angle = kPi * in.weight * draws.unit(), s = std::sin(angle);
  return in.weight * Point(s, s * s / std::cos(angle));
}

Point square(const Input& in, Draws& draws) {
  const double x = draws.unit() - 0.5, y = draws.unit() - 0.5;
  return in.weight * Point(x, y);
}

Point rays(const Input& in, Draws& draws) {
  const double angle = kPi * in.weight * draws.unit();
  const double t = in.weight * std::tan(angle) * in.weight / (in.r2() + kEps);
  return t * Point(std::cos(in.x), std::sin(in.y));
}

Point blade(const Input& in, Draws& draws) {
  const double radius = draws.unit() * in.weight * in.r();
  const double s = std::sin(radius), c = std::cos(radius);
  return in.weight * in.x * Point(c + s, c - s);  // x in both: flam3's way
}

Point twintrian(const Input& in, Draws& draws) {
  const double radius = draws.unit() * in.weight * in.r();
  const double s = std::sin(radius);
  double d = std::log10(s * s) + std::cos(radius);
  if (isBad(d)) d = -30;
  return in.weight * in.x * Point(d, d - kPi * s);
}

Point parabola(const Input& in, Draws& draws) {
  const double height = in.parameters[0], width = in.parameters[1];
  const double s = std::sin(in.r());
  const double x = height * s * s * draws.unit();
  const double y = width * std::cos(in.r()) * draws.unit();
  return in.weight * Point(x, y);
}

Point preBlur(const Input&, Draws&) { return {0, 0}; }  // acts before all others: see applyXform

}  // namespace

VariationFamily blurVariations() {
  return {
      {31, "noise", noise},
      {34, "blur", blur},
      {35, "gaussian_blur", gaussianBlur},
      {36, "radial_blur", radialBlur, {{"angle", 0, -2, 2}}, {"spin", "zoom"}, packRadialBlur},
      {37,
       "pie",
       pie,
       {{"slices", 6, 1, 24}, {"rotation", 0, -kPi, kPi}, {"thickness", 0.5, 0, 1}},
       {"slices", "rotation", "thickness", "sliceAngle"},
       packPie},
      {41, "arch", arch},
      {43, "square", square},
      {44, "rays", rays},
      {45, "blade", blade},
      {47, "twintrian", twintrian},
      {53, "parabola", parabola, {{"height", 0, -2, 2}, {"width", 0, -2, 2}}},
      {67, "pre_blur", preBlur},
  };
}

}  // namespace fathom::flame
