// SPDX-License-Identifier: BSD-3-Clause
// Which choices of an implementation space matter: the times of pairs of variants that differ in
// one choice only.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace fathom::bench {

struct ChoiceEffect {
  std::size_t part = 0;        // of the dotted id
  std::string value, against;  // `against` is the first value that this part has
  int pairs = 0;
  double p10 = 0, median = 0, p90 = 0;  // time with `value` over time with `against`
};

/// Of variants given by dotted id ("block.peel.a") and time. Choices without such a pair are left
/// out; ids with different numbers of parts never pair.
std::vector<ChoiceEffect> choiceEffects(const std::vector<std::pair<std::string, double>>& times);

/// The parts of a dotted id.
std::vector<std::string> partsOf(const std::string& id);

}  // namespace fathom::bench
