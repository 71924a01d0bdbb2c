// SPDX-License-Identifier: BSD-3-Clause
// Variations of other programs: mirrors, roses, surfaces and dust.
#include "app/engine/flame/genome/variations/family.h"

#include <algorithm>
#include <cmath>

namespace fathom::flame {
namespace {

/// Half away from minus infinity, as in shaders.
double nearestFold(double v) { return std::floor(v + 0.5); }

/// mu and nu >= 0: x = cosh(mu) cos(nu), |y| = sinh(mu) sin(nu).
Point ellipticFold(double x, double y) {
  const double sum =
      std::sqrt((x + 1.0) * (x + 1.0) + y * y) + std::sqrt((x - 1.0) * (x - 1.0) + y * y);
  const double most = std::max(0.5 * sum, 1.0);
  return {std::acosh(most), std::acos(std::clamp(x / most, -1.0, 1.0))};
}

/// Moves along the ellipses around two foci.
Point wildEMotion(const Input& in, Draws&) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double move = in.parameters[0], rotate = in.parameters[1];
  Point e = ellipticFold(px, py);
  double nu = py < 0.0 ? -e.y : e.y;
  double mu = nu < 0.0 ? e.x + move : e.x - move;
  bool below = mu <= 0.0;
  nu = (below ? -nu : nu) + rotate;
  mu = below ? -mu : mu;
  return w * Point(std::cosh(mu) * std::cos(nu), std::sinh(mu) * std::sin(nu));
}

/// Sectors slide against each other.
Point wildCollideoscope(const Input& in, Draws&) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double a = in.parameters[0], num = in.parameters[1];
  double sector = kPi / std::max(nearestFold(num), 1.0), shift = a * sector;
  double phi = std::atan2(py, px), way = phi < 0.0 ? -phi : phi;
  double which = std::trunc(way / sector);
  bool odd = which - 2.0 * std::floor(0.5 * which) > 0.5;
  double to = which * sector + std::fmod((odd ? -shift : shift) + way, sector);
  return w * std::sqrt(px * px + py * py) * direction(phi < 0.0 ? -to : to);
}

/// Less than 0 within the shape around (dx, dy).
double rosoniShape(Point v, double radius, bool other) {
  double far = v.x * v.x + v.y * v.y;
  if (!other)
    return radius < 0.0 ? std::max(std::abs(v.x), std::abs(v.y)) + radius : far - radius * radius;
  if (radius < 0.0) return std::abs(std::atan2(v.y, v.x)) / kPi + radius;
  return v.x < 0.0 ? -v.x : v.y * v.y - v.x * v.x * (radius * radius - v.x * v.x);
}

/// Within a circle, points of some petals go to another petal.
Point wildRosoni(const Input& in, Draws&) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double maxiter = in.parameters[0], sweetiter = in.parameters[1],
               altshapes = in.parameters[2], cutoff = in.parameters[3], radius = in.parameters[4],
               dx = in.parameters[5], dy = in.parameters[6];
  double edge = cutoff < 0.0 ? std::max(std::abs(px), std::abs(py)) + cutoff
                             : std::sqrt(px * px + py * py) - cutoff;
  if (edge > 0.0) return w * Point(px, py);
  bool chosen = dx > 0.0;
  double count = std::clamp(nearestFold(maxiter), 1.0, 200.0);
  Point v = Point(px, py), kept = v, t = direction(kTwoPi / count);
  for (int i = 0; i < 200; ++i) {
    if (double(i) >= count) break;
    bool within =
        rosoniShape(Point(v.x - dx, v.y - dy), radius, nearestFold(altshapes) != 0.0) <= 0.0;
    chosen = chosen != within;
    kept = double(i) == nearestFold(sweetiter) ? v : kept;
    v = Point(v.x * t.x - v.y * t.y, v.x * t.y + v.y * t.x);
  }
  if (!chosen) return w * Point(px, py);
  if (nearestFold(sweetiter) == 0.0) return w * Point(dy != 0.0 ? -kept.x : kept.x, -kept.y);
  return w * kept;
}

/// Minkowski's question mark of x in 0..1, to a millionth.
double minkowski(double x) {
  double p = 0.0, q = 1.0, r = 1.0, s = 1.0, d = 1.0, y = 0.0;
  for (int i = 0; i < 20; ++i) {
    d *= 0.5;
    double m = p + r, n = q + s;
    bool left = x * n < m;
    r = left ? m : r;
    s = left ? n : s;
    y += left ? 0.0 : d;
    p = left ? p : m;
    q = left ? q : n;
  }
  return y + d;
}

/// A wave of period 4.
double minkowskiSine(double x, bool other) {
  double far = std::abs(x), p = far - 2.0 * std::floor(0.5 * far);
  bool later = far - 4.0 * std::floor(0.25 * far) >= 2.0;
  p = p > 1.0 ? 2.0 - p : p;
  double wave = minkowski(p) - (other ? p : 0.0);
  return later == (x > 0.0) ? -wave : wave;
}

