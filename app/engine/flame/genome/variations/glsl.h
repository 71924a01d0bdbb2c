// SPDX-License-Identifier: BSD-3-Clause
// What a C++ compiler needs to read shaders/flame/variations/*.glsl, with float being double:
// vector types, built-in functions, and what shaders/flame/chaos/point.glsl and pairs.glsl offer.
// Those two are made for float arithmetic; here their functions are the plain ones of the standard
// library. Only the source that make_variations.cpp writes includes this.
#pragma once

#include "app/engine/flame/genome/variations.h"

// The helpers of shaders include these two; here they are done with.
#define SHADERS_FLAME_POINT
#define SHADERS_FLAME_PAIRS
#define precise

namespace fathom::flame::glsl {

using uint = std::uint32_t;
using vec2 = glm::dvec2;
using vec3 = glm::dvec3;
using uvec2 = glm::uvec2;

using glm::abs;
using glm::clamp;
using glm::dot;
using glm::exp;
using glm::floor;
using glm::fract;
using glm::greaterThan;
using glm::greaterThanEqual;
using glm::inversesqrt;
using glm::length;
using glm::max;
using glm::min;
using glm::mix;
using glm::sqrt;
using std::abs;
using std::acos;
using std::cos;
using std::exp;
using std::floor;
using std::log;
using std::sin;
using std::sqrt;
using std::trunc;

inline void umulExtended(uint a, uint b, uint& high, uint& low) {
  const std::uint64_t product = std::uint64_t(a) * b;
  high = uint(product >> 32);
  low = uint(product);
}
inline double roundEven(double v) { return std::nearbyint(v); }
inline vec2 roundEven(vec2 v) { return {roundEven(v.x), roundEven(v.y)}; }

// ---- What point.glsl offers

constexpr double kPi = std::numbers::pi, kTwoPi = 2 * kPi, kEps = 1e-10, kNearlyPi = kPi;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

/// atan2; as a constant function it costs those nothing that do not look at the angle.
[[gnu::const]] double plainAngle(double y, double x);

struct Point {
  Point(vec2 p, double depth) : xy(p), z(depth) {}
  vec2 xy;
  double z;
  double r2 = dot(xy, xy), r = sqrt(r2);
  double theta = plainAngle(xy.x, xy.y), phi = plainAngle(xy.y, xy.x);
  double sinTheta = xy.x / r, cosTheta = xy.y / r;  // NaN at the origin, as in flam3
};

inline double angleOf(double y, double x) { return std::atan2(y, x); }
inline double sine(double angle) { return std::sin(angle); }
inline vec2 sine(vec2 angles) { return {std::sin(angles.x), std::sin(angles.y)}; }
inline double cosine(double angle) { return std::cos(angle); }
inline double tangent(double angle) { return std::tan(angle); }
inline double sineWide(double angle) { return std::sin(angle); }
inline double cosineWide(double angle) { return std::cos(angle); }
inline double tangentWide(double angle) { return std::tan(angle); }
inline vec2 sinCos(double angle) { return {std::sin(angle), std::cos(angle)}; }
inline vec2 direction(double angle) { return {std::cos(angle), std::sin(angle)}; }
inline vec2 rotate(vec2 v, double angle) {
  const vec2 t = direction(angle);
  return {v.x * t.x - v.y * t.y, v.x * t.y + v.y * t.x};
}

inline double logOf(double v) { return v > 0 ? std::log(v) : -kInfinity; }
inline double powOf(double base, double exponent) {
  if (exponent == 0) return 1;
  return base > 0 ? std::pow(base, exponent) : exponent < 0 ? kInfinity : 0.0;
}
inline double nearestOf(double v) { return std::floor(v + 0.5); }
inline double fmodOf(double a, double b) { return std::fmod(a, b); }
inline double truncatedToInt(double v) { return abs(v) < 2147483648.0 ? trunc(v) : -2147483648.0; }
inline double badBeyond(double v, double limit) { return abs(v) <= limit ? 0.0 : kInfinity; }
inline double sinhOf(double v) { return std::sinh(v); }
inline double coshOf(double v) { return std::cosh(v); }
inline vec2 sinhCosh(double v) { return {std::sinh(v), std::cosh(v)}; }
inline vec2 sinhCoshSettled(double v) { return sinhCosh(std::clamp(v, -40.0, 40.0)); }
/// Square root of the complex number z, whose modulus is `length`.
inline vec2 rootOfLength(vec2 z, double length) {
  const double larger = sqrt(0.5 * (length + abs(z.x)));
  const double smaller = larger > 0 ? 0.5 * abs(z.y) / larger : 0;
  const vec2 root = z.x >= 0 ? vec2(larger, smaller) : vec2(smaller, larger);
  return {root.x, z.y < 0 ? -root.y : root.y};
}

/// Half the sum of the distances from (-1, 0) and (1, 0), less 1 and less |x|.
inline vec2 ellipseExcess(vec2 p) {
  const double x = std::abs(p.x), y2 = p.y * p.y;
  const double far = std::hypot(x + 1, p.y), near = std::hypot(x - 1, p.y);
  const double near_sum = near + std::abs(x - 1);
  const double near_excess = near_sum > 0 ? y2 / near_sum : 0;
  const double far_excess = y2 / (far + x + 1);
  return 0.5 * (far_excess + (x < 1 ? vec2(near_excess, near_sum) : vec2(near_sum, near_excess)));
}

// ---- What pairs.glsl offers

using Wide = double;
inline double wide(double first, double rest = 0) { return first + rest; }
inline double narrow(double a) { return a; }
inline double plus(double a, double b) { return a + b; }
inline double minus(double a, double b) { return a - b; }
inline double times(double a, double b) { return a * b; }
inline double over(double a, double b) { return a / b; }
inline double rootOf(double a) { return std::sqrt(a); }
inline double floorOf(double a) { return std::floor(a); }
inline double sineOf(double a) { return std::sin(a); }

// ---- What a shader defines around its variations

/// The generated class of all variations derives from this one, so their calls find the draws.
class Drawing {
 public:
  explicit Drawing(Draws& draws) : draws_(draws) {}

