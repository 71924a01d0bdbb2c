// SPDX-License-Identifier: BSD-3-Clause
// Variations of other programs: powers, shears, waves and small steps of flows.
#include "app/engine/flame/genome/variations/family.h"

#include <algorithm>
#include <cmath>

namespace fathom::flame {
namespace {

/// Half away from minus infinity, as in shaders.
double nearestPower(double v) { return std::floor(v + 0.5); }

/// In -1..1, evenly: what a sine times 43758.5453 leaves after the point, `moved` from a whole
/// number.
double waveHeight(double row, double moved) {
  unsigned v = unsigned(int(std::clamp(row, -1e9, 1e9))) + 0x9e3779b9u;
  v = (v ^ v >> 16) * 0x7feb352du;
  v = (v ^ v >> 15) * 0x846ca68bu;
  v = v ^ v >> 16;
  const double start = double(v & 0xffffu) / 32768.0 - 1.0;
  const Point t = direction(kTwoPi * double(v >> 16) / 65536.0);
  const double half_moved = std::sin(0.5 * moved);
  const double height =
      start + 43758.5453 * (t.x * std::sin(moved) - 2.0 * t.y * half_moved * half_moved);
  return height - std::trunc(height);
}

/// A power of each coordinate.
Point wildLinearT(const Input& in, Draws&) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double powX = in.parameters[0], powY = in.parameters[1];
  return w * Point((px > 0.0 ? 1.0 : -1.0) * std::pow(std::abs(px), powX),
                   (py > 0.0 ? 1.0 : -1.0) * std::pow(std::abs(py), powY));
}

/// A power of each coordinate, z too.
Point3 wildLinearT3D(const Input& in, Draws&) {
  const double px = in.x, py = in.y, pz = in.z;
  const double w = in.weight;
  const double powX = in.parameters[0], powY = in.parameters[1], powZ = in.parameters[2];
  return w * Point3((px > 0.0 ? 1.0 : -1.0) * std::pow(std::abs(px), powX),
                    (py > 0.0 ? 1.0 : -1.0) * std::pow(std::abs(py), powY),
                    (pz > 0.0 ? 1.0 : -1.0) * std::pow(std::abs(pz), powZ));
}

/// Waves whose height changes by chance from one to the next, elsewhere than in other programs.
Point wildWaves4(const Input& in, Draws&) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double scalex = in.parameters[0], scaley = in.parameters[1], freqx = in.parameters[2],
               freqy = in.parameters[3], cont = in.parameters[4], yfact = in.parameters[5];
  double row = std::floor(py * freqx / kTwoPi);
  double height = waveHeight(row, 0.001 * py * yfact);
  height = nearestPower(cont) == 1.0 ? (height > 0.5 ? 1.0 : 0.0) : height;
  return w * Point(px + std::sin(py * freqx) * height * height * scalex,
                   py + std::sin(px * freqy) * scaley);
}

/// waves4 with rows of a height of their own.
Point wildWaves42(const Input& in, Draws&) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double scalex = in.parameters[0], scaley = in.parameters[1], freqx = in.parameters[2],
               freqy = in.parameters[3], cont = in.parameters[4], yfact = in.parameters[5],
               freqx2 = in.parameters[6];
  double row = std::floor(py * freqx2);
  double height = waveHeight(row, 0.001 * py * yfact);
  height = nearestPower(cont) == 1.0 ? (height > 0.5 ? 1.0 : 0.0) : height;
  return w * Point(px + std::sin(py * freqx) * height * height * scalex,
                   py + std::sin(px * freqy) * scaley);
}

