// SPDX-License-Identifier: BSD-3-Clause
// The command line: one file per subcommand. run() parses, dispatches, and maps exceptions to the
// exit codes of the contract: 0 done, 1 could not be done, 2 wrong command line, 3 a compared
// difference, 77 no OpenGL 4.5, 130 interrupted.
#pragma once

#include <string>
#include <vector>

namespace fathom::commands {

int run(int argc, char** argv);

/// Runs one command ("deep merge") inside another program, which catches what it throws: Error and
/// its kin, Cancelled. Returns the exit code. Leaves signals alone.
int runInside(const std::string& name, std::vector<std::string> arguments);

}  // namespace fathom::commands
