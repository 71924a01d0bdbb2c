// SPDX-License-Identifier: BSD-3-Clause
// Asks another program, which may be missing, fail or hang.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace fathom::bench {

/// Standard output of a program from the PATH, at most 64 KiB of it. Empty when there is no such
/// program, when it fails, or when it is not done after `most`: it is killed then.
std::string outputOf(const std::vector<std::string>& command, std::chrono::milliseconds most);

}  // namespace fathom::bench