/// Blurs towards and away from a point.
Point3 wildExblur(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y, pz = in.z;
  const double w = in.weight;
  const double dist = in.parameters[0], r = in.parameters[1], x_origin = in.parameters[2],
               y_origin = in.parameters[3], z_origin = in.parameters[4];
  Point3 o = Point3(px - x_origin, py + y_origin, pz - z_origin);
  double n = o.x * o.x + o.y * o.y + o.z * o.z, far = std::sqrt(n),
         flat_far = std::sqrt(o.x * o.x + o.y * o.y);
  double size = w * std::pow(n, dist) * draws.gauss();
  Point a = direction(kTwoPi * draws.unit());
  Point b = direction(kTwoPi * draws.unit());
  double share = flat_far / far, level = flat_far > 0.0 ? share / flat_far : 0.0;
  Point towards = flat_far > 0.0 ? Point(o.x * level, o.y * level) : Point(share, 0.0);
  return size * Point3(towards.x + r * b.y * a.x, towards.y + r * b.y * a.y, o.z / far + r * b.x);
}

/// The map of Henon.
Point wildHenon(const Input& in, Draws&) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double a = in.parameters[0], b = in.parameters[1], c = in.parameters[2];
  return w * Point(c - a * px * px + py, b * px);
}

/// The map of Lozi.
Point wildLozi(const Input& in, Draws&) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double a = in.parameters[0], b = in.parameters[1], c = in.parameters[2];
  return w * Point(c - a * std::abs(px) + py, b * px);
}

/// A small step along the flow of Lorenz.
Point3 wildLorenzJs(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y, pz = in.z;
  const double w = in.weight;
  const double a = in.parameters[0], b = in.parameters[1], c = in.parameters[2],
               h = in.parameters[3], centerx = in.parameters[4], centery = in.parameters[5],
               scale = in.parameters[6];
  Point3 q = w * Point3(px + h * a * (py - px), py + h * (px * (b - pz) - py),
                        pz + h * (px * py - c * pz));
  Point away = Point(q.x + centerx, q.y + centery);
  double shade = (away.x * away.x + away.y * away.y) / (scale == 0.0 ? 0.00001 : scale);
  draws.setColor(shade - std::floor(shade));
  return q;
}

/// A step of an orbit like wallpaper, or none.
Point wildWallpaperJs(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double a = in.parameters[0], b = in.parameters[1], c = in.parameters[2];
  if (draws.unit() >= 0.5) return Point(px, py);
  double sign = px >= 1.0 ? 1.0 : px <= -1.0 ? -1.0 : 0.0;
  return Point(py - sign * std::sqrt(std::abs(b * px - c)), a - px);
}

/// A step towards a corner of a polygon, or a bent turn.
Point wildSattractorJs(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double m = in.parameters[0];
  double count = std::max(nearestPower(m), 1.0);
  Point t =
      direction(kTwoPi * (std::min(std::floor(draws.unit() * count), count - 1.0) + 1.0) / count);
  if (draws.unit() < 0.5) return 0.5 * w * Point(0.5 * px + t.x, 0.5 * py + t.y);
  return 0.5 * w * Point(px * t.x + py * t.y + px * px * t.y, py * t.x - px * t.y + px * px * t.x);
}

/// Shrunken turns around the corners of a polygon.
Point wildWoggleJs(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double m = in.parameters[0];
  double count = std::max(nearestPower(m), 1.0), r = std::sqrt(1.25 * count);
  double which = std::min(std::floor(count * draws.unit()), count - 1.0);
  double ra = 1.0 / std::sqrt(3.0 * (px * px + py * py)), angle = kTwoPi * which / count;
  Point corner = direction(angle);
  double side = which - 2.0 * std::floor(0.5 * which) < 0.5 ? -1.0 : 1.0;
  return w * Point((side * px + ra * py) / r + corner.x, (side * py - ra * px) / r + corner.y);
}

/// A height by the angle, up or down by chance.
Point3 wildInflateZ4(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  double height = 0.5 * kPi - std::atan2(py, px);
  return Point3(0.0, 0.0, 0.25 * w * (draws.unit() < 0.5 ? -height : height));
}

