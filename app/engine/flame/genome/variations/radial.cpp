// SPDX-License-Identifier: BSD-3-Clause
// Variations that scale the point by a function of its place: inversions, lenses, shapes with a
// given outline.
#include "app/engine/flame/genome/variations/family.h"

namespace fathom::flame {
namespace {

Point scaled(const Input& in, double k) { return k * Point(in.x, in.y); }

Point blob(const Input& in, Draws&) {
  const double low = in.parameters[0], high = in.parameters[1], waves = in.parameters[2];
  const double radius = in.r() * (low + (high - low) * (0.5 + 0.5 * std::sin(waves * in.theta())));
  return in.weight * radius * Point(in.sinTheta(), in.cosTheta());
}

void packBlob(const Input& in, double* packed) {
  packed[0] = (in.parameters[0] + in.parameters[1]) / 2;
  packed[1] = (in.parameters[1] - in.parameters[0]) / 2;
  packed[2] = in.parameters[2];
}

Point eyefish(const Input& in, Draws&) { return scaled(in, 2 * in.weight / (in.r() + 1)); }

Point bubble(const Input& in, Draws&) { return scaled(in, in.weight / (in.r2() / 4 + 1)); }

Point perspective(const Input& in, Draws&) {
  const double angle = in.parameters[0] * kPi / 2, dist = in.parameters[1];
  const double t = 1 / (dist - in.y * std::sin(angle));
  return in.weight * Point(dist * in.x * t, dist * std::cos(angle) * in.y * t);
}

void packPerspective(const Input& in, double* packed) {
  const double angle = in.parameters[0] * kPi / 2, dist = in.parameters[1];
  packed[0] = dist;
  packed[1] = std::sin(angle);
  packed[2] = dist * std::cos(angle);
}

Point ngon(const Input& in, Draws&) {
  const double sides = in.parameters[0], power = in.parameters[1];
  const double circle = in.parameters[2], corners = in.parameters[3];
  const double sector = kTwoPi / sides, phi = in.phi();
  double s = phi - sector * std::floor(phi / sector);
  if (s > sector / 2) s -= sector;
  const double outline = corners * (1 / (std::cos(s) + kEps) - 1) + circle;
  return scaled(in, in.weight * outline / (std::pow(in.r2(), power / 2) + kEps));
}

void packNgon(const Input& in, double* packed) {
  packed[0] = kTwoPi / in.parameters[0];
  packed[1] = in.parameters[1] / 2;
  packed[2] = in.parameters[2];
  packed[3] = in.parameters[3];
}

Point secant2(const Input& in, Draws&) {
  const double c = std::cos(in.weight * in.r());
  return in.weight * Point(in.x, 1 / c + (c < 0 ? 1 : -1));
}

Point cross(const Input& in, Draws&) {
  const double s = in.x * in.x - in.y * in.y;
  return scaled(in, in.weight * std::sqrt(1 / (s * s + kEps)));
}

Point disc2(const Input& in, Draws&) {
  const double rot = in.parameters[0], twist = in.parameters[1];
  double s = std::sin(twist), m = std::cos(twist) - 1, stretch = 1;
  if (twist > kTwoPi) stretch = 1 + twist - kTwoPi;
  if (twist < -kTwoPi) stretch = 1 + twist + kTwoPi;
  s *= stretch;
  m *= stretch;
  const double t = kPi * rot * (in.x + in.y);
  return in.weight * in.theta() / kPi * Point(std::sin(t) + m, std::cos(t) + s);
}

void packDisc2(const Input& in, double* packed) {
  const double twist = in.parameters[1];
  const double stretch = twist > kTwoPi    ? 1 + twist - kTwoPi
                         : twist < -kTwoPi ? 1 + twist + kTwoPi
                                           : 1;
  packed[0] = kPi * in.parameters[0];
  packed[1] = (std::cos(twist) - 1) * stretch;
  packed[2] = std::sin(twist) * stretch;
}

/// The superformula (Gielis 2003), its radius mixed with noise.
Point superShape(const Input& in, Draws& draws) {
  const double rnd = in.parameters[0], m = in.parameters[1], n1 = in.parameters[2];
  const double n2 = in.parameters[3], n3 = in.parameters[4], holes = in.parameters[5];
  const double angle = m * in.phi() / 4 + kPi / 4;
  const double k = std::pow(
      std::pow(std::abs(std::cos(angle)), n2) + std::pow(std::abs(std::sin(angle)), n3), -1 / n1);
  const double r = in.r();
  return scaled(in, in.weight * (rnd * draws.unit() + (1 - rnd) * r - holes) * k / r);
}

void packSuperShape(const Input& in, double* packed) {
  packed[0] = in.parameters[0];
  packed[1] = in.parameters[1] / 4;
  packed[2] = -1 / in.parameters[2];
  packed[3] = in.parameters[3];
  packed[4] = in.parameters[4];
  packed[5] = in.parameters[5];
}

Point flower(const Input& in, Draws& draws) {
  const double petals = in.parameters[0], holes = in.parameters[1];
  return scaled(in, in.weight * (draws.unit() - holes) * std::cos(petals * in.phi()) / in.r());
}

Point conic(const Input& in, Draws& draws) {
  const double eccentricity = in.parameters[0], holes = in.parameters[1], r = in.r();
  return scaled(
      in, in.weight * (draws.unit() - holes) * eccentricity / (1 + eccentricity * in.x / r) / r);
}

Point loonie(const Input& in, Draws&) {
  const double w = in.weight, w2 = w * w, r2 = in.r2();
  return scaled(in, r2 < w2 ? w * std::sqrt(w2 / r2 - 1) : w);
}

Point scry(const Input& in, Draws&) {
  return scaled(in, 1 / (in.r() * (in.r2() + 1 / (in.weight + kEps))));
}

void packScry(const Input& in, double* packed) { packed[0] = 1 / (in.weight + kEps); }

Point butterfly(const Input& in, Draws&) {
  const double x = in.x, y = 2 * in.y;
  const double k = 1.3029400317411198 * std::sqrt(std::abs(in.x * in.y) / (kEps + x * x + y * y));
  return in.weight * k * Point(x, y);
}

}  // namespace

VariationFamily radialVariations() {
  const ParameterInfo holes{"holes", 0, -2, 2};
  return {
      {23,
       "blob",
       blob,
       {{"low", 0, -2, 2}, {"high", 1, -2, 2}, {"waves", 1, -12, 12}},
       {"middle", "swing", "waves"},
       packBlob},
      {27, "eyefish", eyefish},
      {28, "bubble", bubble},
      {30,
       "perspective",
       perspective,
       {{"angle", 0, -2, 2}, {"dist", 0, -4, 4}},
       {"dist", "sinAngle", "distCosAngle"},
       packPerspective},
      {38,
       "ngon",
       ngon,
       {{"sides", 5, -12, 12}, {"power", 3, -4, 4}, {"circle", 1, -2, 2}, {"corners", 2, -4, 4}},
       {"sector", "halfPower", "circle", "corners"},
       packNgon},
      {46, "secant2", secant2},
      {48, "cross", cross},
      {49,
       "disc2",
       disc2,
       {{"rot", 0, -2, 2}, {"twist", 0, -kPi, kPi}},
       {"rotPi", "addX", "addY"},
       packDisc2},
      {50,
       "super_shape",
       superShape,
       {{"rnd", 0, 0, 1},
        {"m", 0, 0, 12},
        {"n1", 1, -4, 4},
        {"n2", 1, -4, 4},
        {"n3", 1, -4, 4},
        holes},
       {"rnd", "quarterM", "exponent", "n2", "n3", "holes"},
       packSuperShape},
      {51, "flower", flower, {{"petals", 0, -12, 12}, holes}},
      {52, "conic", conic, {{"eccentricity", 1, -2, 2}, holes}},
      {57, "butterfly", butterfly},
      {66, "loonie", loonie},
      {72, "scry", scry, {}, {"inverseWeight"}, packScry},
  };
}

}  // namespace fathom::flame
