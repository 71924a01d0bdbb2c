// SPDX-License-Identifier: BSD-3-Clause
// Where and when something was measured: what stands at the head of a bench file.
#pragma once

#include "app/bench/clocks.h"
#include "app/io/run_record.h"

#include <string>

namespace fathom::bench {

struct Machine {
  DeviceFacts device;
  std::string cpu, os, date;  // date: 2026-01-31
  std::string scale = {};     // "quick", "normal", "paper"
  Clocks clocks = {};
  int rounds = 1;            // through all benches
  bool keepsRounds = false;  // the file says the trials of each, so that others can be joined
};
/// With the clocks as they are now.
Machine thisMachine(DeviceFacts device);

}  // namespace fathom::bench