/// A height by the angle and the distance from the diagonal.
Point3 wildInflateZ6(const Input& in, Draws&) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  double angle = std::atan2(py, px), lean = 0.5 * std::sin(angle) * angle * std::sin(py - px);
  return Point3(0.0, 0.0,
                w * (1.5 - (0.5 * kPi - std::atan2(lean, std::sqrt((1.0 - lean) * (1.0 + lean))))));
}

/// A wall of dust, with its top.
Point3 wildExtrude(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double root_face = in.parameters[0];
  bool top = draws.unit() < root_face;
  double height = draws.unit();
  return Point3(0.0, 0.0, top ? std::max(w, 0.0) : w * height);
}

/// A height by chance.
Point3 wildZblur(const Input& in, Draws& draws) {
  const double w = in.weight;
  return Point3(0.0, 0.0, w * draws.gauss());
}

/// A cone of rings.
Point3 wildCone(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double radius1 = in.parameters[0], radius2 = in.parameters[1], size1 = in.parameters[2],
               size2 = in.parameters[3], ywave = in.parameters[4], xwave = in.parameters[5],
               height = in.parameters[6], warp = in.parameters[7], weight = in.parameters[8];
  double r = w / std::sqrt(px * px * warp + py * py + size1) * size2;
  double angle = std::atan2(px, py) * radius1 + kPi * std::trunc(weight * draws.unit()) * radius2;
  return Point3(r * std::cos(angle * xwave), r * std::sin(angle * ywave), r * height);
}

/// Radius and angle, moved.
Point wildPTransform(const Input& in, Draws&) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double rotate = in.parameters[0], power = in.parameters[1], move = in.parameters[2],
               split = in.parameters[3], use_log = in.parameters[4];
  double r = std::sqrt(px * px + py * py);
  bool logs = nearestPower(use_log) != 0.0;
  double rho = (logs ? std::log(r) : r) / nearestPower(power) + move + (px >= 0.0 ? split : -split);
  return w * (logs ? std::exp(rho) : rho) * direction(std::atan2(py, px) + rotate);
}

/// Keeps a rectangle, the rest goes to its edges.
Point wildCrob(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double top = in.parameters[0], bottom = in.parameters[1], left = in.parameters[2],
               right = in.parameters[3], blur = in.parameters[4], ratioBlur = in.parameters[5],
               directBlur = in.parameters[6];
  double wide = std::abs(right - left), high = std::abs(bottom - top);
  double border = ratioBlur * 0.5 * std::min(wide, high);
  bool inside = px >= std::min(left, right) + border && px <= std::max(left, right) - border &&
                py >= std::min(top, bottom) + border && py <= std::max(top, bottom) - border;
  double which = draws.unit(), along = draws.unit(),
         deep = border * std::pow(draws.unit(), directBlur);
  if (inside) return Point(px, py);
  if (nearestPower(blur) == 0.0) return Point(0.0, 0.0);
  bool upright = which < high / (wide + high);
  double share =
      upright ? which * (wide + high) / high : 1.0 - (1.0 - which) * (wide + high) / wide;
  Point v = upright ? Point(0.5 * wide - deep, (along - 0.5) * (high - 2.0 * deep))
                    : Point((along - 0.5) * (wide - 2.0 * deep), 0.5 * high - deep);
  double side = share < 0.5 ? 1.0 : -1.0;
  return Point(0.5 * (left + right) + (upright ? side : 1.0) * v.x,
               0.5 * (top + bottom) + (upright ? 1.0 : side) * v.y);
}

/// The point as it is; its color runs across.
Point wildDcLinear(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double offset = in.parameters[0], angle = in.parameters[1], scale = in.parameters[2];
  Point t = direction(angle);
  double along = (t.x * w * px + t.y * w * py + offset) / (scale == 0.0 ? 0.00001 : scale);
  double shade = std::abs(0.5 * (along + 1.0));
  draws.setColor(shade - std::floor(shade));
  return w * Point(px, py);
}

