// SPDX-License-Identifier: BSD-3-Clause
// Variations of JWildfire that plot formulas. What the genome says as text comes as parameters: a
// program for a machine with a stack (formula.h), of which these are the reference.
#include "app/engine/flame/genome/formula.h"
#include "app/engine/flame/genome/variations/family.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace fathom::flame {
namespace {

constexpr std::size_t kNumbers = 6;  // param_a to param_f
constexpr std::size_t kLongestCode = 22;
constexpr double kEndOfCode = kFormulaCode + double(int(FormulaCode::End));

/// The topmost number is the first; what falls out at the bottom is lost.
class FormulaStack {
 public:
  void push(double value) {
    std::rotate(numbers_.begin(), numbers_.end() - 1, numbers_.end());
    numbers_[0] = value;
  }
  double pop() {
    const double value = top();
    std::rotate(numbers_.begin(), numbers_.begin() + 1, numbers_.end());
    return value;
  }
  double top() const { return numbers_[0]; }

 private:
  std::array<double, kFormulaStack> numbers_{};
};

double made(FormulaCode code, FormulaStack& stack) {
  const double b = stack.pop();
  switch (code) {
    case FormulaCode::Add:
      return stack.pop() + b;
    case FormulaCode::Subtract:
      return stack.pop() - b;
    case FormulaCode::Multiply:
      return stack.pop() * b;
    case FormulaCode::Divide:
      return stack.pop() / b;
    case FormulaCode::Power:
      return std::pow(stack.pop(), b);
    case FormulaCode::Minimum:
      return std::min(stack.pop(), b);
    case FormulaCode::Maximum:
      return std::max(stack.pop(), b);
    case FormulaCode::Angle:
      return std::atan2(stack.pop(), b);
    case FormulaCode::Remainder:
      return std::fmod(stack.pop(), b);
    case FormulaCode::Negate:
      return -b;
    case FormulaCode::Sine:
      return std::sin(b);
    case FormulaCode::Cosine:
      return std::cos(b);
    case FormulaCode::Tangent:
      return std::tan(b);
    case FormulaCode::ArcSine:
      return std::asin(std::clamp(b, -1.0, 1.0));
    case FormulaCode::ArcCosine:
      return std::acos(std::clamp(b, -1.0, 1.0));
    case FormulaCode::ArcTangent:
      return std::atan(b);
    case FormulaCode::HyperbolicSine:
      return std::sinh(b);
    case FormulaCode::HyperbolicCosine:
      return std::cosh(b);
    case FormulaCode::HyperbolicTangent:
      return std::tanh(b);
    case FormulaCode::Exponential:
      return std::exp(b);
    case FormulaCode::Logarithm:
      return std::log(b);
    case FormulaCode::Root:
      return std::sqrt(b);
    case FormulaCode::Square:
      return b * b;
    case FormulaCode::Absolute:
      return std::abs(b);
    case FormulaCode::Floor:
      return std::floor(b);
    case FormulaCode::Ceiling:
      return std::ceil(b);
    case FormulaCode::Sign:
      return double((b > 0) - (b < 0));
    default:
      return b;
  }
}

/// The results of up to three formulas of two variables. `numbers`: param_a to param_f, and the
/// code behind them.
Point3 formulaResults(const double* numbers, std::size_t length, Point variables) {
  const double* const code = numbers + kNumbers;
  FormulaStack stack;
  Point3 results(0);
  for (std::size_t i = 0, found = 0; i < length && code[i] != kEndOfCode; ++i) {
    if (code[i] < kFormulaCode) {
      stack.push(code[i]);
      continue;
    }
    const int op = int(code[i]) - int(kFormulaCode);
    constexpr int kFirstNumber = int(FormulaCode::FirstNumber);
    if (op < kFirstNumber)
      stack.push(op == int(FormulaCode::FirstVariable) ? variables.x : variables.y);
    else if (op < int(FormulaCode::Result))
      stack.push(numbers[op - kFirstNumber]);
    else if (op != int(FormulaCode::Result))
      stack.push(made(FormulaCode(op), stack));
    else if (found < 3)
      results[int(found++)] = stack.top();
  }
  return results;
}

/// A range that may be given the wrong way round.
struct PlotRange {
  double from, to;
  double at(double share) const { return std::min(from, to) + share * std::abs(to - from); }
  double shareOf(double value) const { return (value - std::min(from, to)) / std::abs(to - from); }
};

int wholeOf(double parameter) { return int(std::floor(parameter + 0.5)); }

/// The curve y = f(x) of a formula, drawn out in z.
Point3 wildYplot2dWf(const Input& in, Draws& draws) {
  const double* const p = in.parameters;
  const PlotRange xs{p[0], p[1]}, ys{p[2], p[3]}, zs{p[4], p[5]};
  const int direct = wholeOf(p[6]), mode = wholeOf(p[7]);
  const double u = draws.unit(), v = draws.unit(), x = xs.at(u);
  const double y = formulaResults(p + 8, kLongestCode, {x, 0}).x;
  if (direct > 0 && mode != 0) draws.setColor(mode == 2 ? ys.shareOf(y) : u);
  return in.weight * Point3(x, y, zs.at(v));
}

/// The curve r = f(t) of a formula, drawn out in z.
Point3 wildPolarplot2dWf(const Input& in, Draws& draws) {
  const double* const p = in.parameters;
  const PlotRange ts{p[0], p[1]}, rs{p[2], p[3]}, zs{p[4], p[5]};
  const int direct = wholeOf(p[6]), mode = wholeOf(p[7]);
  const double u = draws.unit(), v = draws.unit(), t = ts.at(u);
  const double r = formulaResults(p + 8, kLongestCode, {t, 0}).x;
  if (direct > 0 && mode != 0) draws.setColor(mode == 2 ? rs.shareOf(r) : u);
  return in.weight * Point3(r * direction(t), zs.at(v));
}

/// The surface r = f(t, u) of a formula, around a cylinder or a sphere.
Point3 wildPolarplot3dWf(const Input& in, Draws& draws) {
  const double* const p = in.parameters;
  const PlotRange ts{p[0], p[1]}, us{p[2], p[3]}, rs{p[4], p[5]};
  const bool cylindrical = wholeOf(p[6]) != 0;
  const int direct = wholeOf(p[7]), mode = wholeOf(p[8]);
  const double shareT = draws.unit(), shareU = draws.unit(), t = ts.at(shareT), u = us.at(shareU);
  const double r = formulaResults(p + 9, kLongestCode - 1, {t, u}).x;
  const double shades[] = {0, shareT, shareU, rs.shareOf(r), shareT * shareU};
  if (direct > 0 && mode != 0) draws.setColor(mode > 0 && mode < 5 ? shades[mode] : 0);
  const double across = cylindrical ? r : r * std::sin(u);
  return in.weight * Point3(across * direction(t), cylindrical ? u : r * std::cos(u));
}

/// The surface x, y, z = f(u, v) of three formulas.
Point3 wildParplot2dWf(const Input& in, Draws& draws) {
  const double* const p = in.parameters;
  const PlotRange us{p[0], p[1]}, vs{p[2], p[3]};
  const int direct = wholeOf(p[4]), mode = wholeOf(p[5]);
  const double first = draws.unit(), second = draws.unit();
  const Point share = wholeOf(p[6]) != 0 ? Point(first, second) : Point(in.x, in.y);
  if (direct > 0 && mode != 0)
    draws.setColor(mode == 1 ? share.x : mode == 2 ? share.y : share.x * share.y);
  return in.weight * formulaResults(p + 7, kLongestCode, {us.at(share.x), vs.at(share.y)});
}

/// What a plot has beside its own parameters: six numbers, and the code of the formulas, each of
/// which is followed by Result.
std::vector<ParameterInfo> plotParameters(std::vector<ParameterInfo> own,
                                          const std::array<double, kNumbers>& numbers,
                                          const std::vector<std::string_view>& formulas,
                                          const std::vector<std::string_view>& variables,
                                          std::size_t length = kLongestCode) {
  static constexpr std::string_view kNumberNames[] = {"param_a", "param_b", "param_c",
                                                      "param_d", "param_e", "param_f"};
  static constexpr std::string_view kCodeNames[] = {
      "code1",  "code2",  "code3",  "code4",  "code5",  "code6",  "code7",  "code8",
      "code9",  "code10", "code11", "code12", "code13", "code14", "code15", "code16",
      "code17", "code18", "code19", "code20", "code21", "code22"};
  std::vector<double> code;
  for (const std::string_view formula : formulas) {
    const std::vector<double> one = compiledFormula(formula, variables).value();
    code.insert(code.end(), one.begin(), one.end());
    code.push_back(kFormulaCode + double(int(FormulaCode::Result)));
  }
  code.resize(length, kEndOfCode);
  for (std::size_t i = 0; i < kNumbers; ++i) own.push_back({kNumberNames[i], numbers[i], -10, 10});
  for (std::size_t i = 0; i < length; ++i)  // no range: a genome's text alone changes it
    own.push_back({kCodeNames[i], code[i], code[i], code[i]});
  return own;
}

constexpr double kPlotPi = 3.141592653589793, kQuarterTurn = 1.570796;

}  // namespace

