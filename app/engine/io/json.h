// SPDX-License-Identifier: BSD-3-Clause
// JSON documents that are parsed strictly (bounded in depth, each key once) and written indented,
// as nlohmann's trees; and the small objects in headers of other files, whose keys and ranges are
// all known.
#pragma once

#include <nlohmann/json.hpp>

namespace fathom {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;  // keys stay in the order in which they were set

/// Throws Error, beginning with `name`, when the text is no JSON, names a key of an object twice or
/// is nested deeper than `maxDepth`.
Json parseJson(std::string_view text, const std::string& name, int maxDepth);
/// The same with keys in their order, of at most 32 levels. `what`: "a session (JSON)".
OrderedJson parseOrderedJson(std::string_view text, const std::string& name, const char* what);

/// A value as a message shows it: short, on one line.
std::string shownJson(const Json& value);

/// What the parser found wrong, without the number of its exception.
std::string problemOf(const Json::exception& error);

/// A whole file: indented, with a final line feed. Names and paths may hold any bytes: what is not
/// UTF-8 is replaced, never thrown on.
std::string documentText(const OrderedJson& root);
/// An object, or a list of objects, on one line.
std::string headerText(const OrderedJson& json);

/// An object to read, whatever fits no key or range being an Error.
class JsonObject {
 public:
  /// `name` begins every message: the file, and which part of it. Throws Error when the text is no
  /// JSON object, names a key twice or is nested more than 16 deep.
  static JsonObject parse(std::string_view text, const std::string& name);

  bool has(const std::string& key) const;
  /// Throws Error when there is a key that was not asked for so far.
  void expectNoOther() const;

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
  JsonObject(Json json, std::string name) : json_(std::move(json)), name_(std::move(name)) {}
  const Json& at(const std::string& key) const;
  const Json& listAt(const std::string& key, std::size_t count, const std::string& of) const;
  [[noreturn]] void failAt(const std::string& key, const std::string& expected,
                           const Json& found) const;
  Json json_;
  std::string name_;
  mutable std::set<std::string> asked_;
};

}  // namespace fathom
