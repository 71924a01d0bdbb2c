// SPDX-License-Identifier: BSD-3-Clause
// The entry point that libFuzzer calls; a fuzz target defines it.
#pragma once

/// Works on any bytes; what is wrong ends the program.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