WildFamily wildPlotVariations() {
  const auto row = [](std::string_view name, Point3 (*plot)(const Input&, Draws&),
                      std::vector<ParameterInfo> parameters) {
    return WildVariation(name, kMakesZ, plot, std::move(parameters), false, true);
  };
  const ParameterInfo zmin{"zmin", -2, -5, 5}, zmax{"zmax", 2, -5, 5};
  const ParameterInfo direct{"direct_color", 1, 0, 1};
  return {
      row("yplot2d_wf", wildYplot2dWf,
          plotParameters({{"xmin", -5, -10, 10},
                          {"xmax", 5, -10, 10},
                          {"ymin", -4, -10, 10},
                          {"ymax", 4, -10, 10},
                          zmin,
                          zmax,
                          direct,
                          {"color_mode", 1, 0, 2}},
                         {}, {"sin(x)+2*sin(2*x)+1*sin(4*x)"}, {"x"})),
      row("polarplot2d_wf", wildPolarplot2dWf,
          plotParameters({{"tmin", -kPlotPi, -10, 10},
                          {"tmax", kPlotPi, -10, 10},
                          {"rmin", -4, -10, 10},
                          {"rmax", 4, -10, 10},
                          zmin,
                          zmax,
                          direct,
                          {"color_mode", 1, 0, 2}},
                         {1, 5, 9, 0, 0, 0}, {"param_a+tanh(param_b*sin(param_c*t))/param_b"},
                         {"t"})),
      row("polarplot3d_wf", wildPolarplot3dWf,
          plotParameters({{"tmin", -kPlotPi, -10, 10},
                          {"tmax", kPlotPi, -10, 10},
                          {"umin", -kQuarterTurn, -10, 10},
                          {"umax", kQuarterTurn, -10, 10},
                          {"rmin", -2, -10, 10},
                          {"rmax", 2, -10, 10},
                          {"cylindrical", 0, 0, 1},
                          direct,
                          {"color_mode", 3, 0, 4}},
                         {5, 6, 0.25, 0, 0, 0}, {"sin(param_a*t)+cos(param_b*u)+param_c"},
                         {"t", "u"}, kLongestCode - 1)),
      row("parplot2d_wf", wildParplot2dWf,
          plotParameters({{"umin", -kPlotPi, -10, 10},
                          {"umax", kPlotPi, -10, 10},
                          {"vmin", -kPlotPi, -10, 10},
                          {"vmax", kPlotPi, -10, 10},
                          direct,
                          {"color_mode", 3, 0, 3},
                          {"solid", 1, 0, 1}},
                         {}, {"cos(v)*u", "v*cos(u)", "u*v*sin(u)*sin(v)"}, {"u", "v"})),
  };
}

}  // namespace fathom::flame
