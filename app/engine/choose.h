// SPDX-License-Identifier: BSD-3-Clause
// Which technique shows a set of inputs: the one place that decides, asked by window, commands,
// settings check and session alike.
#pragma once

namespace fathom {

struct TechniqueEntry;

/// The first of `preferred` (names, best first; unknown ones are passed over) that accepts the
/// inputs together, else the first of `available` that does; null when none does.
const TechniqueEntry* findTechnique(const std::vector<TechniqueEntry>& available,
                                    const std::vector<std::string>& inputs,
                                    const std::vector<std::string>& preferred = {});

/// The same, but throws Error that says why none does.
const TechniqueEntry& chooseTechnique(const std::vector<TechniqueEntry>& available,
                                      const std::vector<std::string>& inputs,
                                      const std::vector<std::string>& preferred = {});

/// All that accept the inputs together, in the order of `available`.
std::vector<const TechniqueEntry*> techniquesFor(const std::vector<TechniqueEntry>& available,
                                                 const std::vector<std::string>& inputs);

}  // namespace fathom