/// Which of two ways the arcs of a tile take; in double precision, since all hangs on the last
/// digits.
bool truchetWay(double row, double column, double seed, bool extended) {
  double s = double(nearestPower(std::abs(seed)));
  if (s < 2.0) return s < 0.5;
  double a = double(row), b = double(column), number = a + b + a * b;
  if (extended) {
    number = std::min(std::abs(number), 1000.0);
    double value = s + number;
    for (int i = 0; i < 1000; ++i) {
      if (double(i) >= number) break;
      value = value * 32747.0 + 12345.0;
      value = value - 65535.0 * std::floor(value / 65535.0);
    }
    return value - 2.0 * std::floor(0.5 * value) != 1.0;
  }
  double k = std::sqrt(1.5 * s + 1e-30) / (0.5 * s + 1e-30) * 0.25;
  double value = ((a + b) * k + a * b * k * k + s) * k * 0.5 * 32747.0 + 12345.0;
  value = value - 65535.0 * std::trunc(value / 65535.0);
  return value - 2.0 * std::trunc(0.5 * value) < 1.0;
}

/// Arcs across the corners of squares, which way by chance.
Point wildTruchet(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double extended = in.parameters[0], exponent = in.parameters[1],
               arc_width = in.parameters[2], rotation = in.parameters[3], size = in.parameters[4],
               seed = in.parameters[5], direct_color = in.parameters[6];
  double most = 0.5 * (std::pow(2.0, 1.0 / exponent) - 1.0) * arc_width;
  double scale = (std::cos(rotation) + std::sin(rotation)) / w;
  double x = px * scale, y = py * scale;
  x = x - std::floor(x + 0.5), y = y - std::floor(y + 0.5);
  x = x < 0.0 ? x + 1.0 : x, y = y < 0.0 ? y + 1.0 : y;
  bool first = truchetWay(nearestPower(px), nearestPower(py), seed, nearestPower(extended) == 1.0);
  double across = first ? x : 1.0 - x;
  double r0 = std::pow(std::pow(across, exponent) + std::pow(y, exponent), 1.0 / exponent);
  double r1 =
      std::pow(std::pow(1.0 - across, exponent) + std::pow(1.0 - y, exponent), 1.0 / exponent);
  bool on0 = std::abs(r0 - 0.5) < most, on1 = std::abs(r1 - 0.5) < most;
  if (nearestPower(direct_color) == 1.0 && (on0 || on1)) draws.setColor(on1 ? 1.0 - r1 : r0);
  return (on0 ? 1.0 : 0.0) * size * Point(x + std::floor(px), y + std::floor(py)) +
         (on1 ? 1.0 : 0.0) * size * Point(x + std::floor(px), y + std::floor(py));
}

/// An angle within an edge's sector, moved into the stripes that are kept.
double nBlurStriped(double within, double sector, double stripes, double ratio) {
  double half_width = 0.25 * sector / std::abs(stripes), at = within / half_width;
  double count = std::floor(0.5 * at + 0.5), away = at - 2.0 * count;
  bool odd = count - 2.0 * std::floor(0.5 * count) > 0.5, kept = odd != (stripes > 0.0);
  double to = kept ? count : away > 0.0 ? count + 1.0 : count - 1.0;
  away = kept ? away : away > 0.0 ? away - 1.0 : away + 1.0;
  return (2.0 * to + away * (stripes > 0.0 ? ratio : 2.0 - ratio)) * half_width;
}

