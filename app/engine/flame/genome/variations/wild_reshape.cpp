// SPDX-License-Identifier: BSD-3-Clause
// Variations of other programs: powers, inversions and folds.
#include "app/engine/flame/genome/variations/family.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>

namespace fathom::flame {
namespace {

/// Half away from minus infinity, as in shaders.
double nearestReshape(double v) { return std::floor(v + 0.5); }

/// The square root with a real part from 0 on.
Point complexRootReshape(Point v) {
  const double r = glm::length(v), side = v.y < 0.0 ? -1.0 : 1.0;
  return {std::sqrt(0.5 * std::max(r + v.x, 0.0)), side * std::sqrt(0.5 * std::max(r - v.x, 0.0))};
}
Point complexLogReshape(Point v) { return {std::log(glm::length(v)), std::atan2(v.y, v.x)}; }
/// log(v + sqrt(v^2 - 1)).
Point complexAcoshReshape(Point v) {
  const Point root = complexRootReshape({v.x * v.x - v.y * v.y - 1.0, 2.0 * v.x * v.y});
  return complexLogReshape(v + root);
}

/// A power with a complex exponent, its branches by chance.
Point wildCpow3Wf(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double radius = in.parameters[0], a = in.parameters[1], divisor = in.parameters[2],
               spread = in.parameters[3], discrete_spread = in.parameters[4],
               spread2 = in.parameters[5], offset2 = in.parameters[6];
  double c = radius * std::cos(0.5 * kPi * a) / divisor,
         d = radius * std::sin(0.5 * kPi * a) / divisor;
  double n = draws.unit() * spread, chance = draws.unit(), wide = draws.unit(),
         angle = std::atan2(py, px);
  n = (discrete_spread >= 1.0 ? std::trunc(n) : n) + (angle < 0.0 ? 1.0 : 0.0);
  angle += kTwoPi * n;
  if (std::cos(0.5 * angle / spread) < 2.0 * chance - 1.0) angle -= kTwoPi * spread;
  double log_r2 = std::log(px * px + py * py);
  double turn = c * angle * 0.5 * d * log_r2 * kTwoPi / divisor * (wide * spread2 + offset2);
  double turns = turn / kTwoPi;
  return w * std::exp(0.5 * c * log_r2 - d * angle) *
         direction(kTwoPi * (turns - std::floor(turns)));
}

/// Spreads points over their pixel.
Point wildBlurPixelize(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double size = in.parameters[0], scale = in.parameters[1];
  double u = draws.unit() - 0.5, v = draws.unit() - 0.5;
  return w * size *
         Point(std::floor(px / size) + scale * u + 0.5, std::floor(py / size) + scale * v + 0.5);
}

/// A heart of two ellipses.
Point wildBlurHeart(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double power = in.parameters[0], a = in.parameters[1], b = in.parameters[2];
  double x = 2.0 * draws.unit() - 1.0, y = 2.0 * draws.unit() - 1.0, side = y < 0.0 ? -1.0 : 1.0;
  double edge = a * std::pow(std::abs(x), power) + side * b * std::sqrt(std::abs(1.0 - x * x)) - a;
  edge /= std::max(std::abs(a) + std::abs(b), 1e-10);
  return w * Point(x, side > 0.0 ? std::min(y, edge) : std::max(y, edge));
}

/// julian2, colored by where a point goes.
Point wildJulian2dc(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double power = in.parameters[0], dist = in.parameters[1], col = in.parameters[2],
               a = in.parameters[3], b = in.parameters[4], c = in.parameters[5],
               d = in.parameters[6], e = in.parameters[7], f = in.parameters[8];
  double x = a * px + b * py + e, y = c * px + d * py + f, n = std::trunc(power);
  double branch = std::trunc(draws.unit() * std::max(std::abs(n), 1.0));
  double angle = (std::atan2(y, x) + kTwoPi * branch) / power;
  double r = w * std::pow(x * x + y * y, 0.5 * dist / power);
  double shade = std::abs(r * col + angle / kTwoPi * (1.0 - col));
  draws.setColor(shade - std::floor(shade));
  return r * direction(angle);
}

/// Gielis's superformula, filled, with a hole.
Point wildShape(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double m = in.parameters[0], n1 = in.parameters[1], n2 = in.parameters[2],
               n3 = in.parameters[3], a = in.parameters[4], b = in.parameters[5],
               holes = in.parameters[6];
  double angle = std::atan2(py, px), at = 0.25 * m * angle;
  double sum = std::pow(std::abs(std::cos(at) / a), n2) + std::pow(std::abs(std::sin(at) / b), n3);
  return w * (draws.unit() - holes) * std::pow(sum, -1.0 / n1) * direction(angle);
}

/// Bubbles in cells, twisted.
Point wildBwraps2(const Input& in, Draws&) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double cellsize = in.parameters[0], space = in.parameters[1], gain = in.parameters[2],
               inner_twist = in.parameters[3], outer_twist = in.parameters[4];
  if (std::abs(cellsize) < 1e-8) return w * Point(px, py);
  double radius = 0.5 * cellsize / (1.0 + space * space), gained = gain * gain / cellsize + 1e-6;
  double bubble = gained * radius;
  bubble = bubble > 2.0 ? 1.0 : bubble / (0.25 * bubble * bubble + 1.0);
  double cx = (std::floor(px / cellsize) + 0.5) * cellsize,
         cy = (std::floor(py / cellsize) + 0.5) * cellsize;
  double x = px - cx, y = py - cy;
  if (x * x + y * y > radius * radius) return w * Point(px, py);
  x *= gained;
  y *= gained;
  double r = radius / bubble / (0.25 * (x * x + y * y) + 1.0);
  x *= r;
  y *= r;
  double share = (x * x + y * y) / (radius * radius);
  Point t = direction(inner_twist * (1.0 - share) + outer_twist * share);
  return w * Point(cx + t.x * x + t.y * y, cy - t.y * x + t.x * y);
}

/// A polygon becomes a circle before the others, and the circle a polygon again after them.
Point wildPrepostCirclize(const Input& in, Draws&) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double n = in.parameters[0], rotation = in.parameters[1], reverse = in.parameters[2];
  double edges = std::max(nearestReshape(n), 3.0), half_sector = kPi / edges;
  double angle = std::atan2(py, px), at = angle - rotation * kPi / 180.0;
  double within = at - half_sector * (2.0 * std::floor(edges * at / kTwoPi) + 1.0);
  double edge = std::cos(half_sector) / std::cos(within);
  edge = nearestReshape(reverse) == 0.0 ? edge : 1.0 / edge;
  double r = std::sqrt(px * px + py * py);
  return ((1.0 - w) * r + w * r * edge) * direction(angle);
}