/// oscilloscope with waves of Minkowski's function.
Point wildMinkowskope(const Input& in, Draws&) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double separation = in.parameters[0], frequencyx = in.parameters[1],
               frequencyy = in.parameters[2], amplitude = in.parameters[3],
               perturbation = in.parameters[4], damping = in.parameters[5];
  bool other = frequencyx <= 0.0;
  double bend = perturbation * minkowskiSine(0.5 * frequencyy * py, other);
  double wave = amplitude * minkowskiSine(0.5 * frequencyx * px + bend - 1.0, other);
  double edge =
      (std::abs(damping) <= 1e-10 ? 1.0 : std::exp(-std::abs(px) * damping)) * wave + separation;
  return (std::abs(py) <= edge ? -w : w) * Point(px, py);
}

/// One in `count` stripes is mirrored.
double glitchMirror(double v, double scale, double shift, double count) {
  double stripe = std::floor((v - shift) * scale), n = std::max(nearestFold(count), 1.0);
  double rest = std::fmod(stripe, n);
  bool turned = stripe >= 0.0 ? rest == n - 1.0 : rest == 0.0;
  return scale != 0.0 && turned ? 2.0 * shift - v : v;
}

/// In -1..1, from a whole number.
double glitchHash(int v) {
  int a = (v ^ 61) ^ (v >> 16);
  a = int(unsigned(a) + (unsigned(a) << 3));
  a = a ^ (a >> 4);
  a = int(unsigned(a) * 0x27d4eb2du);
  a = a ^ (a >> 15);
  return double(a) / 2147483647.0;
}
int glitchBlock(double v, int seed) {
  int block = int(std::floor(std::clamp(v, -1e6, 1e6)));
  return int(double(block) + (2.0 - 4.0 * glitchHash(int(unsigned(block) * unsigned(seed) + 1u))));
}

/// Stripes are mirrored, and blocks are scaled by chance.
Point3 wildGlitchy1(const Input& in, Draws&) {
  const double px = in.x, py = in.y, pz = in.z;
  const double w = in.weight;
  const double scale_x = in.parameters[0], shift_x = in.parameters[1], n_x = in.parameters[2],
               scale_y = in.parameters[3], shift_y = in.parameters[4], n_y = in.parameters[5],
               scale_z = in.parameters[6], shift_z = in.parameters[7], n_z = in.parameters[8],
               width = in.parameters[9], seed = in.parameters[10], angle = in.parameters[11],
               u = in.parameters[12], v = in.parameters[13], depth = in.parameters[14];
  Point t = direction(kPi / 180.0 * angle);
  int key = int(nearestFold(seed));
  double along = u * px;
  int a = glitchBlock(along * width, key) + glitchBlock(v * (t.x * along + t.y * py) * width, key);
  int b = glitchBlock(depth * (t.x * along - t.y * py) * width, key);
  int c = int(unsigned(b) * unsigned(key));
  double size =
      glitchHash(int(unsigned(a) - unsigned(c))) + glitchHash(int(unsigned(a) + unsigned(c / 2)));
  return w * size *
         Point3(glitchMirror(px, scale_x, shift_x, n_x), glitchMirror(py, scale_y, shift_y, n_y),
                glitchMirror(pz, scale_z, shift_z, n_z));
}

/// A tile of the hyperbolic plane, in space.
Point3 wildHypertile3D(const Input& in, Draws&) {
  const double px = in.x, py = in.y, pz = in.z;
  const double w = in.weight;
  const double sides = in.parameters[0], q = in.parameters[1], n = in.parameters[2];
  double a = kTwoPi / nearestFold(sides), b = kTwoPi / nearestFold(q);
  double sum = std::cos(a) + std::cos(b), ratio = (1.0 - std::cos(a)) / sum;
  double r = ratio > 0.0 ? 1.0 / std::sqrt(1.0 + ratio) : 1.0;
  r = std::abs(sum) < 0.00001 ? 0.0 : r;
  Point c = r * direction(nearestFold(n) * a);
  double r2 = px * px + py * py + pz * pz, x2 = 2.0 * c.x * px, y2 = 2.0 * c.y * py;
  double d = w / (r * r * r2 + x2 - y2 + 1.0);
  double turn = (c.x - c.y) * (c.x + c.y);
  return d * Point3(px * (1.0 + turn) - c.x * (y2 - r2 - 1.0),
                    py * (1.0 - turn) + c.y * (-x2 - r2 - 1.0), pz * (1.0 - r * r));
}

/// A shell.
Point3 wildSeashell3D(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double final_radius = in.parameters[0], height = in.parameters[1],
               inner_radius = in.parameters[2], nSpirals = in.parameters[3];
  double t = draws.unit(), s = draws.unit();
  double tube = final_radius * (1.0 - t), out_by = 1.0 + std::cos(kTwoPi * s);
  Point around = (tube * out_by + inner_radius) * direction(kTwoPi * nearestFold(nSpirals) * t);
  return w * Point3(around.x, around.y, height * t + tube * std::sin(kTwoPi * s));
}

