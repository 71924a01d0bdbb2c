// SPDX-License-Identifier: BSD-3-Clause
// Where and when something was measured, as the head of a bench file states it, and finding that
// out: processor, system, date, and the clock rates where the system or the driver reveals them.
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

/// "2026-01-31", UTC.
std::string dateOfToday();
/// With the current clock rates.
Machine thisMachine(DeviceFacts device);

/// The current rates of the processor and of `device`; unknown where two cards of one vendor leave
/// open which of them is meant. `root` is prepended to /proc and /sys. Never fails, and takes two
/// seconds at most.
Clocks readClocks(const DeviceFacts& device, const std::filesystem::path& root = "/");

/// The fastest core's rate in /proc/cpuinfo; 0 where it has none (ARM).
double processorMhz(const std::string& cpuinfo);
/// A table of amdgpu, pp_dpm_sclk or pp_dpm_mclk: "0: 500Mhz\n1: 2400Mhz *\n". The star marks the
/// current level.
ClockRate amdClock(const std::string& levels);
/// What `nvidia-smi --query-gpu=name,clocks.sm,clocks.mem,clocks.max.sm,clocks.max.mem
/// --format=csv,noheader,nounits` prints, a line per GPU. Of several GPUs, those whose name is part
/// of the renderer's, with the rates of the busiest. None where that leaves it open, or without
/// well-formed lines.
std::optional<Clocks> nvidiaClocks(const std::string& csv, const std::string& renderer);

}  // namespace fathom::bench
