// SPDX-License-Identifier: BSD-3-Clause
// From the headers alone.
#include "app/engine/deep/files/part_groups.h"

#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/deep/files/input_file.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace fathom::deep {
namespace {

std::string keyOf(const ExrPartInfo& part) { return part.view.empty() ? part.name : part.view; }

/// The deep parts of one input.
struct InputParts {
  std::string input;
  std::vector<ExrPartInfo> deep;
};

InputParts deepPartsOf(const std::string& input, const std::string& wanted,
                   std::vector<std::string>& notes) {
  const auto [path, named] = splitInput(input);
  InputParts found{input, {}};
  if (!looksLikeDeepExr(path)) return found;  // flat with Z, or refused when it is read
  for (const ExrPartInfo& part : exrParts(path)) {
    if (part.deep)
      found.deep.push_back(part);
    else if (named.empty() && wanted.empty())
      notes.push_back(fmt::format("{}: part {} is flat and not in the output", path,
                                  part.name.empty() ? std::to_string(part.index) : part.name));
  }
  if (!named.empty() || !wanted.empty()) found.deep.clear();
  return found;
}

}  // namespace

std::vector<PartGroup> partGroups(const std::vector<std::string>& inputs, const std::string& part,
                                  std::vector<std::string>& notes) {
  std::vector<InputParts> all;
  for (const std::string& input : inputs) all.push_back(deepPartsOf(input, part, notes));
  std::vector<PartGroup> groups;
  for (const InputParts& one : all) {
    if (one.deep.size() < 2) continue;
    for (const ExrPartInfo& own : one.deep)
      if (std::none_of(groups.begin(), groups.end(), [&](const PartGroup& group) {
            return (group.view.empty() ? group.name : group.view) == keyOf(own);
          }))
        groups.push_back({own.name, own.view, {}, {}});
  }
  if (groups.empty()) {
    PartGroup& whole = groups.emplace_back();
    whole.inputs = inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i) whole.numbers.push_back(i);
    return groups;
  }
  for (PartGroup& group : groups) {
    const std::string key = group.view.empty() ? group.name : group.view;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const InputParts& one = all[i];
      const auto same = std::find_if(one.deep.begin(), one.deep.end(),
                                     [&](const ExrPartInfo& own) { return keyOf(own) == key; });
      const bool isCommon = one.deep.size() < 2 &&
                            (one.deep.empty() ||
                             std::none_of(groups.begin(), groups.end(), [&](const PartGroup& g) {
                               return (g.view.empty() ? g.name : g.view) == keyOf(one.deep[0]);
                             }));
      if (same == one.deep.end() && !isCommon) {
        notes.push_back(fmt::format("{}: has no part for {}", one.input, key));
        continue;
      }
      group.inputs.push_back(isCommon ? one.input : fmt::format("{}#{}", one.input, same->index));
      group.numbers.push_back(i);
    }
  }
  // Parts of one file need different names.
  std::set<std::string> names;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].name.empty()) groups[i].name = groups[i].view;
    if (!names.insert(groups[i].name).second)
      names.insert(groups[i].name = fmt::format("{}.{}", groups[i].name, i));
  }
  return groups;
}

}  // namespace fathom::deep
