// SPDX-License-Identifier: BSD-3-Clause
// The techniques that the program knows: one line each.
#include "app/engine/active_pixel/engine.h"
#include "app/engine/deep/engine.h"
#include "app/engine/dof/engine.h"
#include "app/engine/engine.h"
#include "app/engine/flame/engine.h"
#include "app/engine/smoe/engine.h"

namespace fathom {

const std::vector<TechniqueEntry>& techniques() {
  static const std::vector<TechniqueEntry> list = {deep::entry(), dof::entry(), flame::entry(),
                                                   smoe::entry(), active_pixel::entry()};
  return list;
}

const TechniqueEntry* techniqueNamed(const std::string& name) {
  for (const TechniqueEntry& entry : techniques())
    if (entry.info.name == name) return &entry;
  return nullptr;
}

}  // namespace fathom
