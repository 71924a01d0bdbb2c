// SPDX-License-Identifier: BSD-3-Clause
// Clock rates merged and printed.
#include "app/lab/machine.h"

namespace fathom::bench {

void Clocks::merge(const Clocks& later) {
  for (ClockRate Clocks::*of : {&Clocks::processor, &Clocks::gpu, &Clocks::gpuMemory}) {
    (this->*of).seen = std::max((this->*of).seen, (later.*of).seen);
    (this->*of).max = std::max((this->*of).max, (later.*of).max);
  }
}

std::string Clocks::text() const {
  std::string all;
  const auto add = [&](const char* name, const ClockRate& rate) {
    if (rate.seen <= 0 && rate.max <= 0) return;
    all += fmt::format("{}{} ", all.empty() ? "" : "; ", name);
    if (rate.seen > 0 && rate.max > 0)
      all += fmt::format("{:.0f} of {:.0f} MHz", rate.seen, rate.max);
    else
      all +=
          fmt::format("{}{:.0f} MHz", rate.seen > 0 ? "" : "up to ", std::max(rate.seen, rate.max));
  };
  add("processor", processor);
  add("GPU", gpu);
  add("GPU memory", gpuMemory);
  return all;
}

}  // namespace fathom::bench
