// SPDX-License-Identifier: BSD-3-Clause
// A JSON document as a plain value, for formats whose fields are not known beforehand: whoever
// reads it walks it and decides what each part means.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fathom {

struct JsonTree {
  enum class Kind { Null, Bool, Number, Text, List, Object };
  Kind kind = Kind::Null;
  double number = 0;  // finite; of a Bool 0 or 1
  std::string text;
  std::vector<std::string> keys;  // of an Object, ascending
  std::vector<JsonTree> items;    // of a List; of an Object, one per key

  /// Throws Error, beginning with `name`, when the text is no JSON, names a key of an object twice
  /// or is nested deeper than `maxDepth`.
  static JsonTree parse(std::string_view text, const std::string& name, int maxDepth);

  bool is(Kind wanted) const { return kind == wanted; }
  /// Of an Object; null when there is none.
  const JsonTree* find(std::string_view key) const;
  /// As a message shows it: short, on one line.
  std::string shown() const;
};

}  // namespace fathom
