// SPDX-License-Identifier: BSD-3-Clause
// Variations of other programs: more maps of the plane.
#include "app/engine/flame/genome/variations/family.h"

#include <algorithm>
#include <cmath>

namespace fathom::flame {
namespace {

/// Half away from minus infinity, as in shaders.
double nearestOfMore(double v) { return std::floor(v + 0.5); }

/// x is squeezed between -1 and 1.
Point wildCylinder2(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  return w * Point(x / std::sqrt(x * x + 1.0), y);
}

/// Turned by the logarithm of the radius.
Point wildSwirl3(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double shift = in.parameters[0];
  double r = std::sqrt(x * x + y * y);
  return w * r * direction(std::atan2(y, x) + std::log(r) * shift);
}

/// Towards the middle, with poles.
Point wildFunnel(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double effect = in.parameters[0];
  double k = 1.0 / std::cos(y) + effect * kPi;
  return w * k *
         Point(1.0 - 2.0 / (std::exp(std::min(2.0 * x, 40.0)) + 1.0),
               1.0 - 2.0 / (std::exp(std::min(2.0 * y, 40.0)) + 1.0));
}

/// tanh and cos of the radius squared.
Point wildTancos(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  double r2 = x * x + y * y;
  if (r2 == 0.0) return Point(0.0, 0.0);
  return 2.0 * w / r2 *
         Point((1.0 - 2.0 / (std::exp(std::min(2.0 * r2, 40.0)) + 1.0)) * x, std::cos(r2) * y);
}

/// Scaled within the unit circle, the other way without.
Point wildCircus(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double scale = in.parameters[0];
  return w * (x * x + y * y <= 1.0 ? scale : 1.0 / scale) * Point(x, y);
}

/// Two discs change places.
Point wildTrade(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double r1 = in.parameters[0], d1 = in.parameters[1], r2 = in.parameters[2],
               d2 = in.parameters[3];
  double here = x > 0.0 ? r1 + d1 : -r2 - d2, there = x > 0.0 ? -r2 - d2 : r1 + d1;
  double size = x > 0.0 ? r1 : r2, other = x > 0.0 ? r2 : r1;
  double a = here - x;
  if (std::sqrt(a * a + y * y) > size) return w * Point(x, y);
  return w * (other / size * Point(a, y) + Point(there, 0.0));
}

/// disc with eight factors.
Point wildDisc3(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double a = in.parameters[0], b = in.parameters[1], c = in.parameters[2],
               d = in.parameters[3], e = in.parameters[4], f = in.parameters[5],
               g = in.parameters[6], h = in.parameters[7];
  double turn = kPi * std::sqrt(x * d * x * e + y * f * y * g);
  return w * std::atan2(x, y) / kPi * c * h * Point(std::sin(turn) * a, std::cos(turn) * b);
}

/// Inside a wave the point is mirrored.
Point wildOscilloscope2(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double separation = in.parameters[0], frequencyx = in.parameters[1],
               frequencyy = in.parameters[2], amplitude = in.parameters[3],
               perturbation = in.parameters[4], damping = in.parameters[5];
  double bend = perturbation * std::sin(kTwoPi * frequencyy * y);
  double wave =
      amplitude * std::exp(-std::abs(x) * damping) * std::cos(kTwoPi * frequencyx * x + bend) +
      separation;
  return (std::abs(y) <= wave ? -w : w) * Point(x, y);
}

/// A shift of the hyperbolic plane.
Point wildHypershift(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double shift = in.parameters[0], stretch = in.parameters[1];
  double k = 1.0 / (x * x + y * y), a = k * x + shift, b = k * y;
  double s = w * (1.0 - shift * shift) / (a * a + b * b);
  return Point(s * a + shift, s * b * stretch);
}

/// Rays, denser at the middle.
Point wildRays2(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  double t = x * x + y * y;
  double u = 1.0 / std::cos(t * std::tan(1.0 / t));
  return 0.1 * w * u * t * Point(1.0 / x, 1.0 / y);
}

/// A square becomes a circle.
Point wildInvsquircular(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  double r = x * x + y * y;
  double inner = std::sqrt(r * (w * w * r - 4.0 * x * x * y * y) / w);
  double k = std::sqrt(0.5 * (r - inner));
  return Point(k / x, k / y);
}

/// Barycentric coordinates.
Point wildBarycentroid(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double a = in.parameters[0], b = in.parameters[1], c = in.parameters[2],
               d = in.parameters[3];
  double det = a * d - b * c;
  double u = (d * x - c * y) / det, v = (a * y - b * x) / det;
  double s = u < 0.0 ? -1.0 : u > 0.0 ? 1.0 : 0.0, t = v < 0.0 ? -1.0 : v > 0.0 ? 1.0 : 0.0;
  return w * Point(s * std::sqrt(u * u + x * x), t * std::sqrt(v * v + y * y));
}

/// A ripple across the diagonal.
Point wildStwin(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double distort = in.parameters[0], offset_xy = in.parameters[1],
               offset_x2 = in.parameters[2], offset_y2 = in.parameters[3],
               multiplier = in.parameters[4], multiplier2 = in.parameters[5],
               multiplier3 = in.parameters[6];
  double a = x * w * multiplier, b = y * w * multiplier;
  double a2 = a * a + offset_x2 * multiplier2, b2 = b * b + offset_y2 * multiplier2;
  double wave = (a2 - b2) * std::sin(kTwoPi * distort * (a + b + offset_xy * multiplier3));
  double sum = a2 + b2;
  double k = wave / (sum == 0.0 ? 1.0 : sum);
  return Point(w * x + k, w * y + k);
}

/// Sectors, narrowed.
Point wildShredrad(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double n = in.parameters[0], width = in.parameters[1];
  double sector = kTwoPi / n;
  double at = (std::atan2(y, x) + 3.0 * kPi + 0.5 * sector) / sector;
  double whole = std::trunc(at);
  return w * std::sqrt(x * x + y * y) *
         direction(((at - whole) * width + whole) * sector - kPi - 0.5 * sector * width);
}

/// julian of a stretched point.
Point wildPhoenixJulia(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double power = in.parameters[0], dist = in.parameters[1], x_distort = in.parameters[2],
               y_distort = in.parameters[3];
  double turn = std::floor(draws.unit() * std::max(std::abs(nearestOfMore(power)), 1.0));
  double a =
      (std::atan2(y * (y_distort + 1.0), x * (x_distort + 1.0)) * dist + kTwoPi * turn) / power;
  return w * std::pow(x * x + y * y, 0.5 * dist / power) * direction(a);
}

/// julian with an offset.
Point wildJuliaNab(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double n = in.parameters[0], a = in.parameters[1], b = in.parameters[2],
               separ = in.parameters[3];
  double turn = std::floor(draws.unit() * std::abs(n));
  double phi = (std::atan2(y, std::pow(std::abs(x), separ)) + kTwoPi * turn) / std::abs(n);
  return w * std::pow(x * x + y * y, 0.5 * a / std::abs(n)) * direction(phi) + Point(b, b);
}

/// Waves around a disc.
Point wildBlob2(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double mode = in.parameters[0], n = in.parameters[1], radius = in.parameters[2],
               prescale = in.parameters[3], postscale = in.parameters[4],
               symmetry = in.parameters[5], compensation = in.parameters[6];
  double r = std::sqrt(x * x + y * y);
  if (r < radius) return w * Point(x, y);
  double delta =
      (std::sin(std::atan2(y, x) * n) + symmetry) / (1.0 + compensation * std::abs(symmetry));
  double sign = delta < 0.0 ? -1.0 : 1.0;
  double k = std::pow(std::abs(delta), prescale) * postscale * (mode != 0.0 ? mode : sign);
  return w * (radius + (r - radius) * k) / r * Point(x, y);
}

/// loonie within a star or polygon.
Point wildLoonie2(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double sides = in.parameters[0], star = in.parameters[1], circle = in.parameters[2];
  double count = nearestOfMore(sides), step = kTwoPi / count;
  double ss = std::sin(-0.5 * kPi * star), cs = std::cos(-0.5 * kPi * star);
  double bound = x * cs + std::abs(y) * ss;
  for (int i = 1; i < 50; ++i) {
    if (double(i) >= count) break;
    Point t = direction(step * double(i));
    bound = std::max(bound, (x * t.x - y * t.y) * cs + std::abs(x * t.y + y * t.x) * ss);
  }
  bound = bound * std::cos(0.5 * kPi * circle) +
          std::sqrt(x * x + y * y) * std::sin(0.5 * kPi * circle);
  bound = count > 2.5 ? bound * bound : std::abs(bound) * bound;
  if (bound > 0.0 && bound < w * w)
    return w * std::sqrt(std::abs(w * w / bound - 1.0)) * Point(x, y);
  if (bound < 0.0) return w / std::sqrt(std::abs(w * w / bound) - 1.0) * Point(x, y);
  return w * Point(x, y);
}

/// Squares turn, within and without.
Point wildLazyTravis(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double spin_in = in.parameters[0], spin_out = in.parameters[1], space = in.parameters[2];
  double ax = std::abs(x), ay = std::abs(y), s = std::max(ax, ay);
  bool outside = ax > w || ay > w;
  double at = ax > ay ? (x > 0.0 ? s + y : 5.0 * s - y) : (y > 0.0 ? 3.0 * s - x : 7.0 * s + x);
  at = std::fmod(at + 4.0 * s * (outside ? spin_out : spin_in), 8.0 * s);
  double k = outside ? 1.0 + space / s : 1.0, far = outside ? s + space : s;
  if (at <= 2.0 * s) return w * Point(far, (at - s) * k);
  if (at <= 4.0 * s) return w * Point((3.0 * s - at) * k, far);
  if (at <= 6.0 * s) return w * Point(-far, (5.0 * s - at) * k);
  return w * Point((at - 7.0 * s) * k, -far);
}

/// The disc becomes the two halves of the sign.
Point wildYinYang(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double radius = in.parameters[0], ang1 = in.parameters[1], ang2 = in.parameters[2],
               dual_t = in.parameters[3], outside = in.parameters[4];
  if (x * x + y * y >= 1.0) return outside == 1.0 ? w * Point(x, y) : Point(0.0, 0.0);
  bool second = dual_t == 1.0 && draws.unit() > 0.5;
  double s = second ? -w : w, big = second ? 1.0 - radius : radius;
  Point t = direction(kPi * (second ? ang2 : ang1));
  double a = x * t.x - y * t.y, b = x * t.y + y * t.x;
  if (b <= 0.0) return s * Point(a * (1.0 - big) + big, b * (1.0 - big));
  double half_width = std::sqrt(std::max(1.0 - b * b, 0.0)), share = 0.5 * (1.0 - a / half_width);
  double k = share * big + 1.0 - share, up = 2.0 * b * std::sqrt(half_width / (1.0 + half_width));
  return s * Point((2.0 * half_width - 1.0) * k + share * (big - 1.0), up * k);
}

Point vibration2Wave(double x, double y, double dir, double angle, double freq, double per,
                     double amp, double phase, double dm, double dmfreq, double tm, double tmfreq,
                     double fm, double fmfreq, double am, double amfreq) {
  double along = x * std::cos(dir) + y * std::sin(dir);
  double to = dir + dm * std::cos(along * dmfreq * kTwoPi);
  double turn = angle + tm * std::cos(along * tmfreq * kTwoPi);
  double shift = fm * std::cos(along * fmfreq * kTwoPi) / per;
  double height = amp + amp * am * std::cos(along * amfreq * kTwoPi);
  along = x * std::cos(to) + y * std::sin(to);
  return height * std::sin(along * freq * kTwoPi + shift + kTwoPi * phase / freq) *
         direction(turn + to);
}

/// Two plane waves whose direction, angle, frequency and height are modulated.
Point wildVibration2(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double dir = in.parameters[0], angle = in.parameters[1], freq = in.parameters[2],
               amp = in.parameters[3], phase = in.parameters[4], dir2 = in.parameters[5],
               angle2 = in.parameters[6], freq2 = in.parameters[7], amp2 = in.parameters[8],
               phase2 = in.parameters[9], dm = in.parameters[10], dmfreq = in.parameters[11],
               tm = in.parameters[12], tmfreq = in.parameters[13], fm = in.parameters[14],
               fmfreq = in.parameters[15], am = in.parameters[16], amfreq = in.parameters[17],
               d2m = in.parameters[18], d2mfreq = in.parameters[19], t2m = in.parameters[20],
               t2mfreq = in.parameters[21], f2m = in.parameters[22], f2mfreq = in.parameters[23],
               a2m = in.parameters[24], a2mfreq = in.parameters[25];
  return w * (Point(x, y) +
              vibration2Wave(x, y, dir, angle, freq, freq, amp, phase, dm, dmfreq, tm, tmfreq, fm,
                             fmfreq, am, amfreq) +
              vibration2Wave(x, y, dir2, angle2, freq2, freq2, amp2, phase2, d2m, d2mfreq, t2m,
                             t2mfreq, f2m, f2mfreq, a2m, a2mfreq));
}

Point hexesMiddle(Point cell, double size) {
  return size * Point(1.5 * (cell.x - cell.y), 0.86602540378 * (cell.x + cell.y));
}
double hexesEdge(Point v, double size) {
  double a = v.x / size, b = v.y / (1.73205080757 * size);
  return std::max(std::abs(2.0 * b), std::max(std::abs(a + b), std::abs(a - b)));
}

/// Hexagonal cells, each scaled and turned about its middle.
Point wildHexes(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double cellsize = in.parameters[0], power = in.parameters[1], rotate = in.parameters[2],
               scale = in.parameters[3];
  if (cellsize == 0.0) return Point(0.0, 0.0);
  Point u = Point(x, y), cell = Point(std::floor((x / 3.0 + 0.57735026919 * y) / cellsize),
                                      std::floor((0.57735026919 * y - x / 3.0) / cellsize));
  Point best = cell;
  double nearest = 1e30;
  for (int i = -1; i <= 1; ++i) {
    for (int j = -1; j <= 1; ++j) {
      Point away = u - hexesMiddle(cell + Point(double(i), double(j)), cellsize);
      double d = away.x * away.x + away.y * away.y;
      best = d < nearest ? cell + Point(double(i), double(j)) : best;
      nearest = std::min(nearest, d);
    }
  }
  Point middle = hexesMiddle(best, cellsize), v = u - middle, t = direction(kTwoPi * rotate);
  double before = hexesEdge(v, cellsize);
  double wanted = std::pow(before, power) * scale;
  v = Point(v.x * t.x + v.y * t.y, v.y * t.x - v.x * t.y);
  double after = hexesEdge(v, cellsize), most = std::max(before, after);
  double share = std::clamp((most - 0.5) / 0.3, 0.0, 1.0);
  double k = share <= 0.0   ? wanted / before
             : share >= 1.0 ? wanted / after
                            : wanted / before * (1.0 - share) + wanted / after * share;
  return w * (k * v + middle);
}

/// A ring beside a disc, the rest inverted by chance.
Point wildGlynnsim1(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double radius = in.parameters[0], radius1 = in.parameters[1], phi1 = in.parameters[2],
               thickness = in.parameters[3], pow_p = in.parameters[4], contrast = in.parameters[5];
  Point middle = radius * direction(kPi / 180.0 * phi1);
  double r = std::sqrt(x * x + y * y), alpha = radius / r;
  bool keeps = draws.unit() > contrast * std::pow(alpha, std::abs(pow_p));
  Point q = keeps ? Point(x, y) : alpha * alpha * Point(x, y);
  double size = radius1 * (thickness + (1.0 - thickness) * draws.unit());
  Point ring = middle + size * direction(kTwoPi * draws.unit());
  Point away = q - middle;
  return w * (r < radius || away.x * away.x + away.y * away.y < radius1 * radius1 ? ring : q);
}

/// An arc, the rest inverted by chance.
Point wildGlynnsim2(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double radius = in.parameters[0], thickness = in.parameters[1], contrast = in.parameters[2],
               pow_p = in.parameters[3], phi1 = in.parameters[4], phi2 = in.parameters[5];
  double r = std::sqrt(x * x + y * y), alpha = radius / r;
  bool keeps = draws.unit() > contrast * std::pow(alpha, std::abs(pow_p));
  double size = radius + thickness -
                thickness * (2.0 * radius + thickness) / (radius + thickness) * draws.unit();
  Point arc = size * direction(kPi / 180.0 * (phi1 + (phi2 - phi1) * draws.unit()));
  return w * (r < radius ? arc : keeps ? Point(x, y) : alpha * alpha * Point(x, y));
}

// Rows, in the order of their numbers.

WildFamily wildMoreRows1() {
  return {
      {"cylinder2", wildCylinder2, {}},
      {"swirl3", wildSwirl3, {{"shift", 0.5, -3, 3}}},
      {"funnel", wildFunnel, {{"effect", 8, -10, 10}}},
      {"tancos", wildTancos, {}},
      {"circus", wildCircus, {{"scale", 0.92, 0.1, 3}}},
      {"trade",
       wildTrade,
       {{"r1", 1, 0.1, 3}, {"d1", 1, -3, 3}, {"r2", 1, 0.1, 3}, {"d2", 1, -3, 3}}},
      {"disc3",
       wildDisc3,
       {{"a", 1, -3, 3},
        {"b", 1, -3, 3},
        {"c", 1, -3, 3},
        {"d", 1, -3, 3},
        {"e", 1, -3, 3},
        {"f", 1, -3, 3},
        {"g", 1, -3, 3},
        {"h", 1, -3, 3}}},
      {"oscilloscope2",
       wildOscilloscope2,
       {{"separation", 1, -3, 3},
        {"frequencyx", 3.14159265, -10, 10},
        {"frequencyy", 3.14159265, -10, 10},
        {"amplitude", 1, -3, 3},
        {"perturbation", 1, -3, 3},
        {"damping", 0, -2, 2}}},
      {"hypershift", wildHypershift, {{"shift", 2, -3, 3}, {"stretch", 1, -3, 3}}},
      {"rays2", wildRays2, {}},
      {"invsquircular", wildInvsquircular, {}},
      {"barycentroid",
       wildBarycentroid,
       {{"a", 1, -3, 3}, {"b", 0, -3, 3}, {"c", 0, -3, 3}, {"d", 1, -3, 3}}},
      {"stwin",
       wildStwin,
       {{"distort", 1, -3, 3},
        {"offset_xy", 0, -5, 5},
        {"offset_x2", 0, -5, 5},
        {"offset_y2", 0, -5, 5},
        {"multiplier", 0.05, -1, 1},
        {"multiplier2", 0.0001, -0.01, 0.01},
        {"multiplier3", 0.1, -1, 1}}},
      {"shredrad", wildShredrad, {{"n", 4, 1, 12}, {"width", 0.5, 0, 1}}},
      {"phoenix_julia",
       wildPhoenixJulia,
       {{"power", 3, -8, 8},
        {"dist", 1, -3, 3},
        {"x_distort", -0.5, -2, 2},
        {"y_distort", 0, -2, 2}}},
  };
}

WildFamily wildMoreRows2() {
  return {
      {"juliaNab",
       wildJuliaNab,
       {{"n", 1, 1, 8}, {"a", 1, -3, 3}, {"b", 1, -3, 3}, {"separ", 1, 0, 3}}},
      {"blob2",
       wildBlob2,
       {{"mode", 0.5, -1, 1},
        {"n", 1, -10, 10},
        {"radius", 0, -1, 1},
        {"prescale", 1, -3, 3},
        {"postscale", 0.5, -3, 3},
        {"symmetry", 0, -1, 1},
        {"compensation", 0, -1, 1}}},
      {"loonie2",
       wildLoonie2,
       {{"sides", 4, 1, 12}, {"star", 0.15, -1, 1}, {"circle", 0.25, -1, 1}}},
      {"lazyTravis",
       wildLazyTravis,
       {{"spin_in", 1, -3, 3}, {"spin_out", 0.5, -3, 3}, {"space", 1.5707963, -3, 3}}},
      {"yin_yang",
       wildYinYang,
       {{"radius", 0.5, 0, 1},
        {"ang1", 0, -2, 2},
        {"ang2", 0, -2, 2},
        {"dual_t", 1, 0, 1},
        {"outside", 0, 0, 1}}},
  };
}

WildFamily wildMoreRows3() {
  return {
      {"vibration2",
       wildVibration2,
       {{"dir", 0, -3.15, 3.15},
        {"angle", 1.5708, -3.15, 3.15},
        {"freq", 1, 0.1, 5},
        {"amp", 0.25, -2, 2},
        {"phase", 0, -1, 1},
        {"dir2", 1.5708, -3.15, 3.15},
        {"angle2", 1.5708, -3.15, 3.15},
        {"freq2", 1, 0.1, 5},
        {"amp2", 0.25, -2, 2},
        {"phase2", 0, -1, 1},
        {"dm", 0, -2, 2},
        {"dmfreq", 0.1, -2, 2},
        {"tm", 0, -2, 2},
        {"tmfreq", 0.1, -2, 2},
        {"fm", 0, -2, 2},
        {"fmfreq", 0.1, -2, 2},
        {"am", 0, -2, 2},
        {"amfreq", 0.1, -2, 2},
        {"d2m", 0, -2, 2},
        {"d2mfreq", 0.1, -2, 2},
        {"t2m", 0, -2, 2},
        {"t2mfreq", 0.1, -2, 2},
        {"f2m", 0, -2, 2},
        {"f2mfreq", 0.1, -2, 2},
        {"a2m", 0, -2, 2},
        {"a2mfreq", 0.1, -2, 2}}},
      {"hexes",
       wildHexes,
       {{"cellsize", 1, -3, 3},
        {"power", 1, -3, 3},
        {"rotate", 0.166, -1, 1},
        {"scale", 1, -3, 3}}},
      {"glynnsim1",
       wildGlynnsim1,
       {{"radius", 1, 0.1, 3},
        {"radius1", 0.1, 0.01, 1},
        {"phi1", 110, -360, 360},
        {"thickness", 0.1, 0, 1},
        {"pow", 1.5, -3, 3},
        {"contrast", 0.5, 0, 1}}},
  };
}

WildFamily wildMoreRows4() {
  return {
      {"glynnsim2",
       wildGlynnsim2,
       {{"radius", 1, 0.1, 3},
        {"thickness", 0.1, 0, 1},
        {"contrast", 0.5, 0, 1},
        {"pow", 1.5, -3, 3},
        {"phi1", 110, -360, 360},
        {"phi2", 150, -360, 360}}},
  };
}

}  // namespace

WildFamily wildMoreVariations() {
  return joined({wildMoreRows1(), wildMoreRows2(), wildMoreRows3(), wildMoreRows4()});
}

}  // namespace fathom::flame
