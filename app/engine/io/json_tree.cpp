// SPDX-License-Identifier: BSD-3-Clause
// Conversion from and to the parser's own values, so that no header outside io/ needs its library.
#include "app/engine/io/json_tree.h"

#include "app/engine/io/json_parse.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace fathom {
namespace {

using Kind = JsonTree::Kind;

JsonTree treeOf(const Json& json) {
  JsonTree tree;
  if (json.is_boolean()) {
    tree.kind = Kind::Bool, tree.number = json.get<bool>() ? 1 : 0;
  } else if (json.is_number()) {
    tree.kind = Kind::Number, tree.number = json.get<double>();
  } else if (json.is_string()) {
    tree.kind = Kind::Text, tree.text = json.get<std::string>();
  } else if (json.is_array()) {
    tree.kind = Kind::List;
    tree.items.reserve(json.size());
    for (const Json& item : json) tree.items.push_back(treeOf(item));
  } else if (json.is_object()) {
    tree.kind = Kind::Object;
    for (const auto& [key, value] : json.items()) {
      tree.keys.push_back(key);
      tree.items.push_back(treeOf(value));
    }
  }
  return tree;
}

Json treeJson(const JsonTree& tree) {
  switch (tree.kind) {
    case Kind::Null:
      break;
    case Kind::Bool:
      return tree.number != 0;
    case Kind::Number:
      if (tree.number == std::trunc(tree.number) && std::abs(tree.number) < 1e15)
        return std::int64_t(tree.number);  // 5, not 5.0
      return tree.number;
    case Kind::Text:
      return tree.text;
    case Kind::List: {
      Json list = Json::array();
      for (const JsonTree& item : tree.items) list.push_back(treeJson(item));
      return list;
    }
    case Kind::Object: {
      Json object = Json::object();
      for (std::size_t i = 0; i < tree.keys.size(); ++i)
        object[tree.keys[i]] = treeJson(tree.items[i]);
      return object;
    }
  }
  return nullptr;
}

}  // namespace

JsonTree JsonTree::parse(std::string_view text, const std::string& name, int maxDepth) {
  return treeOf(parseJson(text, name, maxDepth));
}

const JsonTree* JsonTree::find(std::string_view key) const {
  const auto at = std::lower_bound(keys.begin(), keys.end(), key);
  return at != keys.end() && *at == key ? &items[std::size_t(at - keys.begin())] : nullptr;
}

std::string JsonTree::shown() const { return shownJson(treeJson(*this)); }

}  // namespace fathom
