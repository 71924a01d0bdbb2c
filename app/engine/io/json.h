// SPDX-License-Identifier: BSD-3-Clause
// JSON: documents that are parsed strictly (bounded in depth, each key once) and written indented;
// trees for formats whose fields are not known beforehand; and the small objects in the headers of
// binary files, whose keys and ranges are all known.
#pragma once

#include <nlohmann/json.hpp>

namespace fathom {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;  // keys stay in the order in which they were set

/// Throws Error, beginning with `name`, when the text is no JSON, names a key of an object twice or
/// is nested deeper than `maxDepth`.
Json parseJson(std::string_view text, const std::string& name, int maxDepth);

/// A value as a message shows it: short, on one line.
std::string shownJson(const Json& value);

/// What the parser found wrong, without the number of its exception.
std::string problemOf(const Json::exception& error);

/// A whole file: indented, with a final line feed. Names and paths may hold any bytes: what is not
/// UTF-8 is replaced, never thrown on.
std::string documentText(const OrderedJson& root);

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

class JsonObject {
 public:
  /// `name` begins every message: the file, and which part of it. Throws Error when the text is no
  /// JSON object, names a key twice or is nested more than 16 deep.
  static JsonObject parse(std::string_view text, const std::string& name);

  bool has(const std::string& key) const;
  /// Throws Error when there is any other key.
  void expectOnly(const std::vector<std::string>& keys) const;

  std::int64_t integer(const std::string& key, std::int64_t low, std::int64_t high) const;
  double number(const std::string& key) const;
  std::string text(const std::string& key) const;
  /// The index of the value among these words.
  std::size_t word(const std::string& key, const std::vector<std::string>& words) const;
  std::vector<std::int64_t> integers(const std::string& key, std::size_t count, std::int64_t low,
                                     std::int64_t high) const;
  std::vector<double> numbers(const std::string& key, std::size_t count) const;
  std::vector<JsonObject> objects(const std::string& key, std::size_t count) const;

 private:
  struct Value;
  explicit JsonObject(std::shared_ptr<const Value> value);
  std::shared_ptr<const Value> value_;
};

/// An object to write: keys in the order in which they were added, all on one line.
class JsonText {
 public:
  void add(const std::string& key, std::int64_t value);
  void add(const std::string& key, double value);
  void add(const std::string& key, const std::string& value);
  void add(const std::string& key, const std::vector<std::int64_t>& values);
  void add(const std::string& key, const std::vector<double>& values);
  void add(const std::string& key, const std::vector<JsonText>& values);
  std::string text() const;

 private:
  void addText(const std::string& key, const std::string& value);
  std::string body_;
};

}  // namespace fathom
