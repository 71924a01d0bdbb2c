// SPDX-License-Identifier: BSD-3-Clause
// Finds out where the program runs: processor, system, date, and the clock rates of processor and
// GPU where the system or the driver reveals them.
#pragma once

#include "app/lab/machine.h"

namespace fathom::bench {

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