/// popcorn2 with a height.
Point3 wildPopcorn23D(const Input& in, Draws&) {
  const double px = in.x, py = in.y, pz = in.z;
  const double w = in.weight;
  const double wide = in.parameters[0], high = in.parameters[1], deep = in.parameters[2],
               c = in.parameters[3];
  double s = std::sin(std::tan(c)), grown = std::abs(w) <= 1.0 ? std::abs(w) * w : w;
  double turned = grown * s * std::atan2(py, px), from = pz == 0.0 ? turned : pz;
  return Point3(0.5 * w * (px + wide * std::sin(std::tan(c * py))),
                0.5 * w * (py + high * std::sin(std::tan(c * px))),
                turned + grown * deep * s * from);
}

/// A petal with a height.
Point3 wildPetal3DApo(const Input& in, Draws&) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double width = in.parameters[0], lift = in.parameters[1], scale1 = in.parameters[2],
               scale2 = in.parameters[3], style = in.parameters[4];
  double a = std::cos(px), bx = a * std::cos(py), by = std::sin(px) * std::cos(py);
  double x = w * a * bx * bx * bx, y = w * a * by * by * by * width;
  double squeeze = std::abs(scale1) > 1.0 ? std::abs(scale1) - 1.0 : 0.0;
  double wave = -0.5 * std::sin(px * scale1 * kPi) + 0.5 * px * squeeze;
  double tall = wave + std::sin(std::abs(py * scale2 * kPi)), flat_one = wave + 0.5 * y * scale2;
  double share = 1.0 - 2.0 * style * style;
  double z = share * tall + (style < 0.0 ? -1.0 : 1.0) * (1.0 - share) * flat_one;
  z = std::abs(style) > 0.70710678 ? (style < 0.0 ? -flat_one : flat_one) : style == 0.0 ? tall : z;
  return Point3(x, y, w * z * lift);
}

