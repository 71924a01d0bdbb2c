// SPDX-License-Identifier: BSD-3-Clause
// What devices do now and then, done on purpose by tests: programs that are late, memory that is
// refused, dispatches that would take too long. Nothing asks for it but them.
#pragma once

#include "app/engine/gpu/compiler.h"
#include "app/engine/gpu/pass.h"

namespace fathom::gpu {

struct Stress {
  bool late = false;     // the first request of each program throws Compiling, where callers can
  bool refuses = false;  // the first room asked for under each name throws DoesNotFit
  double slower = 1;     // so many times longer do operations take, by their estimate
  bool watches = false;  // names are kept of programs that were missing where no request asked
  std::set<ProgramSources> asked = {};
  std::set<std::string> refused = {}, unrequested = {};
};

/// The process's one.
inline Stress& stress() {
  static Stress one;
  return one;
}

inline DispatchCost stressed(const DispatchCost& cost) {
  return {cost.operations * stress().slower, cost.dependentReads};
}

}  // namespace fathom::gpu
