// SPDX-License-Identifier: BSD-3-Clause
// The variations: flam3's 99 and those of other programs, one table for the reader, the CPU
// reference, the shader generator and the editor. Each is written once, in
// shaders/flame/variations/FUNCTION.glsl, with its number, parameters and flags in the header of
// that file: the build makes the table of the headers, and C++ functions in double precision of the
// GLSL (variations/make_variations.cpp), which flam3 itself bears out. Each has seven entries: NAME
// among the others, pre_NAME before and post_NAME after them, pre_add_NAME and post_add_NAME for
// those that are added to the point there, and NAME#1#, NAME#2# for xforms that use one several
// times.
#pragma once

#include "app/engine/flame/genome/model.h"

namespace fathom::flame {

/// Draws of the chaos game. unit(): uniform in [0, 1).
class Draws {
 public:
  virtual ~Draws() = default;
  virtual double unit() = 0;
  virtual int bit() = 0;
  virtual double signedUnit() { return 2 * unit() - 1; }
  /// Nearly normal in [-2, 2], standard deviation 0.57735.
  double gauss() {
    double sum = unit();
    for (int i = 0; i < 3; ++i) sum += unit();
    return sum - 2;
  }
  /// By a variation that gives the point a color of its own, 0..1.
  void setColor(double color) { color_ = std::clamp(color, 0.0, 1.0); }
  /// Moves the point's color along the palette, which begins again behind its end.
  void turnColor(double by) { turned_ = by; }
  /// What was set since the last call, else `color`; moved as was asked for.
  double takeColor(double color) {
    const double taken = (color_ < 0 ? color : color_) + turned_;
    const bool turns = turned_ != 0;
    color_ = -1, turned_ = 0;
    return turns ? taken - std::floor(taken) : taken;
  }
  /// By an image in full color, 0..1: what is shown in place of the palette, or what is `nearest`
  /// to it there. Forgotten once asked.
  void setFullColor(glm::dvec3 color, bool nearest) { full_ = glm::dvec4(color, nearest); }
  std::optional<glm::dvec4> takeFullColor() { return std::exchange(full_, std::nullopt); }
  /// By a variation that hides the point or shows it again; what it says stays with the point.
  void setHidden(bool hidden) { hidden_ = hidden; }
  bool isHidden() const { return hidden_; }
  /// Where an attractor's own orbit is, beside the point; `start` before its first step and where
  /// it has left the plane. Those of JWildfire that never come back stay NaN.
  glm::dvec2 orbit(glm::dvec2 start) const {
    if (std::isnan(orbit_.x)) return orbit_;
    return std::abs(orbit_.x) <= 1e10 && std::abs(orbit_.y) <= 1e10 ? orbit_ : start;
  }
  void setOrbit(glm::dvec2 at) { orbit_ = at; }
  /// Of the variations that acted before, where the file says which did, or the point of those that
  /// act in turn; else 0.
  glm::dvec3 sum() const { return sum_; }
  void setSum(glm::dvec3 sum) { sum_ = sum; }
  /// The point that the variations among the others see, also for those after them.
  glm::dvec3 start() const { return start_; }
  void setStart(glm::dvec3 start) { start_ = start; }
  /// By a variation without a z of its own that does not pass it on here.
  void dropZ() { dropsZ_ = true; }
  bool dropsZ() const { return dropsZ_; }
  /// Variations act in the order of a file of JWildfire.
  bool isInOrder() const { return inOrder_; }
  /// -1 for pre_NAME, 1 for post_NAME, else 0.
  int acting() const { return acting_; }
  void setActing(bool inOrder, int acting) {
    inOrder_ = inOrder, acting_ = acting, dropsZ_ = false;
  }

 private:
  double color_ = -1, turned_ = 0;
  std::optional<glm::dvec4> full_;
  bool hidden_ = false, inOrder_ = false, dropsZ_ = false;
  int acting_ = 0;
  glm::dvec2 orbit_{INFINITY};
  glm::dvec3 sum_{0}, start_{0};
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
  double z = 0;
};

/// What some of flam3's variations give to the shader in place of their parameters.
using PackedVariation = std::array<double, 6>;

enum class VariationStage { Among, Before, After };

/// What a variation has to do with z, as bits.
enum DepthUse : unsigned {
  kFlat = 0,
  kMakesZ = 1,   // its z may be other than 0 where the point's is 0
  kReadsZ = 2,   // x and y depend on it
  kPassesZ = 4,  // weight times z
};

struct VariationInfo {
  std::string_view name;      // as genomes write it
  std::string_view function;  // of the shader; the same for all entries of a variation
  VariationStage stage = VariationStage::Among;
  bool adds = false;    // before or after: the result is added to the point, not put in its place
  bool colors = false;  // sets the point's color (Draws::setColor)
  bool hides = false;   // hides points (Draws::setHidden)
  bool orbits = false;  // follows an orbit of its own (Draws::orbit)
  // In the order of JWildfire's files (VariationUse::place):
  bool assigns = false;     // takes the place of the sum of those before it
  bool readsSum = false;    // looks at that sum, or at where it began (Draws::sum, start)
  bool zAlone = false;      // before and after the others, x and y stay
  bool dropsZ = false;      // may keep z from being passed on (Draws::dropZ)
  bool addsZ = false;       // after the others it adds its share of the z that they saw
  bool fullColors = false;  // Draws::setFullColor
  unsigned depth = 0;       // DepthUse; not kFlat: the shader's function returns a vec3
  bool loops = false;       // its shader does, or one that it includes
  std::span<const ParameterInfo> parameters = {};
  /// The contribution, weight included; z of a flat one: 0.
  glm::dvec3 (*evaluate3)(const VariationInput&, Draws&) = nullptr;
  /// How many values the GPU function takes after the point and the weight: the parameters as they
  /// are, or values computed from them once on the host.
  int packedCount = 0;
  /// packedCount values, then zeros; null: the parameters themselves.
  PackedVariation (*pack)(const VariationInput&) = nullptr;
  /// Where its means differ from JWildfire 9's, or "not compared"; empty: nowhere.
  std::string_view besideJWildfire = {};

  glm::dvec2 evaluate(const VariationInput& in, Draws& draws) const {
    return glm::dvec2(evaluate3(in, draws));
  }
};

/// variationCount() of them, then the same in other stages (see above).
constexpr int kVariationStages = 7;
std::span<const VariationInfo> variations();
int variationCount();  // without the entries of other stages
inline int baseOf(int index) { return index % variationCount(); }
/// Draws::acting()
inline int actingOf(int index) {
  constexpr int acting[kVariationStages] = {0, -1, 1, 0, 0, -1, 1};
  return acting[index / variationCount()];
}

/// -1 when there is none of this name.
int variationNamed(std::string_view name);
constexpr int kLinear = 0, kPreBlur = 67;
constexpr int kMaxPacked = kMaxParameters;  // no variation packs more values
/// Fills variations()[use.index].packedCount values, at most kMaxPacked.
void packVariation(const VariationUse& use, const Affine& coefs, double* packed);

/// v is NaN, or beyond 1e10 on either side: the chaos game starts again from a random point.
inline bool isBad(double v) { return !(v <= 1e10 && v >= -1e10); }

/// As the files in shaders/flame/variations state them, in the order of their numbers. The build
/// writes the source of it (variations/make_variations.cpp).
std::span<const VariationInfo> statedVariations();

}  // namespace fathom::flame