/// Dini's surface over the plane.
Point3 wildDinisSurfaceWf(const Input& in, Draws&) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double a = in.parameters[0], b = in.parameters[1];
  double far = std::abs(py), s = std::sin(py);
  Point half_way = direction(0.5 * far);
  double high =
      far > 1e-8 ? -w * (a * (std::cos(py) + std::log(half_way.y / half_way.x)) + b * px) : 0.0;
  return Point3(w * a * s * std::cos(px), w * a * s * std::sin(px), high);
}

/// Steps of waves, blurred or not.
Point3 wildShredded(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y, pz = in.z;
  const double w = in.weight;
  const double type = in.parameters[0], blur = in.parameters[1], x1 = in.parameters[2],
               x2 = in.parameters[3], x3 = in.parameters[4], y1 = in.parameters[5],
               y2 = in.parameters[6], y3 = in.parameters[7], z1 = in.parameters[8],
               z2 = in.parameters[9], z3 = in.parameters[10], x_blur_amount = in.parameters[11],
               y_blur_amount = in.parameters[12], z_blur_amount = in.parameters[13];
  double kind = nearestFold(type), sx = std::sin(x1 * std::floor(x2 * px)),
         sy = std::cos(y1 * std::floor(y2 * py));
  double sz = std::sin(z1 * std::floor(z2 * pz));
  if (kind == 0.0) {
    sx += std::cos(x1 * std::floor(x2 * py));
    sy += std::sin(y1 * std::floor(y2 * px));
    sz += std::cos(z1 * std::floor(z2 * pz));
  }
  Point3 steps = w * Point3(x3 * sx, y3 * sy, z3 * sz);
  double ax = kind == 2.0 ? px : py, ay = kind == 2.0 ? py : px;
  double u = std::sin(kTwoPi * draws.unit()), v = std::sin(kTwoPi * draws.unit()),
         t = std::sin(kTwoPi * draws.unit());
  if (nearestFold(blur) == 0.0) return Point3(steps.x * ax, steps.y * ay, steps.z * pz);
  return steps + Point3(x_blur_amount * u * ax, y_blur_amount * v * ay,
                        z_blur_amount * t * (kind == 0.0 ? pz : 1.0));
}

/// In 0..1, from two whole numbers.
double circleRandNoise(double x, double y) {
  unsigned n = unsigned(int(x)) + unsigned(int(y)) * 57u;
  n = (n << 13) ^ n;
  return double((n * (n * n * 15731u + 789221u) + 1376312589u) & 0x7fffffffu) / 2147483647.0;
}

/// Discs of dust in squares, by chance.
Point wildCircleRand(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double Sc = in.parameters[0], Dens = in.parameters[1], X = in.parameters[2],
               Y = in.parameters[3], Seed = in.parameters[4];
  Point found = Point(0.0, 0.0);
  for (int i = 0; i < 100; ++i) {
    double x = X * (1.0 - 2.0 * draws.unit());
    double y = Y * (1.0 - 2.0 * draws.unit());
    double m = std::floor(0.5 * x / Sc), n = std::floor(0.5 * y / Sc);
    double u = x - (2.0 * m + 1.0) * Sc, v = y - (2.0 * n + 1.0) * Sc;
    found = Point(x, y);
    if (circleRandNoise(m + nearestFold(Seed), n) <= Dens &&
        std::sqrt(u * u + v * v) <= (0.3 + 0.7 * circleRandNoise(m + 10.0, n + 3.0)) * Sc)
      break;
  }
  return w * found;
}

/// The border of Mandelbrot's set.
Point3 wildMandelbrot(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double iter = in.parameters[0], xmin = in.parameters[1], xmax = in.parameters[2],
               ymin = in.parameters[3], ymax = in.parameters[4], invert = in.parameters[5],
               skin = in.parameters[6], cx = in.parameters[7], cy = in.parameters[8],
               rnd_z_range = in.parameters[11];
  double most = std::clamp(nearestFold(iter), 1.0, 1000.0), least = 0.1 * most * (1.0 - skin);
  bool inside = nearestFold(invert) == 1.0, found = false;
  Point c = Point(0.0, 0.0), z = c;
  for (int k = 0; k < 10; ++k) {
    double u = draws.unit(), v = draws.unit();
    if (found) continue;
    c = Point(xmin + (xmax - xmin) * u, ymin + (ymax - ymin) * v);
    z = c;
    double count = 0.0;
    for (int i = 0; i < 1000; ++i) {
      if (count >= most || z.x * z.x + z.y * z.y >= 4.0) break;
      z = Point(z.x * z.x - z.y * z.y + c.x, 2.0 * z.x * z.y + c.y);
      count += 1.0;
    }
    found = inside ? count >= most : count < most && (skin >= 1.0 || count >= least);
  }
  double height = draws.unit() * rnd_z_range;
  if (!found) return Point3(w * 50000.0, w * 50000.0, height);
  return Point3(w * (c.x + cx * z.x), w * (c.y + cy * z.y), height);
}