/// A polygon of dust, with a hole and with stripes.
Point wildNBlur(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double numEdges = in.parameters[0], numStripes = in.parameters[1],
               ratioStripes = in.parameters[2], ratioHole = in.parameters[3],
               circumCircle = in.parameters[4], adjustToLinear = in.parameters[5],
               equalBlur = in.parameters[6], exactCalc = in.parameters[7],
               highlightEdges = in.parameters[8];
  double edges = std::max(nearestPower(numEdges), 3.0), sector = kTwoPi / edges;
  bool round = nearestPower(circumCircle) == 1.0, exact = nearestPower(exactCalc) == 1.0 && !round;
  bool even = nearestPower(equalBlur) == 1.0;
  double steep = (numStripes < 0.0 ? 7.5 : 13.0) / std::pow(edges, 1.3) *
                 (round ? 0.1 : std::max(highlightEdges, 0.1));
  double u = draws.unit() - 0.5, which = std::min(std::floor(draws.unit() * edges), edges - 1.0);
  double bent = 0.5 - 0.5 * std::atan2(steep * u, 1.0) / std::atan2(0.5 * steep, 1.0);
  double within = (exact ? u + 0.5 : bent) * sector;
  if (std::abs(nearestPower(numStripes)) > 0.0)
    within = nBlurStriped(within, sector, nearestPower(numStripes), ratioStripes);
  double edge = std::cos(0.5 * sector) / std::cos(within - 0.5 * sector),
         hole = std::clamp(ratioHole, 0.0, 1.0) * edge;
  double far = draws.unit(), again = draws.unit();
  double most = round ? 1.0 : edge;
  double r = most * (even ? std::sqrt(far) : far);
  r = r < hole ? hole + (even ? std::sqrt(again) : again) * (most - hole) : r;
  double steps =
      std::floor(0.5 * edges) - (edges - 4.0 * std::floor(0.25 * edges) < 0.5 ? 1.0 : 0.0);
  double fit = nearestPower(adjustToLinear) == 1.0 ? std::sin(0.5 * sector * steps) : 1.0;
  Point t = direction(within + which * sector);
  Point turn = direction(0.5 * sector);
  return w * r / fit * Point(t.y * turn.x - t.x * turn.y, t.y * turn.y + t.x * turn.x);
}

/// Leaves the point alone; its color follows from how far its xform took it (JWildfire's color
/// type).
Point wildDistanceColor(const Input&, Draws&) { return Point(0.0, 0.0); }

// Rows, in the order of their numbers.

WildFamily wildPowerRows1() {
  return {
      {"linearT", wildLinearT, {{"powX", 1.2, -3, 3}, {"powY", 0.9, -3, 3}}},
      {"linearT3D",
       kMakesZ | kReadsZ,
       wildLinearT3D,
       {{"powX", 1.35, -3, 3}, {"powY", 0.85, -3, 3}, {"powZ", 1.15, -3, 3}}},
      {"waves4",
       wildWaves4,
       {{"scalex", 0.05, -1, 1},
        {"scaley", 0.05, -1, 1},
        {"freqx", 7, -20, 20},
        {"freqy", 13, -20, 20},
        {"cont", 0, 0, 1},
        {"yfact", 0.1, 0, 1}}},
      {"waves42",
       wildWaves42,
       {{"scalex", 0.05, -1, 1},
        {"scaley", 0.05, -1, 1},
        {"freqx", 7, -20, 20},
        {"freqy", 13, -20, 20},
        {"cont", 0, 0, 1},
        {"yfact", 0.1, 0, 1},
        {"freqx2", 1, -5, 5}}},
      {"exblur",
       kMakesZ | kReadsZ,
       wildExblur,
       {{"dist", 0.5, -2, 2},
        {"r", 0.25, -2, 2},
        {"x_origin", 0, -3, 3},
        {"y_origin", 0, -3, 3},
        {"z_origin", 0, -3, 3}}},
  };
}

