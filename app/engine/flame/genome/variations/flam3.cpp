// SPDX-License-Identifier: BSD-3-Clause
// flam3's 99 variations in double precision, as flam3 3.1 computes them.
#include "app/engine/flame/genome/variations.h"

namespace fathom::flame {
namespace {

constexpr double kPi = std::numbers::pi, kTwoPi = 2 * kPi;
constexpr double kEps = 1e-10;  // keeps flam3's denominators from being 0

using Point = glm::dvec2;
using Input = VariationInput;
using Packed = PackedVariation;

Point direction(double angle) { return {std::cos(angle), std::sin(angle)}; }

// The first 23, of the appendix of Draves and Reckase, "The Fractal Flame Algorithm". Where the
// paper and flam3 differ (fisheye, spiral, exponential's shift), flam3 is followed. Waves, popcorn,
// rings and fan take numbers from the xform's coefs.
// --------------------------------------------------------------------------------------------

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

Packed packWaves(const Input& in) {
  const Affine& m = *in.coefs;
  return {m.b, 1 / (m.c * m.c + kEps), m.e, 1 / (m.f * m.f + kEps)};
}

Point fisheye(const Input& in, Draws&) {
  return 2 * in.weight / (in.r() + 1) * Point(in.y, in.x);  // the axes are swapped: flam3's way
}

Point popcorn(const Input& in, Draws&) {
  return in.weight * Point(in.x + in.coefs->c * std::sin(std::tan(3 * in.y)),
                           in.y + in.coefs->f * std::sin(std::tan(3 * in.x)));
}

Packed packPopcorn(const Input& in) { return {in.coefs->c, in.coefs->f}; }

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
Packed packRings(const Input& in) { return {ringWidth(in)}; }

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

Packed packFan(const Input& in) {
  const double k = kPi * ringWidth(in);
  return {k, in.coefs->f, std::cos(k / 2), std::sin(k / 2)};
}

// The point comes from the draws, wholly (blur, pie, square) or in its radius or angle (noise,
// rays, blade). Draws are taken in the order in which flam3 takes them.
// --------------------------------------------------------------------------------------------

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

Packed packRadialBlur(const Input& in) {
  const double* p = in.parameters;
  return {std::sin(p[0] * kPi / 2), std::cos(p[0] * kPi / 2)};
}

Point pie(const Input& in, Draws& draws) {
  const double slices = in.parameters[0], rotation = in.parameters[1], thickness = in.parameters[2];
  const double slice = std::trunc(draws.unit() * slices + 0.5);
  const double angle = rotation + kTwoPi * (slice + draws.unit() * thickness) / slices;
  const double radius = in.weight * draws.unit();
  return radius * direction(angle);
}

Packed packPie(const Input& in) {
  const double* p = in.parameters;
  return {p[0], p[1], p[2], kTwoPi / p[0]};
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

// The angle changes, mostly with the radius: roots with a branch drawn at random (julian and its
// kin), wedges, spirals.
// --------------------------------------------------------------------------------------------

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

Packed packJulian(const Input& in) {
  const double power = in.parameters[0], dist = in.parameters[1];
  return {std::abs(power), 1 / power, dist / (2 * power)};
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

Packed packWedge(const Input& in) {
  const double* p = in.parameters;
  return {p[0], p[1], p[2], p[3], 1 - p[0] * p[2] / kTwoPi};
}

Point wedgeJulia(const Input& in, Draws& draws) {
  const double angle = in.parameters[0], count = in.parameters[1];
  const double power = in.parameters[2], dist = in.parameters[3];
  const double n = rootDrawn(power, draws);
  const double a = (in.phi() + kTwoPi * n) / power;
  return rootRadius(in, power, dist) * direction(wedgeAngle(a, angle, count));
}

Packed packWedgeJulia(const Input& in) {
  const double* p = in.parameters;
  return {std::abs(p[2]), 1 / p[2], p[3] / (2 * p[2]), p[0], p[1], 1 - p[0] * p[1] / kTwoPi};
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

Packed packFan2(const Input& in) {
  const double k = kPi * (in.parameters[0] * in.parameters[0] + kEps);
  return {k, in.parameters[1], std::cos(k / 2), std::sin(k / 2)};
}

Point rings2(const Input& in, Draws&) {
  const double k = in.parameters[0] * in.parameters[0] + kEps, r = in.r();
  const double radius = r - 2 * k * truncatedToInt((r + k) / (2 * k)) + r * (1 - k);
  return in.weight * radius * Point(in.sinTheta(), in.cosTheta());
}

Packed packRings2(const Input& in) {
  const double* p = in.parameters;
  return {p[0] * p[0] + kEps};
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

Packed packCpow(const Input& in) {
  const double power = in.parameters[2];
  return {in.parameters[0] / power, in.parameters[1] / power, power, kTwoPi / power};
}

Point escher(const Input& in, Draws&) {
  const double beta = in.parameters[0];
  const double c = (1 + std::cos(beta)) / 2, d = std::sin(beta) / 2;
  const double logR = std::log(in.r2()) / 2, phi = in.phi();
  return in.weight * std::exp(c * logR - d * phi) * direction(c * phi + d * logR);
}

Packed packEscher(const Input& in) {
  const double* p = in.parameters;
  return {(1 + std::cos(p[0])) / 2, std::sin(p[0]) / 2};
}

// The point is scaled by a function of its place: inversions, lenses, shapes with a given outline.
// --------------------------------------------------------------------------------------------

Point scaled(const Input& in, double k) { return k * Point(in.x, in.y); }

Point blob(const Input& in, Draws&) {
  const double low = in.parameters[0], high = in.parameters[1], waves = in.parameters[2];
  const double radius = in.r() * (low + (high - low) * (0.5 + 0.5 * std::sin(waves * in.theta())));
  return in.weight * radius * Point(in.sinTheta(), in.cosTheta());
}

Packed packBlob(const Input& in) {
  const double* p = in.parameters;
  return {(p[0] + p[1]) / 2, (p[1] - p[0]) / 2, p[2]};
}

Point eyefish(const Input& in, Draws&) { return scaled(in, 2 * in.weight / (in.r() + 1)); }

Point bubble(const Input& in, Draws&) { return scaled(in, in.weight / (in.r2() / 4 + 1)); }

Point perspective(const Input& in, Draws&) {
  const double angle = in.parameters[0] * kPi / 2, dist = in.parameters[1];
  const double t = 1 / (dist - in.y * std::sin(angle));
  return in.weight * Point(dist * in.x * t, dist * std::cos(angle) * in.y * t);
}

Packed packPerspective(const Input& in) {
  const double angle = in.parameters[0] * kPi / 2, dist = in.parameters[1];
  return {dist, std::sin(angle), dist * std::cos(angle)};
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

Packed packNgon(const Input& in) {
  const double* p = in.parameters;
  return {kTwoPi / p[0], p[1] / 2, p[2], p[3]};
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

Packed packDisc2(const Input& in) {
  const double twist = in.parameters[1];
  const double stretch = twist > kTwoPi    ? 1 + twist - kTwoPi
                         : twist < -kTwoPi ? 1 + twist + kTwoPi
                                           : 1;
  return {kPi * in.parameters[0], (std::cos(twist) - 1) * stretch, std::sin(twist) * stretch};
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

Packed packSuperShape(const Input& in) {
  const double* p = in.parameters;
  return {p[0], p[1] / 4, -1 / p[2], p[3], p[4], p[5]};
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

Packed packScry(const Input& in) { return {1 / (in.weight + kEps)}; }

Point butterfly(const Input& in, Draws&) {
  const double x = in.x, y = 2 * in.y;
  const double k = 1.3029400317411198 * std::sqrt(std::abs(in.x * in.y) / (kEps + x * x + y * y));
  return in.weight * k * Point(x, y);
}

// Waves or bumps are added to the coordinates, or the coordinates are bent one by one.
// --------------------------------------------------------------------------------------------

Point pdj(const Input& in, Draws&) {
  const double a = in.parameters[0], b = in.parameters[1];
  const double c = in.parameters[2], d = in.parameters[3];
  return in.weight *
         Point(std::sin(a * in.y) - std::cos(b * in.x), std::sin(c * in.x) - std::cos(d * in.y));
}

Point cylinder(const Input& in, Draws&) { return in.weight * Point(std::sin(in.x), in.y); }

Point tangent(const Input& in, Draws&) {
  return in.weight * Point(std::sin(in.x) / std::cos(in.y), std::tan(in.y));
}

/// 1 / length^2, the length kept from being 0.
double inverseSquare(double length) { return 1 / std::max(length * length, 1e-20); }

Point curve(const Input& in, Draws&) {
  const double xamp = in.parameters[0], yamp = in.parameters[1];
  const double xlength = in.parameters[2], ylength = in.parameters[3];
  return in.weight * Point(in.x + xamp * std::exp(-in.y * in.y * inverseSquare(xlength)),
                           in.y + yamp * std::exp(-in.x * in.x * inverseSquare(ylength)));
}

Packed packCurve(const Input& in) {
  const double* p = in.parameters;
  return {p[0], p[1], inverseSquare(p[2]), inverseSquare(p[3])};
}

/// Mirrors what lies under a damped wave.
Point oscilloscope(const Input& in, Draws&) {
  const double separation = in.parameters[0], frequency = in.parameters[1];
  const double amplitude = in.parameters[2], damping = in.parameters[3];
  const double t =
      amplitude * std::exp(-std::abs(in.x) * damping) * std::cos(kTwoPi * frequency * in.x) +
      separation;
  return in.weight * Point(in.x, std::abs(in.y) <= t ? -in.y : in.y);
}

Packed packOscilloscope(const Input& in) {
  const double* p = in.parameters;
  return {p[0], kTwoPi * p[1], p[2], p[3]};
}

Point popcorn2(const Input& in, Draws&) {
  const double x = in.parameters[0], y = in.parameters[1], c = in.parameters[2];
  return in.weight *
         Point(in.x + x * std::sin(std::tan(in.y * c)), in.y + y * std::sin(std::tan(in.x * c)));
}

Point waves2(const Input& in, Draws&) {
  const double scalex = in.parameters[0], scaley = in.parameters[1];
  const double freqx = in.parameters[2], freqy = in.parameters[3];
  return in.weight *
         Point(in.x + scalex * std::sin(in.y * freqx), in.y + scaley * std::sin(in.x * freqy));
}

Point auger(const Input& in, Draws&) {
  const double freq = in.parameters[0], weight = in.parameters[1];
  const double sym = in.parameters[2], scale = in.parameters[3];
  const double s = std::sin(freq * in.x), t = std::sin(freq * in.y);
  const double y = in.y + weight * (scale * s / 2 + std::abs(in.y) * s);
  const double x = in.x + weight * (scale * t / 2 + std::abs(in.x) * t);
  return in.weight * Point(in.x + sym * (x - in.x), y);
}

Packed packAuger(const Input& in) {
  const double* p = in.parameters;
  return {p[0], p[1], p[2], p[3] / 2};
}

/// Both coordinates move away from 0; `inside` pulls them back in proportion.
double separated(double v, double gap, double inside) {
  const double far = std::sqrt(v * v + gap * gap);
  return v > 0 ? far - v * inside : -(far + v * inside);
}

Point separation(const Input& in, Draws&) {
  return in.weight * Point(separated(in.x, in.parameters[0], in.parameters[1]),
                           separated(in.y, in.parameters[2], in.parameters[3]));
}

Packed packSeparation(const Input& in) {
  const double* p = in.parameters;
  return {p[0] * p[0], p[1], p[2] * p[2], p[3]};
}

// The plane is cut into pieces (half planes, strips, cells), which are moved or mirrored.
// --------------------------------------------------------------------------------------------

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

Packed packCell(const Input& in) {
  const double* p = in.parameters;
  return {p[0], 1 / p[0]};
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

// Functions of the complex number x + iy, or nearly.
// --------------------------------------------------------------------------------------------

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

Packed packBipolar(const Input& in) { return {in.parameters[0] * kPi / 2}; }

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

Packed packFlux(const Input& in) { return {in.weight * (2 + in.parameters[0])}; }

/// (a z + b) / (c z + d)
Point mobius(const Input& in, Draws&) {
  const double* p = in.parameters;
  const double reU = p[0] * in.x - p[1] * in.y + p[2], imU = p[0] * in.y + p[1] * in.x + p[3];
  const double reV = p[4] * in.x - p[5] * in.y + p[6], imV = p[4] * in.y + p[5] * in.x + p[7];
  return in.weight / (reV * reV + imV * imV) * Point(reU * reV + imU * imV, imU * reV - reU * imV);
}

// Sine, cosine and their kin of the complex number x + iy, in flam3's forms (cot, csc and others
// differ from the textbook by a sign or a conjugate; they are kept).
// --------------------------------------------------------------------------------------------

struct Sines {  // of one coordinate
  double sin, cos, sinh, cosh;
  explicit Sines(double v)
      : sin(std::sin(v)), cos(std::cos(v)), sinh(std::sinh(v)), cosh(std::cosh(v)) {}
};

Point complexSin(const Input& in, Draws&) {
  const Sines x(in.x), y(in.y);
  return in.weight * Point(x.sin * y.cosh, x.cos * y.sinh);
}

Point complexCos(const Input& in, Draws&) {
  const Sines x(in.x), y(in.y);
  return in.weight * Point(x.cos * y.cosh, -x.sin * y.sinh);
}

Point complexTan(const Input& in, Draws&) {
  const Sines x(2 * in.x), y(2 * in.y);
  return in.weight / (x.cos + y.cosh) * Point(x.sin, y.sinh);
}

Point complexSec(const Input& in, Draws&) {
  const Sines x(in.x), y(in.y);
  return 2 * in.weight / (std::cos(2 * in.x) + std::cosh(2 * in.y)) *
         Point(x.cos * y.cosh, x.sin * y.sinh);
}

Point complexCsc(const Input& in, Draws&) {
  const Sines x(in.x), y(in.y);
  return 2 * in.weight / (std::cosh(2 * in.y) - std::cos(2 * in.x)) *
         Point(x.sin * y.cosh, -x.cos * y.sinh);
}

Point complexCot(const Input& in, Draws&) {
  const Sines x(2 * in.x), y(2 * in.y);
  return in.weight / (y.cosh - x.cos) * Point(x.sin, -y.sinh);
}

Point complexSinh(const Input& in, Draws&) {
  const Sines x(in.x), y(in.y);
  return in.weight * Point(x.sinh * y.cos, x.cosh * y.sin);
}

Point complexCosh(const Input& in, Draws&) {
  const Sines x(in.x), y(in.y);
  return in.weight * Point(x.cosh * y.cos, x.sinh * y.sin);
}

Point complexTanh(const Input& in, Draws&) {
  const Sines x(2 * in.x), y(2 * in.y);
  return in.weight / (y.cos + x.cosh) * Point(x.sinh, y.sin);
}

Point complexSech(const Input& in, Draws&) {
  const Sines x(in.x), y(in.y);
  return 2 * in.weight / (std::cos(2 * in.y) + std::cosh(2 * in.x)) *
         Point(y.cos * x.cosh, -y.sin * x.sinh);
}

Point complexCsch(const Input& in, Draws&) {
  const Sines x(in.x), y(in.y);
  return 2 * in.weight / (std::cosh(2 * in.x) - std::cos(2 * in.y)) *
         Point(x.sinh * y.cos, -x.cosh * y.sin);
}

Point complexCoth(const Input& in, Draws&) {
  const Sines x(2 * in.x), y(2 * in.y);
  return in.weight / (x.cosh - y.cos) * Point(x.sinh, y.sin);
}

constexpr Flam3Variation kFlam3[kFlam3Variations] = {
    {"linear", linear},
    {"sinusoidal", sinusoidal},
    {"spherical", spherical},
    {"swirl", swirl},
    {"horseshoe", horseshoe},
    {"polar", polar},
    {"handkerchief", handkerchief},
    {"heart", heart},
    {"disc", disc},
    {"spiral", spiral},
    {"hyperbolic", hyperbolic},
    {"diamond", diamond},
    {"ex", ex},
    {"julia", julia},
    {"bent", bent},
    {"waves", waves, packWaves},
    {"fisheye", fisheye},
    {"popcorn", popcorn, packPopcorn},
    {"exponential", exponential},
    {"power", power},
    {"cosine", cosine},
    {"rings", rings, packRings},
    {"fan", fan, packFan},
    {"blob", blob, packBlob},
    {"pdj", pdj},
    {"fan2", fan2, packFan2},
    {"rings2", rings2, packRings2},
    {"eyefish", eyefish},
    {"bubble", bubble},
    {"cylinder", cylinder},
    {"perspective", perspective, packPerspective},
    {"noise", noise},
    {"julian", julian, packJulian},
    {"juliascope", juliascope, packJulian},
    {"blur", blur},
    {"gaussian_blur", gaussianBlur},
    {"radial_blur", radialBlur, packRadialBlur},
    {"pie", pie, packPie},
    {"ngon", ngon, packNgon},
    {"curl", curl},
    {"rectangles", rectangles},
    {"arch", arch},
    {"tangent", tangent},
    {"square", square},
    {"rays", rays},
    {"blade", blade},
    {"secant2", secant2},
    {"twintrian", twintrian},
    {"cross", cross},
    {"disc2", disc2, packDisc2},
    {"super_shape", superShape, packSuperShape},
    {"flower", flower},
    {"conic", conic},
    {"parabola", parabola},
    {"bent2", bent2},
    {"bipolar", bipolar, packBipolar},
    {"boarders", boarders},
    {"butterfly", butterfly},
    {"cell", cell, packCell},
    {"cpow", cpow, packCpow},
    {"curve", curve, packCurve},
    {"edisc", edisc},
    {"elliptic", elliptic},
    {"escher", escher, packEscher},
    {"foci", foci},
    {"lazysusan", lazysusan},
    {"loonie", loonie},
    {"pre_blur", preBlur},
    {"modulus", modulus},
    {"oscilloscope", oscilloscope, packOscilloscope},
    {"polar2", polar2},
    {"popcorn2", popcorn2},
    {"scry", scry, packScry},
    {"separation", separation, packSeparation},
    {"split", split},
    {"splits", splits},
    {"stripes", stripes},
    {"wedge", wedge, packWedge},
    {"wedge_julia", wedgeJulia, packWedgeJulia},
    {"wedge_sph", wedgeSph, packWedge},
    {"whorl", whorl},
    {"waves2", waves2},
    {"exp", complexExp},
    {"log", complexLog},
    {"sin", complexSin},
    {"cos", complexCos},
    {"tan", complexTan},
    {"sec", complexSec},
    {"csc", complexCsc},
    {"cot", complexCot},
    {"sinh", complexSinh},
    {"cosh", complexCosh},
    {"tanh", complexTanh},
    {"sech", complexSech},
    {"csch", complexCsch},
    {"coth", complexCoth},
    {"auger", auger, packAuger},
    {"flux", flux, packFlux},
    {"mobius", mobius},
};

}  // namespace

std::span<const Flam3Variation> flam3Variations() { return kFlam3; }

}  // namespace fathom::flame