Point maurerRosePoint(double theta, double k, double c) {
  return (std::cos(k * theta) + c) * direction(theta);
}

/// Lines between points of a rose, far apart.
Point wildMaurerRose(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double kn = in.parameters[0], kd = in.parameters[1], c = in.parameters[2],
               line_count = in.parameters[3], line_offset_degrees = in.parameters[4],
               show_lines = in.parameters[5], show_points = in.parameters[6],
               show_curve = in.parameters[7], line_thickness = in.parameters[8],
               point_thickness = in.parameters[9], curve_thickness = in.parameters[10];
  double k = kn / kd, step = kPi / 180.0 * line_offset_degrees;
  double t = line_count * step / kTwoPi * std::atan2(py, px), first = std::floor(t / step) * step;
  Point a = maurerRosePoint(first, k, c), b = maurerRosePoint(first + step, k, c);
  double total = show_lines + show_points + show_curve, pick = draws.unit() * total;
  double along = draws.unit(), u = draws.unit(), v = draws.unit();
  if (pick < show_lines)
    return w * (a + along * (b - a) + 0.01 * line_thickness * Point(u - 0.5, v - 0.5));
  if (pick <= show_lines + show_points) {
    Point spot = pick <= show_lines + 0.5 * show_points ? a : b;
    return w * (spot + 0.01 * point_thickness * u * direction(kTwoPi * v));
  }
  return w * (maurerRosePoint(t, k, c) + 0.01 * curve_thickness * Point(u - 0.5, v - 0.5));
}

bool rhodoneaWhole(double v, double of) { return std::abs(v / of - nearestFold(v / of)) < 1e-6; }

/// Turns after which the curve meets itself.
double rhodoneaTurns(double n, double d, bool spreads) {
  double k = n / d;
  if (rhodoneaWhole(k, 1.0)) return rhodoneaWhole(k, 2.0) || spreads ? 1.0 : 0.5;
  if (!rhodoneaWhole(n, 1.0) || !rhodoneaWhole(d, 1.0)) return 16.0;
  double a = std::abs(nearestFold(n)), b = std::abs(nearestFold(d));
  double x = a, y = b;
  for (int i = 0; i < 32; ++i) {
    if (y < 0.5) break;
    double rest = x - y * std::floor(x / y);
    x = y;
    y = rest;
  }
  a = nearestFold(a / x), b = nearestFold(b / x);
  return rhodoneaWhole(a, 2.0) || rhodoneaWhole(b, 2.0) ? b : 0.5 * b;
}

/// A rose, and points spread around it.
Point wildRhodonea(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double knumer = in.parameters[0], kdenom = in.parameters[1],
               radial_offset = in.parameters[2], inner_mode = in.parameters[3],
               outer_mode = in.parameters[4], inner_spread = in.parameters[5],
               outer_spread = in.parameters[6], inner_spread_ratio = in.parameters[7],
               outer_spread_ratio = in.parameters[8], spread_split = in.parameters[9],
               fill = in.parameters[10], cycles = in.parameters[11],
               cycle_offset = in.parameters[12], metacycles = in.parameters[13],
               metacycle_expansion = in.parameters[14];
  bool spreads = radial_offset != 0.0 || inner_spread != 0.0 || outer_spread != 0.0 || fill != 0.0;
  double turns = rhodoneaTurns(knumer, kdenom, spreads), from = std::atan2(py, px);
  double count = cycles == 0.0 ? turns * metacycles : cycles;
  double t = count * (from + kTwoPi * cycle_offset), pick = draws.unit();
  double r =
      std::cos(knumer / kdenom * t) + radial_offset + (fill != 0.0 ? fill * (pick - 0.5) : 0.0);
  double far = spread_split * std::sqrt(px * px + py * py);
  Point at = r * direction(t);
  double size = w + std::floor(count * (from + kPi) / (kTwoPi * turns)) * metacycle_expansion;
  bool outside = std::abs(far) > std::abs(r);
  double mode = nearestFold(outside ? outer_mode : inner_mode), sign = outside ? 1.0 : -1.0;
  double sy = outside ? outer_spread : inner_spread;
  double sx = sy * (outside ? outer_spread_ratio : inner_spread_ratio);
  Point side =
      Point(at.x < 0.0 ? -std::abs(px) : std::abs(px), at.y < 0.0 ? -std::abs(py) : std::abs(py));
  if (mode == 1.0) return size * Point((far * sx - sx + 1.0) * at.x, (far * sy - sy + 1.0) * at.y);
  if (mode == 2.0) return size * Point(at.x + sx * (side.x - at.x), at.y + sy * (side.y - at.y));
  if (mode == 3.0) return size * Point(at.x + sign * sx * side.x, at.y + sign * sy * side.y);
  if (mode == 4.0) return size * Point((0.5 * far + sx) * at.x, (0.5 * far + sy) * at.y);
  if (mode == (outside ? 5.0 : 6.0)) return Point(px, py);
  return mode == (outside ? 6.0 : 5.0) ? Point(0.0, 0.0) : size * at;
}

