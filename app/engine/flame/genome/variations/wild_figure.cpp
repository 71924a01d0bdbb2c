// SPDX-License-Identifier: BSD-3-Clause
// Variations of other programs: figures drawn piece by piece, one by chance.
#include "app/engine/flame/genome/variations/family.h"

#include <algorithm>
#include <cmath>

namespace fathom::flame {
namespace {

/// Half away from minus infinity, as in shaders.
double nearestFigure(double v) { return std::floor(v + 0.5); }

/// A whole number below `count`.
double pieceOf(Draws& draws, double count) {
  return std::min(std::floor(draws.unit() * count), count - 1.0);
}

/// On the line from a to b, within a small square.
Point lineDrawn(Draws& draws, Point a, Point b, double thickness) {
  double along = draws.unit(), u = draws.unit(), v = draws.unit();
  return a + along * (b - a) + 0.01 * thickness * Point(u - 0.5, v - 0.5);
}

/// Within a small disc around a.
Point dotDrawn(Draws& draws, Point a, double thickness) {
  double r = 0.01 * thickness * draws.unit();
  return a + r * direction(kTwoPi * draws.unit());
}

/// A line or the dot at its beginning, by chance.
Point pieceDrawn(Draws& draws, Point a, Point b, double lines, double line_thickness, double dots,
                 double dot_thickness) {
  bool isLine = draws.unit() * (lines + dots) <= lines;
  Point line = lineDrawn(draws, a, b, line_thickness);
  Point spot = dotDrawn(draws, a, dot_thickness);
  return isLine ? line : spot;
}

/// The level of a piece of a tree with `branches` below each and `levels` levels.
double pieceLevel(Draws& draws, double branches, double levels) {
  double total = 0.0, at = 1.0;
  for (int i = 0; i < 12; ++i) {
    total += double(i) < levels ? at : 0.0;
    at *= branches;
  }
  double left = pieceOf(draws, total), level = 0.0;
  at = 1.0;
  for (int i = 0; i < 12; ++i) {
    level = left >= at && double(i) < levels - 1.0 ? double(i) + 1.0 : level;
    left -= left >= at ? at : 1e30;
    at *= branches;
  }
  return level;
}

/// The curve of Koch.
Point wildKochJs(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double level = in.parameters[0], show_lines = in.parameters[1],
               line_thickness = in.parameters[2], show_points = in.parameters[3],
               point_thickness = in.parameters[4];
  double levels = std::clamp(nearestFigure(level), 1.0, 7.0), size = 0.5 * std::pow(3.0, levels),
         angle = 0.0;
  Point at = Point(0.0, 0.0);
  for (int i = 0; i < 7; ++i) {
    if (double(i) >= levels) break;
    double piece = pieceOf(draws, 4.0);
    size = size / 3.0;
    double before = piece == 3.0 ? 2.0 : piece == 0.0 ? 0.0 : 1.0;
    at += before * size * direction(angle);
    if (piece == 2.0) at += size * direction(angle + kPi / 3.0);
    angle += piece == 1.0 ? kPi / 3.0 : piece == 2.0 ? -kPi / 3.0 : 0.0;
  }
  return w * pieceDrawn(draws, at, at + 0.5 * direction(angle), nearestFigure(show_lines),
                        line_thickness, nearestFigure(show_points), point_thickness);
}

/// The dragon curve.
Point wildDragonJs(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double level = in.parameters[0], line_thickness = in.parameters[1];
  double levels = std::clamp(nearestFigure(level), 1.0, 21.0), quarters = 0.0;
  Point dragon = Point(1.0, 1.0), back = Point(1.0, -1.0), at = Point(0.0, 0.0);
  for (int i = 1; i < 21; ++i) {
    if (double(i) >= levels) break;
    Point longer = dragon - back;
    back = dragon + back;
    dragon = longer;
  }
  bool forth = true;
  for (int i = 0; i < 21; ++i) {
    double below = levels - 1.0 - double(i);
    if (below < 0.0) break;
    Point half_dragon = below < 0.5 ? Point(1.0, 0.0) : 0.5 * (dragon + back);
    Point half_back = below < 0.5 ? Point(1.0, 0.0) : 0.5 * (back - dragon);
    if (pieceOf(draws, 2.0) > 0.5) {
      Point t = direction(0.5 * kPi * quarters);
      at += Point(half_dragon.x * t.x - half_dragon.y * t.y,
                  half_dragon.x * t.y + half_dragon.y * t.x);
      quarters += (below < 0.5 ? 0.0 : 1.0) + (forth ? 1.0 : -1.0);
      forth = false;
    } else {
      forth = true;
    }
    dragon = half_dragon;
    back = half_back;
  }
  return w * lineDrawn(draws, at, at + direction(0.5 * kPi * quarters), line_thickness);
}

/// The border of Gosper's island.
Point wildGosperislandJs(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double level = in.parameters[0], line_thickness = in.parameters[1];
  double levels = std::clamp(nearestFigure(level), 1.0, 10.0), size = std::pow(7.0, 0.5 * levels);
  double side = pieceOf(draws, 6.0), angle = kPi / 3.0 * side;
  Point at = Point(9.0 / 32.0, 0.125);
  for (int i = 0; i < 6; ++i)
    at += double(i) < side ? size * direction(kPi / 3.0 * double(i)) : Point(0.0, 0.0);
  for (int i = 0; i < 10; ++i) {
    if (double(i) >= levels) break;
    double piece = pieceOf(draws, 3.0);
    size = size * 0.377964473;
    angle -= 0.333473172;
    if (piece > 0.5) at += size * direction(angle);
    if (piece > 1.5) at += size * direction(angle + kPi / 3.0);
    angle += piece == 1.0 ? kPi / 3.0 : 0.0;
  }
  return w * lineDrawn(draws, at, at + direction(angle), line_thickness);
}

/// Where the curve is after `count` steps within a square of 2^levels.
Point hilbertPlace(double count, double levels) {
  Point at = Point(0.0, 0.0);
  double left = count, size = 1.0;
  for (int i = 0; i < 10; ++i) {
    if (double(i) >= levels) break;
    double quarter = left - 4.0 * std::floor(0.25 * left);
    left = std::floor(0.25 * left);
    if (quarter == 0.0)
      at = Point(at.y, at.x);
    else if (quarter == 3.0)
      at = Point(2.0 * size - 1.0 - at.y, size - 1.0 - at.x);
    else
      at += Point(quarter == 2.0 ? size : 0.0, size);
    size *= 2.0;
  }
  return at;
}

/// The curve of Hilbert.
Point wildHilbertJs(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double level = in.parameters[0], show_lines = in.parameters[1],
               line_thickness = in.parameters[2], show_points = in.parameters[3],
               point_thickness = in.parameters[4];
  double levels = std::clamp(nearestFigure(level), 1.0, 10.0),
         step = pieceOf(draws, std::pow(4.0, levels) - 1.0);
  Point from = hilbertPlace(step, levels), to = hilbertPlace(step + 1.0, levels);
  return w * pieceDrawn(draws, from, to, nearestFigure(show_lines), line_thickness,
                        nearestFigure(show_points), point_thickness);
}

/// A tree of ever smaller letters H.
Point wildHtreeJs(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double level = in.parameters[0], size = in.parameters[1], show_lines = in.parameters[2],
               line_thickness = in.parameters[3], show_points = in.parameters[4],
               point_thickness = in.parameters[5];
  double level_drawn = pieceLevel(draws, 4.0, std::clamp(nearestFigure(level), 1.0, 10.0)),
         half_size = 0.5 * size;
  Point at = Point(0.0, 0.0);
  for (int i = 0; i < 10; ++i) {
    if (double(i) >= level_drawn) break;
    double corner = pieceOf(draws, 4.0);
    at += half_size * Point(corner < 1.5 ? -1.0 : 1.0, corner == 0.0 || corner == 2.0 ? -1.0 : 1.0);
    half_size *= 0.5;
  }
  double bar = pieceOf(draws, 3.0), side = bar == 0.0 ? -1.0 : 1.0;
  Point from = bar > 1.5 ? Point(-half_size, 0.0) : Point(side * half_size, -half_size);
  Point to = bar > 1.5 ? Point(half_size, 0.0) : Point(side * half_size, half_size);
  return w * pieceDrawn(draws, at + from, at + to, show_lines, line_thickness, show_points,
                        point_thickness);
}

/// Squares on the corners of squares.
Point wildRsquaresJs(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double level = in.parameters[0], show_lines = in.parameters[1],
               line_thickness = in.parameters[2], show_points = in.parameters[3],
               point_thickness = in.parameters[4];
  double level_drawn = pieceLevel(draws, 4.0, std::clamp(nearestFigure(level), 1.0, 9.0)),
         half_size = 0.5;
  Point at = Point(0.5, 0.5);
  for (int i = 0; i < 9; ++i) {
    if (double(i) >= level_drawn) break;
    double corner = pieceOf(draws, 4.0);
    at += half_size * Point(corner < 1.5 ? -1.0 : 1.0, corner == 0.0 || corner == 2.0 ? -1.0 : 1.0);
    half_size /= 2.2;
  }
  double edge = pieceOf(draws, 4.0);
  Point from = half_size * Point(edge < 1.5 ? -1.0 : 1.0, edge == 0.0 || edge == 3.0 ? -1.0 : 1.0);
  Point to = Point(from.y, -from.x);
  return w * pieceDrawn(draws, at + from, at + to, nearestFigure(show_lines), line_thickness,
                        nearestFigure(show_points), point_thickness);
}

/// A tree with three branches at each end.
Point wildTreeJs(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double level = in.parameters[0], show_lines = in.parameters[1],
               line_thickness = in.parameters[2], show_points = in.parameters[3],
               point_thickness = in.parameters[4], bend_angle = in.parameters[5],
               branch_angle = in.parameters[6], branch_ratio = in.parameters[7];
  double level_drawn = pieceLevel(draws, 3.0, std::clamp(nearestFigure(level), 1.0, 10.0) + 1.0);
  double angle = 0.5 * kPi, size = 2.0;
  Point at = Point(0.0, 0.0);
  for (int i = 0; i < 11; ++i) {
    if (double(i) >= level_drawn) break;
    double branch = pieceOf(draws, 3.0);
    at += size * direction(angle);
    angle += kPi / 180.0 *
             (bend_angle + (branch == 0.0   ? -1.0
                            : branch == 1.0 ? 1.0
                                            : 0.0) *
                               branch_angle);
    size *= branch == 2.0 ? 1.0 - branch_ratio : branch_ratio;
  }
  return 2.0 * w *
         pieceDrawn(draws, at, at + size * direction(angle), nearestFigure(show_lines),
                    line_thickness, nearestFigure(show_points), point_thickness);
}

/// In a polygon around the origin with a corner above it; `hole` is the share left out of it.
Point seedDrawn(Draws& draws, double sides, double hole) {
  double sector = kTwoPi / sides, steep = 13.0 / std::pow(sides, 1.3);
  double bent =
      0.5 - 0.5 * std::atan2(steep * (draws.unit() - 0.5), 1.0) / std::atan2(0.5 * steep, 1.0);
  double within = bent * sector, which = pieceOf(draws, sides);
  double edge = std::cos(0.5 * sector) / std::cos(within - 0.5 * sector);
  double r = edge * (hole + (1.0 - hole) * std::sqrt(draws.unit()));
  Point t = direction(within + which * sector - 0.5 * sector);
  return r * Point(t.y, t.x);
}

/// Polygons where a sunflower has its seeds.
Point wildSunflower(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double nPoints = in.parameters[0], shape = in.parameters[1], scale = in.parameters[2],
               angle = in.parameters[3], filling = in.parameters[5], invert = in.parameters[6];
  double count = std::max(nearestFigure(nPoints), 1.0), i = pieceOf(draws, count) + 1.0;
  double turns = double(i) * double(angle) * 0.7639320225002103 / 360.0;
  double r = std::sqrt(i / (count + 1.0));
  Point at = r * direction(kTwoPi * double(turns - std::floor(turns)));
  double size = nearestFigure(invert) == 1.0 ? r : 1.0 - r;
  draws.setColor(size);
  return w * (at + scale * size * seedDrawn(draws, std::max(nearestFigure(shape), 3.0), filling));
}

/// Discs of a table of whole numbers, colored by one of two formulas.
Point wildSzubieta(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double width = in.parameters[0], height = in.parameters[1], type = in.parameters[2],
               scale = in.parameters[3];
  double columns = std::max(nearestFigure(width), 1.0), rows = std::max(nearestFigure(height), 1.0);
  int i = int(pieceOf(draws, columns)), j = int(pieceOf(draws, rows));
  int circles = i * i - 2 * (i | j) + j * j, tiles = i & (2 * j - 2 * (i ^ j)) & i;
  int value = nearestFigure(type) == 0.0 ? (circles < 0 ? -circles : circles) % 255 : tiles % 256;
  draws.setColor(double(value) / 255.0);
  double r = scale * std::sqrt(draws.unit());
  Point t = direction(kTwoPi * draws.unit());
  return w * Point(double(i) - 0.5 * columns + r * t.x, double(j) - 0.5 * rows + r * t.y);
}

/// A board of two heights and colors, with sides.
Point3 wildCheckerboardWf(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double position = in.parameters[0], size = in.parameters[1], axis = in.parameters[2],
               displ_amount = in.parameters[3], checker_color1 = in.parameters[4],
               checker_color2 = in.parameters[5], side_color = in.parameters[6],
               checker_size = in.parameters[7], with_sides = in.parameters[8];
  double pick = draws.unit(), across = draws.unit(), u = draws.unit(), v = draws.unit(),
         high = draws.unit(), line = draws.unit();
  double share = 4.0 * displ_amount / (1.0 + 4.0 * displ_amount);
  double lines = nearestFigure(1.0 / checker_size);
  lines -= lines * checker_size >= 1.0 ? 1.0 : 0.0;
  bool side = nearestFigure(with_sides) != 0.0 && std::abs(displ_amount) >= 1e-8 && lines > 0.0 &&
              pick < share;
  double at = std::min(std::floor(line * (lines + 1.0)), lines) * checker_size;
  if (side && across < 0.5) u = at;
  if (side && across >= 0.5) v = at;
  double number = std::floor(u / checker_size) + std::floor(v / checker_size);
  bool light = number - 2.0 * std::floor(0.5 * number) < 0.5;
  draws.setColor(side ? side_color : light ? checker_color1 : checker_color2);
  double z = (side ? displ_amount * high : light ? displ_amount : 0.0) * size + position;
  double x = (u - 0.5) * size, y = (v - 0.5) * size;
  double kind = nearestFigure(axis);
  return w * (kind == 0.0 ? Point3(x, y, z) : kind == 1.0 ? Point3(z, x, y) : Point3(y, z, x));
}

// Rows, in the order of their numbers.

WildFamily wildFigureRows1() {
  return {
      {"koch_js",
       wildKochJs,
       {{"level", 2, 1, 7},
        {"show_lines", 1, 0, 1},
        {"line_thickness", 0.5, 0, 20},
        {"show_points", 0, 0, 1},
        {"point_thickness", 3, 0, 20}}},
      {"dragon_js", wildDragonJs, {{"level", 8, 1, 15}, {"line_thickness", 0.5, 0, 20}}},
      {"gosperisland_js",
       wildGosperislandJs,
       {{"level", 3, 1, 10}, {"line_thickness", 0.5, 0, 20}}},
      {"hilbert_js",
       wildHilbertJs,
       {{"level", 3, 1, 10},
        {"show_lines", 1, 0, 1},
        {"line_thickness", 0.5, 0, 20},
        {"show_points", 0, 0, 1},
        {"point_thickness", 3, 0, 20}}},
      {"htree_js",
       wildHtreeJs,
       {{"level", 2, 1, 10},
        {"size", 2, 0.1, 5},
        {"show_lines", 1, 0, 1},
        {"line_thickness", 0.5, 0, 20},
        {"show_points", 0, 0, 1},
        {"point_thickness", 3, 0, 20}}},
  };
}

WildFamily wildFigureRows2() {
  return {
      {"rsquares_js",
       wildRsquaresJs,
       {{"level", 2, 1, 9},
        {"show_lines", 1, 0, 1},
        {"line_thickness", 0.5, 0, 20},
        {"show_points", 0, 0, 1},
        {"point_thickness", 3, 0, 20}}},
      {"tree_js",
       wildTreeJs,
       {{"level", 2, 1, 10},
        {"show_lines", 1, 0, 1},
        {"line_thickness", 0.5, 0, 20},
        {"show_points", 0, 0, 1},
        {"point_thickness", 3, 0, 20},
        {"bend_angle", 15, -90, 90},
        {"branch_angle", 37, -90, 90},
        {"branch_ratio", 0.65, 0, 1}}},
      {"sunflower",
       wildSunflower,
       {{"nPoints", 500, 1, 2000},
        {"shape", 10, 3, 20},
        {"scale", 0.02, 0, 1},
        {"angle", 180, 0, 360},
        {"color", 0, 0, 1},
        {"F._filling", 0, 0, 1},
        {"invert", 0, 0, 1}},
       false,
       true},
      {"szubieta",
       wildSzubieta,
       {{"width", 128, 8, 256}, {"height", 128, 8, 256}, {"type", 0, 0, 1}, {"scale", 0.5, 0.1, 1}},
       false,
       true},
  };
}

WildFamily wildFigureRows3() {
  return {
      {"checkerboard_wf",
       kMakesZ,
       wildCheckerboardWf,
       {{"position", 3, -5, 5},
        {"size", 10, 0, 20},
        {"axis", 2, 0, 2},
        {"displ_amount", 0.05, -1, 1},
        {"checker_color1", 0.25, 0, 1},
        {"checker_color2", 0.75, 0, 1},
        {"side_color", 0.4, 0, 1},
        {"checker_size", 0.2, 0.01, 1},
        {"with_sides", 1, 0, 1}},
       false,
       true},
  };
}

}  // namespace

WildFamily wildFigureVariations() {
  return joined({wildFigureRows1(), wildFigureRows2(), wildFigureRows3()});
}

}  // namespace fathom::flame
