// SPDX-License-Identifier: BSD-3-Clause
// How the files of a family state what they define: each is one family, functions above and
// their rows below. variations.cpp puts the rows in order of their numbers.
#pragma once

#include "app/engine/flame/genome/variations.h"

#include <initializer_list>
#include <numbers>
#include <vector>

namespace fathom::flame {

constexpr double kPi = std::numbers::pi, kTwoPi = 2 * kPi;
constexpr double kEps = 1e-10;  // keeps flam3's denominators from being 0

using Point = glm::dvec2;
using Input = VariationInput;

using Point3 = glm::dvec3;

/// One row: empty `packed` means the parameters as they are.
struct Variation {
  int number;
  std::string_view name;
  Point (*evaluate)(const Input&, Draws&);
  std::vector<ParameterInfo> parameters = {};
  std::vector<std::string_view> packed = {};
  void (*pack)(const Input&, double* packed) = nullptr;
};
using VariationFamily = std::vector<Variation>;

/// A row of those that flam3 does not have; they take the numbers after its own, in the order of
/// the families.
struct WildVariation {
  WildVariation(std::string_view called, Point (*function)(const Input&, Draws&),
                std::vector<ParameterInfo> list = {}, bool moves = false, bool sets = false)
      : name(called), flat(function), parameters(std::move(list)), adds(moves), colors(sets) {}
  WildVariation hiding() && { return hides = true, std::move(*this); }
  WildVariation orbiting() && { return orbits = true, std::move(*this); }
  WildVariation(std::string_view called, unsigned uses, Point3 (*function)(const Input&, Draws&),
                std::vector<ParameterInfo> list = {}, bool moves = false, bool sets = false)
      : name(called),
        deep(function),
        depth(uses),
        parameters(std::move(list)),
        adds(moves),
        colors(sets) {}
  std::string_view name;
  Point (*flat)(const Input&, Draws&) = nullptr;
  Point3 (*deep)(const Input&, Draws&) = nullptr;
  unsigned depth = kFlat;
  std::vector<ParameterInfo> parameters;
  bool adds = false, colors = false, hides = false, orbits = false;
};
using WildFamily = std::vector<WildVariation>;
/// One after the other.
inline WildFamily joined(std::initializer_list<WildFamily> parts) {
  WildFamily all;
  for (const WildFamily& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

VariationFamily classicVariations();     // the first 23, of the paper's appendix
VariationFamily blurVariations();        // the point comes from the draws
VariationFamily angularVariations();     // angle and radius change: roots, wedges, spirals
VariationFamily radialVariations();      // the radius changes: rings, shapes, inversions
VariationFamily waveVariations();        // waves are added to the coordinates
VariationFamily tileVariations();        // the plane is cut and its pieces are moved
VariationFamily complexVariations();     // functions of x + iy
VariationFamily hyperbolicVariations();  // sine, cosine and their kin of x + iy

WildFamily wildDepthVariations();      // with a z of their own
WildFamily wildPlaneVariations();      // maps of the plane
WildFamily wildWaveVariations();       // waves are added to the coordinates
WildFamily wildTileVariations();       // the plane is cut and its pieces are moved
WildFamily wildShapeVariations();      // the point comes from the draws: curves and areas
WildFamily wildComplexVariations();    // functions of x + iy
WildFamily wildMoreVariations();       // more maps of the plane
WildFamily wildCurveVariations();      // the point comes from the draws
WildFamily wildSpaceVariations();      // more with a z of their own
WildFamily wildSynthVariations();      // waves in layers
WildFamily wildMirrorVariations();     // symmetries and crops, mostly used after the others
WildFamily wildSymmetryVariations();   // plane symmetry groups, one of their maps by chance
WildFamily wildTextVariations();       // letters
WildFamily wildPowerVariations();      // powers, shears and waves
WildFamily wildOrbitVariations();      // shapes of formulas and orbits, with colors of their own
WildFamily wildFigureVariations();     // figures drawn piece by piece
WildFamily wildFoldVariations();       // mirrors, roses, surfaces and dust
WildFamily wildHidingVariations();     // crops that hide points, and show others again
WildFamily wildAttractorVariations();  // orbits of their own, whatever the point
WildFamily wildReshapeVariations();    // powers, inversions and folds; plots among them
WildFamily wildPlotVariations();       // curves and surfaces by formulas of the genome

inline Point direction(double angle) { return {std::cos(angle), std::sin(angle)}; }

}  // namespace fathom::flame