 protected:
  double unit() { return draws_.unit(); }
  double signedUnit() { return draws_.signedUnit(); }
  double gauss4() { return draws_.gauss(); }
  int randomBit() { return draws_.bit(); }
  // A variation of weight 0 is not evaluated on the host, so the weight decides nothing here.
  void setColor(double color, double) { draws_.setColor(color); }
  void setFullColor(vec3 color, bool nearest, double) { draws_.setFullColor(color, nearest); }
  void turnColor(double by, double) { draws_.turnColor(by); }
  void setHidden(bool hides, double) { draws_.setHidden(hides); }
  vec2 orbitOr(vec2 start) { return draws_.orbit(start); }
  void setOrbit(vec2 at, double) { draws_.setOrbit(at); }
  void dropZ() { draws_.dropZ(); }
  bool inOrder() { return draws_.isInOrder(); }
  int acting() { return draws_.acting(); }
  vec2 sumBefore() { return vec2(draws_.sum()); }
  double heightBefore() { return draws_.sum().z; }
  vec3 startOfSum() { return draws_.start(); }

 private:
  Draws& draws_;
};

// ---- What the values of "Packs" are made with

inline double ringWidth(double c) { return c * c + kEps; }
/// 1 / length^2, the length kept from being 0.
inline double inverseSquare(double length) { return 1 / std::max(length * length, 1e-20); }
/// Of disc2, beyond a whole turn.
inline double twistStretch(double twist) {
  return twist > kTwoPi ? 1 + twist - kTwoPi : twist < -kTwoPi ? 1 + twist + kTwoPi : 1;
}

/// Reference<&Class::variation_NAME, pack>::evaluate: a variation as VariationInfo names it.
template <auto function, PackedVariation (*pack)(const VariationInput&)>
struct Reference;
template <class Class, class Vector, class... Parameters,
          Vector (Class::*function)(Point, double, Parameters...),
          PackedVariation (*pack)(const VariationInput&)>
struct Reference<function, pack> {
  static vec3 evaluate(const VariationInput& in, Draws& draws) {
    PackedVariation packed;
    const double* values = in.parameters;
    if constexpr (pack != nullptr) packed = pack(in), values = packed.data();
    const Vector q = [&]<std::size_t... i>(std::index_sequence<i...>) {
      return (Class(draws).*function)({{in.x, in.y}, in.z}, in.weight, values[i]...);
    }
    (std::index_sequence_for<Parameters...>());
    if constexpr (std::is_same_v<Vector, vec2>)
      return {q, 0};
    else
      return q;
  }
};

}  // namespace fathom::flame::glsl
