// SPDX-License-Identifier: BSD-3-Clause
// Variations of other programs: shapes of formulas, some with colors of their own.
#include "app/engine/flame/genome/variations/family.h"

#include <algorithm>
#include <cmath>

namespace fathom::flame {
namespace {

/// A crown of ever smaller turns.
Point3 wildCrownJs(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double a = in.parameters[0], b = in.parameters[1];
  double turns = double(draws.unit()) - 0.5, factor = double(1.0);
  Point sum = Point(0.0, 0.0);
  for (int k = 1; k < 15; ++k) {
    factor *= double(a);
    double at = factor * turns;
    Point t = direction(kTwoPi * double(at - std::floor(at)));
    double size = std::pow(a, -b * double(k)), side = (k & 1) == 0 ? -1.0 : 1.0;
    sum += size * Point(side * t.y, t.x);
  }
  double r2 = sum.x * sum.x + sum.y * sum.y, shade = w * w * r2;
  draws.setColor(shade - std::floor(shade));
  return w * Point3(sum.x, sum.y, r2 * r2);
}

double leafPower(double v, int n) {
  double result = 1.0;
  for (int i = 0; i < n; ++i) result *= v;
  return result;
}

/// A leaf with long points.
Point wildJapaneseMapleLeaf(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double filled = in.parameters[0];
  double t = 0.5 * std::atan2(px, py) + 0.5 * kPi, pick = draws.unit(), share = draws.unit();
  double r = w * 0.667 * (filled > pick ? share : 1.0);
  double c = std::cos(t), c3 = std::cos(3.0 * t), c8 = std::cos(8.0 * t), c80 = std::cos(80.0 * t);
  double veins = c80 * c80 / 6.0 + leafPower(c80, 10) / 15.0;
  double lobes = c8 * c8 + 0.2 * leafPower(c8 * std::cos(24.0 * t), 10);
  double gaps = 1.0 - leafPower(std::sin(8.0 * t), 10), stem = 1.0 - leafPower(c, 10) * c3 * c3;
  double end = leafPower(c, 9) * leafPower(std::cos(5.0 * t), 10) / 30.0;
  return r * Point((4.0 / 15.0 + lobes + veins) * gaps * std::sin(2.0 * t) * (1.0 + std::sin(t)) *
                       (stem + end),
                   (8.0 / 30.0 + lobes + veins * stem * gaps) * std::cos(2.0 * t) *
                       (1.0 + std::sin(t) + leafPower(c * c3, 10)));
}

double mapleLeafPower(double v, int n) {
  double result = 1.0;
  for (int i = 0; i < n; ++i) result *= v;
  return result;
}

/// A leaf with five lobes.
Point wildMapleLeaf(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double filled = in.parameters[0];
  double t = std::atan2(px, py) - 0.5 * kPi, pick = draws.unit(), share = draws.unit();
  double r = w * (filled > pick ? share : 1.0);
  double c = std::cos(t), c3 = std::cos(3.0 * t), c6 = std::cos(6.0 * t), c30 = std::cos(30.0 * t);
  double gaps = 1.0 - mapleLeafPower(std::sin(6.0 * t), 10), end = 1.0 - c * c * c * c;
  double stem = 1.0 - mapleLeafPower(c, 10) * c3 * c3, fine = mapleLeafPower(c30, 12);
  double lobes = 1.0 + c6 * c6;
  return r * Point((lobes + 0.2 * mapleLeafPower(c6 * std::cos(24.0 * t), 10) + fine / 9.0 * gaps) *
                       std::sin(2.0 * t) * end * stem,
                   1.05 * std::cos(2.0 * t) * (end + 0.5 * mapleLeafPower(c * c3, 10)) *
                       (lobes + 0.2 * mapleLeafPower(c6 * std::cos(18.0 * t), 10) +
                        (0.25 * c30 * c30 * c30 * c30 + 0.1 * fine) * stem * gaps));
}

double oakLeafPower(double v, int n) {
  double result = 1.0;
  for (int i = 0; i < n; ++i) result *= v;
  return result;
}

/// A leaf with round lobes.
Point wildOakLeaf(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y;
  const double w = in.weight;
  const double filled = in.parameters[0];
  double t = -0.5 * std::atan2(px, py) - 0.5 * kPi, pick = draws.unit(), share = draws.unit();
  double r = 2.0 * w * (filled > pick ? share : 1.0);
  double c = std::cos(t), s2 = std::sin(2.0 * t), s10 = std::sin(10.0 * t);
  return r * Point(oakLeafPower(c, 9) * oakLeafPower(std::cos(5.0 * t), 10) / 100.0 +
                       0.25 * s2 * (1.0 - 0.5 * s10 * s10) *
                           (1.0 - oakLeafPower(c * std::cos(3.0 * t), 8)),
                   std::sin(t) * (1.0 - 0.2 * s10 * s10 * (0.5 + s2 * s2)));
}

/// Turns of a multiple of an angle, the whole ones taken off before anything is rounded.
double chrysanthemumTurn(double share, double times) {
  double turns = double(share) * times;
  return kTwoPi * double(turns - std::floor(turns));
}

/// A flower of many petals (Fay's curve).
Point wildChrysanthemum(const Input& in, Draws& draws) {
  const double w = in.weight;
  double share = draws.unit();
  double p4 = std::sin(chrysanthemumTurn(share, 59.5));
  double p8 =
      std::sin(2.0 * std::cos(chrysanthemumTurn(share, 31.5)) - chrysanthemumTurn(share, 294.0));
  double four = p4 * p4 * p4 * p4, eight = p8 * p8 * p8 * p8 * p8 * p8 * p8 * p8;
  double r = 5.0 * (1.0 + std::sin(chrysanthemumTurn(share, 23.1))) - 4.0 * four * eight;
  return 0.1 * w * r * direction(chrysanthemumTurn(share, 10.5));
}

// Rows, in the order of their numbers.

WildFamily wildOrbitRows1() {
  return {
      {"crown_js",
       kMakesZ,
       wildCrownJs,
       {{"a", 5, 1.25, 6}, {"b", 0.630929754, 0.25, 1}},
       false,
       true},
      {"japanese_maple_leaf", wildJapaneseMapleLeaf, {{"filled", 0.15, 0, 1}}},
      {"maple_leaf", wildMapleLeaf, {{"filled", 0.5, 0, 1}}},
      {"oak_leaf", wildOakLeaf, {{"filled", 0.25, 0, 1}}},
      {"chrysanthemum", wildChrysanthemum},
  };
}

}  // namespace

WildFamily wildOrbitVariations() { return joined({wildOrbitRows1()}); }

}  // namespace fathom::flame