WildFamily wildPowerRows2() {
  return {
      {"henon", wildHenon, {{"a", 0.5, -2, 2}, {"b", 1, -2, 2}, {"c", 1, -2, 2}}},
      {"lozi", wildLozi, {{"a", 0.5, -2, 2}, {"b", 1, -2, 2}, {"c", 1, -2, 2}}},
      {"lorenz_js",
       kMakesZ | kReadsZ,
       wildLorenzJs,
       {{"a", 10, 0, 30},
        {"b", 28, 0, 60},
        {"c", 1.66, 0, 5},
        {"h", 0.00001, 0, 0.01},
        {"centerx", 0, -5, 5},
        {"centery", 0, -5, 5},
        {"scale", 1000, 0.1, 2000}},
       false,
       true},
      {"wallpaper_js",
       wildWallpaperJs,
       {{"a", 1.156, -5, 5}, {"b", -0.28, -5, 5}, {"c", 21.288, -30, 30}}},
      {"sattractor_js", wildSattractorJs, {{"m", 10, 2, 18}}},
      {"woggle_js", wildWoggleJs, {{"m", 2, 2, 25}}},
  };
}

WildFamily wildPowerRows3() {
  return {
      {"inflateZ_4", kMakesZ, wildInflateZ4},
      {"inflateZ_6", kMakesZ, wildInflateZ6},
      {"extrude", kMakesZ, wildExtrude, {{"root_face", 0.5, 0, 1}}},
      {"zblur", kMakesZ, wildZblur},
      {"cone",
       kMakesZ,
       wildCone,
       {{"radius1", 0.5, -3, 3},
        {"radius2", 1, -3, 3},
        {"size1", 0.5, 0, 3},
        {"size2", 2, -3, 3},
        {"ywave", 1, -3, 3},
        {"xwave", 1, -3, 3},
        {"height", 1, -3, 3},
        {"warp", 1, 0, 3},
        {"weight", 2, 1, 10}}},
      {"pTransform",
       wildPTransform,
       {{"rotate", 0.3, -3.15, 3.15},
        {"power", 2, 1, 10},
        {"move", 0.4, -3, 3},
        {"split", 0, -3, 3},
        {"use_log", 1, 0, 1}}},
  };
}

WildFamily wildPowerRows4() {
  return {
      {"crob",
       wildCrob,
       {{"top", -1, -3, 0},
        {"bottom", 1, 0, 3},
        {"left", -1, -3, 0},
        {"right", 1, 0, 3},
        {"blur", 1, 0, 1},
        {"ratioBlur", 0.05, 0, 0.5},
        {"directBlur", 2, 0.1, 5}}},
      {"dc_linear",
       wildDcLinear,
       {{"offset", 0, -2, 2}, {"angle", 0.3, -3.15, 3.15}, {"scale", 0.8, 0.1, 3}},
       false,
       true},
      {"truchet",
       wildTruchet,
       {{"extended", 0, 0, 1},
        {"exponent", 2, 0.1, 5},
        {"arc_width", 0.5, 0.01, 1},
        {"rotation", 0, -3.15, 3.15},
        {"size", 1, 0, 3},
        {"seed", 50, 0, 100},
        {"direct_color", 0, 0, 1}},
       false,
       true},
      {"nBlur",
       wildNBlur,
       {{"numEdges", 3, 3, 12},
        {"numStripes", 0, -15, 15},
        {"ratioStripes", 1, 0, 2},
        {"ratioHole", 0, 0, 1},
        {"circumCircle", 0, 0, 1},
        {"adjustToLinear", 1, 0, 1},
        {"equalBlur", 1, 0, 1},
        {"exactCalc", 0, 0, 1},
        {"highlightEdges", 1, 0.1, 3}}},
  };
}

WildFamily wildPowerRows5() {
  return {
      {"distance_color", wildDistanceColor, {{"color", 0, 0, 1}, {"factor", 1, -2, 2}}},
  };
}

}  // namespace

WildFamily wildPowerVariations() {
  return joined(
      {wildPowerRows1(), wildPowerRows2(), wildPowerRows3(), wildPowerRows4(), wildPowerRows5()});
}

}  // namespace fathom::flame
