// SPDX-License-Identifier: BSD-3-Clause
// Variations of other programs beside the formulas of their authors (JWildfire's sources,
// Apophysis' plugins), written here on their own: in complex numbers, vectors or cases, not as the
// shader has them. At random points, with parameters all over their sliders.
#include "app/engine/core/random.h"
#include "app/engine/flame/genome/variations.h"

#include <complex>

namespace fathom::flame {
namespace {

using Complex = std::complex<double>;
using glm::dvec3;

constexpr double kPi = std::numbers::pi, kTwoPi = 2 * kPi;
const Complex kI(0, 1);

/// Multiples of 1/1024 in steps, so that any order of the draws but the right one shows.
class CountedDraws : public Draws {
 public:
  explicit CountedDraws(unsigned first) : drawn_(first) {}
  double unit() override { return (drawn_ = (drawn_ + 389) & 1023) / 1024.0; }
  int bit() override { return 0; }

 private:
  unsigned drawn_;
};

struct Given {
  double x, y, z, w;
  const double* a;  // parameters
  Draws& draws;
  Complex p = Complex(x, y);
  double r = std::abs(p), phi = std::arg(p);

  double unit() const { return draws.unit(); }
  /// Which of the |count| branches of a root.
  double branch(double count) const { return std::trunc(std::abs(count) * unit()); }
};

/// Which values the parameters take.
enum class Take { Any, Whole, Equal, Defaults };

struct Formula {
  const char* name;
  dvec3 (*value)(const Given&);
  Take take = Take::Any;
};

dvec3 flat(Complex v) { return {v.real(), v.imag(), 0}; }
Complex turned(double angle) { return std::polar(1.0, angle); }
double sign(double v) { return double(v > 0) - double(v < 0); }

/// v turned by quarters until it lies in the right quarter, between the diagonals; and the
/// quarters.
std::pair<Complex, int> inRightQuarter(Complex v) {
  int quarters = 0;
  while (std::abs(v.imag()) > v.real() && quarters < 4) v *= -kI, ++quarters;
  return {v, quarters};
}
/// The squares around the origin bent to circles: how far out, and the angle.
std::pair<double, double> squareToCircle(Complex v) {
  const auto [right, quarters] = inRightQuarter(v);
  return {right.real(), kPi / 4 * right.imag() / right.real() + quarters * kPi / 2};
}

/// On the branch that the authors take: Re v < 0 gives a negative real part.
Complex acosh(Complex v) { return std::log(v + std::sqrt(v * v - 1.0)); }

/// Of a point beside others of its kind: hidden, and at the origin.
dvec3 croppedTo(const Given& g, bool inside, bool invert) {
  g.draws.setHidden(inside == invert);
  return inside != invert ? g.w * dvec3(g.x, g.y, 0) : dvec3(0);
}

/// The hyperbolic translation that takes the origin to conj(by).
Complex moved(Complex p, Complex by) { return (p + std::conj(by)) / (1.0 + by * p); }
/// How far hypertile moves, for tiles of p corners of which q meet.
double tileRadius(double p, double q) {
  const double square =
      1 + (1 - std::cos(kTwoPi / p)) / (std::cos(kTwoPi / p) + std::cos(kTwoPi / q));
  return square > 0 ? 1 / std::sqrt(square) : 1;
}

double damping(double v) { return std::abs(v) < 1e-5 ? 1 : std::exp(v); }

const Formula kInSpace[] = {
    {"spherical3D",
     [](const Given& g) {
       const dvec3 p(g.x, g.y, g.z);
       return g.w / glm::dot(p, p) * p;
     }},
    {"hemisphere", [](const Given& g) { return g.w * glm::normalize(dvec3(g.x, g.y, 1)); }},
    {"bubble2",
     [](const Given& g) {
       const dvec3 p(g.x, g.y, g.z), factors(g.a[0], g.a[1], g.a[2]);
       const double lift = g.z >= 0 ? g.z + g.a[2] : g.z - g.a[2];
       return 4 * g.w / (glm::dot(p, p) + 4) * p * factors + dvec3(0, 0, g.w * lift);
     }},
    {"julia3D",
     [](const Given& g) {
       const double z = g.z / std::abs(g.a[0]);
       const double k = g.w * std::pow(std::hypot(g.r, z), 1 / g.a[0] - 1);
       const Complex root = std::polar(g.r * k, (g.phi + kTwoPi * g.branch(g.a[0])) / g.a[0]);
       return dvec3(root.real(), root.imag(), k * z);
     }},
    {"julia3Dz",
     [](const Given& g) {
       const Complex root = std::polar(g.w * std::pow(g.r, 1 / g.a[0]),
                                       (g.phi + kTwoPi * g.branch(g.a[0])) / g.a[0]);
       return dvec3(root.real(), root.imag(),
                    g.w * std::pow(g.r, 1 / g.a[0] - 1) * g.z / std::abs(g.a[0]));
     }},
    {"julian3Dx",
     [](const Given& g) {
       const double z = g.x / std::abs(g.a[0]);
       const double k = g.w * std::pow(std::hypot(g.r, z), g.a[1] / g.a[0] - 1);
       const Complex q(g.a[2] * g.x + g.a[3] * g.y + g.a[6], g.a[4] * g.x + g.a[5] * g.y + g.a[7]);
       const Complex root = std::polar(k * g.r, (std::arg(q) + kTwoPi * g.branch(g.a[0])) / g.a[0]);
       return dvec3(root.real(), root.imag(), k * z);
     }},
    // Inverted in the unit sphere, moved, inverted again.
    {"curl3D",
     [](const Given& g) {
       const dvec3 p(g.x, g.y, g.z), at = p / glm::dot(p, p) + dvec3(g.a[0], -g.a[1], g.a[2]);
       return g.w / glm::dot(at, at) * at;
     }},
    {"blob3D",
     [](const Given& g) {
       const double a = std::atan2(g.x, g.y), s = std::sin(g.a[2] * a);
       const double r = g.r * (g.a[0] + (g.a[1] - g.a[0]) * (0.5 + 0.5 * s));
       return g.w * r * dvec3(std::sin(a), std::cos(a), s);
     }},
    {"blade3D",
     [](const Given& g) {
       const double at = g.unit() * g.w * g.r, side = std::cos(at) - std::sin(at);
       return g.w * dvec3(g.x * (std::cos(at) + std::sin(at)), g.x * side, -g.y * side);
     }},
    {"poincare3D",
     [](const Given& g) {
       const dvec3 p(g.x, g.y, g.z);
       const double a = g.a[1] * kPi / 2, b = g.a[2] * kPi / 2;
       const dvec3 c =
           g.a[0] * dvec3(-std::cos(a) * std::cos(b), std::sin(a) * std::cos(b), -std::sin(b));
       const double both = 2 * glm::dot(p, c), pp = glm::dot(p, p), cc = glm::dot(c, c);
       return g.w / (cc * pp - both + 1) * (p * (1 - cc) + c * (both - pp - 1));
     }},
    {"hypertile3D",
     [](const Given& g) {
       const Complex c = std::polar(tileRadius(g.a[0], g.a[1]), g.a[2] * kTwoPi / g.a[0]);
       const dvec3 p(g.x, g.y, g.z), by(-c.real(), c.imag(), 0);
       const double both = 2 * glm::dot(p, by), pp = glm::dot(p, p), cc = glm::dot(by, by);
       return g.w / (cc * pp - both + 1) * (p * (1 - cc) + by * (both - pp - 1));
     },
     Take::Defaults},
    {"butterfly3D",
     [](const Given& g) {
       const double k = 1.3029400317411197908970256609023 * g.w * std::sqrt(std::abs(g.x * g.y)) /
                        std::hypot(g.x, 2 * g.y);
       return k * dvec3(g.x, 2 * g.y, 0.5 * std::abs(g.y) * g.r);
     }},
    {"pie3D",
     [](const Given& g) {
       const double slice = std::trunc(g.unit() * g.a[0] + 0.5);
       const double angle = g.a[1] + kTwoPi * (slice + g.unit() * g.a[2]) / g.a[0];
       const double r = g.w * g.unit();
       return dvec3(r * std::cos(angle), r * std::sin(angle), r * std::sin(r));
     }},
    {"taurus",
     [](const Given& g) {
       const double r = glm::mix(g.a[0] * std::cos(g.a[1] * g.x), g.a[0], g.a[2]);
       const Complex ring = g.w * (r + std::sin(g.y)) * turned(g.x);
       return dvec3(ring.real(), ring.imag(), g.w * g.a[3] * std::cos(g.y) + (1 - g.a[3]) * g.y);
     }},
    {"pyramid",
     [](const Given& g) {
       const dvec3 cubes(std::pow(g.x, 3), std::pow(g.y, 3), std::pow(std::abs(g.z), 3));
       return g.w / (std::abs(cubes.x) + std::abs(cubes.y) + cubes.z + 1e-9) * cubes;
     }},
    {"disc3d",
     [](const Given& g) {
       const double v = g.w * std::atan2(g.x, g.y) / g.a[0];
       return v * dvec3(std::sin(g.a[0] * g.r), std::cos(g.a[0] * g.r), g.r * std::cos(g.z));
     }},
    {"scry_3D",
     [](const Given& g) {
       const double t = std::hypot(g.x, g.y, g.z);
       return dvec3(g.x, g.y, g.z) / (t * (t * t + 1 / g.w));
     }},
    {"ennepers2",
     [](const Given& g) {
       const double a = g.a[0], b = g.a[1], c = g.a[2];
       const double d = (std::pow(a * g.x, 2) - std::pow(b * g.y, 2)) / g.r;
       return g.w * dvec3(g.x * (a * a - d / g.r - c * std::sqrt(std::abs(g.x))),
                          g.y * (b * b - d / g.r - c * std::sqrt(std::abs(g.y))), 0.5 * d);
     }},
    {"seashell3D",
     [](const Given& g) {
       const double t = g.unit(), s = kTwoPi * g.unit(), tube = g.a[0] * (1 - t);
       const Complex at = (tube * (1 + std::cos(s)) + g.a[2]) * turned(kTwoPi * g.a[3] * t);
       return g.w * dvec3(at.real(), at.imag(), g.a[1] * t + tube * std::sin(s));
     },
     Take::Whole},
    {"linearT3D",
     [](const Given& g) {
       const auto power = [](double v, double to) { return sign(v) * std::pow(std::abs(v), to); };
       return g.w * dvec3(power(g.x, g.a[0]), power(g.y, g.a[1]), power(g.z, g.a[2]));
     }},
    {"exblur",
     [](const Given& g) {
       const dvec3 o(g.x - g.a[2], g.y + g.a[3], g.z - g.a[4]);
       const double size = g.w * std::pow(glm::dot(o, o), g.a[0]) * g.draws.gauss();
       const Complex level = turned(kTwoPi * g.unit());
       const double tilt = kTwoPi * g.unit();
       const dvec3 away(std::sin(tilt) * level.real(), std::sin(tilt) * level.imag(),
                        std::cos(tilt));
       return size * (glm::normalize(o) + g.a[1] * away);
     }},
    // The product of the quaternions' sinh and the conjugate of cosh, both of x + iy + jz.
    {"tanhq",
     [](const Given& g) {
       const double v = std::hypot(g.y, g.z), sum = g.x * g.x + v * v;
       const Complex q(g.x, v), tanh = std::sinh(q) * std::conj(std::cosh(q));
       return g.w / sum * dvec3(tanh.real(), tanh.imag() * g.y / v, tanh.imag() * g.z / v);
     }},
};

const Formula kOfThePlane[] = {
    {"unpolar",
     [](const Given& g) {
       return g.w / kTwoPi * std::exp(g.y) * dvec3(std::sin(g.x), std::cos(g.x), 0);
     }},
    {"twoface", [](const Given& g) { return flat(g.w * (g.x > 0 ? 1.0 / std::conj(g.p) : g.p)); }},
    {"target",
     [](const Given& g) {
       const double t = std::log(g.r), size = g.a[2];
       const double in = std::fmod(std::abs(t < 0 ? t - size / 2 : t), size);
       return flat(g.p * turned(in < size / 2 ? g.a[0] : g.a[1]));
     }},
    {"flipcircle",
     [](const Given& g) { return flat(g.w * (g.r > std::abs(g.w) ? g.p : std::conj(g.p))); }},
    {"circlize2",
     [](const Given& g) {
       const auto [side, angle] = squareToCircle(g.p);
       return flat(std::polar(1.0, angle) * g.w * (side + g.a[0]));
     }},
    {"squarize",
     [](const Given& g) {
       const double quarters = std::round(g.phi / (kPi / 2)), rest = g.phi - quarters * kPi / 2;
       return flat(g.w * g.r * Complex(1, 4 / kPi * rest) * turned(quarters * kPi / 2));
     }},
    {"chunk",
     [](const Given& g) {
       const double* a = g.a;
       const double r = g.w * (a[0] * g.x * g.x + a[1] * g.x * g.y + a[2] * g.y * g.y + a[3] * g.x +
                               a[4] * g.y + a[5]);
       return flat((a[6] == 0) == (r <= 0) ? g.p : 0);
     },
     Take::Whole},
    {"wdisc",
     [](const Given& g) {
       const double angle = kPi / (g.r + 1);
       return flat(g.w * g.phi / kPi * turned(g.phi > 0 ? kPi - angle : angle));
     }},
    {"xheart",
     [](const Given& g) {
       const Complex bent(4 * g.x, (6 + 2 * g.a[1]) * g.y);
       const Complex q = turned(kPi / 4 * (1 + g.a[0] / 2)) * bent / (g.r * g.r + 4);
       return flat(g.w * (q.real() > 0 ? q : std::conj(q)));
     }},
    {"cardioid",
     [](const Given& g) {
       return flat(std::polar(1.0, g.phi) * g.w *
                   std::sqrt(g.r * g.r + std::sin(g.a[0] * g.phi) + 1));
     }},
    {"murl",
     [](const Given& g) {
       const double n = g.a[1], c = n == 1 ? g.a[0] : g.a[0] / (n - 1);
       return flat(g.w * (c + 1) * g.p / (1.0 + c * std::pow(g.p, n)));
     },
     Take::Whole},
    {"eclipse",
     [](const Given& g) {
       const double edge = std::sqrt(g.w * g.w - g.y * g.y), x = g.x + g.a[0] * g.w;
       if (!(g.w >= std::abs(g.y)) || std::abs(g.x) > edge) return flat(g.w * g.p);
       return g.w * dvec3(std::abs(x) >= edge ? -g.x : x, g.y, 0);
     }},
    {"shift",
     [](const Given& g) {
       const Complex by = std::conj(turned(g.a[2] * kPi / 180) * Complex(g.a[0], g.a[1]));
       return flat(g.w * (g.p + by));
     }},
    {"circlesplit",
     [](const Given& g) {
       return flat(g.w * (g.r < g.a[0] - g.a[1] ? g.p : g.p * (1 + g.a[1] / g.r)));
     }},
    {"mcarpet",
     [](const Given& g) {
       const double bubble = 4 / (g.r * g.r + 4);
       return g.w * dvec3(g.x * g.a[0] * bubble + 1 - g.a[2] * g.x * g.x + g.y,
                          g.y * g.a[1] * bubble + g.a[3] * g.x, 0);
     }},
    {"spligon",
     [](const Given& g) {
       const double sector = kTwoPi / g.a[0];
       const double angle = sector * std::floor(g.phi / sector) - kPi * g.a[2] / (2 * g.a[0]);
       return flat(g.w * (g.p + std::polar(1.0, angle) * g.a[1]));
     }},
    {"asteria",
     [](const Given& g) {
       const Complex p = g.w * g.p, corner(std::abs(p.real()) - 1, std::abs(p.imag()) - 1);
       bool stays = std::abs(p) >= 1;
       if (!stays && std::abs(corner) < 1) stays = g.unit() > 0.35;
       if (stays) return flat(p);
       const Complex turn = turned(kPi * g.a[0]), q = p * turn;
       const double y = q.imag(), below = 1 - std::abs(y);
       const double narrow = (1 - std::sqrt(1 - below * below)) / std::sqrt(1 - y * y);
       return flat(Complex(q.real() * narrow, y) / turn);
     }},
    {"juliac",
     [](const Given& g) {
       const Complex power(1 / g.a[0], g.a[1] / 100);
       const double turns = std::fmod(std::floor(4096 * g.unit()), std::abs(g.a[0]));
       const double angle = g.phi + kTwoPi * turns;
       return flat(g.w * std::exp(power * Complex(g.a[2] * std::log(g.r), angle)));
     }},
    {"juliaq",
     [](const Given& g) {
       const double branch = g.branch(g.a[0]), power = g.a[1] / g.a[0];
       return flat(g.w * std::pow(g.p, power) * turned(kTwoPi * branch / g.a[0]));
     }},
    {"epispiral",
     [](const Given& g) {
       const double u = g.unit(), width = std::abs(g.a[1]) > 1e-8 ? g.a[1] * u : 1;
       return flat(turned(g.phi) * g.w * (width / std::cos(g.a[0] * g.phi) - g.a[2]));
     }},
    {"sphericalN",
     [](const Given& g) {
       const double turn = std::floor(g.a[0] * g.unit()) / std::floor(g.a[0]);
       return flat(g.w * std::pow(g.r, -g.a[1]) * turned(g.phi + kTwoPi * turn));
     }},
    {"hypertile",
     [](const Given& g) {
       const Complex by = std::polar(tileRadius(g.a[0], g.a[1]), g.a[2] * kTwoPi / g.a[0]);
       return flat(g.w * moved(g.p, by));
     }},
    {"hypertile2",
     [](const Given& g) {
       const double angle = kTwoPi / g.a[0] * g.branch(g.a[0]);
       return flat(g.w * moved(g.p, tileRadius(g.a[0], g.a[1])) * turned(-angle));
     }},
    {"sigmoid",
     [](const Given& g) {
       const auto bent = [](double v, double by) {
         const bool steep = std::abs(by) < 1;
         const double s = 1 + std::tanh(2.5 * v * (steep ? 1 / by : by));
         return steep && by < 0 ? -s - 1 : s - 1;
       };
       return std::abs(g.w) * dvec3(bent(g.x, g.a[0]), bent(g.y, g.a[1]), 0);
     }},
    {"cylinder2", [](const Given& g) { return g.w * dvec3(std::sin(std::atan(g.x)), g.y, 0); }},
    {"tancos",
     [](const Given& g) {
       const double t = g.r * g.r;
       return 2 * g.w / t * dvec3(g.x * std::tanh(t), g.y * std::cos(t), 0);
     }},
    {"circus", [](const Given& g) { return flat(g.w * g.p * (g.r <= 1 ? g.a[0] : 1 / g.a[0])); }},
    {"trade",
     [](const Given& g) {
       const bool right = g.x > 0;  // the two discs change places
       const double own = right ? g.a[0] : g.a[2], other = right ? g.a[2] : g.a[0];
       const double middle = right ? own + g.a[1] : -own - g.a[3];
       const double opposite = right ? -other - g.a[3] : other + g.a[1];
       const Complex from = middle - std::conj(g.p);
       return flat(g.w * (std::abs(from) <= own ? opposite + from * (other / own) : g.p));
     }},
    {"hypershift",
     [](const Given& g) {
       const Complex at = 1.0 / std::conj(g.p) + g.a[0];
       const Complex back = g.w * (1 - g.a[0] * g.a[0]) / std::conj(at);
       return dvec3(back.real() + g.a[0], back.imag() * g.a[1], 0);
     }},
    {"rays2",
     [](const Given& g) {
       const double t = g.r * g.r;
       return g.w / 10 * t / std::cos(t * std::tan(1 / t)) * dvec3(1 / g.x, 1 / g.y, 0);
     }},
    {"stwin",
     [](const Given& g) {
       const double* a = g.a;
       const double x = g.x * g.w * a[4], y = g.y * g.w * a[4];
       const double x2 = x * x + a[2] * a[5], y2 = y * y + a[3] * a[5];
       const double wave = std::sin(kTwoPi * a[0] * (x + y + a[1] * a[6]));
       return flat(g.w * g.p + Complex(1, 1) * ((x2 - y2) / (x2 + y2) * wave));
     }},
    {"shredrad",
     [](const Given& g) {
       const double sector = kTwoPi / g.a[0], at = (g.phi + 3 * kPi + sector / 2) / sector;
       const double narrowed = std::floor(at) + (at - std::floor(at)) * g.a[1];
       return flat(std::polar(1.0, narrowed * sector - kPi - sector / 2 * g.a[1]) * g.w * g.r);
     }},
    {"phoenix_julia",
     [](const Given& g) {
       const double branch = g.branch(g.a[0]);
       const Complex bent(g.x * (g.a[2] + 1), g.y * (g.a[3] + 1));
       return flat(g.w * std::pow(g.r, g.a[1] / g.a[0]) *
                   turned((std::arg(bent) * g.a[1] + kTwoPi * branch) / g.a[0]));
     },
     Take::Defaults},
    {"henon",
     [](const Given& g) {
       return g.w * dvec3(g.a[2] - g.a[0] * g.x * g.x + g.y, g.a[1] * g.x, 0);
     }},
};

const Formula kOfComplexNumbers[] = {
    {"sin2_bs", [](const Given& g) { return flat(g.w * std::sin(g.a[0] * g.p)); }, Take::Equal},
    {"sinh2_bs", [](const Given& g) { return flat(g.w * std::sinh(g.a[0] * g.p)); }, Take::Equal},
    {"tan2_bs", [](const Given& g) { return flat(g.w * std::tan(g.a[0] / 2 * g.p)); }, Take::Equal},
    {"cot2_bs", [](const Given& g) { return flat(g.w / std::tan(g.a[0] / 2 * g.p)); }, Take::Equal},
    {"tanh2_bs", [](const Given& g) { return flat(g.w * std::tanh(g.a[0] / 2 * g.p)); },
     Take::Equal},
    {"csch2_bs", [](const Given& g) { return flat(g.w / std::sinh(g.p)); }, Take::Defaults},
    {"sech2_bs", [](const Given& g) { return flat(g.w / std::cosh(g.p)); }, Take::Defaults},
    {"acosh",
     [](const Given& g) {
       const Complex q = g.w * 2 / kPi * acosh(g.p);
       return flat(g.unit() < 0.5 ? q : -q);
     }},
    {"acosech",
     [](const Given& g) {
       const Complex q = g.w * 2 / kPi * acosh(1.0 / g.p);
       return flat((g.unit() < 0.5 ? 1.0 : -1.0) * Complex(q.imag(), q.real()));
     }},
    {"acoth",
     [](const Given& g) {
       const Complex q = g.w * 2 / kPi * std::atanh(1.0 / g.p);
       return flat({q.imag(), q.real()});
     }},
    {"cpow2",
     [](const Given& g) {
       const Complex power = std::polar(g.a[0], kPi / 2 * g.a[1]) / g.a[2];
       const double turns = std::floor(g.a[3] * g.unit());
       double angle = g.phi + kTwoPi * (g.phi < 0 ? turns + 1 : turns);
       if (std::cos(angle / 2 / g.a[3]) < 2 * g.unit() - 1) angle -= kTwoPi * g.a[3];
       const double side = kTwoPi / g.a[2] * std::floor(g.a[2] * g.unit());
       return flat(g.w * turned(side) * std::exp(power * Complex(std::log(g.r), angle)));
     }},
    // Along the ellipses and hyperbolas of z = cosh(mu + i nu).
    {"eMotion",
     [](const Given& g) {
       const Complex q = std::acosh(g.p);
       double mu = q.real(), nu = q.imag();
       mu += nu < 0 ? g.a[0] : -g.a[0];
       if (mu <= 0) mu = -mu, nu = -nu;
       return flat(g.w * std::cosh(Complex(mu, nu + g.a[1])));
     }},
};

const Formula kOfWavesAndTiles[] = {
    {"waves2_wf",
     [](const Given& g) {
       const double* a = g.a;
       const double dx = damping(a[6]), dy = damping(a[7]);
       const double x = std::sin(g.y * a[2] + (a[4] == 1 ? kPi / 2 : 0));
       const double y = std::sin(g.x * a[3] + (a[5] == 1 ? kPi / 2 : 0));
       return g.w * dvec3(dx * (g.x + dx * a[0] * x), dy * (g.y + dy * a[1] * y), 0);
     },
     Take::Whole},
    {"waves22",
     [](const Given& g) {
       const double* a = g.a;
       const auto wave = [](double t, double mode, double power) {
         return std::pow(mode < 0.5 ? std::sin(t) : 0.5 + 0.5 * std::sin(t), std::trunc(power));
       };
       return g.w * dvec3(g.x + a[0] * wave(g.y * a[2], a[4], a[6]),
                          g.y + a[1] * wave(g.x * a[3], a[5], a[7]), 0);
     }},
    {"waves23",
     [](const Given& g) {
       const auto saw = [](double turns) {
         const double t = turns - std::floor(turns);
         return t > 0.5 ? 0.5 - t : t;
       };
       return g.w * dvec3(g.x + g.a[0] * saw(g.y * g.a[2] / kTwoPi),
                          g.y + g.a[1] * saw(g.x * g.a[3] / kTwoPi), 0);
     }},
    {"waves2_radial",
     [](const Given& g) {
       const double* a = g.a;
       const double share = (g.r - a[4]) / (a[5] - a[4]);
       const double grown = g.r < a[4] ? 0 : g.r < a[5] ? share : 1;
       return g.w * dvec3(g.x + grown * a[0] * std::sin(g.y * a[2]),
                          g.y + grown * a[1] * std::sin(g.x * a[3]), 0);
     }},
    {"oscilloscope2",
     [](const Given& g) {
       const double* a = g.a;
       const double bend = a[4] * std::sin(kTwoPi * a[2] * g.y);
       const double wave = a[3] * std::cos(kTwoPi * a[1] * g.x + bend);
       const double faded = std::abs(a[5]) < 1e-8 ? wave : wave * std::exp(-std::abs(g.x) * a[5]);
       return flat((std::abs(g.y) <= faded + a[0] ? -g.w : g.w) * g.p);
     }},
    {"boarders2",
     [](const Given& g) {
       const double c = std::abs(g.a[0]), left = c * std::abs(g.a[1]);
       const Complex cell(std::nearbyint(g.x), std::nearbyint(g.y));
       if (g.unit() >= c + c * std::abs(g.a[2])) return flat(g.w * (cell + c * (g.p - cell)));
       const auto [right, quarters] = inRightQuarter(g.p - cell);
       const Complex out = right * (c + left / right.real());
       return flat(g.w * (cell + out * turned(quarters * kPi / 2)));
     }},
    {"shredlin",
     [](const Given& g) {
       const auto along = [](double v, double distance, double width) {
         const double strip = std::trunc(v / distance);
         return distance *
                (strip + (v / distance - strip) * width + (v < 0 ? -0.5 : 0.5) * (1 - width));
       };
       return g.w * dvec3(along(g.x, g.a[0], g.a[1]), along(g.y, g.a[2], g.a[3]), 0);
     }},
    {"tile_hlp",
     [](const Given& g) {
       const double t = g.x / g.a[0], rest = t > 0 ? t - std::trunc(t) : t + std::trunc(t);
       const bool passes = std::cos(rest * kPi) < 2 * g.unit() - 1;
       return g.w * dvec3(g.x - (passes ? sign(g.x) * g.a[0] : 0), g.y, 0);
     }},
    {"checks",
     [](const Given& g) {
       const double* a = g.a;
       const bool even =
           std::lround(std::nearbyint(g.x / a[2]) + std::nearbyint(g.y / a[2])) % 2 == 0;
       const double u = a[3] * g.unit(), v = a[3] * g.unit();
       return flat(g.w * (g.p + (even ? Complex(u - a[0], -a[1]) : Complex(a[0], a[1] + v))));
     }},
    {"blur_circle",
     [](const Given& g) {
       const double u = 2 * g.unit() - 1, v = 2 * g.unit() - 1;
       const auto [side, angle] = squareToCircle({u, v});
       return flat(turned(angle) * g.w * side);
     }},
    {"blur_pixelize",
     [](const Given& g) {
       const double u = g.unit() - 0.5, v = g.unit() - 0.5;
       return g.w * g.a[0] *
              dvec3(std::floor(g.x / g.a[0]) + 0.5 + g.a[1] * u,
                    std::floor(g.y / g.a[0]) + 0.5 + g.a[1] * v, 0);
     }},
    {"lissajous",
     [](const Given& g) {
       const double* a = g.a;
       const double t = glm::mix(a[0], a[1], g.unit()), drift = a[4] * t + a[6] * (g.unit() - 0.5);
       return g.w * dvec3(std::sin(a[2] * t + a[5]) + drift, std::sin(a[3] * t) + drift, 0);
     }},
    {"spirograph",
     [](const Given& g) {
       const double* a = g.a;
       const double t = glm::mix(a[5], a[6], g.unit()), both = a[0] + a[1];
       const Complex pen = turned(both / a[1] * t);
       const Complex at = (both + a[2]) * turned(t) - Complex(a[3] * pen.real(), a[4] * pen.imag());
       return flat(g.w * (at + Complex(1, 1) * glm::mix(a[7], a[8], g.unit())));
     }},
};

const Formula kWithColorsHidingAndOrbits[] = {
    {"dc_linear",
     [](const Given& g) {
       const double along = (std::conj(turned(g.a[1])) * g.w * g.p).real();
       g.draws.setColor(std::fmod(std::abs(0.5 * ((along + g.a[0]) / g.a[2] + 1)), 1.0));
       return flat(g.w * g.p);
     }},
    {"crop_box",
     [](const Given& g) {
       return croppedTo(g, std::abs(g.x) <= g.a[0] && std::abs(g.y) <= g.a[1], g.a[2] != 0);
     },
     Take::Whole},
    {"crop_rhombus",
     [](const Given& g) {
       return croppedTo(g, std::abs(g.x) / g.a[0] + std::abs(g.y) / g.a[1] <= 1, false);
     },
     Take::Defaults},
    {"crop_vesica",  // what two discs share
     [](const Given& g) {
       const double r = 1 + g.a[1], d = 0.8 + g.a[0];
       return croppedTo(g, std::hypot(std::abs(g.x) + d, g.y) <= r, false);
     },
     Take::Defaults},
    {"crop_x",  // how far from the nearer diagonal, which ends at half the size
     [](const Given& g) {
       const double x = std::abs(g.x), y = std::abs(g.y), along = std::min(x + y, g.a[1]) / 2;
       g.draws.setHidden((std::hypot(x - along, y - along) <= g.a[0]) == (g.a[2] != 0));
       return flat(g.w * g.p);
     },
     Take::Whole},
    {"hopalong",
     [](const Given& g) {
       const glm::dvec2 at = g.draws.orbit({g.a[4], g.a[5]});
       const glm::dvec2 to(at.y - sign(at.x) * std::sqrt(std::abs(g.a[2] * at.x - g.a[3])),
                           g.a[1] - at.x);
       g.draws.setOrbit(to);
       return g.w * dvec3(to, 0);
     }},
    {"gumowski_mira",
     [](const Given& g) {
       const double m = (g.a[0] < 1.5 ? -0.0795 : -0.078) + g.a[1];
       const auto mira = [&](double x) { return m * x + 2 * (1 - m) * x * x / (1 + x * x); };
       const glm::dvec2 at = g.draws.orbit({5, 5});
       const double x = at.y + g.a[2] * (1 - g.a[3] * at.y * at.y) * at.y + mira(at.x);
       g.draws.setOrbit({x, mira(x) - at.x});
       return g.w * dvec3(x, mira(x) - at.x, 0);
     }},
};

void setParameters(VariationUse& use, Take take, Random& random) {
  const auto& known = variations()[std::size_t(use.index)].parameters;
  for (std::size_t i = 0; i < known.size(); ++i) {
    const double any = double(random.uniform(float(known[i].low), float(known[i].high)));
    use.parameters[i] = take == Take::Defaults         ? known[i].fallback
                        : take == Take::Whole          ? std::round(any)
                        : take == Take::Equal && i > 0 ? use.parameters[0]
                                                       : any;
  }
}

struct Answer {
  dvec3 point;
  double color;
  bool hidden;
  glm::dvec2 orbit;
};

template <class Evaluate>
Answer answerOf(unsigned firstDraw, glm::dvec2 orbit, const Evaluate& evaluate) {
  CountedDraws draws(firstDraw);
  draws.setOrbit(orbit);
  const dvec3 point = evaluate(draws);
  return {point, draws.takeColor(-1), draws.isHidden(), draws.orbit({})};
}

void expectAll(std::span<const Formula> formulas) {
  Random random(11);
  for (const Formula& formula : formulas) {
    VariationUse use{variationNamed(formula.name), 1, {}};
    ASSERT_GE(use.index, 0) << formula.name;
    int compared = 0;
    for (int i = 0; i < 200; ++i) {
      setParameters(use, i % 4 == 0 && formula.take != Take::Whole ? Take::Defaults : formula.take,
                    random);
      const auto within = [&](float reach) { return double(random.uniform(-reach, reach)); };
      const double x = within(2), y = within(2), z = within(2), w = within(1.5);
      const glm::dvec2 orbit(within(5), within(5));
      const unsigned first = random.next() & 1023;
      const double* parameters = use.parameters.data();
      const Answer wanted = answerOf(first, orbit, [&](Draws& d) {
        return formula.value({x, y, z, w, parameters, d});
      });
      const Answer found = answerOf(first, orbit, [&](Draws& d) {
        return variations()[std::size_t(use.index)].evaluate3({x, y, w, parameters, nullptr, z}, d);
      });
      const double size = std::max(
          {std::abs(wanted.point.x), std::abs(wanted.point.y), std::abs(wanted.point.z), 1e-3});
      if (!(size <= 1e10)) continue;
      ++compared;
      EXPECT_LE(glm::length(found.point - wanted.point), 1e-7 * size)
          << formula.name << " at " << x << ", " << y << ", " << z << " weight " << w
          << ": expected " << wanted.point.x << ", " << wanted.point.y << ", " << wanted.point.z
          << ", found " << found.point.x << ", " << found.point.y << ", " << found.point.z;
      EXPECT_NEAR(found.color, wanted.color, 1e-9) << formula.name;
      EXPECT_EQ(found.hidden, wanted.hidden) << formula.name << " at " << x << ", " << y;
      EXPECT_LE(glm::distance(found.orbit, wanted.orbit), 1e-9) << formula.name;
    }
    EXPECT_GE(compared, 100) << formula.name;
  }
}

TEST(VariationFormulas, AreThoseOfTheirAuthors) {
  expectAll(kInSpace);
  expectAll(kOfThePlane);
  expectAll(kOfComplexNumbers);
  expectAll(kOfWavesAndTiles);
  expectAll(kWithColorsHidingAndOrbits);
}

}  // namespace
}  // namespace fathom::flame
