// SPDX-License-Identifier: BSD-3-Clause
// A parser callback rejects what the parser itself would accept: repeated keys and deep nesting.
#include "app/engine/io/json_parse.h"

#include "app/engine/core/error.h"

#include <algorithm>
#include <set>
#include <vector>

namespace fathom {
namespace {

/// Sees each key as it is read, because a parsed object keeps only the last of equal ones.
class Strictness {
 public:
  Strictness(const std::string& name, int maxDepth) : name_(name), maxDepth_(maxDepth) {}
  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    using Event = Json::parse_event_t;
    if (event == Event::object_start || event == Event::array_start) {
      if (depth >= maxDepth_)
        fail("{}: expected JSON of at most {} levels, found more", name_, maxDepth_);
      keys_.resize(std::max(keys_.size(), std::size_t(depth) + 2));
      keys_[std::size_t(depth) + 1].clear();
    }
    if (event == Event::key && !keys_[std::size_t(depth)].insert(parsed.get<std::string>()).second)
      fail("{}: expected each key once, found {} twice", name_, shownJson(parsed));
    return true;
  }

 private:
  std::string name_;
  int maxDepth_;
  std::vector<std::set<std::string>> keys_;  // of the object that is open at each depth
};

}  // namespace

std::string shownJson(const Json& value) {
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (text.size() > 40) text = text.substr(0, 37) + "...";
  return text;
}

Json parseJson(std::string_view text, const std::string& name, int maxDepth) {
  try {
    return Json::parse(text, Strictness(name, maxDepth));
  } catch (const Json::exception& error) {
    fail("{}: expected JSON, found: {}", name, problemOf(error));
  }
}

std::string problemOf(const Json::exception& error) {
  const std::string what = error.what();  // "[json.exception.parse_error.101] parse error at ..."
  return what.substr(what.find(']') + 2);
}

std::string documentText(const OrderedJson& root) {
  return root.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace fathom