/// A rose whose petals are curved in space.
Point3 wildPRose3D(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double l = in.parameters[0], k = in.parameters[1], c = in.parameters[2],
               z1 = in.parameters[3], z2 = in.parameters[4], refSc = in.parameters[5],
               opt = in.parameters[6], optSc = in.parameters[7], opt3 = in.parameters[8],
               transp = in.parameters[9], dist = in.parameters[10], wagsc = in.parameters[11],
               srvsc = in.parameters[12], f = in.parameters[13], wigsc = in.parameters[14],
               offset = in.parameters[15];
  double long_by = l == 0.0 ? 0.000001 : l, th = std::atan2(py, px);
  double cycle = kTwoPi / (k == 0.0 ? 0.000001 : k),
         petals = std::abs(k) < 0.0001 ? (k < 0.0 ? -0.0001 : 0.0001) : k;
  double rad = std::sqrt(px * px + py * py), share = rad / long_by, share2 = share * share;
  double scale = kPi * std::abs(optSc), mixed = std::min(std::abs(opt), 2.0),
         other = std::clamp(opt3, -1.0, 1.0);
  bool turned = opt < 0.0 || opt3 < 0.0;
  double bent = std::sin(kPi * share2), lifted = std::cos(kPi * (share - 0.5));
  double near = 0.4 * wagsc * rad, far = 0.4 * wagsc * rad * rad;
  double wag = std::sin(scale * share) + near + 0.5 * srvsc * (turned ? bent : lifted);
  double wag3 = std::sin(scale * share2 * share2) + far + 0.5 * srvsc * (turned ? lifted : bent);
  double wag2 = std::sin(scale * share2) + near + 0.5 * srvsc * lifted;
  double both = mixed <= 1.0 ? wag : wag2 * (mixed - 1.0) + wag * (2.0 - mixed);
  double waggle = other > 0.0 ? both * (1.0 - other) + wag3 * other : opt3 == 0.0 ? both : 0.0;
  double wiggle = 0.125 * rad * rad * wigsc * std::sin(th / cycle * kPi * f + offset * cycle);
  bool ghost = draws.unit() < (turned ? transp * transp : 0.0), below = draws.unit() < 0.5;
  bool reflected = ghost && below;
  double r = 0.5 * w * long_by * std::cos(petals * th + c) * (reflected ? refSc : 1.0);
  Point at = r * direction(th);
  double high = (reflected ? z2 : z1) * waggle + wiggle + dist;
  return Point3(at.x, at.y, (reflected ? -0.5 : 0.5) * w * high);
}

/// julian with waves.
Point wildWavesn(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double freqx = in.parameters[0], freqy = in.parameters[1], scalex = in.parameters[2],
               scaley = in.parameters[3], incx = in.parameters[4], incy = in.parameters[5],
               power = in.parameters[6];
  double n = nearestFold(power) == 0.0 ? 2.0 : nearestFold(power), count = std::abs(n);
  double angle =
      (std::atan2(py, px) + kTwoPi * std::min(std::floor(draws.unit() * count), count - 1.0)) / n;
  Point q = w * std::pow(px * px + py * py, 0.5 / n) * direction(angle);
  double sx = std::sin(freqx * q.y), sy = std::sin(freqy * q.x);
  return w * Point(q.x + 0.5 * sx * (scalex + std::abs(q.x) * incx),
                   q.y + 0.5 * sy * (scaley + std::abs(q.y) * incy));
}

double pendulum(double t, double a, double f, double p, double d) {
  return a / 180.0 * std::sin(f * t + kPi / 180.0 * p) * std::exp(-d * t);
}

/// Two pendulums on each axis.
Point wildHarmonographJs(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double time = in.parameters[1], a1 = in.parameters[2], f1 = in.parameters[3],
               p1 = in.parameters[4], d1 = in.parameters[5], a2 = in.parameters[6],
               f2 = in.parameters[7], p2 = in.parameters[8], d2 = in.parameters[9],
               a3 = in.parameters[10], f3 = in.parameters[11], p3 = in.parameters[12],
               d3 = in.parameters[13], a4 = in.parameters[14], f4 = in.parameters[15],
               p4 = in.parameters[16], d4 = in.parameters[17];
  double t = draws.unit() * time;
  return w * Point(pendulum(t, a1, f1, p1, d1) + pendulum(t, a2, f2, p2, d2),
                   pendulum(t, a3, f3, p3 + 90.0, d3) + pendulum(t, a4, f4, p4 + 90.0, d4));
}

