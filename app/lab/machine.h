// SPDX-License-Identifier: BSD-3-Clause
// Where and when something was measured, as the head of a bench file states it.
// run/this_machine.h finds it out.
#pragma once

#include "app/engine/io/run_record.h"

namespace fathom::bench {

/// Of one clock, in MHz; 0: unknown.
struct ClockRate {
  double seen = 0;  // the highest rate found while measuring
  double max = 0;   // the highest rate that the hardware allows
};

/// Times of two machines, or of one that got warm, mean little without the rates of their clocks.
struct Clocks {
  ClockRate processor, gpu, gpuMemory;

  /// Merges rates read later. A GPU at rest clocks down, so the highest rate counts.
  void merge(const Clocks& later);
  /// "processor 2000 MHz; GPU 1980 of 1980 MHz; GPU memory 2619 of 2619 MHz"; empty: none known.
  std::string text() const;
};

struct Machine {
  DeviceFacts device;
  std::string cpu, os, date;  // date: 2026-01-31
  Clocks clocks = {};
};

}  // namespace fathom::bench
