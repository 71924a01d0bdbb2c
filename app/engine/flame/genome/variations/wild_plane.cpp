// SPDX-License-Identifier: BSD-3-Clause
// Maps of the plane that programs after flam3 brought.
#include "app/engine/flame/genome/variations/family.h"

#include <algorithm>
#include <cmath>

namespace fathom::flame {
namespace {

/// Arms out of the middle.
Point wildEpispiral(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double n = in.parameters[0], thickness = in.parameters[1], holes = in.parameters[2];
  const double a = std::atan2(y, x), d = std::cos(n * a);
  const double u = draws.unit();
  const double t = (std::abs(thickness) > 1e-10 ? u * thickness : 1.0) / d - holes;
  return w * t * direction(a);
}

/// Arms out of the middle.
Point wildEpispiralWf(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double waves = in.parameters[0];
  const double a = std::atan2(x, y), radius = 0.5 / std::cos(waves * a);
  return w * radius * Point(std::sin(a), std::cos(a));
}

/// julian after a matrix.
Point wildJulian2(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double power = in.parameters[0], dist = in.parameters[1], a = in.parameters[2],
               b = in.parameters[3], c = in.parameters[4], d = in.parameters[5],
               e = in.parameters[6], f = in.parameters[7];
  const double tx = a * x + b * y + e, ty = c * x + d * y + f;
  const double turn = std::trunc(std::abs(power) * draws.unit());
  return w * std::pow(tx * tx + ty * ty, 0.5 * dist / power) *
         direction((std::atan2(ty, tx) + kTwoPi * turn) / power);
}

/// julia with a complex power.
Point wildJuliac(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double re = in.parameters[0], im = in.parameters[1], dist = in.parameters[2];
  const double inverse = 1.0 / (re + 1e-10), tilt = im / 100.0;
  const double turn = std::trunc(re * draws.unit());
  const double a = std::atan2(y, x) + turn * kTwoPi, length = dist * 0.5 * std::log(x * x + y * y);
  return w * std::exp(length * inverse - a * tilt) * direction(a * inverse + length * tilt);
}

/// julia and its inverse powers.
Point wildJuliaq(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double power = in.parameters[0], divisor = in.parameters[1];
  const double turn = std::trunc(std::abs(power) * draws.unit());
  const double a = (std::atan2(y, x) * divisor + kTwoPi * turn) / power;
  return w * std::pow(x * x + y * y, 0.5 * divisor / power) * direction(a);
}

/// Halves of square roots, swapped at the unit circle.
Point wildGlynnia(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double radius = std::sqrt(x * x + y * y);
  const double u = draws.unit();
  const double side = radius >= 1.0 ? 1.0 : -1.0;
  const double d = std::max(radius + x, 0.0);
  const double half_root = 0.707106781 * w;
  if (u > 0.5) return Point(side * half_root * std::sqrt(d), -half_root / std::sqrt(d) * y);
  const double k = w / std::sqrt(radius * (y * y + d * d));
  return side * k * Point(d, y);
}

/// polar turned around.
Point wildUnpolar(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double k = 0.5 * w / kPi * std::exp(y);
  return k * Point(std::sin(x), std::cos(x));
}

/// spherical on the right, nothing on the left.
Point wildTwoface(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double k = x > 0.0 ? w / (x * x + y * y) : w;
  return k * Point(x, y);
}

/// julian in polar coordinates.
Point wildNpolar(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double parity = in.parameters[0], n = in.parameters[1];
  const double nn = n == 0.0 ? 1.0 : n;
  const double odd = std::abs(parity) - 2.0 * std::floor(0.5 * std::abs(parity));
  const double tx = odd > 0.5 ? x : w / kPi * std::atan2(x, y);
  const double ty = odd > 0.5 ? y : 0.5 * w / kPi * std::log(x * x + y * y);
  const double turn = std::trunc(std::abs(nn) * draws.unit());
  const double a = (std::atan2(ty, tx) + kTwoPi * turn) / nn;
  const double radius = w * std::pow(tx * tx + ty * ty, 0.5 / nn) * (odd > 0.5 ? parity : 1.0);
  const Point q = radius * direction(a);
  return odd > 0.5 ? q
                   : Point(0.5 * w / kPi * std::log(q.x * q.x + q.y * q.y),
                           w / kPi * std::atan2(q.x, q.y));
}

/// Rings turned by two angles.
Point wildTarget(const Input& in, Draws&) {
  const double x = in.x, y = in.y;
  const double even = in.parameters[0], odd = in.parameters[1], size = in.parameters[2];
  double radius = std::sqrt(x * x + y * y), t = std::log(radius);
  t = std::fmod(std::abs(t < 0.0 ? t - 0.5 * size : t), size);
  return radius * direction(std::atan2(y, x) + (t < 0.5 * size ? even : odd));
}

/// Spirals turned by two angles.
Point wildTargetSp(const Input& in, Draws&) {
  const double x = in.x, y = in.y;
  const double twist = in.parameters[0], n_of_sp = in.parameters[1], size = in.parameters[2],
               tightness = in.parameters[3];
  const double radius = std::sqrt(x * x + y * y), a = std::atan2(y, x);
  double t = tightness * std::log(radius) + n_of_sp / kPi * (a + kPi);
  t = std::fmod(std::abs(t < 0.0 ? t - 0.5 * size : t), size);
  return radius * direction(a + kPi * twist - (t < 0.5 * size ? 0.0 : kPi));
}

/// The right half upside down.
Point wildFlipy(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  return w * Point(x, x > 0.0 ? -y : y);
}

/// The inner disc upside down.
Point wildFlipcircle(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  return w * Point(x, x * x + y * y > w * w ? y : -y);
}

/// Squares become circles.
Point wildCirclize2(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double hole = in.parameters[0];
  const double ax = std::abs(x), ay = std::abs(y), side = std::max(ax, ay);
  const double perimeter =
      ax >= ay ? (x >= ay ? ax + y : 5.0 * ax - y) : (y >= ax ? 3.0 * ay - x : 7.0 * ay + x);
  return w * (side + hole) * direction(0.25 * kPi * perimeter / side - 0.25 * kPi);
}

/// Squares become circles; the middle ring stays.
Point wildCirclize(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double hole = in.parameters[0];
  const double ax = std::abs(x), ay = std::abs(y), side = std::max(ax, ay);
  const double perimeter =
      ax >= ay ? (x >= ay ? ax + y : 5.0 * ax - y) : (y >= ax ? 3.0 * ay - x : 7.0 * ay + x);
  return (w / (0.25 * kPi) * side + hole) * direction(0.25 * kPi * perimeter / side - 0.25 * kPi);
}

/// One side of a conic section alone.
Point wildChunk(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double a = in.parameters[0], b = in.parameters[1], c = in.parameters[2],
               d = in.parameters[3], e = in.parameters[4], f = in.parameters[5],
               mode = in.parameters[6];
  const double s = w * (a * x * x + b * x * y + c * y * y + d * x + e * y + f);
  const bool stays = mode == 0.0 ? s <= 0.0 : s > 0.0;
  return stays ? Point(x, y) : Point(0.0, 0.0);
}

/// disc with shifts.
Point wildFdisc(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double ashift = in.parameters[0], rshift = in.parameters[1], xshift = in.parameters[2],
               yshift = in.parameters[3], term1 = in.parameters[4], term2 = in.parameters[5],
               term3 = in.parameters[6], term4 = in.parameters[7];
  const double a = kTwoPi / (std::sqrt(x * x + y * y) + ashift),
               radius = w * 0.5 * (std::atan2(y, x) / kPi + rshift);
  const double fx = radius * std::cos(a + xshift), fy = radius * std::sin(a + yshift);
  return Point(term1 * fx + term2 * x * fx + term3 * x * radius + term4 * x,
               term1 * fy + term2 * y * fy + term3 * y * radius + term4 * y);
}

/// disc, one half mirrored.
Point wildWdisc(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double a = kPi / (std::sqrt(x * x + y * y) + 1.0), radius = std::atan2(y, x) / kPi;
  return w * radius * direction(radius > 0.0 ? kPi - a : a);
}

/// disc, turned inside out.
Point wildIdisc(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double a = kPi / (std::sqrt(x * x + y * y) + 1.0), radius = w / kPi * std::atan2(y, x);
  return radius * direction(a);
}

/// A turn of the hyperbolic disc.
Point wildHypertile(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double p = in.parameters[0], q = in.parameters[1], n = in.parameters[2];
  const double cp = std::cos(kTwoPi / p), cq = std::cos(kTwoPi / q);
  const double rest = (1.0 - cp) / (cp + cq) + 1.0;
  const double radius = rest > 0.0 ? 1.0 / std::sqrt(rest) : 1.0;
  const Point d = radius * direction(n * kTwoPi / p);
  const double a = x + d.x, b = y - d.y, c = d.x * x - d.y * y + 1.0, e = d.x * y + d.y * x;
  const double k = w / (c * c + e * e);
  return k * Point(a * c + b * e, b * c - a * e);
}

/// Random turns of the hyperbolic disc.
Point wildHypertile1(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double p = in.parameters[0], q = in.parameters[1];
  const double cp = std::cos(kTwoPi / p), cq = std::cos(kTwoPi / q);
  const double rest = (1.0 - cp) / (cp + cq) + 1.0;
  const double radius = rest > 0.0 ? 1.0 / std::sqrt(rest) : 1.0;
  const double turn = std::trunc(p * draws.unit());
  const Point d = radius * direction(turn * kTwoPi / p);
  const double a = x + d.x, b = y - d.y, c = d.x * x - d.y * y + 1.0, e = d.x * y + d.y * x;
  const double k = w / (c * c + e * e);
  return k * Point(a * c + b * e, b * c - a * e);
}

/// A turn of the hyperbolic disc and a random one of the plane.
Point wildHypertile2(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double p = in.parameters[0], q = in.parameters[1];
  const double cp = std::cos(kTwoPi / p), cq = std::cos(kTwoPi / q);
  const double rest = (1.0 - cp) / (cp + cq) + 1.0;
  const double radius = rest > 0.0 ? 1.0 / std::sqrt(rest) : 1.0;
  const double turn = std::trunc(p * draws.unit());
  const Point d = direction(turn * kTwoPi / p);
  const double a = x + radius, b = y, c = radius * x + 1.0, e = radius * y;
  const double tx = a * c + b * e, ty = b * c - a * e;
  const double k = w / (c * c + e * e);
  return k * Point(tx * d.x + ty * d.y, ty * d.x - tx * d.y);
}

/// A heart.
Point wildHeartWf(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double scale_x = in.parameters[0], shift_t = in.parameters[1],
               scale_r_left = in.parameters[2], scale_r_right = in.parameters[3];
  const double a = std::atan2(x, y), radius = std::sqrt(x * x + y * y);
  const double t =
      std::min(60.0, std::abs(a) / kPi * 60.0 * (a < 0.0 ? scale_r_left : scale_r_right) - shift_t);
  const double side = a < 0.0 ? -1.0 : 1.0;
  const double nx =
      side * 0.001 * (-t * t + 40.0 * t + 1200.0) * std::sin(kPi * t / 180.0) * radius;
  const double ny = -0.001 * (-t * t + 40.0 * t + 400.0) * std::cos(kPi * t / 180.0) * radius;
  return w * Point(nx * scale_x, ny);
}

/// A heart out of a bubble.
Point wildXheart(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double angle = in.parameters[0], ratio = in.parameters[1];
  const double k = 4.0 / (x * x + y * y + 4.0), rat = (6.0 + 2.0 * ratio) / (x * x + y * y + 4.0);
  const Point d = direction(0.25 * kPi + 0.125 * kPi * angle);
  const double qx = d.x * k * x - d.y * rat * y, qy = d.y * k * x + d.x * rat * y;
  return w * Point(qx, qx > 0.0 ? qy : -qy);
}

/// x and y swapped.
Point wildBiLinear(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  return w * Point(y, x);
}

/// spherical now and then.
Point wildDSpherical(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double d_spher_weight = in.parameters[0];
  const double k = draws.unit() < d_spher_weight ? w / (x * x + y * y) : w;
  return k * Point(x, y);
}

/// polar turned around, with unit rings.
Point wildInvpolar(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double a = x * kPi, radius = y + 1.0;
  return w * radius * Point(std::sin(a), std::cos(a));
}

/// A cardioid.
Point wildCardioid(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double a = in.parameters[0];
  const double t = std::atan2(y, x);
  const double radius = w * std::sqrt(x * x + y * y + std::sin(t * a) + 1.0);
  return radius * direction(t);
}

/// Petals of sines.
Point wildPetal(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double cx = std::cos(x), a = cx * std::cos(y), b = std::sin(x) * std::cos(y);
  return w * cx * Point(a * a * a, b * b * b);
}

/// A map of the plane by a power.
Point wildMurl(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double c = in.parameters[0], power = in.parameters[1];
  const double k = power != 1.0 ? c / (power - 1.0) : c;
  const double radius = k * std::pow(x * x + y * y, 0.5 * power);
  const Point q = radius * direction(std::atan2(y, x) * power) + Point(1.0, 0.0);
  const double s = w * (k + 1.0) / (q.x * q.x + q.y * q.y);
  return s * Point(x * q.x + y * q.y, y * q.x - x * q.y);
}

/// bipolar with factors.
Point wildBipolar2(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double shift = in.parameters[0], a = in.parameters[1], b = in.parameters[2],
               c = in.parameters[3], d = in.parameters[4], e = in.parameters[5],
               f1 = in.parameters[6], g1 = in.parameters[7], h = in.parameters[8];
  const double s = (x * x + y * y) * g1, t = s + a, x2 = b * x;
  double v = c * std::atan2(e * y, s - d) - 0.5 * kPi * shift;
  if (v > 0.5 * kPi)
    v = -0.5 * kPi + std::fmod(v + 0.5 * kPi, kPi);
  else if (v < -0.5 * kPi)
    v = 0.5 * kPi - std::fmod(0.5 * kPi - v, kPi);
  const double quotient = (t + x2) / (t - x2);
  if (quotient <= 0.0 || t == x2) return Point(0.0, 0.0);
  return w * 2.0 / kPi * Point(f1 * std::log(quotient), v * h);
}

/// A turn in bipolar coordinates.
Point wildBTransform(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double rotate = in.parameters[0], power = in.parameters[1], move = in.parameters[2],
               split = in.parameters[3];
  const double tau =
      0.5 * (std::log((x + 1.0) * (x + 1.0) + y * y) - std::log((x - 1.0) * (x - 1.0) + y * y)) /
          power +
      move + (x >= 0.0 ? split : -split);
  const double turn = std::floor(power * draws.unit());
  const double sigma =
      (kPi - std::atan2(y, x + 1.0) - std::atan2(y, 1.0 - x) + rotate + kTwoPi * turn) / power;
  const double grown = std::exp(tau), shrunk = 1.0 / grown;
  const double k = w / (0.5 * (grown + shrunk) - std::cos(sigma));
  return k * Point(0.5 * (grown - shrunk), std::sin(sigma));
}

/// Halves, pulled apart.
Point wildKaleidoscope(const Input& in, Draws&) {
  const double px = in.x, py = in.y;
  const double pull = in.parameters[0], rotate = in.parameters[1], line_up = in.parameters[2],
               x = in.parameters[3], y = in.parameters[4];
  const double c = std::cos(45.0), s = std::sin(45.0);
  const double side = py > 0.0 ? pull + line_up + y : -pull - line_up;
  return Point(rotate * px * c - py * s + line_up + x, rotate * py * c + px * s + side);
}

/// sin of x + iy with factors.
Point wildSin2Bs(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double x1 = in.parameters[0], x2 = in.parameters[1], y1 = in.parameters[2],
               y2 = in.parameters[3];
  const double ea = std::exp(y * y1), eb = std::exp(y * y2);
  return w *
         Point(std::sin(x * x1) * 0.5 * (eb + 1.0 / eb), std::cos(x * x2) * 0.5 * (ea - 1.0 / ea));
}

/// cos of x + iy with factors.
Point wildCos2Bs(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double x1 = in.parameters[0], x2 = in.parameters[1], y1 = in.parameters[2],
               y2 = in.parameters[3];
  const double ea = std::exp(y * y1), eb = std::exp(y * y2);
  return w *
         Point(std::cos(x * x2) * 0.5 * (eb + 1.0 / eb), -std::sin(x * x1) * 0.5 * (ea - 1.0 / ea));
}

/// sec of x + iy with factors.
Point wildSec2Bs(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double x1 = in.parameters[0], x2 = in.parameters[1], y1 = in.parameters[2],
               y2 = in.parameters[3];
  const double ea = std::exp(y * y1), eb = std::exp(y * y2), ec = std::exp(2.0 * y);
  const double k = 2.0 * w / (std::cos(2.0 * x) + 0.5 * (ec + 1.0 / ec));
  return k *
         Point(std::cos(x * x2) * 0.5 * (eb + 1.0 / eb), std::sin(x * x1) * 0.5 * (ea - 1.0 / ea));
}

/// exp of x + iy with factors.
Point wildExp2Bs(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double x1 = in.parameters[0], y1 = in.parameters[1], y2 = in.parameters[2];
  return w * std::exp(x * x1) * Point(std::cos(y * y2), std::sin(y * y1));
}

/// Copies of spherical, turned.
Point wildSphericalN(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double power = in.parameters[0], dist = in.parameters[1];
  const double radius = std::pow(x * x + y * y, 0.5 * dist);
  const double turn = std::floor(power * draws.unit());
  const Point d = direction(std::atan2(y, x) + turn * kTwoPi / std::floor(power));
  return radius > 1e-10 ? w / radius * d : Point(0.0, 0.0);
}

/// A disc, moved aside within its rim.
Point wildEclipse(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double shift = in.parameters[0];
  const double rim = w * w - y * y;
  const double c = std::sqrt(std::max(rim, 0.0));
  const double tx = x + shift * w;
  const double qx = std::abs(y) <= w && std::abs(x) <= c ? (std::abs(tx) >= c ? -x : tx) : x;
  return w * Point(qx, y);
}

/// Rays of a tangent.
Point wildRays1(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double t = x * x + y * y, a = std::sqrt(t);
  const double k = w * t * (std::cos(a) / std::sin(a) + w * 4.0 / (kPi * kPi));
  return Point(k / x, k / y);
}

/// A shift along a turned axis.
Point wildShift(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double shift_x = in.parameters[0], shift_y = in.parameters[1], angle = in.parameters[2];
  const Point d = direction(angle / 180.0 * kPi);
  return w * Point(x + d.x * shift_x - d.y * shift_y, y - d.x * shift_y - d.y * shift_x);
}

/// The logistic curve along both axes.
Point wildSigmoid(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double shiftx = in.parameters[0], shifty = in.parameters[1];
  const double ax = std::abs(shiftx) < 1.0 && shiftx < 0.0 ? -1.0 : 1.0,
               ay = std::abs(shifty) < 1.0 && shifty < 0.0 ? -1.0 : 1.0;
  const double sx = shiftx == 0.0 ? 1e-10 : std::abs(shiftx) < 1.0 ? 1.0 / shiftx : shiftx;
  const double sy = shifty == 0.0 ? 1e-10 : std::abs(shifty) < 1.0 ? 1.0 / shifty : shifty;
  return std::abs(w) * Point(2.0 * (ax / (1.0 + std::exp(-5.0 * sx * x)) - 0.5),
                             2.0 * (ay / (1.0 + std::exp(-5.0 * sy * y)) - 0.5));
}

/// A spiral in layers.
Point wildLayeredSpiral(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double radius = in.parameters[0];
  return w * x * radius * Point(std::cos(x * x + y * y + 1e-6), std::sin(x * x + y * y + 1e-6));
}

/// Circles become squares.
Point wildSquarize(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double s = std::sqrt(x * x + y * y), a = std::atan2(y, x);
  const double along = 4.0 * s / kPi * (a < 0.0 ? a + kTwoPi : a);
  if (along <= s) return w * Point(s, along);
  if (along <= 3.0 * s) return w * Point(2.0 * s - along, s);
  if (along <= 5.0 * s) return w * Point(-s, 4.0 * s - along);
  if (along <= 7.0 * s) return w * Point(along - 6.0 * s, -s);
  return w * Point(s, along - 8.0 * s);
}

/// The outer plane, moved away.
Point wildCirclesplit(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double cs_radius = in.parameters[0], cs_split = in.parameters[1];
  const double radius = std::sqrt(x * x + y * y);
  return w * (radius < cs_radius - cs_split ? Point(x, y)
                                            : (radius + cs_split) * direction(std::atan2(y, x)));
}

/// A carpet of bubbles.
Point wildMcarpet(const Input& in, Draws&) {
  const double px = in.x, py = in.y, w = in.weight;
  const double x = in.parameters[0], y = in.parameters[1], twist = in.parameters[2],
               tilt = in.parameters[3];
  const double k = w / (0.25 * (px * px + py * py) + 1.0);
  return Point(px * k * x + w * (1.0 - twist * px * px + py), py * k * y + w * tilt * px);
}

/// Powers in the four corners.
Point wildCorners(const Input& in, Draws&) {
  const double px = in.x, py = in.y, w = in.weight;
  const double x = in.parameters[0], y = in.parameters[1], mult_x = in.parameters[2],
               mult_y = in.parameters[3], x_power = in.parameters[4], y_power = in.parameters[5],
               xy_power_add = in.parameters[6], log_mode = in.parameters[7],
               log_base = in.parameters[8];
  double ex = 0.0, ey = 0.0;
  if (log_mode == 0.0) {
    ex = std::pow(px * px, x_power + xy_power_add) * mult_x;
    ey = std::pow(py * py, y_power + xy_power_add) * mult_y;
  } else {
    ex = std::pow(std::log(px * px * mult_x + 3.0) / std::log(log_base),
                  x_power + 2.25 + xy_power_add) -
         1.33;
    ey = std::pow(std::log(py * py * mult_y + 3.0) / std::log(log_base),
                  y_power + 2.25 + xy_power_add) -
         1.33;
  }
  return Point(px > 0.0 ? w * ex + x : -w * ex - x, py > 0.0 ? w * ey + y : -w * ey - y);
}

/// Svensson's attractor.
Point wildSvenssonJs(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double a = in.parameters[0], b = in.parameters[1], c = in.parameters[2],
               d = in.parameters[3];
  return w * Point(d * std::sin(a * x) - std::sin(b * y), c * std::cos(a * x) + std::cos(b * y));
}

/// Clifford's attractor.
Point wildCliffordJs(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double a = in.parameters[0], b = in.parameters[1], c = in.parameters[2],
               d = in.parameters[3];
  return w * Point(std::sin(a * y) + c * std::cos(a * x), std::sin(b * x) + d * std::cos(b * y));
}

/// Sectors, moved apart.
Point wildSpligon(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double sides = in.parameters[0], r = in.parameters[1], i = in.parameters[2];
  const double t =
      kTwoPi / sides * std::floor(std::atan2(y, x) * sides / kTwoPi) - 0.5 * kPi * i / sides;
  return w * (Point(x, y) + r * direction(t));
}

/// Four arcs, turned inside out.
Point wildAsteria(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double alpha = in.parameters[0];
  const double ax = w * x, ay = w * y, ix = std::abs(ax) - 1.0, iy = std::abs(ay) - 1.0;
  const bool inner = ax * ax + ay * ay < 1.0, outer = ix * ix + iy * iy < 1.0;
  const bool stays = inner && outer ? draws.unit() > 0.35 : !inner;
  if (stays) return Point(ax, ay);
  const Point d = direction(kPi * alpha);
  const double tx = ax * d.x - ay * d.y, ty = ax * d.y + ay * d.x, inverse = 1.0 - std::abs(ty);
  const double nx = tx / std::sqrt(1.0 - ty * ty) * (1.0 - std::sqrt(1.0 - inverse * inverse));
  return Point(nx * d.x + ty * d.y, ty * d.x - nx * d.y);
}

// Rows, in the order of their numbers.

WildFamily wildPlaneRows1() {
  return {
      {"epispiral", wildEpispiral, {{"n", 6, 1, 20}, {"thickness", 0, 0, 2}, {"holes", 1, -3, 3}}},
      {"epispiral_wf", wildEpispiralWf, {{"waves", 4, 1, 20}}},
      {"julian2",
       wildJulian2,
       {{"power", 2, -10, 10},
        {"dist", 1, -3, 3},
        {"a", 1, -3, 3},
        {"b", 0, -3, 3},
        {"c", 0, -3, 3},
        {"d", 1, -3, 3},
        {"e", 0, -3, 3},
        {"f", 0, -3, 3}}},
      {"juliac", wildJuliac, {{"re", 3.5, -10, 10}, {"im", 0, -10, 10}, {"dist", 1, -3, 3}}},
      {"juliaq", wildJuliaq, {{"power", 3, -10, 10}, {"divisor", 2, 1, 10}}},
      {"glynnia", wildGlynnia},
      {"unpolar", wildUnpolar},
      {"twoface", wildTwoface},
      {"npolar", wildNpolar, {{"parity", 0, -5, 5}, {"n", 1, -10, 10}}},
      {"target",
       wildTarget,
       {{"even", 0, -3.15, 3.15}, {"odd", 0, -3.15, 3.15}, {"size", 1, 0.1, 5}}},
      {"target_sp",
       wildTargetSp,
       {{"twist", 0.5, -3, 3},
        {"n_of_sp", 1, 1, 10},
        {"size", 1, 0.1, 5},
        {"tightness", 0.5, -3, 3}}},
      {"flipy", wildFlipy},
      {"flipcircle", wildFlipcircle},
      {"circlize2", wildCirclize2, {{"hole", 0, -2, 2}}},
      {"circlize", wildCirclize, {{"hole", 0.4, -2, 2}}},
      {"chunk",
       wildChunk,
       {{"a", 1, -3, 3},
        {"b", 0, -3, 3},
        {"c", 1, -3, 3},
        {"d", 0, -3, 3},
        {"e", 0, -3, 3},
        {"f", -1, -3, 3},
        {"mode", 0, 0, 1}}},
  };
}

WildFamily wildPlaneRows2() {
  return {
      {"fdisc",
       wildFdisc,
       {{"ashift", 1, -3, 3},
        {"rshift", 1, -3, 3},
        {"xshift", 0, -3, 3},
        {"yshift", 0, -3, 3},
        {"term1", 1, -3, 3},
        {"term2", 0, -3, 3},
        {"term3", 0, -3, 3},
        {"term4", 0, -3, 3}}},
      {"wdisc", wildWdisc},
      {"idisc", wildIdisc},
      {"hypertile", wildHypertile, {{"p", 3, 3, 12}, {"q", 7, 3, 12}, {"n", 0, 0, 12}}},
      {"hypertile1", wildHypertile1, {{"p", 3, 3, 12}, {"q", 7, 3, 12}}},
      {"hypertile2", wildHypertile2, {{"p", 3, 3, 12}, {"q", 7, 3, 12}}},
      {"heart_wf",
       wildHeartWf,
       {{"scale_x", 1, -3, 3},
        {"shift_t", 0, -60, 60},
        {"scale_r_left", 1, -3, 3},
        {"scale_r_right", 1, -3, 3}}},
      {"xheart", wildXheart, {{"angle", 0, -3, 3}, {"ratio", 0, -3, 3}}},
      {"bi_linear", wildBiLinear},
      {"d_spherical", wildDSpherical, {{"d_spher_weight", 0.5, 0, 1}}},
      {"invpolar", wildInvpolar},
      {"cardioid", wildCardioid, {{"a", 1, -5, 5}}},
      {"petal", wildPetal},
      {"murl", wildMurl, {{"c", 0.1, -3, 3}, {"power", 1, -10, 10}}},
      {"bipolar2",
       wildBipolar2,
       {{"shift", 0, -3, 3},
        {"a", 1, -3, 3},
        {"b", 2, -3, 3},
        {"c", 0.5, -3, 3},
        {"d", 1, -3, 3},
        {"e", 2, -3, 3},
        {"f1", 0.25, -3, 3},
        {"g1", 1, -3, 3},
        {"h", 1, -3, 3}}},
      {"bTransform",
       wildBTransform,
       {{"rotate", 0, -3.15, 3.15}, {"power", 1, 1, 10}, {"move", 0, -3, 3}, {"split", 0, -3, 3}}},
  };
}

WildFamily wildPlaneRows3() {
  return {
      {"kaleidoscope",
       wildKaleidoscope,
       {{"pull", 0, -3, 3},
        {"rotate", 1, -3, 3},
        {"line_up", 1, -3, 3},
        {"x", 0, -3, 3},
        {"y", 0, -3, 3}}},
      {"sin2_bs",
       wildSin2Bs,
       {{"x1", 1, -3, 3}, {"x2", 1, -3, 3}, {"y1", 1, -3, 3}, {"y2", 1, -3, 3}}},
      {"cos2_bs",
       wildCos2Bs,
       {{"x1", 1, -3, 3}, {"x2", 1, -3, 3}, {"y1", 1, -3, 3}, {"y2", 1, -3, 3}}},
      {"sec2_bs",
       wildSec2Bs,
       {{"x1", 1.25, -3, 3}, {"x2", 0.75, -3, 3}, {"y1", 1.5, -3, 3}, {"y2", 0.5, -3, 3}}},
      {"exp2_bs", wildExp2Bs, {{"x1", 1, -3, 3}, {"y1", 1, -3, 3}, {"y2", 1, -3, 3}}},
      {"sphericalN", wildSphericalN, {{"power", 3, 1, 12}, {"dist", 1, -3, 3}}},
      {"eclipse", wildEclipse, {{"shift", 0.1, -2, 2}}},
      {"rays1", wildRays1},
      {"shift",
       wildShift,
       {{"shift_x", 0.1, -3, 3}, {"shift_y", 0.06, -3, 3}, {"angle", 12.25, -180, 180}}},
      {"sigmoid", wildSigmoid, {{"shiftx", 1, -3, 3}, {"shifty", 1, -3, 3}}},
      {"layered_spiral", wildLayeredSpiral, {{"radius", 1, -3, 3}}},
      {"squarize", wildSquarize},
      {"circlesplit", wildCirclesplit, {{"cs_radius", 1, -3, 3}, {"cs_split", 0.5, -3, 3}}},
      {"mcarpet",
       wildMcarpet,
       {{"x", 1, -3, 3}, {"y", 0.75, -3, 3}, {"twist", 0.5, -3, 3}, {"tilt", -0.25, -3, 3}}},
      {"corners",
       wildCorners,
       {{"x", 1, -3, 3},
        {"y", 1, -3, 3},
        {"mult_x", 1, -3, 3},
        {"mult_y", 1, -3, 3},
        {"x_power", 0.75, -3, 3},
        {"y_power", 0.75, -3, 3},
        {"xy_power_add", 0, -3, 3},
        {"log_mode", 0, 0, 1},
        {"log_base", 2.71828, 1.1, 10}}},
      {"svensson_js",
       wildSvenssonJs,
       {{"a", 1.4, -7, 7}, {"b", 1.56, -7, 7}, {"c", 1.4, -7, 7}, {"d", -6.56, -7, 7}}},
      {"clifford_js",
       wildCliffordJs,
       {{"a", -1.4, -7, 7}, {"b", 1.6, -7, 7}, {"c", 1, -7, 7}, {"d", 0.7, -7, 7}}},
      {"spligon", wildSpligon, {{"sides", 3, 2, 12}, {"r", 1, -3, 3}, {"i", 1, -3, 3}}},
  };
}

WildFamily wildPlaneRows4() {
  return {
      {"asteria", wildAsteria, {{"alpha", 0, -3, 3}}},
  };
}

}  // namespace

WildFamily wildPlaneVariations() {
  return joined({wildPlaneRows1(), wildPlaneRows2(), wildPlaneRows3(), wildPlaneRows4()});
}

}  // namespace fathom::flame
