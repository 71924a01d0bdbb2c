// SPDX-License-Identifier: BSD-3-Clause
// Variations of other programs: one of the symmetries of a band or of the plane, by chance.
#include "app/engine/flame/genome/variations/family.h"

#include <algorithm>
#include <cmath>

namespace fathom::flame {
namespace {

/// Which of `count`, evenly.
double isometryDrawn(Draws& draws, double count) {
  return std::min(std::floor(draws.unit() * count), count - 1.0);
}

/// v turned by `turns` of `count`, mirrored across the x axis before if asked to.
Point isometryTurned(Point v, double turns, double count, bool mirrored) {
  Point t = direction(kTwoPi * turns / count);
  double b = mirrored ? -v.y : v.y;
  return Point(v.x * t.x - b * t.y, v.x * t.y + b * t.x);
}

/// Where a point goes of a group with turns (and mirrors) around two places, step apart.
Point isometryPair(Draws& draws, Point from, double count, bool mirrors, double first, double stepx,
                   double stepy) {
  double drawn = isometryDrawn(draws, mirrors ? 4.0 * count : 2.0 * count);
  double side = drawn < (mirrors ? 2.0 * count : count) ? -0.5 : 0.5;
  bool mirrored = mirrors && drawn - 2.0 * std::floor(0.5 * drawn) > 0.5;
  double turns = mirrors ? std::floor(0.5 * drawn) : drawn;
  return isometryTurned(from, turns + first, count, mirrored) + side * Point(stepx, stepy);
}

/// Symmetry of a band: a shift.
Point wildSymBg1(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double stepx = in.parameters[0], stepy = in.parameters[1];
  double side = isometryDrawn(draws, 2.0) < 0.5 ? -0.5 : 0.5;
  return w * (Point(px + (side < 0.0 ? -1.0 : 0.0), py) + side * Point(stepx, stepy));
}

/// Symmetry of a band: a shift and a mirror.
Point wildSymBg2(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double stepx = in.parameters[0], stepy = in.parameters[1];
  bool first = isometryDrawn(draws, 2.0) < 0.5;
  return w * (first ? Point(px - 1.0 - 0.5 * stepx, py - 0.5 * stepy)
                    : Point(px + 0.5 * stepx, 1.0 + 0.5 * stepy - py));
}

/// Symmetry of a band: half a turn.
Point wildSymBg3(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double stepx = in.parameters[0], stepy = in.parameters[1];
  double side = isometryDrawn(draws, 2.0) < 0.5 ? 1.0 : -1.0;
  return w * side * Point(px - 1.0 - 0.5 * stepx, py - 0.5 - 0.5 * stepy);
}

/// Symmetry of a band: a mirror across it.
Point wildSymBg4(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double stepx = in.parameters[0], stepy = in.parameters[1];
  double side = isometryDrawn(draws, 2.0) < 0.5 ? 1.0 : -1.0;
  return w * Point(side * (px - 1.0 - 0.5 * stepx), py - side * (0.5 + 0.5 * stepy));
}

/// Symmetry of a band: a mirror along it.
Point wildSymBg5(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double stepx = in.parameters[0], stepy = in.parameters[1];
  double side = isometryDrawn(draws, 2.0) < 0.5 ? 1.0 : -1.0;
  return w * Point(px - 1.0 - side * 0.5 * stepx, side * (py - 0.5 - 0.5 * stepy));
}

/// Symmetry of a band: mirrors across and along it.
Point wildSymBg6(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double stepx = in.parameters[0], stepy = in.parameters[1];
  double drawn = isometryDrawn(draws, 4.0);
  double u = drawn == 1.0 || drawn == 3.0 ? -1.0 : 1.0, v = drawn < 1.5 ? 1.0 : -1.0;
  return w * Point(u * (px - 1.0 - 0.5 * stepx), v * (py - 0.5) - u * 0.5 * stepy);
}

/// Symmetry of a band: mirrors and half turns.
Point wildSymBg7(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double stepx = in.parameters[0], stepy = in.parameters[1];
  double drawn = isometryDrawn(draws, 4.0);
  double u = drawn == 1.0 || drawn == 3.0 ? -1.0 : 1.0, v = drawn < 1.5 ? 1.0 : -1.0;
  double shift = v * u * 0.5;
  return w *
         Point(u * px - (v > 0.0 ? 2.0 * u : 0.0) - shift * stepx, v * (py - 0.5) - shift * stepy);
}

/// Symmetry of the plane: a shift.
Point wildSymNg1(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double stepx = in.parameters[0], stepy = in.parameters[1];
  double side = isometryDrawn(draws, 2.0) < 0.5 ? -0.5 : 0.5;
  return w * (Point(px, py) + side * Point(stepx, stepy));
}

/// Symmetry of the plane: a mirror and a shift.
Point wildSymNg2(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double stepx = in.parameters[0], stepy = in.parameters[1];
  double side = isometryDrawn(draws, 2.0) < 0.5 ? -0.5 : 0.5;
  return w * (Point(px, side < 0.0 ? py : -py) + side * Point(stepx, stepy));
}

/// Symmetry of the plane: half a turn.
Point wildSymNg3(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double sepx = in.parameters[0], sepy = in.parameters[1], step = in.parameters[2];
  double side = isometryDrawn(draws, 2.0) < 0.5 ? 1.0 : -1.0;
  return w * side * Point(px - sepx - 0.5 * step, py - sepy - 0.5 * step);
}

/// Symmetry of the plane: mirrors and half turns, four places.
Point wildSymNg4(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double sepx = in.parameters[0], sepy = in.parameters[1], stepx = in.parameters[2],
               stepy = in.parameters[3];
  double drawn = isometryDrawn(draws, 4.0);
  double u = drawn == 1.0 || drawn == 3.0 ? -1.0 : 1.0;
  double v = drawn == 1.0 || drawn == 2.0 ? -1.0 : 1.0;
  double side = drawn < 1.5 ? -0.5 : 0.5;
  double atx = drawn == 0.0 ? -2.0 : drawn == 3.0 ? 2.0 : 0.0;
  double aty = drawn == 0.0 ? -1.5 : drawn == 2.0 ? 0.5 : -0.5;
  return w * Point(u * (px - 0.5 * sepx) + atx + side * stepx,
                   v * (py + 0.5 * sepy) + aty + side * stepy);
}

/// Symmetry of the plane: mirrors and half turns, three places.
Point wildSymNg5(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double sepx = in.parameters[0], sepy = in.parameters[1], stepx = in.parameters[2];
  double drawn = isometryDrawn(draws, 4.0);
  double u = drawn == 1.0 || drawn == 3.0 ? -1.0 : 1.0;
  double v = drawn == 1.0 || drawn == 2.0 ? -1.0 : 1.0;
  double atx = drawn == 0.0 ? -2.0 : drawn == 3.0 ? 2.0 : 0.0;
  return w *
         Point(u * (px - sepx) + atx + (drawn < 1.5 ? -0.5 : 0.5) * stepx, v * (py + sepy) - 0.5);
}

/// Symmetry of the plane: a mirror along rows.
Point wildSymNg6(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double sepy = in.parameters[0], stepx = in.parameters[1], stepy = in.parameters[2];
  double drawn = isometryDrawn(draws, 4.0);
  double v = drawn == 1.0 || drawn == 3.0 ? -1.0 : 1.0, side = drawn < 1.5 ? -0.5 : 0.5;
  return w * (Point(px, v * (py + 0.5 * sepy)) + side * Point(stepx, stepy));
}

/// Symmetry of the plane: a glide.
Point wildSymNg7(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double sepx = in.parameters[0], sepy = in.parameters[1];
  double v = isometryDrawn(draws, 2.0) < 0.5 ? 1.0 : -1.0;
  return w * Point(px - v * 0.5 * sepx, v * (py + 0.5 * sepy));
}

/// Symmetry of the plane: mirrors in two directions, two places.
Point wildSymNg8(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double sepx = in.parameters[0], sepy = in.parameters[1], skewx = in.parameters[2],
               skewy = in.parameters[3];
  double drawn = isometryDrawn(draws, 8.0);
  double side = drawn < 3.5 ? -0.5 : 0.5, which = drawn < 3.5 ? drawn : drawn - 4.0;
  double u = which == 1.0 || which == 2.0 ? -1.0 : 1.0;
  double v = which == 0.0 || which == 2.0 ? -1.0 : 1.0;
  return w *
         (Point(u * (px - 1.0 - 0.5 * sepx), v * (py + 0.5 * sepy)) + side * Point(skewx, skewy));
}

/// Symmetry of the plane: mirrors in two directions.
Point wildSymNg9(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double sepx = in.parameters[0], sepy = in.parameters[1];
  double drawn = isometryDrawn(draws, 4.0);
  double u = drawn == 1.0 || drawn == 2.0 ? -1.0 : 1.0;
  double v = drawn == 0.0 || drawn == 2.0 ? -1.0 : 1.0;
  return w * Point(u * (px + 0.5 * sepx), v * (py + 0.5 * sepy));
}

/// Symmetry of the plane: quarter turns.
Point wildSymNg10(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double space = in.parameters[0], spacex = in.parameters[1], spacey = in.parameters[2];
  double drawn = isometryDrawn(draws, 4.0), side = drawn < 1.5 ? -0.5 : 0.5;
  double turns = drawn == 0.0 ? 2.0 : drawn == 1.0 ? 3.0 : drawn == 2.0 ? 1.0 : 0.0;
  return w * (isometryTurned(Point(px + space, py + space), turns, 4.0, false) +
              side * Point(spacex, spacey));
}

/// Symmetry of the plane: quarter turns and mirrors, two places.
Point wildSymNg11(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double space = in.parameters[0], spacex = in.parameters[1], spacey = in.parameters[2],
               stepx = in.parameters[3], stepy = in.parameters[4];
  double drawn = isometryDrawn(draws, 8.0), turns = std::floor(0.5 * drawn);
  bool mirrored = drawn - 2.0 * turns > 0.5;
  Point v = isometryTurned(Point(px + space, py + space), turns, 4.0, mirrored);
  double side = mirrored ? -0.5 : 0.5;
  double u = turns == 0.0 || (mirrored ? turns == 1.0 : turns == 3.0) ? 1.0 : -1.0;
  double t = mirrored ? (turns == 1.0 || turns == 2.0 ? 1.0 : -1.0)
                      : (turns == 0.0 || turns == 1.0 ? 1.0 : -1.0);
  return w * (v + Point(u * spacex + side * stepx, t * spacey + side * stepy));
}

/// Symmetry of the plane: quarter turns and mirrors.
Point wildSymNg12(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double space = in.parameters[0], spacex = in.parameters[1], spacey = in.parameters[2];
  double drawn = isometryDrawn(draws, 8.0), turns = std::floor(0.5 * drawn);
  bool mirrored = drawn - 2.0 * turns > 0.5;
  Point v = isometryTurned(Point(px + space, py + space), turns, 4.0, mirrored);
  double u = turns == 0.0 || (mirrored ? turns == 1.0 : turns == 3.0) ? 1.0 : -1.0;
  double t = mirrored ? (turns == 1.0 || turns == 2.0 ? 1.0 : -1.0)
                      : (turns == 0.0 || turns == 1.0 ? 1.0 : -1.0);
  return w * (v + Point(u * spacex, t * spacey));
}

/// Symmetry of the plane: thirds, mirrored, two places.
Point wildSymNg13(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double radius = in.parameters[0], stepx = in.parameters[1], stepy = in.parameters[2];
  double drawn = isometryDrawn(draws, 6.0), side = drawn < 2.5 ? -0.5 : 0.5,
         away = std::abs(radius) * 0.70710678;
  return w * (isometryTurned(Point(px + away, py + away), drawn, 3.0, true) +
              side * Point(stepx, stepy));
}

/// Symmetry of the plane: thirds and their mirrors, two places.
Point wildSymNg14(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double radius = in.parameters[0], stepx = in.parameters[1], stepy = in.parameters[2];
  double away = std::abs(radius) * 0.70710678;
  return w * isometryPair(draws, Point(px + away, py + away), 3.0, true, 0.0, stepx, stepy);
}

/// Symmetry of the plane: thirds and their mirrors, a quarter turned, two places.
Point wildSymNg15(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double radius = in.parameters[0], stepx = in.parameters[1], stepy = in.parameters[2];
  double away = std::abs(radius) * 0.70710678;
  return w * isometryPair(draws, Point(px + away, py + away), 3.0, true, 2.25, stepx, stepy);
}

/// Symmetry of the plane: sixths, two places.
Point wildSymNg16(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double radius = in.parameters[0], stepx = in.parameters[1], stepy = in.parameters[2];
  double away = std::abs(radius) * 0.70710678;
  return w * isometryPair(draws, Point(px + away, py + away), 6.0, false, 0.0, stepx, stepy);
}

/// Symmetry of the plane: sixths and their mirrors, two places.
Point wildSymNg17(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double radius = in.parameters[0], stepx = in.parameters[1], stepy = in.parameters[2];
  double away = std::abs(radius) * 0.70710678;
  return w * isometryPair(draws, Point(px + away, py + away), 6.0, true, 0.0, stepx, stepy);
}

// Rows, in the order of their numbers.

WildFamily wildSymmetryRows1() {
  return {
      {"sym_bg1", wildSymBg1, {{"stepx", 0, -3, 3}, {"stepy", 0, -3, 3}}},
      {"sym_bg2", wildSymBg2, {{"stepx", 0, -3, 3}, {"stepy", 0, -3, 3}}},
      {"sym_bg3", wildSymBg3, {{"stepx", 0, -3, 3}, {"stepy", 0, -3, 3}}},
      {"sym_bg4", wildSymBg4, {{"stepx", 0, -3, 3}, {"stepy", 0, -3, 3}}},
      {"sym_bg5", wildSymBg5, {{"stepx", 0, -3, 3}, {"stepy", 0, -3, 3}}},
      {"sym_bg6", wildSymBg6, {{"stepx", 0, -3, 3}, {"stepy", 0, -3, 3}}},
      {"sym_bg7", wildSymBg7, {{"stepx", 0, -3, 3}, {"stepy", 0, -3, 3}}},
  };
}

WildFamily wildSymmetryRows2() {
  return {
      {"sym_ng1", wildSymNg1, {{"stepx", 0.5, -3, 3}, {"stepy", 0.5, -3, 3}}},
      {"sym_ng2", wildSymNg2, {{"stepx", 2, -3, 3}, {"stepy", 2, -3, 3}}},
      {"sym_ng3", wildSymNg3, {{"sepx", 0.5, -3, 3}, {"sepy", 0, -3, 3}, {"step", 2, -3, 3}}},
      {"sym_ng4",
       wildSymNg4,
       {{"sepx", 0, -3, 3}, {"sepy", 0, -3, 3}, {"stepx", 0, -3, 3}, {"stepy", 0, -3, 3}}},
      {"sym_ng5", wildSymNg5, {{"sepx", 0, -3, 3}, {"sepy", 0, -3, 3}, {"stepx", 0, -3, 3}}},
      {"sym_ng6", wildSymNg6, {{"sepy", 0.1, -3, 3}, {"stepx", 1, -3, 3}, {"stepy", 1, -3, 3}}},
  };
}

WildFamily wildSymmetryRows3() {
  return {
      {"sym_ng7", wildSymNg7, {{"sepx", 0, -3, 3}, {"sepy", 0, -3, 3}}},
      {"sym_ng8",
       wildSymNg8,
       {{"sepx", 0, -3, 3}, {"sepy", 0, -3, 3}, {"skewx", 0, -3, 3}, {"skewy", 0, -3, 3}}},
      {"sym_ng9", wildSymNg9, {{"sepx", 0, -3, 3}, {"sepy", 0, -3, 3}}},
      {"sym_ng10", wildSymNg10, {{"space", 0, -3, 3}, {"spacex", 0, -3, 3}, {"spacey", 0, -3, 3}}},
      {"sym_ng11",
       wildSymNg11,
       {{"space", 0, -3, 3},
        {"spacex", 0, -3, 3},
        {"spacey", 0, -3, 3},
        {"stepx", 1.5, -3, 3},
        {"stepy", 1.5, -3, 3}}},
      {"sym_ng12", wildSymNg12, {{"space", 0, -3, 3}, {"spacex", 0, -3, 3}, {"spacey", 0, -3, 3}}},
  };
}

WildFamily wildSymmetryRows4() {
  return {
      {"sym_ng13", wildSymNg13, {{"radius", 0, -3, 3}, {"stepx", 0, -3, 3}, {"stepy", 0, -3, 3}}},
      {"sym_ng14", wildSymNg14, {{"radius", 0, -3, 3}, {"stepx", 0, -3, 3}, {"stepy", 0, -3, 3}}},
      {"sym_ng15", wildSymNg15, {{"radius", 0, -3, 3}, {"stepx", 0, -3, 3}, {"stepy", 0, -3, 3}}},
      {"sym_ng16", wildSymNg16, {{"radius", 0, -3, 3}, {"stepx", 0, -3, 3}, {"stepy", 0, -3, 3}}},
      {"sym_ng17", wildSymNg17, {{"radius", 0, -3, 3}, {"stepx", 0, -3, 3}, {"stepy", 0, -3, 3}}},
  };
}

}  // namespace

WildFamily wildSymmetryVariations() {
  return joined(
      {wildSymmetryRows1(), wildSymmetryRows2(), wildSymmetryRows3(), wildSymmetryRows4()});
}

}  // namespace fathom::flame