/// From the curve's point `on` by one of the modes; `from` is the point, `far` its share of the
/// split.
Point curveSpread(Point on, Point from, double far, double mode, double spread, double ratio) {
  Point by = Point(spread * ratio, spread);
  Point facing = Point(on.x < 0.0 ? -std::abs(from.x) : std::abs(from.x),
                       on.y < 0.0 ? -std::abs(from.y) : std::abs(from.y));
  if (mode == 1.0) return Point((far - 1.0) * by.x + 1.0, (far - 1.0) * by.y + 1.0) * on;
  if (mode == 2.0) return on + by * (facing - on);
  if (mode == 3.0) return on + by * facing;
  if (mode == 4.0) return Point(0.5 * far + by.x, 0.5 * far + by.y) * on;
  if (mode == 5.0) return on + by * from;
  return on;
}

/// Fay's butterfly; points inside and outside of it move by modes of their own.
Point wildButterflyFay(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double offset = in.parameters[0], unified_inner_outer = in.parameters[1],
               outer_mode = in.parameters[2], inner_mode = in.parameters[3],
               outer_spread = in.parameters[4], inner_spread = in.parameters[5],
               outer_spread_ratio = in.parameters[6], inner_spread_ratio = in.parameters[7],
               spread_split = in.parameters[8], cycles = in.parameters[9], fill = in.parameters[10];
  double turns = cycles == 0.0 ? kPi * kPi : cycles, t = turns * std::atan2(py, px);
  double far = spread_split * std::sqrt(px * px + py * py), s = std::sin(t / 12.0);
  double r = 0.5 * (std::exp(std::cos(t)) - 2.0 * std::cos(4.0 * t) - s * s * s * s * s + offset);
  double blur = draws.unit() - 0.5;
  r += fill * blur;
  Point on = r * Point(std::sin(t), -std::cos(t)), from = Point(px, py);
  bool outside = std::abs(far) > std::abs(r) || nearestReshape(unified_inner_outer) == 1.0;
  return w * (outside ? curveSpread(on, from, far, nearestReshape(outer_mode), outer_spread,
                                    outer_spread_ratio)
                      : curveSpread(on, from, far, nearestReshape(inner_mode), inner_spread,
                                    inner_spread_ratio));
}

/// The distance of the curve from the origin at an angle.
double inversionRadius(double t, double kind, double a, double b, double c, double d, double e,
                       double f) {
  Point s = direction(t);
  if (kind == 1.0) return a * b / std::sqrt(b * s.x * b * s.x + a * s.y * a * s.y);
  if (kind == 2.0) return std::sqrt(a * a * b * b / (b * b * s.x * s.x - a * a * s.y * s.y));
  if (kind == 3.0) {
    double sector = kTwoPi / std::max(std::floor(a), 1.0),
           at = std::fmod(std::abs(std::fmod(t, kTwoPi)), sector);
    return std::cos(0.5 * sector) / std::cos(at - 0.5 * sector);
  }
  if (kind == 4.0) return std::cos(a / b * t) + c;
  if (kind == 5.0)
    return a * b /
           std::pow(std::pow(std::abs(a * s.y), c) + std::pow(std::abs(b * s.x), c), 1.0 / c);
  if (kind == 6.0) {
    Point m = direction(0.25 * c * t);
    return std::pow(std::pow(std::abs(m.x / a), e) + std::pow(std::abs(m.y / b), f), -1.0 / d);
  }
  return 1.0;
}

/// The square of a length, or of what a norm of another power and a factor make of it.
double inversionSize(Point v, double power, double factor) {
  if (power == 2.0 && factor == 1.0) return v.x * v.x + v.y * v.y;
  return std::pow(std::pow(std::abs(v.x), power) + std::pow(std::abs(v.y), power),
                  2.0 / (power * factor));
}

/// Which place of the palette a measured distance has.
double inversionShade(double far, double low, double high, bool wraps) {
  double from = std::min(low, high), share = (far - from) / std::max(std::abs(high - low), 1e-10);
  return wraps && (share < 0.0 || share > 1.0) ? share - std::floor(share) : share;
}