/// Three distances from the sides of a triangle, moved towards a corner or apart; `sides` are the
/// lengths of those, `area` twice the triangle's.
Point3 xtrbFolded(Point3 v, Point3 sides, double area, double width, double pick) {
  int small = v.y < v.x ? (v.z < v.y ? 2 : 1) : (v.z < v.x ? 2 : 0);
  int large = v.y < v.x ? (v.z < v.x ? 0 : 2) : (v.z < v.y ? 1 : 2);
  int middle = 3 - small - large;
  double s = v[small], m = v[middle];
  bool shrinks = pick >= 1.0 - width * width;
  double low = (1.0 - width) * s + 2.0 * width * area / sides[small] / 6.0 * s / m;
  double mid =
      (1.0 - width) * m + 2.0 * width * area / (sides[middle] + sides[large]) / 6.0 * (3.0 - s / m);
  Point3 to = Point3(0.0, 0.0, 0.0);
  to[small] = shrinks ? width * s : low;
  to[middle] = shrinks ? width * m : mid;
  to[large] = (area - sides[small] * to[small] - sides[middle] * to[middle]) / sides[large];
  return to;
}

/// Triangles of a tiling, folded by their medians.
Point wildXtrb(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double power = in.parameters[0], radius = in.parameters[1], width = in.parameters[2],
               dist = in.parameters[3], a = in.parameters[4], b = in.parameters[5];
  double b_angle = 0.047 + a, c_angle = 0.047 + b;
  double ta = 1.0 / std::tan(0.5 * (b_angle + c_angle));
  double tb = std::tan(0.5 * b_angle), tc = std::tan(0.5 * c_angle);
  Point3 sides = radius * Point3(tc + tb, tc + ta, tb + ta);
  double area = radius * (sides.x + sides.y + sides.z);
  Point turn = direction(c_angle);
  double high_a = area / sides.x, high_b = area / sides.y;
  double alpha = py + radius, beta = px * turn.y - py * turn.x + radius;
  double m = std::floor(alpha / high_a), n = std::floor(beta / high_b);
  alpha -= m * high_a;
  beta -= n * high_b;
  double gamma = (area - sides.x * alpha - sides.y * beta) / sides.z;
  bool flipped = gamma <= 0.0;
  Point3 v = flipped ? Point3(high_a - alpha, high_b - beta, -gamma) : Point3(alpha, beta, gamma);
  v = xtrbFolded(v, sides, area, width, draws.unit());
  alpha = (flipped ? high_a - v.x : v.x) + m * high_a - radius;
  beta = (flipped ? high_b - v.y : v.y) + n * high_b - radius;
  Point q = Point((beta + alpha * turn.x) / turn.y, alpha);
  double power_n = nearestFold(power), count = std::max(std::abs(power_n), 1.0);
  double angle =
      (std::atan2(q.y, q.x) + kTwoPi * std::min(std::floor(draws.unit() * count), count - 1.0)) /
      power_n;
  return w * w * std::pow(q.x * q.x + q.y * q.y, 0.5 * dist / power_n) * direction(angle);
}

/// Blocks become lines of dust in one direction.
Point wildPixelFlow(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double angle = in.parameters[0], len = in.parameters[1], width = in.parameters[2],
               seed = in.parameters[3], enable_dc = in.parameters[4];
  int key = int(nearestFold(seed));
  int a = glitchBlock(px * width, key), b = glitchBlock(py * width, key);
  int c = int(unsigned(b) * unsigned(key));
  double far = 0.5 * (glitchHash(int(unsigned(b) - unsigned(a) * unsigned(key))) +
                      glitchHash(int(unsigned(a) + unsigned(c / 2))));
  double pick = draws.unit();
  if (nearestFold(enable_dc) == 1.0) draws.setColor(pick);
  return w * len * far * pick * pick * pick * pick * direction(kPi / 180.0 * angle);
}

/// Mirrors across the diagonal and the axes within borders.
Point wildTqmirror(const Input& in, Draws&) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double a = in.parameters[1], b = in.parameters[2], c = in.parameters[3],
               d = in.parameters[4], e = in.parameters[5], f = in.parameters[6],
               g = in.parameters[7], h = in.parameters[8], i = in.parameters[9],
               j = in.parameters[10], k = in.parameters[11], l = in.parameters[12],
               m = in.parameters[13], n = in.parameters[14], o = in.parameters[15],
               edge = in.parameters[16], q = in.parameters[17], r = in.parameters[18],
               s = in.parameters[19], type = in.parameters[20], mode = in.parameters[21];
  if (w * d + px < l || w * e + py < m)
    return nearestFold(type) != 0.0 ? Point(px * r, py * s) : Point(py * r, px * s);
  if (px < n && py < o) return Point(px + w * f, py + w * g);
  double kind = nearestFold(mode);
  bool swaps = px + q < w && py < w * a && px + w * b > l && py + w * c > edge;
  if (swaps) return Point(kind == 2.0 ? py * h : -py * h, -px * i);
  return Point(kind == 1.0 ? -px * j : px * j, kind == 0.0 ? py * k : -py * k);
}

