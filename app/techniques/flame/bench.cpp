// SPDX-License-Identifier: BSD-3-Clause
// The benchmarks of flames, put together from those of each part (bench_parts.h).
#include "app/techniques/flame/bench_parts.h"
#include "app/techniques/flame/command.h"

namespace fathom::flame {

const std::vector<Bench>& benches() {
  static const std::vector<Bench> list = [] {
    std::vector<Bench> all;
    for (const auto& part : kBenchParts)
      for (const Bench& bench : part()) all.push_back(bench);
    return all;
  }();
  return list;
}

}  // namespace fathom::flame
