// SPDX-License-Identifier: BSD-3-Clause
// The small JSON objects in headers and attributes of other files, whose keys and ranges are all
// known.
#pragma once

namespace fathom {

/// An object to read, whatever fits no key or range being an Error.
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

/// The object of all entries of JSON objects, those of the first in front; nothing when one is no
/// object.
std::string unitedJsonObject(const std::string& first, const std::string& second);

/// The texts of an object by their names, others left out; nothing when it is no object.
std::map<std::string, std::string> textsOfJson(const std::string& text);

/// An object of texts, as short as can be. Names are bytes; what is no UTF-8 of them is replaced.
std::string jsonOfTexts(const std::map<std::string, std::string>& texts);

}  // namespace fathom
