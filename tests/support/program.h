// SPDX-License-Identifier: BSD-3-Clause
// Runs the built program as a user would and keeps what it said.
#pragma once

namespace fathom::test {

struct Outcome {
  int code = -1;  // exit code; 128 + signal when it was killed
  std::string out, err;
};

struct RunOptions {
  std::vector<std::string> environment;   // "NAME=value", or "NAME" to remove it
  long long fileSizeLimit = -1;           // bytes per file: writing more fails, as on a full disk
  int interruptAfterMs = -1;              // Ctrl+C after that time
  int interruptBy = 2;                    // the signal, SIGINT
  std::filesystem::path killWhenThere{};  // SIGKILL as soon as this file is there
  std::filesystem::path folder;           // to run in; empty: this one
};

/// Runs build/fathom with these arguments. Standard error is no terminal.
Outcome runFathom(const std::vector<std::string>& arguments, const RunOptions& options = {});
Outcome runProgram(const std::vector<std::string>& command, const RunOptions& options = {});

}  // namespace fathom::test