// Rows, in the order of their numbers.

WildFamily wildFoldRows1() {
  return {
      {"eMotion", wildEMotion, {{"move", 0, -3, 3}, {"rotate", 0, -3.15, 3.15}}},
      {"collideoscope", wildCollideoscope, {{"a", 0.2, -1, 1}, {"num", 1, 1, 12}}},
      {"rosoni",
       wildRosoni,
       {{"maxiter", 25, 1, 50},
        {"sweetiter", 3, 0, 50},
        {"altshapes", 0, 0, 1},
        {"cutoff", 1, -3, 3},
        {"radius", 0.4, -2, 2},
        {"dx", 0.6, -2, 2},
        {"dy", 0, -2, 2}}},
      {"minkowskope",
       wildMinkowskope,
       {{"separation", 0.5, -2, 2},
        {"frequencyx", -2, -6, 6},
        {"frequencyy", 2, -6, 6},
        {"amplitude", 0.5, -2, 2},
        {"perturbation", 1, -3, 3},
        {"damping", 0, -2, 2}}},
  };
}

WildFamily wildFoldRows2() {
  return {
      {"glitchy1",
       kMakesZ | kReadsZ,
       wildGlitchy1,
       {{"scale_x", 1, -3, 3},
        {"shift_x", 0, -3, 3},
        {"n_x", 2, 1, 8},
        {"scale_y", 1, -3, 3},
        {"shift_y", 0, -3, 3},
        {"n_y", 2, 1, 8},
        {"scale_z", 0, -3, 3},
        {"shift_z", 0, -3, 3},
        {"n_z", 2, 1, 8},
        {"width", 1, -3, 3},
        {"seed", 42, 0, 1000},
        {"angle", 30, -180, 180},
        {"u", 1, -3, 3},
        {"v", 1, -3, 3},
        {"w", 1, -3, 3}}},
      {"hypertile3D",
       kMakesZ | kReadsZ,
       wildHypertile3D,
       {{"p", 3, 3, 12}, {"q", 7, 3, 12}, {"n", 0, 0, 12}}},
      {"seashell3D",
       kMakesZ,
       wildSeashell3D,
       {{"final_radius", 1, -3, 3},
        {"height", 3.5, -5, 5},
        {"inner_radius", 0.4, -3, 3},
        {"nSpirals", 3, 1, 10}}},
      {"dinis_surface_wf", kMakesZ, wildDinisSurfaceWf, {{"a", 0.8, -3, 3}, {"b", 0.2, -3, 3}}},
  };
}

WildFamily wildFoldRows3() {
  return {
      {"shredded",
       kMakesZ | kReadsZ,
       wildShredded,
       {{"type", 0, 0, 2},
        {"blur", 1, 0, 1},
        {"x1", 2, -6, 6},
        {"x2", 2, -6, 6},
        {"x3", 1, -3, 3},
        {"y1", 2, -6, 6},
        {"y2", 2, -6, 6},
        {"y3", 1, -3, 3},
        {"z1", 4, -6, 6},
        {"z2", 0.25, -6, 6},
        {"z3", 1, -3, 3},
        {"x_blur_amount", 0.1, -1, 1},
        {"y_blur_amount", 0.1, -1, 1},
        {"z_blur_amount", 0.1, -1, 1}}},
      {"circleRand",
       wildCircleRand,
       {{"Sc", 1, 0.1, 3},
        {"Dens", 0.5, 0, 1},
        {"X", 10, 1, 20},
        {"Y", 10, 1, 20},
        {"Seed", 0, 0, 1000}}},
      {"mandelbrot",
       kMakesZ,
       wildMandelbrot,
       {{"iter", 100, 10, 200},
        {"xmin", -1.6, -2, 0},
        {"xmax", 1.6, 0, 2},
        {"ymin", -1.2, -2, 0},
        {"ymax", 1.2, 0, 2},
        {"invert", 0, 0, 1},
        {"skin", 0.012, 0, 1},
        {"cx", 0, -2, 2},
        {"cy", 0, -2, 2},
        {"max_points", -1, -1, 1000},
        {"seed", 1234, 0, 10000},
        {"rnd_z_range", 0, -2, 2}}},
  };
}

