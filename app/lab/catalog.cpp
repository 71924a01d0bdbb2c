// SPDX-License-Identifier: BSD-3-Clause
// Looks up benches, whose names may be shortened from the end, and the tables of papers.json.
#include "app/lab/catalog.h"

#include "app/engine/engine.h"
#include "app/engine/io/json.h"
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

namespace {

PaperTable tableOf(const OrderedJson& json) {
  PaperTable table{json.at("name"), json.value("unit", ""), {}, {}};
  for (const OrderedJson& column : json.value("columns", OrderedJson::array()))
    table.columns.push_back(column);
  const OrderedJson rows = json.value("rows", OrderedJson::object());
  for (const auto& [name, values] : rows.items()) {
    PaperTable::Row& row = table.rows.emplace_back(PaperTable::Row{name, {}});
    for (const OrderedJson& value : values)
      row.values.push_back(value.is_null() ? kNotPrinted : value.get<double>());
  }
  return table;
}

}  // namespace

const PaperTable* paperTableNamed(const std::string& name) {
  static const std::vector<PaperTable> tables = [] {
    std::vector<PaperTable> all;
    for (const OrderedJson& json : OrderedJson::parse(kPapersJson)) all.push_back(tableOf(json));
    return all;
  }();
  const auto at = std::ranges::find(tables, name, &PaperTable::name);
  return at == tables.end() ? nullptr : &*at;
}

}  // namespace fathom::bench
