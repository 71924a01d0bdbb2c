// SPDX-License-Identifier: BSD-3-Clause
// The techniques that the program knows: one line each.
#include "app/techniques/active_pixel/entry.h"
#include "app/techniques/deep/entry.h"
#include "app/techniques/dof/entry.h"
#include "app/techniques/flame/entry.h"
#include "app/techniques/smoe/entry.h"
#include "app/techniques/technique.h"

#include <algorithm>

namespace fathom {

const std::vector<TechniqueEntry>& techniques() {
  static const std::vector<TechniqueEntry> list = {
      deep::entry(), dof::entry(), flame::entry(), smoe::entry(), active_pixel::entry()};
  return list;
}

const TechniqueEntry* techniqueNamed(const std::string& name) {
  const auto at =
      std::find_if(techniques().begin(), techniques().end(),
                   [&](const TechniqueEntry& entry) { return entry.info.name == name; });
  return at == techniques().end() ? nullptr : &*at;
}

}  // namespace fathom