/// Inverts at a curve in place of a circle.
Point wildInversion(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double scale = in.parameters[0], rotation = in.parameters[1], shape = in.parameters[2],
               imode = in.parameters[3], hide_uninverted = in.parameters[4], a = in.parameters[5],
               b = in.parameters[6], c = in.parameters[7], d = in.parameters[8],
               e = in.parameters[9], f = in.parameters[10], ring_mode = in.parameters[11],
               ring_scale = in.parameters[12], pnorm_point = in.parameters[13],
               pnorm_shape = in.parameters[14], pnorm_pmod = in.parameters[15],
               pnorm_smod = in.parameters[16], draw_shape = in.parameters[17],
               shape_thickness = in.parameters[18], passthrough = in.parameters[19],
               color_measure = in.parameters[21], color_gradient = in.parameters[22],
               color_low_threshold = in.parameters[23], color_high_threshold = in.parameters[24];
  double kind = nearestReshape(shape), turned = kPi * rotation, drawn = draws.unit(),
         at = draws.unit();
  double u = draws.unit() - 0.5, v = draws.unit() - 0.5, passed = draws.unit();
  if (drawn < draw_shape) {
    double t = kTwoPi * at;
    double r = scale * inversionRadius(t - turned, kind, a, b, c, d, e, f);
    return r * direction(t) + 0.01 * shape_thickness * Point(u, v);
  }
  if (passed < passthrough) return Point(px, py);
  double angle = std::atan2(py, px), far = std::sqrt(px * px + py * py);
  double edge = scale * inversionRadius(angle - turned, kind, a, b, c, d, e, f);
  Point on = edge * direction(angle);
  double mode = nearestReshape(imode), ring = nearestReshape(ring_mode),
         inner = std::min(ring_scale, 1.0 / ring_scale);
  bool within = far >= inner * scale && far <= scale / inner;
  bool inverted = mode == 1.0 ? far > edge : mode == 2.0 ? far < edge : true;
  if (ring_scale != 1.0 && (ring == 1.0 || ring == 2.0))
    inverted = inverted && within == (ring == 1.0);
  draws.setHidden(!inverted && nearestReshape(hide_uninverted) != 0.0);
  if (!inverted) return Point(px, py);
  double grown = inversionSize(on, pnorm_shape, pnorm_smod) /
                 inversionSize(Point(px, py), pnorm_point, pnorm_pmod);
  Point to = w * grown * Point(px, py);
  double measure = nearestReshape(color_measure);
  Point away = measure == 1.0 ? to - on : measure == 2.0 ? Point(px, py) - on : to - Point(px, py);
  double length_there = std::sqrt(away.x * away.x + away.y * away.y);
  double plain = std::abs(w) * scale * scale / std::max(far, 1e-20);
  if (measure == 4.0) length_there = std::sqrt(to.x * to.x + to.y * to.y) / std::max(plain, 1e-20);
  double shade = inversionShade(length_there, color_low_threshold, color_high_threshold,
                                nearestReshape(color_gradient) == 2.0);
  if (measure > 0.0) draws.setColor(shade);
  return to;
}

/// Into the strip of half width `size`.
double foldedInto(double v, double size) {
  if (v > size) return std::fmod(v + size, 2.0 * size) - size;
  if (v < -size) return size - std::fmod(size - v, 2.0 * size);
  return v;
}

/// dmodulus with a color of its own, which each of its halves draws to another.
Point wildDcDmodulus(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double wide = in.parameters[0], high = in.parameters[1], angle = in.parameters[2],
               shiftx = in.parameters[3], shifty = in.parameters[4], color1 = in.parameters[5],
               speed1 = in.parameters[6], color2 = in.parameters[7], speed2 = in.parameters[8],
               square = in.parameters[9];
  double x = foldedInto(px, wide), y = foldedInto(py, high);
  Point t = direction(angle * kPi / 180.0);
  double cc = t.x * t.x, cs = t.x * t.y, ss = t.y * t.y, chance = draws.unit();
  bool first = angle <= 45.0 ? chance < cc : chance >= ss;
  Point v = first ? Point(x * cc + y * cs + wide, y * cc - x * cs - high)
                  : Point(x * cs + y * ss, y * cs - x * ss);
  v = Point(v.x + shiftx, v.y + shifty);
  bool folds = nearestReshape(square) != 0.0;
  double color = draws.orbit(Point(0.5, 0.0)).x, speed = first ? speed1 : speed2;
  color = 0.5 * ((1.0 + speed) * color + (1.0 - speed) * (first ? color1 : color2));
  draws.setOrbit(Point(color, 0.0));
  draws.setColor(color - std::trunc(color));
  return w * (folds ? Point(foldedInto(v.x, wide), foldedInto(v.y, high)) : v);
}

