// SPDX-License-Identifier: BSD-3-Clause
// The 99 variations: one table for the reader, the CPU reference, the shader generator and the
// editor. The CPU function is the definition in double precision; its GPU twin is
// shaders/flame/variations/NAME.glsl.
#pragma once

#include "app/techniques/flame/model.h"

#include <span>
#include <string_view>

namespace fathom::flame {

/// Draws of the chaos game. U: uniform in [0, 1).
class Draws {
 public:
  virtual ~Draws() = default;
  virtual double unit() = 0;
  virtual int bit() = 0;
  double signedUnit() { return 2 * unit() - 1; }
  double gauss() { return unit() + unit() + unit() + unit() - 2; }  // sd 0.57735
};

struct ParameterInfo {
  std::string_view name;  // without the variation's name: "power" of julian_power
  double fallback = 0;
  double low = -5, high = 5;  // the range that an editor's slider offers
};

/// What a variation sees: the point after the pre-affine, and the xform's own coefficients.
struct VariationInput {
  double x, y;
  double weight;
  const double* parameters;  // in the order of VariationInfo::parameters
  const Affine* coefs;
};

struct VariationInfo {
  std::string_view name;
  std::span<const ParameterInfo> parameters;
  /// The contribution, weight included.
  glm::dvec2 (*evaluate)(const VariationInput&, Draws&);
  /// What the GPU function takes after the point and the weight, in this order: parameters as they
  /// are, or values computed from them once on the host. Empty: none.
  std::span<const std::string_view> packed;
  /// Fills packed.size() values; null: the parameters themselves.
  void (*pack)(const VariationInput&, double* packed) = nullptr;
};

const std::array<VariationInfo, kVariationCount>& variations();
/// -1 when there is none of this name.
int variationNamed(std::string_view name);
constexpr int kLinear = 0, kPreBlur = 67;

/// v is NaN, or beyond 1e10 on either side: the chaos game starts again from a random point.
inline bool isBad(double v) { return !(v <= 1e10 && v >= -1e10); }

}  // namespace fathom::flame
