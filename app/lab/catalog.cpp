// SPDX-License-Identifier: BSD-3-Clause
// Looks up benches, whose names may be shortened from the end.
#include "app/lab/catalog.h"

#include "app/engine/engine.h"
#include "app/lab/deep/bench.h"
#include "app/lab/smoe/bench.h"
#include "app/lab/workload.h"

namespace fathom::bench {

const std::vector<Bench>& benchesOf(const std::string& technique) {
  static const std::vector<Bench> none;
  if (technique == "deep") return deep::benches();
  if (technique == "dof") return dof::benches();
  if (technique == "flame") return flame::benches();
  if (technique == "smoe") return smoe::benches();
  if (technique == "active-pixel") return active_pixel::benches();
  return none;
}

const std::vector<Tunable>& tunablesOf(const std::string& technique) {
  static const std::vector<Tunable> none;
  if (technique == "deep") return deep::tunables();
  if (technique == "dof") return dof::tunables();
  return none;
}

std::vector<const Bench*> allBenches() {
  std::vector<const Bench*> all;
  for (const Bench& bench : gpuBenches()) all.push_back(&bench);
  for (const TechniqueEntry& entry : techniques())
    for (const Bench& bench : benchesOf(entry.info.name)) all.push_back(&bench);
  return all;
}

std::vector<const Bench*> benchesNamed(const std::vector<std::string>& names) {
  const std::vector<const Bench*> all = allBenches();
  std::vector<bool> chosen(all.size(), false);
  for (std::size_t i = 0; names.empty() && i < all.size(); ++i) chosen[i] = !all[i]->takesFiles;
  for (const std::string& name : names) {
    bool found = false;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i]->name.compare(0, name.size(), name) == 0) chosen[i] = found = true;
    if (found) continue;
    std::vector<std::string> known;
    for (const Bench* bench : all) known.push_back(bench->name);
    const std::string nearest = nearestName(name, known);
    failUsage(
        "no bench \"{}\", {}", name,
        nearest.empty() ? "`fathom bench --list` names all" : "did you mean \"" + nearest + "\"?");
  }
  std::vector<const Bench*> list;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (chosen[i]) list.push_back(all[i]);
  return list;
}

}  // namespace fathom::bench
