// SPDX-License-Identifier: BSD-3-Clause
// Two clocks of the system, one of which is asked for once.
#include "app/engine/deep/distribute/phase_watch.h"

#include <cstdlib>
#include <ctime>

namespace fathom::deep {

bool PhaseWatch::inTurn() {
  static const bool wanted = std::getenv("FATHOM_RANKS_IN_TURN") != nullptr;
  return wanted;
}

double PhaseWatch::nowMs() {
  timespec now{};
  clock_gettime(inTurn() ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &now);
  return double(now.tv_sec) * 1e3 + double(now.tv_nsec) * 1e-6;
}

}  // namespace fathom::deep
