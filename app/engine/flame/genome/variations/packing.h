// SPDX-License-Identifier: BSD-3-Clause
// What variations "with packed values" give to their functions in place of parameters, computed
// once on the host: packNAME() for the variation NAME. Only the source that make_variations.cpp
// writes includes this.
#pragma once

#include "app/engine/flame/genome/variations.h"

namespace fathom::flame {

using Input = VariationInput;
using Packed = PackedVariation;
constexpr double kPi = std::numbers::pi, kTwoPi = 2 * kPi;
constexpr double kEps = 1e-10;  // keeps flam3's denominators from being 0

inline Packed packWaves(const Input& in) {
  const Affine& m = *in.coefs;
  return {m.b, 1 / (m.c * m.c + kEps), m.e, 1 / (m.f * m.f + kEps)};
}

inline Packed packPopcorn(const Input& in) { return {in.coefs->c, in.coefs->f}; }

inline double ringWidth(const Input& in) { return in.coefs->c * in.coefs->c + kEps; }

inline Packed packRings(const Input& in) { return {ringWidth(in)}; }

inline Packed packFan(const Input& in) {
  const double k = kPi * ringWidth(in);
  return {k, in.coefs->f, std::cos(k / 2), std::sin(k / 2)};
}

inline Packed packRadialBlur(const Input& in) {
  const double* p = in.parameters;
  return {std::sin(p[0] * kPi / 2), std::cos(p[0] * kPi / 2)};
}

inline Packed packPie(const Input& in) {
  const double* p = in.parameters;
  return {p[0], p[1], p[2], kTwoPi / p[0]};
}

inline Packed packJulian(const Input& in) {
  const double power = in.parameters[0], dist = in.parameters[1];
  return {std::abs(power), 1 / power, dist / (2 * power)};
}
constexpr auto packJuliascope = packJulian;

inline Packed packWedge(const Input& in) {
  const double* p = in.parameters;
  return {p[0], p[1], p[2], p[3], 1 - p[0] * p[2] / kTwoPi};
}

constexpr auto packWedgeSph = packWedge;

inline Packed packWedgeJulia(const Input& in) {
  const double* p = in.parameters;
  return {std::abs(p[2]), 1 / p[2], p[3] / (2 * p[2]), p[0], p[1], 1 - p[0] * p[1] / kTwoPi};
}

inline Packed packFan2(const Input& in) {
  const double k = kPi * (in.parameters[0] * in.parameters[0] + kEps);
  return {k, in.parameters[1], std::cos(k / 2), std::sin(k / 2)};
}

inline Packed packRings2(const Input& in) {
  const double* p = in.parameters;
  return {p[0] * p[0] + kEps};
}

inline Packed packCpow(const Input& in) {
  const double power = in.parameters[2];
  return {in.parameters[0] / power, in.parameters[1] / power, power, kTwoPi / power};
}

inline Packed packEscher(const Input& in) {
  const double* p = in.parameters;
  return {(1 + std::cos(p[0])) / 2, std::sin(p[0]) / 2};
}

inline Packed packBlob(const Input& in) {
  const double* p = in.parameters;
  return {(p[0] + p[1]) / 2, (p[1] - p[0]) / 2, p[2]};
}

inline Packed packPerspective(const Input& in) {
  const double angle = in.parameters[0] * kPi / 2, dist = in.parameters[1];
  return {dist, std::sin(angle), dist * std::cos(angle)};
}

inline Packed packNgon(const Input& in) {
  const double* p = in.parameters;
  return {kTwoPi / p[0], p[1] / 2, p[2], p[3]};
}

inline Packed packDisc2(const Input& in) {
  const double twist = in.parameters[1];
  const double stretch = twist > kTwoPi    ? 1 + twist - kTwoPi
                         : twist < -kTwoPi ? 1 + twist + kTwoPi
                                           : 1;
  return {kPi * in.parameters[0], (std::cos(twist) - 1) * stretch, std::sin(twist) * stretch};
}

inline Packed packSuperShape(const Input& in) {
  const double* p = in.parameters;
  return {p[0], p[1] / 4, -1 / p[2], p[3], p[4], p[5]};
}

inline Packed packScry(const Input& in) { return {1 / (in.weight + kEps)}; }

/// 1 / length^2, the length kept from being 0.
inline double inverseSquare(double length) { return 1 / std::max(length * length, 1e-20); }

inline Packed packCurve(const Input& in) {
  const double* p = in.parameters;
  return {p[0], p[1], inverseSquare(p[2]), inverseSquare(p[3])};
}

inline Packed packOscilloscope(const Input& in) {
  const double* p = in.parameters;
  return {p[0], kTwoPi * p[1], p[2], p[3]};
}

inline Packed packAuger(const Input& in) {
  const double* p = in.parameters;
  return {p[0], p[1], p[2], p[3] / 2};
}

inline Packed packSeparation(const Input& in) {
  const double* p = in.parameters;
  return {p[0] * p[0], p[1], p[2] * p[2], p[3]};
}

inline Packed packCell(const Input& in) {
  const double* p = in.parameters;
  return {p[0], 1 / p[0]};
}

inline Packed packBipolar(const Input& in) { return {in.parameters[0] * kPi / 2}; }

inline Packed packFlux(const Input& in) { return {in.weight * (2 + in.parameters[0])}; }

}  // namespace fathom::flame
