// SPDX-License-Identifier: BSD-3-Clause
// Files of several parts: which parts of the inputs become one part of the output. Stereo files are
// merged view by view.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace fathom::deep {

/// What is merged into one part.
struct PartGroup {
  std::string name, view;  // of the part; empty when the file does not say
  std::vector<std::string> inputs;  // FILE or FILE#PART
  std::vector<std::size_t> numbers;  // which of all inputs each of them is
};

/// Parts of the same view belong together, where there are none those of the same name. A file of
/// one deep part that has neither in common with the others belongs to all. One group when no input
/// has several deep parts, or `part` (or FILE#PART) names the one to take. `notes` gets a line for
/// each part that is not deep, and so in no group. Throws Error.
std::vector<PartGroup> partGroups(const std::vector<std::string>& inputs, const std::string& part,
                                  std::vector<std::string>& notes);

}  // namespace fathom::deep
