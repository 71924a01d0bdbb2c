// SPDX-License-Identifier: BSD-3-Clause
// Runs another program for its output; it may be missing, fail or hang.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace fathom::bench {

/// The first 64 KiB of the standard output of a program from the PATH. Empty when there is no such
/// program, when it fails, or when it has not ended after `maxWait`; then it is killed.
std::string outputOf(const std::vector<std::string>& command, std::chrono::milliseconds maxWait);

}  // namespace fathom::bench
