// SPDX-License-Identifier: BSD-3-Clause
// Looks up each variant's partner by its id with one part replaced.
#include "app/lab/report/choices.h"

#include "app/lab/statistics.h"

#include <algorithm>
#include <map>

namespace fathom::bench {
namespace {

using IdParts = std::vector<std::string>;

/// The values of one part in the order in which they first occur.
IdParts valuesOfPart(const std::vector<IdParts>& ids, std::size_t part) {
  IdParts values;
  for (const IdParts& id : ids)
    if (part < id.size() && std::find(values.begin(), values.end(), id[part]) == values.end())
      values.push_back(id[part]);
  return values;
}

ChoiceEffect effectOfChoice(const std::map<IdParts, double>& times, std::size_t part,
                            const std::string& value, const std::string& against) {
  std::vector<double> ratios;
  for (const auto& [id, ms] : times) {
    if (part >= id.size() || id[part] != value) continue;
    IdParts partner = id;
    partner[part] = against;
    const auto other = times.find(partner);
    if (other != times.end() && other->second > 0) ratios.push_back(ms / other->second);
  }
  return {part,
          value,
          against,
          int(ratios.size()),
          percentile(ratios, 0.1),
          percentile(ratios, 0.5),
          percentile(ratios, 0.9)};
}

}  // namespace

std::vector<std::string> partsOf(const std::string& id) {
  IdParts parts(1);
  for (const char c : id) {
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::vector<ChoiceEffect> choiceEffects(const std::vector<std::pair<std::string, double>>& times) {
  std::vector<IdParts> ids;
  std::map<IdParts, double> byId;
  std::size_t partCount = 0;
  for (const auto& [id, ms] : times) {
    ids.push_back(partsOf(id));
    byId[ids.back()] = ms;
    partCount = std::max(partCount, ids.back().size());
  }
  std::vector<ChoiceEffect> effects;
  for (std::size_t part = 0; part < partCount; ++part) {
    const IdParts values = valuesOfPart(ids, part);
    for (std::size_t i = 1; i < values.size(); ++i) {
      const ChoiceEffect effect = effectOfChoice(byId, part, values[i], values[0]);
      if (effect.pairs > 0) effects.push_back(effect);
    }
  }
  return effects;
}

}  // namespace fathom::bench
