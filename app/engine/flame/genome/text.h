// SPDX-License-Identifier: BSD-3-Clause
// Values as flam3 writes them in attributes: numbers as C's strtod and strtol read them in the "C"
// locale, lists separated by white space; and the place in a file that a message speaks of.
#pragma once

#include "app/engine/core/error.h"

namespace fathom::flame {

/// "file.flame: flame rose, xform 2": grows while the reader goes down the tree.
class Place {
 public:
  explicit Place(std::string file) : text_(std::move(file)) {}
  Place in(const std::string& part) const {
    Place inner(text_ + (nested_ ? ", " : ": ") + part);
    inner.nested_ = true;
    return inner;
  }
  /// "PLACE: TEXT"
  std::string line(const std::string& text) const { return text_ + ": " + text; }
  [[noreturn]] void fail(const std::string& expected, const std::string& found) const {
    throw Error(line("expected " + expected + ", found " + found));
  }

 private:
  std::string text_;
  bool nested_ = false;
};

/// A text from a file for use in a message: quoted, on one line, cut to 60 characters.
std::string quote(std::string_view text);

/// The whole text as a number; "" is 0, "0x1p3", "inf" and "nan" are numbers; none when anything
/// else follows.
std::optional<double> realOf(const std::string& text);
/// As strtol to base 10; none when anything follows or the value does not fit an int.
std::optional<int> integerOf(const std::string& text);
/// What the text begins with, 0 when that is no number: atof.
double leadingReal(const std::string& text);

std::vector<std::string> wordsOf(std::string_view text);
/// All words as numbers; none when one is no number.
std::optional<std::vector<double>> realsOf(const std::string& text);

/// The shortest text that reads back as the same double.
std::string textOf(double value);

}  // namespace fathom::flame