/// Leaves the point alone; its color moves along the palette, and begins again (JWildfire's color
/// type).
Point wildCyclicColor(const Input& in, Draws& draws) {
  const double by = in.parameters[0];
  draws.turnColor(by);
  return Point(0.0, 0.0);
}

Point dcHexesMiddle(Point cell, double size) {
  return size * Point(1.5 * (cell.x - cell.y), 0.86602540378 * (cell.x + cell.y));
}
double dcHexesEdge(Point v, double size) {
  double a = v.x / size, b = v.y / (1.73205080757 * size);
  return std::max(std::abs(2.0 * b), std::max(std::abs(a + b), std::abs(a - b)));
}
/// The cell whose middle is nearest.
Point dcHexesCell(Point v, double size) {
  Point cell = Point(std::floor((v.x / 3.0 + 0.57735026919 * v.y) / size),
                     std::floor((0.57735026919 * v.y - v.x / 3.0) / size));
  Point best = cell;
  double nearest = 1e30;
  for (int k = 0; k < 9; ++k) {
    Point other = Point(cell.x + double(k / 3 - 1), cell.y + double(k % 3 - 1));
    Point away = v - dcHexesMiddle(other, size);
    double far = away.x * away.x + away.y * away.y;
    best = far < nearest ? other : best;
    nearest = std::min(nearest, far);
  }
  return best;
}

/// hexes, colored by how far from the middle of its cell a point goes.
Point wildDcHexesWf(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double cellsize = in.parameters[0], power = in.parameters[1], rotate = in.parameters[2],
               scale = in.parameters[3], color_scale = in.parameters[4],
               color_offset = in.parameters[5];
  if (cellsize == 0.0) return Point(0.0, 0.0);
  Point middle = dcHexesMiddle(dcHexesCell(Point(px, py), cellsize), cellsize);
  Point v = Point(px, py) - middle, t = direction(kTwoPi * rotate);
  double before = dcHexesEdge(v, cellsize), wanted = std::pow(before, power) * scale;
  v = Point(v.x * t.x + v.y * t.y, v.y * t.x - v.x * t.y);
  double after = dcHexesEdge(v, cellsize), most = std::max(before, after);
  double share = std::clamp((most - 0.5) / 0.3, 0.0, 1.0);
  double k = share <= 0.0   ? wanted / before
             : share >= 1.0 ? wanted / after
                            : wanted / before * (1.0 - share) + wanted / after * share;
  draws.setColor(most * color_scale + color_offset);
  return w * (k * v + middle);
}

Point trigFlip(Point v) { return Point(v.y, v.x); }
Point trigQuotient(Point a, Point b) {
  return Point(a.x * b.x + a.y * b.y, a.y * b.x - a.x * b.y) / (b.x * b.x + b.y * b.y);
}
Point trigAsinh(Point v) {
  Point root = complexRootReshape(Point((v.x - v.y) * (v.x + v.y) + 1.0, 2.0 * v.x * v.y));
  return v.x * root.x + v.y * root.y >= 0.0 ? complexLogReshape(v + root)
                                            : -1.0 * complexLogReshape(root - v);
}
Point trigAtanh(Point v) {
  return 0.5 * complexLogReshape(trigQuotient(Point(1.0 + v.x, v.y), Point(1.0 - v.x, -v.y)));
}
Point trigSinh(Point v) {
  return Point(std::sinh(v.x) * std::cos(v.y), std::cosh(v.x) * std::sin(v.y));
}
Point trigCosh(Point v) {
  return Point(std::cosh(v.x) * std::cos(v.y), std::sinh(v.x) * std::sin(v.y));
}
/// Settled beyond 20, where both are one another.
Point trigTanh(Point v) {
  Point settled = Point(std::clamp(v.x, -20.0, 20.0), v.y);
  return trigQuotient(trigSinh(settled), trigCosh(settled));
}

