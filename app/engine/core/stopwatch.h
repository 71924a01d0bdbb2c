// SPDX-License-Identifier: BSD-3-Clause
// Wall-clock time since an event, for time budgets and for the durations that commands print. The
// clock itself stays in the source file: <chrono> is one of the heavier standard headers.
#pragma once

#include <cstdint>

namespace fathom {

/// Starts when it is made. Monotonic: changes of the system's clock do not matter.
class Stopwatch {
 public:
  Stopwatch() { restart(); }
  void restart() { startNs_ = nowNs(); }
  double ms() const { return double(nowNs() - startNs_) * 1e-6; }
  double seconds() const { return double(nowNs() - startNs_) * 1e-9; }

 private:
  static std::int64_t nowNs();
  std::int64_t startNs_;
};

}  // namespace fathom
