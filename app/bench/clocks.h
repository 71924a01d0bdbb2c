// SPDX-License-Identifier: BSD-3-Clause
// Clock rates of the processor and the GPU, where the system or the driver tells them: times of two
// machines, or of one that got warm, mean little without.
#pragma once

#include "app/io/run_record.h"

#include <filesystem>
#include <optional>
#include <string>

namespace fathom::bench {

/// Of one clock, in MHz; 0: unknown.
struct ClockRate {
  double seen = 0;  // the highest that was found while measuring
  double most = 0;  // that the hardware may go to
};

struct Clocks {
  ClockRate processor, gpu, gpuMemory;

  /// Takes in what was found later. A GPU at rest goes slowly, so the highest rate counts.
  void take(const Clocks& later);
  /// "processor 2000 MHz; GPU 1980 of 1980 MHz; GPU memory 2619 of 2619 MHz"; empty: none known.
  std::string text() const;
};

/// The fastest core's rate in /proc/cpuinfo; 0 where it has none (ARM).
double processorMhz(const std::string& cpuinfo);
/// A table of amdgpu, pp_dpm_sclk or pp_dpm_mclk: "0: 500Mhz\n1: 2400Mhz *\n". The star marks what
/// runs.
ClockRate amdClock(const std::string& levels);
/// What `nvidia-smi --query-gpu=name,clocks.sm,clocks.mem,clocks.max.sm,clocks.max.mem
/// --format=csv,noheader,nounits` prints, a line per GPU: of several, those whose name the
/// renderer's holds, the busiest of them. None where that leaves it open, or without sound lines.
std::optional<Clocks> nvidiaClocks(const std::string& csv, const std::string& renderer);

/// What is known at this moment about the processor and about `device`; unknown where two cards of
/// its maker make it doubtful which one is meant. `root` stands before /proc and /sys. Never fails,
/// and takes at most two seconds.
Clocks readClocks(const DeviceFacts& device, const std::filesystem::path& root = "/");

}  // namespace fathom::bench
