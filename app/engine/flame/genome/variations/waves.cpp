// SPDX-License-Identifier: BSD-3-Clause
// Variations that add waves or bumps to the coordinates, or bend them one by one.
#include "app/engine/flame/genome/variations/family.h"

#include <algorithm>

namespace fathom::flame {
namespace {

Point pdj(const Input& in, Draws&) {
  const double a = in.parameters[0], b = in.parameters[1];
  const double c = in.parameters[2], d = in.parameters[3];
  return in.weight *
         Point(std::sin(a * in.y) - std::cos(b * in.x), std::sin(c * in.x) - std::cos(d * in.y));
}

Point cylinder(const Input& in, Draws&) { return in.weight * Point(std::sin(in.x), in.y); }

Point tangent(const Input& in, Draws&) {
  return in.weight * Point(std::sin(in.x) / std::cos(in.y), std::tan(in.y));
}

/// 1 / length^2, the length kept from being 0.
double inverseSquare(double length) { return 1 / std::max(length * length, 1e-20); }

Point curve(const Input& in, Draws&) {
  const double xamp = in.parameters[0], yamp = in.parameters[1];
  const double xlength = in.parameters[2], ylength = in.parameters[3];
  return in.weight * Point(in.x + xamp * std::exp(-in.y * in.y * inverseSquare(xlength)),
                           in.y + yamp * std::exp(-in.x * in.x * inverseSquare(ylength)));
}

void packCurve(const Input& in, double* packed) {
  packed[0] = in.parameters[0];
  packed[1] = in.parameters[1];
  packed[2] = inverseSquare(in.parameters[2]);
  packed[3] = inverseSquare(in.parameters[3]);
}

/// Mirrors what lies under a damped wave.
Point oscilloscope(const Input& in, Draws&) {
  const double separation = in.parameters[0], frequency = in.parameters[1];
  const double amplitude = in.parameters[2], damping = in.parameters[3];
  const double t =
      amplitude * std::exp(-std::abs(in.x) * damping) * std::cos(kTwoPi * frequency * in.x) +
      separation;
  return in.weight * Point(in.x, std::abs(in.y) <= t ? -in.y : in.y);
}

void packOscilloscope(const Input& in, double* packed) {
  packed[0] = in.parameters[0];
  packed[1] = kTwoPi * in.parameters[1];
  packed[2] = in.parameters[2];
  packed[3] = in.parameters[3];
}

Point popcorn2(const Input& in, Draws&) {
  const double x = in.parameters[0], y = in.parameters[1], c = in.parameters[2];
  return in.weight *
         Point(in.x + x * std::sin(std::tan(in.y * c)), in.y + y * std::sin(std::tan(in.x * c)));
}

Point waves2(const Input& in, Draws&) {
  const double scalex = in.parameters[0], scaley = in.parameters[1];
  const double freqx = in.parameters[2], freqy = in.parameters[3];
  return in.weight *
         Point(in.x + scalex * std::sin(in.y * freqx), in.y + scaley * std::sin(in.x * freqy));
}

Point auger(const Input& in, Draws&) {
  const double freq = in.parameters[0], weight = in.parameters[1];
  const double sym = in.parameters[2], scale = in.parameters[3];
  const double s = std::sin(freq * in.x), t = std::sin(freq * in.y);
  const double y = in.y + weight * (scale * s / 2 + std::abs(in.y) * s);
  const double x = in.x + weight * (scale * t / 2 + std::abs(in.x) * t);
  return in.weight * Point(in.x + sym * (x - in.x), y);
}

void packAuger(const Input& in, double* packed) {
  packed[0] = in.parameters[0];
  packed[1] = in.parameters[1];
  packed[2] = in.parameters[2];
  packed[3] = in.parameters[3] / 2;
}

/// Both coordinates move away from 0; `inside` pulls them back in proportion.
double separated(double v, double gap, double inside) {
  const double far = std::sqrt(v * v + gap * gap);
  return v > 0 ? far - v * inside : -(far + v * inside);
}

Point separation(const Input& in, Draws&) {
  return in.weight * Point(separated(in.x, in.parameters[0], in.parameters[1]),
                           separated(in.y, in.parameters[2], in.parameters[3]));
}

void packSeparation(const Input& in, double* packed) {
  packed[0] = in.parameters[0] * in.parameters[0];
  packed[1] = in.parameters[1];
  packed[2] = in.parameters[2] * in.parameters[2];
  packed[3] = in.parameters[3];
}

}  // namespace

VariationFamily waveVariations() {
  return {
      {24, "pdj", pdj, {{"a", 0, -3, 3}, {"b", 0, -3, 3}, {"c", 0, -3, 3}, {"d", 0, -3, 3}}},
      {29, "cylinder", cylinder},
      {42, "tangent", tangent},
      {60,
       "curve",
       curve,
       {{"xamp", 0, -2, 2}, {"yamp", 0, -2, 2}, {"xlength", 1, 0, 4}, {"ylength", 1, 0, 4}},
       {"xamp", "yamp", "inverseXlength2", "inverseYlength2"},
       packCurve},
      {69,
       "oscilloscope",
       oscilloscope,
       {{"separation", 1, -3, 3},
        {"frequency", kPi, 0, 10},
        {"amplitude", 1, -3, 3},
        {"damping", 0, 0, 3}},
       {"separation", "angularFrequency", "amplitude", "damping"},
       packOscilloscope},
      {71, "popcorn2", popcorn2, {{"x", 0, -2, 2}, {"y", 0, -2, 2}, {"c", 0, -5, 5}}},
      {73,
       "separation",
       separation,
       {{"x", 0, -2, 2}, {"xinside", 0, -2, 2}, {"y", 0, -2, 2}, {"yinside", 0, -2, 2}},
       {"x2", "xinside", "y2", "yinside"},
       packSeparation},
      {81,
       "waves2",
       waves2,
       {{"scalex", 0, -2, 2}, {"scaley", 0, -2, 2}, {"freqx", 0, -8, 8}, {"freqy", 0, -8, 8}}},
      {96,
       "auger",
       auger,
       {{"freq", 1, -5, 5}, {"weight", 0.5, -2, 2}, {"sym", 0, -2, 2}, {"scale", 1, -2, 2}},
       {"freq", "weight", "sym", "halfScale"},
       packAuger},
  };
}

}  // namespace fathom::flame
