// SPDX-License-Identifier: BSD-3-Clause
// What the header of an EXR part says, attribute by attribute, in the bytes of the file: nothing
// that a file says about itself is lost because this program has no use for it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fathom {

struct Attribute {
  std::string name, type;        // the type as EXR names it: "float", "v2f", "string", ...
  std::vector<std::byte> value;  // as the file has it, little-endian
  bool operator==(const Attribute&) const = default;
};

using Attributes = std::vector<Attribute>;

/// Null when there is none of that name.
inline const Attribute* findAttribute(const Attributes& attributes, std::string_view name) {
  const auto at = std::find_if(attributes.begin(), attributes.end(),
                               [&](const Attribute& a) { return a.name == name; });
  return at == attributes.end() ? nullptr : &*at;
}

/// Shared by an image and the bands that are read of it; null: none are known.
using SharedAttributes = std::shared_ptr<const Attributes>;

}  // namespace fathom
