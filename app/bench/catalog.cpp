// SPDX-License-Identifier: BSD-3-Clause
// Looks up benches; names may be shortened from the end.
#include "app/bench/catalog.h"

#include "app/bench/gpu_benches.h"
#include "app/techniques/technique.h"
#include "app/techniques/workload.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::bench {

std::vector<const Bench*> allBenches() {
  std::vector<const Bench*> all;
  for (const Bench& bench : gpuBenches()) all.push_back(&bench);
  for (const TechniqueEntry& entry : techniques())
    if (entry.benches)
      for (const Bench& bench : entry.benches()) all.push_back(&bench);
  return all;
}

std::vector<const Bench*> benchesNamed(const std::vector<std::string>& names) {
  const std::vector<const Bench*> all = allBenches();
  if (names.empty()) return all;
  std::vector<bool> chosen(all.size(), false);
  for (const std::string& name : names) {
    bool found = false;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i]->name.compare(0, name.size(), name) == 0) chosen[i] = found = true;
    if (found) continue;
    std::vector<std::string> known;
    for (const Bench* bench : all) known.push_back(bench->name);
    const std::string nearest = nearestName(name, known);
    throw UsageError(fmt::format(
        "no bench \"{}\", {}", name,
        nearest.empty() ? "`fathom bench --list` names all" : "did you mean \"" + nearest + "\"?"));
  }
  std::vector<const Bench*> list;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (chosen[i]) list.push_back(all[i]);
  return list;
}

const PaperTable* paperTableNamed(const std::string& name) {
  for (const Bench* bench : allBenches())
    for (const PaperTable& table : bench->tables)
      if (table.name == name) return &table;
  return nullptr;
}

}  // namespace fathom::bench