WildFamily wildFoldRows4() {
  return {
      {"maurer_rose",
       wildMaurerRose,
       {{"kn", 2, -10, 10},
        {"kd", 1, 1, 10},
        {"c", 0, -2, 2},
        {"line_count", 360, 1, 720},
        {"line_offset_degrees", 71, -180, 180},
        {"show_lines", 1, 0, 1},
        {"show_points", 0, 0, 1},
        {"show_curve", 0.05, 0, 1},
        {"line_thickness", 0.5, 0, 20},
        {"point_thickness", 3, 0, 20},
        {"curve_thickness", 1, 0, 20}}},
      {"rhodonea",
       wildRhodonea,
       {{"knumer", 3, -12, 12},
        {"kdenom", 4, 1, 12},
        {"radial_offset", 0, -2, 2},
        {"inner_mode", 1, 0, 6},
        {"outer_mode", 1, 0, 6},
        {"inner_spread", 0, -2, 2},
        {"outer_spread", 0, -2, 2},
        {"inner_spread_ratio", 1, -2, 2},
        {"outer_spread_ratio", 1, -2, 2},
        {"spread_split", 1, -2, 2},
        {"fill", 0, 0, 1},
        {"cycles", 0, 0, 20},
        {"cycle_offset", 0, -1, 1},
        {"metacycles", 1, 0, 10},
        {"metacycle_expansion", 0, -2, 2}}},
  };
}

WildFamily wildFoldRows5() {
  return {
      {"pRose3D",
       kMakesZ,
       wildPRose3D,
       {{"l", 1, -3, 3},
        {"k", 3, -12, 12},
        {"c", 0, -3, 3},
        {"z1", 1, -3, 3},
        {"z2", 1, -3, 3},
        {"refSc", 1, -3, 3},
        {"opt", 1, -2, 2},
        {"optSc", 1, -3, 3},
        {"opt3", 0, -1, 1},
        {"transp", 0.5, 0, 1},
        {"dist", 1, -3, 3},
        {"wagsc", 0, -3, 3},
        {"srvsc", 0, -3, 3},
        {"f", 3, -5, 5},
        {"wigsc", 0, -3, 3},
        {"offset", 0, -3, 3}}},
      {"wavesn",
       wildWavesn,
       {{"freqx", 2, -6, 6},
        {"freqy", 2, -6, 6},
        {"scalex", 1, -2, 2},
        {"scaley", 1, -2, 2},
        {"incx", 0, -2, 2},
        {"incy", 0, -2, 2},
        {"power", 1, -6, 6}}},
  };
}

WildFamily wildFoldRows6() {
  return {
      {"harmonograph_js",
       wildHarmonographJs,
       {{"seed", 0, 0, 1000},
        {"time", 100, 1, 200},
        {"a1", 100, -300, 300},
        {"f1", 2, -6, 6},
        {"p1", 0, -180, 180},
        {"d1", 0.001, -0.01, 0.01},
        {"a2", 100, -300, 300},
        {"f2", 3, -6, 6},
        {"p2", 0, -180, 180},
        {"d2", 0.001, -0.01, 0.01},
        {"a3", 100, -300, 300},
        {"f3", 2, -6, 6},
        {"p3", 0, -180, 180},
        {"d3", 0.001, -0.01, 0.01},
        {"a4", 100, -300, 300},
        {"f4", 3, -6, 6},
        {"p4", 0, -180, 180},
        {"d4", 0.001, -0.01, 0.01}}},
      {"xtrb",
       wildXtrb,
       {{"power", 2, -6, 6},
        {"radius", 1, 0.4, 3},
        {"width", 0.5, -1, 1},
        {"dist", 1, -3, 3},
        {"a", 1, 0.1, 1.5},
        {"b", 1, 0.1, 1.5}}},
      {"pixel_flow",
       wildPixelFlow,
       {{"angle", 90, -180, 180},
        {"len", 0.1, -2, 2},
        {"width", 200, 1, 500},
        {"seed", 42, 0, 1000},
        {"enable_dc", 0, 0, 1}},
       false,
       true},
  };
}

WildFamily wildFoldRows7() {
  return {
      {"tqmirror",
       wildTqmirror,
       {{"preset", 0, 0, 6}, {"a", 1, -3, 3},  {"b", 1, -3, 3}, {"c", 1, -3, 3}, {"d", 1, -3, 3},
        {"e", 1, -3, 3},     {"f", 1, -3, 3},  {"g", 1, -3, 3}, {"h", 1, -3, 3}, {"i", 1, -3, 3},
        {"j", 1, -3, 3},     {"k", 1, -3, 3},  {"l", 0, -3, 3}, {"m", 0, -3, 3}, {"n", 0, -3, 3},
        {"o", 0, -3, 3},     {"p", 0, -3, 3},  {"q", 0, -3, 3}, {"r", 1, -3, 3}, {"s", 1, -3, 3},
        {"type", 0, 0, 1},   {"mode", 0, 0, 2}}},
  };
}

}  // namespace

WildFamily wildFoldVariations() {
  return joined({wildFoldRows1(), wildFoldRows2(), wildFoldRows3(), wildFoldRows4(),
                 wildFoldRows5(), wildFoldRows6(), wildFoldRows7()});
}

}  // namespace fathom::flame