/// Those that follow one another.
Point trigChain(Point v, double w, double inverse, double quotient, double root, double power,
                double logs, double side) {
  if (inverse != 0.0) v = w * inverse * trigQuotient(Point(1.0, 0.0), v);
  if (quotient != 0.0)
    v = w * quotient * 2.0 / kPi *
        complexLogReshape(trigQuotient(Point(v.x + 1.0, v.y), Point(v.x - 1.0, v.y)));
  if (root != 0.0) v = (side < 0.5 ? w : -w) * root * complexRootReshape(v);
  if (power != 0.0) v = w * power * std::exp(v.x) * direction(v.y);
  if (logs != 0.0) v = w * logs * complexLogReshape(v);
  return v;
}

/// Functions of x + iy one after the other, then a sum of others; as post_trig.
Point wildTrig(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double reciprocalpow = in.parameters[0], log_dividepow = in.parameters[1],
               sqrtpow = in.parameters[2], exppow = in.parameters[3], logpow = in.parameters[4],
               asinhpow = in.parameters[5], acoshpow = in.parameters[6],
               atanhpow = in.parameters[7], asinpow = in.parameters[8], acospow = in.parameters[9],
               atanpow = in.parameters[10], sinpow = in.parameters[11], cospow = in.parameters[12],
               tanpow = in.parameters[13], sinhpow = in.parameters[14], coshpow = in.parameters[15],
               tanhpow = in.parameters[16];
  double side = draws.unit(), other = draws.unit();
  Point v =
      trigChain(Point(px, py), w, reciprocalpow, log_dividepow, sqrtpow, exppow, logpow, side);
  Point sum = Point(0.0, 0.0), arcs = Point(0.0, 0.0);
  if (asinhpow != 0.0) arcs += asinhpow * trigAsinh(v);
  if (acoshpow != 0.0) arcs += (other < 0.5 ? acoshpow : -acoshpow) * complexAcoshReshape(v);
  if (atanhpow != 0.0) arcs += atanhpow * trigAtanh(v);
  Point asine = trigFlip(trigAsinh(trigFlip(v)));
  if (asinpow != 0.0) arcs += asinpow * asine;
  if (acospow != 0.0) arcs += acospow * Point(0.5 * kPi - asine.x, -asine.y);
  if (atanpow != 0.0) arcs += atanpow * trigFlip(trigAtanh(trigFlip(v)));
  if (sinpow != 0.0) sum += sinpow * trigFlip(trigSinh(trigFlip(v)));
  Point cosines = trigCosh(Point(v.y, v.x));
  if (cospow != 0.0) sum += cospow * Point(cosines.x, -cosines.y);
  if (tanpow != 0.0) sum += tanpow * trigFlip(trigTanh(trigFlip(v)));
  if (sinhpow != 0.0) sum += sinhpow * trigSinh(v);
  if (coshpow != 0.0) sum += coshpow * trigCosh(v);
  if (tanhpow != 0.0) sum += tanhpow * trigTanh(v);
  double all = asinhpow + acoshpow + atanhpow + asinpow + acospow + atanpow + sinpow + cospow +
               tanpow + sinhpow + coshpow + tanhpow;
  return all == 0.0 ? v : w * (sum + 2.0 / kPi * arcs);
}

/// Where the piece comes from that a shuffle of `count` pieces, from `first` on, puts at `at`.
int scrambledFrom(int at, int first, int count, int seed) {
  int steps[625];
  unsigned number = 1u;
  for (int j = 0; j < 625; ++j) {
    if (j >= count - 1) break;
    number = number * 1103515245u + 12345u;
    number = (number & 0xffff0000u) | ((number << 8) & 0xff00u) | ((number >> 8) & 0x00ffu);
    number = (number & 4u) != 0u ? number - unsigned(seed) : number ^ unsigned(seed);
    number = int(number) < 0 ? 0u - number : number;
    steps[j] = 1 + j + int(number % unsigned(count - 1 - j));
  }
  int place = at - first;
  for (int k = 0; k < 625; ++k) {
    int j = count - 2 - k;
    if (j < 0) break;
    place = place == steps[j] ? j : place == j ? steps[j] : place;
  }
  return first + place;
}

