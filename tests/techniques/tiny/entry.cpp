// SPDX-License-Identifier: BSD-3-Clause
// What it is called, and the functions that make it up; no commands, no benches, no facets.
#include "tests/techniques/tiny/entry.h"

#include "tests/techniques/tiny/technique.h"

namespace fathom::tiny {

const TechniqueEntry& entry() {
  static const TechniqueEntry entry{
      .info = {"tiny", "Ramp", "A ramp between two grays.", "none", {".ramp"}},
      .accepts = accepts,
      .read = read,
      .settings = defaultSettings<Settings>,
      .make = makeEngine<RampTechnique>};
  return entry;
}

}  // namespace fathom::tiny
