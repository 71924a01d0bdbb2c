// SPDX-License-Identifier: BSD-3-Clause
// Milliseconds of wall time since it was made.
#pragma once

#include <chrono>

namespace fathom::active_pixel {

class Stopwatch {
 public:
  double ms() const {
    return std::chrono::duration<double, std::milli>(Clock::now() - start_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

}  // namespace fathom::active_pixel
