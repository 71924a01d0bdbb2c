// SPDX-License-Identifier: BSD-3-Clause
// How long a phase of compositing took. Phases run beside each other and are given in wall time;
// with FATHOM_RANKS_IN_TURN=1 in the environment they follow each other and are given in the
// processor time of the whole process, which other work on the machine hardly disturbs
// (docs/measure_compositing.py).
#pragma once

namespace fathom::deep {

class PhaseWatch {
 public:
  PhaseWatch() : start_(nowMs()) {}
  double ms() const { return nowMs() - start_; }

  static bool inTurn();

 private:
  static double nowMs();
  double start_;
};

}  // namespace fathom::deep
