// SPDX-License-Identifier: BSD-3-Clause
// What the parser of nlohmann does not know: depth, repeated keys, and messages that name the file.
#include "app/engine/io/json.h"

#include "app/engine/core/error.h"

namespace fathom {
namespace {

constexpr int kMaxOrderedDepth = 32;

/// Sees each key before there is a tree, which keeps only the last of equal ones. (The parser's own
/// callback of 3.11 takes the square of a list's length.)
class Strictness : public nlohmann::json_sax<Json> {
 public:
  Strictness(const std::string& name, int maxDepth) : name_(name), maxDepth_(maxDepth) {}

  bool start_object(std::size_t) override { return begin(); }
  bool start_array(std::size_t) override { return begin(); }
  bool end_object() override { return end(); }
  bool end_array() override { return end(); }
  bool key(std::string& key) override {
    if (!keys_.back().insert(key).second)
      fail("{}: expected each key once, found {} twice", name_, shownJson(key));
    return true;
  }
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(std::int64_t) override { return true; }
  bool number_unsigned(std::uint64_t) override { return true; }
  bool number_float(double, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(Json::binary_t&) override { return true; }
  bool parse_error(std::size_t, const std::string&, const Json::exception&) override {
    return false;  // the parser of trees says it
  }

 private:
  bool begin() {
    if (std::ssize(keys_) >= maxDepth_)
      fail("{}: expected JSON of at most {} levels, found more", name_, maxDepth_);
    keys_.emplace_back();
    return true;
  }
  bool end() {
    keys_.pop_back();
    return true;
  }

  const std::string& name_;
  int maxDepth_;
  std::vector<std::set<std::string>> keys_;  // of each object that is open
};

template <class Tree>
Tree parseStrictly(std::string_view text, const std::string& name, const char* what, int maxDepth) {
  try {
    Strictness strictness(name, maxDepth);
    Json::sax_parse(text, &strictness);
    return Tree::parse(text);
  } catch (const Json::exception& error) {
    fail("{}: expected {}, found: {}", name, what, problemOf(error));
  }
}

constexpr int kMaxHeaderDepth = 16;

std::string rangeText(std::int64_t low, std::int64_t high) {
  return fmt::format("an integer from {} to {}", low, high);
}

bool isInteger(const Json& value, std::int64_t low, std::int64_t high) {
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX) return false;
  return value.is_number_integer() && value.get<std::int64_t>() >= low &&
         value.get<std::int64_t>() <= high;
}

bool isFinite(const Json& value) { return value.is_number() && std::isfinite(value.get<double>()); }

}  // namespace

std::string shownJson(const Json& value) {
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (text.size() > 40) text = text.substr(0, 37) + "...";
  return text;
}

Json parseJson(std::string_view text, const std::string& name, int maxDepth) {
  return parseStrictly<Json>(text, name, "JSON", maxDepth);
}

OrderedJson parseOrderedJson(std::string_view text, const std::string& name, const char* what) {
  return parseStrictly<OrderedJson>(text, name, what, kMaxOrderedDepth);
}

std::string problemOf(const Json::exception& error) {
  const std::string what = error.what();  // "[json.exception.parse_error.101] parse error at ..."
  return what.substr(what.find(']') + 2);
}

std::string documentText(const OrderedJson& root) {
  return root.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

std::string headerText(const OrderedJson& json) {
  const bool isObject = json.is_object();
  if (!isObject && (!json.is_array() || json.empty() || !json[0].is_object()))
    return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
  std::string text;
  for (const auto& [key, value] : json.items())
    text +=
        (text.empty() ? "" : ", ") + (isObject ? headerText(key) + ": " : "") + headerText(value);
  return isObject ? "{" + text + "}" : "[" + text + "]";
}

bool JsonObject::has(const std::string& key) const {
  asked_.insert(key);
  return json_.contains(key);
}

const Json& JsonObject::at(const std::string& key) const {
  asked_.insert(key);
  const auto found = json_.find(key);
  if (found == json_.end()) fail("{}: expected \"{}\", found no such key", name_, key);
  return *found;
}

const Json& JsonObject::listAt(const std::string& key, std::size_t count,
                               const std::string& of) const {
  const Json& list = at(key);
  if (!list.is_array() || list.size() != count)
    failAt(key, fmt::format("a list of {} {}", count, of), list);
  return list;
}

void JsonObject::failAt(const std::string& key, const std::string& expected,
                        const Json& found) const {
  fail("{}: \"{}\": expected {}, found {}", name_, key, expected, shownJson(found));
}

JsonObject JsonObject::parse(std::string_view text, const std::string& name) {
  Json root = parseJson(text, name, kMaxHeaderDepth);
  if (!root.is_object()) fail("{}: expected a JSON object, found {}", name, shownJson(root));
  return {std::move(root), name};
}

void JsonObject::expectNoOther() const {
  for (const auto& [key, value] : json_.items())
    if (!asked_.contains(key))
      fail("{}: expected no key {}, found {}", name_, shownJson(key), shownJson(value));
}

std::int64_t JsonObject::integer(const std::string& key, std::int64_t low,
                                 std::int64_t high) const {
  const Json& value = at(key);
  if (!isInteger(value, low, high)) failAt(key, rangeText(low, high), value);
  return value.get<std::int64_t>();
}

double JsonObject::number(const std::string& key) const {
  const Json& value = at(key);
  if (!isFinite(value)) failAt(key, "a number", value);
  return value.get<double>();
}

std::string JsonObject::text(const std::string& key) const {
  const Json& value = at(key);
  if (!value.is_string()) failAt(key, "text", value);
  return value.get<std::string>();
}

std::size_t JsonObject::word(const std::string& key, const std::vector<std::string>& words) const {
  const Json& value = at(key);
  for (std::size_t i = 0; i < words.size(); ++i)
    if (value.is_string() && value.get_ref<const std::string&>() == words[i]) return i;
  failAt(key, fmt::format("\"{}\"", fmt::join(words, "\" or \"")), value);
}

std::vector<std::int64_t> JsonObject::integers(const std::string& key, std::size_t count,
                                               std::int64_t low, std::int64_t high) const {
  std::vector<std::int64_t> result;
  const Json& list = listAt(key, count, "integers");
  for (const Json& item : list) {
    if (!isInteger(item, low, high)) failAt(key, "each " + rangeText(low, high), list);
    result.push_back(item.get<std::int64_t>());
  }
  return result;
}

std::vector<double> JsonObject::numbers(const std::string& key, std::size_t count) const {
  std::vector<double> result;
  const Json& list = listAt(key, count, "numbers");
  for (const Json& item : list) {
    if (!isFinite(item)) failAt(key, fmt::format("a list of {} numbers", count), list);
    result.push_back(item.get<double>());
  }
  return result;
}

std::vector<JsonObject> JsonObject::objects(const std::string& key, std::size_t count) const {
  std::vector<JsonObject> result;
  const Json& list = listAt(key, count, "objects");
  for (const Json& item : list) {
    if (!item.is_object()) failAt(key, fmt::format("a list of {} objects", count), list);
    const std::string name = fmt::format("{}: \"{}\" {}", name_, key, result.size());
    result.push_back({item, name});
  }
  return result;
}

}  // namespace fathom
