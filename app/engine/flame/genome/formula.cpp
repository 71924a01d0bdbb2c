// SPDX-License-Identifier: BSD-3-Clause
// Recursive descent: sums of products of signed operands.
#include "app/engine/flame/genome/formula.h"

namespace fathom::flame {
namespace {

using Code = FormulaCode;
using enum FormulaCode;
constexpr int kMaxNesting = 32;

double numberOf(Code code) { return kFormulaCode + double(int(code)); }

constexpr std::pair<std::string_view, Code> kFunctions[] = {{"pow", Power},
                                                            {"min", Minimum},
                                                            {"max", Maximum},
                                                            {"atan2", Angle},
                                                            {"fmod", Remainder},
                                                            {"sin", Sine},
                                                            {"cos", Cosine},
                                                            {"tan", Tangent},
                                                            {"asin", ArcSine},
                                                            {"acos", ArcCosine},
                                                            {"atan", ArcTangent},
                                                            {"sinh", HyperbolicSine},
                                                            {"cosh", HyperbolicCosine},
                                                            {"tanh", HyperbolicTangent},
                                                            {"exp", Exponential},
                                                            {"log", Logarithm},
                                                            {"sqrt", Root},
                                                            {"sqr", Square},
                                                            {"abs", Absolute},
                                                            {"fabs", Absolute},
                                                            {"floor", Floor},
                                                            {"ceil", Ceiling},
                                                            {"sgn", Sign}};

bool takesTwo(Code code) { return code >= Add && code < Negate; }

class Compiler {
 public:
  Compiler(std::string_view text, const std::vector<std::string_view>& variables)
      : text_(text), variables_(variables) {}

  std::optional<std::vector<double>> compiled() {
    if (!sum(0) || !atEnd() || deepest_ > kFormulaStack) return std::nullopt;
    return std::move(out_);
  }

 private:
  bool atEnd() {
    skipSpaces();
    return at_ == text_.size();
  }
  void skipSpaces() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool takes(char wanted) {
    skipSpaces();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  void push(double value) {
    out_.push_back(value);
    deepest_ = std::max(deepest_, ++depth_);
  }
  bool apply(Code code) {
    out_.push_back(numberOf(code));
    if (takesTwo(code)) --depth_;
    return true;
  }

  bool sum(int nesting) {
    if (!product(nesting)) return false;
    while (true) {
      const bool adds = takes('+');
      if (!adds && !takes('-')) return true;
      if (!product(nesting) || !apply(adds ? Add : Subtract)) return false;
    }
  }

  bool product(int nesting) {
    if (!operand(nesting)) return false;
    while (true) {
      const Code code = takes('*') ? Multiply : takes('/') ? Divide : takes('%') ? Remainder : End;
      if (code == End) return true;
      if (!operand(nesting) || !apply(code)) return false;
    }
  }

  bool operand(int nesting) {
    if (nesting > kMaxNesting) return false;
    if (takes('-')) return operand(nesting + 1) && apply(Negate);
    if (takes('+')) return operand(nesting + 1);
    if (takes('(')) return sum(nesting + 1) && takes(')');
    skipSpaces();
    if (at_ == text_.size()) return false;
    const char c = text_[at_];
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') return number();
    return name(nesting);
  }

  bool number() {
    double value = 0;
    const char* end = text_.data() + text_.size();
    const auto [next, error] = std::from_chars(text_.data() + at_, end, value);
    if (error != std::errc() || !(value < kFormulaCode)) return false;
    at_ = std::size_t(next - text_.data());
    push(value);
    return true;
  }

  bool name(int nesting) {
    std::size_t end = at_;
    while (end < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[end])) || text_[end] == '_'))
      ++end;
    const std::string_view word = text_.substr(at_, end - at_);
    at_ = end;
    if (takes('(')) return call(word, nesting);
    const auto variable = std::find(variables_.begin(), variables_.end(), word);
    if (variable != variables_.end()) {
      push(kFormulaCode + double(variable - variables_.begin()));
    } else if (word.size() == 7 && word.substr(0, 6) == "param_" && word[6] >= 'a' &&
               word[6] <= 'f') {
      push(numberOf(FirstNumber) + (word[6] - 'a'));
    } else if (word == "pi" || word == "M_PI") {
      push(std::numbers::pi);
    } else {
      return false;
    }
    return true;
  }

  bool call(std::string_view word, int nesting) {
    const auto* const function =
        std::ranges::find(kFunctions, word, [](const auto& f) { return f.first; });
    if (function == std::end(kFunctions) || !sum(nesting + 1)) return false;
    const bool two = takesTwo(function->second);
    if (two && !(takes(',') && sum(nesting + 1))) return false;
    return takes(')') && apply(function->second);
  }

  std::string_view text_;
  const std::vector<std::string_view>& variables_;
  std::size_t at_ = 0, depth_ = 0, deepest_ = 0;
  std::vector<double> out_;
};

}  // namespace

std::optional<std::vector<double>> compiledFormula(std::string_view text,
                                                   const std::vector<std::string_view>& variables) {
  return Compiler(text, variables).compiled();
}

}  // namespace fathom::flame
