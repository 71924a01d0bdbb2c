// SPDX-License-Identifier: BSD-3-Clause
// The order of the benchmarks in the printed list.
#include "app/lab/flame/bench.h"

namespace fathom::flame {

const std::vector<Bench>& benches() {
  static const std::vector<Bench> list = [] {
    std::vector<Bench> all;
    for (const auto& part : {iterateBenches, filterBenches, sortBenches})
      for (const Bench& bench : part()) all.push_back(bench);
    return all;
  }();
  return list;
}

}  // namespace fathom::flame
