// SPDX-License-Identifier: BSD-3-Clause
// What the numbers in ID channels are called: the idManifest attribute of EXR as plain values, and
// the table of names that Cryptomatte keeps as JSON.
#pragma once

#include "app/engine/core/attributes.h"

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace fathom {

/// The names of the IDs in some channels.
struct IdNames {
  std::set<std::string> channels;
  std::vector<std::string> components{"name"};  // what each text of an entry is
  std::string hashScheme = "none", encodingScheme = "id";
  int lifetime = 2;  // as in EXR: 0 the frame, 1 the shot, 2 stable
  std::map<std::uint64_t, std::vector<std::string>> names;

  /// The texts of an entry as one, "set/tree"; empty when there is none.
  std::string nameOf(std::uint64_t id) const;
};

/// The manifest among the attributes; nothing when there is none or it is damaged.
std::vector<IdNames> idManifestOf(const Attributes& attributes);
std::vector<IdNames> idManifestOf(const Attribute& attribute);
Attribute idManifestAttribute(std::span<const IdNames> manifest);

/// Adds the entries of `more` to those of the same channels and components. Returns how many IDs
/// have another name in it; they keep their first.
std::size_t addNames(std::vector<IdNames>& manifest, std::span<const IdNames> more);

/// The names for a channel; null when there are none.
const IdNames* namesFor(std::span<const IdNames> manifest, const std::string& channel);

/// The object of all entries of JSON objects, those of the first in front; nothing when one is no
/// object.
std::string unitedJsonObject(const std::string& first, const std::string& second);

}  // namespace fathom