/// The cells of a square change places.
Point wildScrambly(const Input& in, Draws&) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double l = in.parameters[0], seed = in.parameters[1], byrows = in.parameters[2],
               cellsize = in.parameters[3];
  double side = std::clamp(std::abs(nearestReshape(l)), 3.0, 25.0), cell = cellsize / side;
  double x = (px + 0.5 * cellsize) / cell, y = (py + 0.5 * cellsize) / cell;
  double column = std::floor(x), row = std::floor(y);
  if (!(column >= 0.0 && column < side && row >= 0.0 && row < side)) return w * Point(px, py);
  int wide = int(side), at = int(column) + wide * int(row), shift = int(nearestReshape(seed));
  bool rows = nearestReshape(byrows) != 0.0;
  int from = rows ? scrambledFrom(at, wide * int(row), wide, shift + int(row))
                  : scrambledFrom(at, 0, wide * wide, shift);
  from = shift >= 0 && shift <= 50 ? (shift + at + 1) % (wide * wide) : from;
  Point to = Point(x - column + double(from % wide), y - row + double(from / wide));
  return w * Point(to.x * cell - 0.5 * cellsize, to.y * cell - 0.5 * cellsize);
}

// Rows, in the order of their numbers.

WildFamily wildReshapeRows1() {
  return {
      {"cpow3_wf",
       wildCpow3Wf,
       {{"r", 1, -3, 3},
        {"a", 0.1, -3, 3},
        {"divisor", 1, 1, 10},
        {"spread", 1, 0.1, 5},
        {"discrete_spread", 1, 0, 1},
        {"spread2", 0, -1, 1},
        {"offset2", 1, -3, 3}}},
      {"blur_pixelize", wildBlurPixelize, {{"size", 0.1, 0.001, 1}, {"scale", 1, 0, 2}}},
      {"blur_heart", wildBlurHeart, {{"p", 0.5, 0.1, 3}, {"a", -0.6, -2, 2}, {"b", 0.7, -2, 2}}},
      {"julian2dc",
       wildJulian2dc,
       {{"power", 2, 2, 10},
        {"dist", 1, -2, 2},
        {"col", 0, 0, 1},
        {"a", 1, -2, 2},
        {"b", 0, -2, 2},
        {"c", 0, -2, 2},
        {"d", 1, -2, 2},
        {"e", 0, -2, 2},
        {"f", 0, -2, 2}},
       false,
       true},
  };
}

WildFamily wildReshapeRows2() {
  return {
      {"shape",
       wildShape,
       {{"m", 0, 0, 20},
        {"n1", 1, -5, 5},
        {"n2", 1, -5, 5},
        {"n3", 1, -5, 5},
        {"a", 1, 0.1, 3},
        {"b", 1, 0.1, 3},
        {"holes", 1, -2, 2}}},
      {"bwraps2",
       wildBwraps2,
       {{"cellsize", 1, 0, 3},
        {"space", 0, 0, 3},
        {"gain", 2, 0, 5},
        {"inner_twist", 0, -3.15, 3.15},
        {"outer_twist", 0, -3.15, 3.15}}},
      {"prepost_circlize",
       wildPrepostCirclize,
       {{"n", 4, 3, 12}, {"rotation", 45, -180, 180}, {"reverse", 0, 0, 1}}},
      {"popcorn2_3D",
       kMakesZ | kReadsZ,
       wildPopcorn23D,
       {{"x", 0.1, -1, 1}, {"y", 0.1, -1, 1}, {"z", 0.1, -1, 1}, {"c", 3, 0, 5}}},
      {"petal3D_apo",
       kMakesZ,
       wildPetal3DApo,
       {{"width", 1, -3, 3},
        {"Zshape", 0.25, -2, 2},
        {"scale1", 0.25, -3, 3},
        {"scale2", 0.25, -3, 3},
        {"style", 0, -1, 1}}},
  };
}

