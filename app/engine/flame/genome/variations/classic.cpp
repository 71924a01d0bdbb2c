// SPDX-License-Identifier: BSD-3-Clause
// The first 23 variations, without parameters: those of the appendix of Draves and Reckase, "The
// Fractal Flame Algorithm". Where the paper and flam3 differ (fisheye, spiral, exponential's
// shift), flam3 is followed. Waves, popcorn, rings and fan take numbers from the xform's coefs.
#include "app/engine/flame/genome/variations/family.h"

namespace fathom::flame {
namespace {

Point linear(const Input& in, Draws&) { return in.weight * Point(in.x, in.y); }

Point sinusoidal(const Input& in, Draws&) {
  return in.weight * Point(std::sin(in.x), std::sin(in.y));
}

Point spherical(const Input& in, Draws&) {
  return in.weight / (in.r2() + kEps) * Point(in.x, in.y);
}

Point swirl(const Input& in, Draws&) {
  const double s = std::sin(in.r2()), c = std::cos(in.r2());
  return in.weight * Point(in.x * s - in.y * c, in.x * c + in.y * s);
}

Point horseshoe(const Input& in, Draws&) {
  return in.weight / (in.r() + kEps) * Point((in.x - in.y) * (in.x + in.y), 2 * in.x * in.y);
}

Point polar(const Input& in, Draws&) { return in.weight * Point(in.theta() / kPi, in.r() - 1); }

Point handkerchief(const Input& in, Draws&) {
  const double r = in.r();
  return in.weight * r * Point(std::sin(in.theta() + r), std::cos(in.theta() - r));
}

Point heart(const Input& in, Draws&) {
  const double r = in.r(), angle = r * in.theta();
  return in.weight * r * Point(std::sin(angle), -std::cos(angle));
}

Point disc(const Input& in, Draws&) {
  const double angle = kPi * in.r();
  return in.weight * in.theta() / kPi * Point(std::sin(angle), std::cos(angle));
}

Point spiral(const Input& in, Draws&) {
  const double r = in.r() + kEps;
  return in.weight / r * Point(in.cosTheta() + std::sin(r), in.sinTheta() - std::cos(r));
}

Point hyperbolic(const Input& in, Draws&) {
  const double r = in.r() + kEps;
  return in.weight * Point(in.sinTheta() / r, in.cosTheta() * r);
}

Point diamond(const Input& in, Draws&) {
  const double r = in.r();
  return in.weight * Point(in.sinTheta() * std::cos(r), in.cosTheta() * std::sin(r));
}

Point ex(const Input& in, Draws&) {
  const double r = in.r();
  const double n0 = std::sin(in.theta() + r), n1 = std::cos(in.theta() - r);
  const double m0 = n0 * n0 * n0 * r, m1 = n1 * n1 * n1 * r;
  return in.weight * Point(m0 + m1, m0 - m1);
}

Point julia(const Input& in, Draws& draws) {
  const double angle = in.theta() / 2 + (draws.bit() ? kPi : 0);
  return in.weight * std::sqrt(in.r()) * direction(angle);
}

Point bent(const Input& in, Draws&) {
  return in.weight * Point(in.x < 0 ? 2 * in.x : in.x, in.y < 0 ? in.y / 2 : in.y);
}

Point waves(const Input& in, Draws&) {
  const Affine& m = *in.coefs;
  return in.weight * Point(in.x + m.b * std::sin(in.y / (m.c * m.c + kEps)),
                           in.y + m.e * std::sin(in.x / (m.f * m.f + kEps)));
}

void packWaves(const Input& in, double* packed) {
  const Affine& m = *in.coefs;
  packed[0] = m.b;
  packed[1] = 1 / (m.c * m.c + kEps);
  packed[2] = m.e;
  packed[3] = 1 / (m.f * m.f + kEps);
}

Point fisheye(const Input& in, Draws&) {
  return 2 * in.weight / (in.r() + 1) * Point(in.y, in.x);  // the axes are swapped: flam3's way
}

Point popcorn(const Input& in, Draws&) {
  return in.weight * Point(in.x + in.coefs->c * std::sin(std::tan(3 * in.y)),
                           in.y + in.coefs->f * std::sin(std::tan(3 * in.x)));
}

void packPopcorn(const Input& in, double* packed) {
  packed[0] = in.coefs->c;
  packed[1] = in.coefs->f;
}

Point exponential(const Input& in, Draws&) {
  return in.weight * std::exp(in.x - 1) * direction(kPi * in.y);
}

Point power(const Input& in, Draws&) {
  return in.weight * std::pow(in.r(), in.sinTheta()) * Point(in.cosTheta(), in.sinTheta());
}

Point cosine(const Input& in, Draws&) {
  return in.weight *
         Point(std::cos(kPi * in.x) * std::cosh(in.y), -std::sin(kPi * in.x) * std::sinh(in.y));
}

double ringWidth(const Input& in) { return in.coefs->c * in.coefs->c + kEps; }

Point rings(const Input& in, Draws&) {
  const double r = in.r(), k = ringWidth(in);
  const double radius = std::fmod(r + k, 2 * k) - k + r * (1 - k);
  return in.weight * radius * Point(in.cosTheta(), in.sinTheta());
}

Point fan(const Input& in, Draws&) {
  const double k = kPi * ringWidth(in), theta = in.theta();
  const bool isBehind = std::fmod(theta + in.coefs->f, k) > k / 2;
  return in.weight * in.r() * direction(isBehind ? theta - k / 2 : theta + k / 2);
}

void packFan(const Input& in, double* packed) {
  const double k = kPi * ringWidth(in);
  packed[0] = k;
  packed[1] = in.coefs->f;
  packed[2] = std::cos(k / 2);
  packed[3] = std::sin(k / 2);
}

}  // namespace

VariationFamily classicVariations() {
  return {
      {0, "linear", linear},
      {1, "sinusoidal", sinusoidal},
      {2, "spherical", spherical},
      {3, "swirl", swirl},
      {4, "horseshoe", horseshoe},
      {5, "polar", polar},
      {6, "handkerchief", handkerchief},
      {7, "heart", heart},
      {8, "disc", disc},
      {9, "spiral", spiral},
      {10, "hyperbolic", hyperbolic},
      {11, "diamond", diamond},
      {12, "ex", ex},
      {13, "julia", julia},
      {14, "bent", bent},
      {15, "waves", waves, {}, {"b", "inverseC2", "e", "inverseF2"}, packWaves},
      {16, "fisheye", fisheye},
      {17, "popcorn", popcorn, {}, {"c", "f"}, packPopcorn},
      {18, "exponential", exponential},
      {19, "power", power},
      {20, "cosine", cosine},
      {21,
       "rings",
       rings,
       {},
       {"k"},
       [](const Input& in, double* packed) { packed[0] = ringWidth(in); }},
      {22, "fan", fan, {}, {"k", "f", "cosHalf", "sinHalf"}, packFan},
  };
}

}  // namespace fathom::flame
