// SPDX-License-Identifier: BSD-3-Clause
// One known answer per variation, to 7 digits, measured from an independent implementation that
// gives flam3-render's own bytes: the point (0.7, -0.4), weight 0.9, every unit draw 0.9375, every
// bit 1, parameters 1.25, 1.75, 2.25, ... in their order (super_shape_rnd 0.25).
#pragma once

#include "app/engine/flame/genome/variations.h"

namespace fathom::test {

constexpr glm::dvec2 kVectorPoint{0.7, -0.4};
constexpr double kVectorWeight = 0.9, kVectorUnit = 0.9375;
constexpr flame::Affine kVectorCoefs{0.7, 0.3, -0.4, 0.6, 0.35, -0.25};

struct VariationVector {
  std::string_view name;
  double x, y;
};

inline flame::VariationUse vectorUse(int index) {
  flame::VariationUse use{index, kVectorWeight, {}};
  for (std::size_t i = 0; i < use.parameters.size(); ++i)
    use.parameters[i] = 1.25 + 0.5 * double(i);
  if (flame::variations()[std::size_t(index)].name == "super_shape") use.parameters[0] = 0.25;
  return use;
}

/// Draws that never change.
class FixedDraws : public flame::Draws {
 public:
  explicit FixedDraws(double unit = kVectorUnit, int bit = 1) : unit_(unit), bit_(bit) {}
  double unit() override { return unit_; }
  int bit() override { return bit_; }

 private:
  double unit_;
  int bit_;
};

constexpr VariationVector kVariationVectors[flame::kFlam3Variations] = {
    {"linear", 0.63, -0.36},
    {"sinusoidal", 0.5797959, -0.3504765},
    {"spherical", 0.9692308, -0.5538462},
    {"swirl", 0.6678576, 0.2836657},
    {"horseshoe", 0.3683832, -0.6251351},
    {"polar", 0.5987244, -0.1743968},
    {"handkerchief", 0.1762984, 0.2054564},
    {"heart", 0.7208794, 0.08266164},
    {"disc", 0.3423808, -0.4911683},
    {"spiral", 0.251774, 0.1964889},
    {"hyperbolic", 0.9692308, -0.36},
    {"diamond", 0.5409193, -0.3222481},
    {"ex", 0.02688006, -0.006065044},
    {"julia", -0.4056124, -0.6989431},
    {"bent", 0.63, -0.18},
    {"waves", 0.5855767, -0.888756},
    {"fisheye", -0.3986213, 0.6975872},
    {"popcorn", 0.4601642, -0.1371717},
    {"exponential", 0.2060329, -0.634104},
    {"power", -0.3703629, 0.6481351},
    {"cosine", -0.5718946, 0.2990751},
    {"rings", -0.3477041, 0.6084822},
    {"fan", -0.2328763, 0.687218},
    {"blob", 0.7875079, -0.4500045},
    {"pdj", -0.7365344, 0.4917555},
    {"fan2", -0.258615, 0.6779515},
    {"rings2", 0.275625, -0.1575},
    {"eyefish", 0.6975872, -0.3986213},
    {"bubble", 0.5419355, -0.3096774},
    {"cylinder", 0.5797959, -0.36},
    {"perspective", 0.5201571, 0.113746},
    {"noise", 0.5456663, 0.1291557},
    {"julian", -0.06722635, -0.6623019},
    {"juliascope", 0.4436786, -0.4962989},
    {"blur", 0.7795234, -0.3228891},
    {"gaussian_blur", 1.45511, -0.6027264},
    {"radial_blur", -0.6437824, 1.29024},
    {"pie", 0.08479176, -0.8394787},
    {"ngon", 2.449716, -1.399838},
    {"curl", 0.2532402, 0.006032792},
    {"rectangles", 0.495, -1.215},
    {"arch", 0.4242571, -0.2267701},
    {"tangent", 0.629487, -0.3805139},
    {"square", 0.39375, 0.39375},
    {"rays", -0.5094485, 0.259385},
    {"blade", 0.8860341, 0.09350705},
    {"secant2", 0.63, 0.3030489},
    {"twintrian", 0.2360615, -1.008837},
    {"cross", 1.909091, -1.090909},
    {"disc2", -0.1522954, 0.8182583},
    {"super_shape", -2.565817, 1.466181},
    {"flower", -0.5058457, 0.2890547},
    {"conic", -0.3805817, 0.2174753},
    {"parabola", 0.549304, 1.022117},
    {"bent2", 0.63, -0.63},
    {"bipolar", 0.3583043, 0.1068531},
    {"boarders", 0.765, -0.18},
    {"butterfly", 0.408606, -0.4669783},
    {"cell", 0.63, -1.89},
    {"cpow", 0.4839919, -1.093401},
    {"curve", 1.72, 1.116186},
    {"edisc", 0.1030299, -0.03013305},
    {"elliptic", 0.3855111, -0.222385},
    {"escher", 0.9025844, -0.4289217},
    {"foci", 2.043427, -1.048992},
    {"lazysusan", -0.01468892, 0.5935919},
    {"loonie", 0.3125675, -0.17861},
    {"pre_blur", 0, 0},
    {"modulus", 0.63, -0.36},
    {"oscilloscope", 0.63, 0.36},
    {"polar2", 0.5987244, -0.06170511},
    {"popcorn2", -0.4411561, 0.8491378},
    {"scry", 0.4930087, -0.2817193},
    {"separation", 0.1868894, -1.066751},
    {"split", -0.63, 0.36},
    {"splits", 1.755, -1.935},
    {"stripes", 0.9675, -0.21825},
    {"wedge", -1.331343, 1.876246},
    {"wedge_julia", 0.01923904, -0.6914228},
    {"wedge_sph", -2.57566, 0.780475},
    {"whorl", 0.7040451, 0.1755576},
    {"waves2", -0.2512428, 1.117229},
    {"exp", 1.66931, -0.705773},
    {"log", -0.1938523, -0.4672315},
    {"sin", 0.6268013, -0.2827446},
    {"cos", 0.7441648, 0.2381525},
    {"tan", 0.5883664, -0.530247},
    {"sec", 0.9873474, -0.3159774},
    {"csc", 1.073779, 0.4843725},
    {"cot", 0.7596824, 0.6846402},
    {"sinh", 0.6288317, -0.4399073},
    {"cosh", 1.040478, -0.2658658},
    {"tanh", 0.6018641, -0.226724},
    {"sech", 0.7307744, 0.1867294},
    {"csch", 0.8648539, 0.6050196},
    {"coth", 1.178573, -0.443972},
    {"auger", -2.895351, 1.785764},
    {"flux", 3.514761, -4.381557},
    {"mobius", 0.4602443, 0.04131038}};

}  // namespace fathom::test
