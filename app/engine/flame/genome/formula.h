// SPDX-License-Identifier: BSD-3-Clause
// Formulas that a genome says as text, for variations that plot them (JWildfire's yplot2d_wf,
// polarplot2d_wf, polarplot3d_wf, parplot2d_wf). They become numbers in reverse Polish notation,
// which are parameters of the variation: shaders/flame/chaos/formulas.glsl runs them on the GPU.
#pragma once

namespace fathom::flame {

/// A number below kFormulaCode stands for itself, one of these for what is done with the stack.
constexpr double kFormulaCode = 1000000;
enum class FormulaCode {
  FirstVariable = 0,
  SecondVariable = 1,
  FirstNumber = 2,  // param_a to param_f
  Result = 8,       // the formula's value; the next formula begins
  End = 9,
  Add = 10,
  Subtract,
  Multiply,
  Divide,
  Power,
  Minimum,
  Maximum,
  Angle,  // atan2
  Remainder,
  Negate = 20,
  Sine,
  Cosine,
  Tangent,
  ArcSine,
  ArcCosine,
  ArcTangent,
  HyperbolicSine,
  HyperbolicCosine,
  HyperbolicTangent,
  Exponential,
  Logarithm,
  Root,
  Square,
  Absolute,
  Floor,
  Ceiling,
  Sign
};
constexpr std::size_t kFormulaStack = 8;

/// Of an expression as in C and Java, with the names of its variables, param_a to param_f and pi.
/// None: it cannot be read, or needs a deeper stack.
std::optional<std::vector<double>> compiledFormula(std::string_view text,
                                                   const std::vector<std::string_view>& variables);

}  // namespace fathom::flame
