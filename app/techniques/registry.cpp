// SPDX-License-Identifier: BSD-3-Clause
// The techniques that the program knows: one line each.
#include "app/techniques/active_pixel/command.h"
#include "app/techniques/active_pixel/technique.h"
#include "app/techniques/active_pixel/tuning.h"
#include "app/techniques/deep/command.h"
#include "app/techniques/deep/technique.h"
#include "app/techniques/deep/tuning.h"
#include "app/techniques/dof/command.h"
#include "app/techniques/dof/technique.h"
#include "app/techniques/dof/variant_workload.h"
#include "app/techniques/flame/command.h"
#include "app/techniques/flame/technique.h"
#include "app/techniques/flame/tuning.h"
#include "app/techniques/smoe/bench.h"
#include "app/techniques/smoe/command.h"
#include "app/techniques/smoe/technique.h"
#include "app/techniques/smoe/tuning.h"
#include "app/techniques/technique.h"

#include <algorithm>

namespace fathom {

const std::vector<TechniqueEntry>& techniques() {
  static const std::vector<TechniqueEntry> list = {
      {deep::staticInfo(), deep::make, deep::commands, deep::benches, deep::tunables},
      {dof::staticInfo(), dof::make, dof::commands, dof::benches, dof::tunables},
      {flame::staticInfo(), flame::make, flame::commands, flame::benches, flame::tunables},
      {smoe::staticInfo(), smoe::make, smoe::commands, smoe::benches, smoe::tunables},
      {active_pixel::staticInfo(), active_pixel::make, active_pixel::commands,
       active_pixel::benches, active_pixel::tunables},
  };
  return list;
}

const TechniqueEntry* techniqueFor(const std::string& input) {
  const auto at =
      std::find_if(techniques().begin(), techniques().end(),
                   [&](const TechniqueEntry& entry) { return entry.make()->accepts(input); });
  return at == techniques().end() ? nullptr : &*at;
}

const TechniqueEntry* techniqueNamed(const std::string& name) {
  const auto at =
      std::find_if(techniques().begin(), techniques().end(),
                   [&](const TechniqueEntry& entry) { return entry.info.name == name; });
  return at == techniques().end() ? nullptr : &*at;
}

}  // namespace fathom