WildFamily wildReshapeRows3() {
  return {
      {"butterfly_fay",
       wildButterflyFay,
       {{"offset", 0, -3, 3},
        {"unified_inner_outer", 1, 0, 1},
        {"outer_mode", 1, 0, 5},
        {"inner_mode", 1, 0, 5},
        {"outer_spread", 0, -2, 2},
        {"inner_spread", 0, -2, 2},
        {"outer_spread_ratio", 1, -2, 2},
        {"inner_spread_ratio", 1, -2, 2},
        {"spread_split", 1, -2, 2},
        {"cycles", 0, 0, 20},
        {"fill", 0, 0, 2}}},
      WildVariation{"inversion",
                    wildInversion,
                    {{"scale", 1, 0.1, 3},
                     {"rotation", 0, -1, 1},
                     {"shape", 0, 0, 6},
                     {"imode", 0, 0, 2},
                     {"hide_uninverted", 0, 0, 1},
                     {"a", 1, 0.1, 5},
                     {"b", 1, 0.1, 5},
                     {"c", 0, 0, 5},
                     {"d", 0, 0, 5},
                     {"e", 0, 0, 5},
                     {"f", 0, 0, 5},
                     {"ring_mode", 0, 0, 2},
                     {"ring_scale", 1, 0, 3},
                     {"pnorm_point", 2, 0.5, 4},
                     {"pnorm_shape", 2, 0.5, 4},
                     {"pnorm_pmod", 1, 0.5, 2},
                     {"pnorm_smod", 1, 0.5, 2},
                     {"draw_shape", 0, 0, 1},
                     {"shape_thickness", 0, 0, 5},
                     {"passthrough", 0, 0, 1},
                     {"guides_enabled", 1, 0, 1},
                     {"color_measure", 0, 0, 4},
                     {"color_gradient", 1, 1, 2},
                     {"color_low_threshold", 0, 0, 2},
                     {"color_high_threshold", 1, 0, 3}},
                    false,
                    true}
          .hiding(),
  };
}

WildFamily wildReshapeRows4() {
  return {
      WildVariation{"dc_dmodulus",
                    wildDcDmodulus,
                    {{"x", 2, 0.1, 5},
                     {"y", 2, 0.1, 5},
                     {"angle", 45, 0, 90},
                     {"shiftx", 0, -3, 3},
                     {"shifty", 0, -3, 3},
                     {"color1", 0, 0, 1},
                     {"speed1", 0, -1, 1},
                     {"color2", 1, 0, 1},
                     {"speed2", 0, -1, 1},
                     {"square", 1, 0, 1}},
                    false,
                    true}
          .orbiting(),
      {"cyclic_color", wildCyclicColor, {{"by", 0.1, -1, 1}}, false, true},
  };
}

WildFamily wildReshapeRows5() {
  return {
      {"dc_hexes_wf",
       wildDcHexesWf,
       {{"cellsize", 1, 0, 3},
        {"power", 1, 0, 3},
        {"rotate", 0.166, -1, 1},
        {"scale", 1, 0, 3},
        {"color_scale", 0.5, 0, 2},
        {"color_offset", 0, -1, 1}},
       false,
       true},
      {"trig",
       wildTrig,
       {{"reciprocalpow", 1, -1, 1},
        {"log_dividepow", 0, -1, 1},
        {"sqrtpow", 0, -1, 1},
        {"exppow", 0, -1, 1},
        {"logpow", 0, -1, 1},
        {"asinhpow", 0, -1, 1},
        {"acoshpow", 0, -1, 1},
        {"atanhpow", 0, -1, 1},
        {"asinpow", 0, -1, 1},
        {"acospow", 0, -1, 1},
        {"atanpow", 0, -1, 1},
        {"sinpow", 0, -1, 1},
        {"cospow", 0, -1, 1},
        {"tanpow", 0, -1, 1},
        {"sinhpow", 0, -1, 1},
        {"coshpow", 0, -1, 1},
        {"tanhpow", 0, -1, 1}}},
      {"scrambly",
       wildScrambly,
       {{"l", 3, 3, 25}, {"seed", 51, 0, 1000}, {"byrows", 0, 0, 1}, {"cellsize", 0.1, 0.01, 3}}},
  };
}

}  // namespace

WildFamily wildReshapeVariations() {
  return joined({wildReshapeRows1(), wildReshapeRows2(), wildReshapeRows3(), wildReshapeRows4(),
                 wildPlotVariations(), wildReshapeRows5()});
}

}  // namespace fathom::flame
