// SPDX-License-Identifier: BSD-3-Clause
// Where and when something was measured, as the head of a bench file states it, and finding that
// out: processor, system and date.
#pragma once

#include "app/engine/io/run_record.h"

namespace fathom::bench {

struct Machine {
  DeviceFacts device;
  std::string cpu, os, date;  // date: 2026-01-31
};

/// "2026-01-31", UTC.
std::string dateOfToday();
Machine thisMachine(DeviceFacts device);

}  // namespace fathom::bench
