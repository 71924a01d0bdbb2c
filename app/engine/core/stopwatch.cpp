// SPDX-License-Identifier: BSD-3-Clause
// The one place that reads std::chrono::steady_clock for a Stopwatch.
#include "app/engine/core/stopwatch.h"

#include <chrono>

namespace fathom {

std::int64_t Stopwatch::nowNs() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

}  // namespace fathom
