// SPDX-License-Identifier: BSD-3-Clause
// Runs the built program as a user would and keeps what it said.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace fathom::test {

struct Outcome {
  int code = -1;  // exit code; 128 + signal when it was killed
  std::string out, err;
};

struct RunOptions {
  std::vector<std::string> environment{};  // "NAME=value", or "NAME" to remove it
  long long fileSizeLimit = -1;            // bytes per file: writing more fails, as on a full disk
  int interruptAfterMs = -1;               // Ctrl+C after that time
  bool hangUp = false;                     // its terminal closes, instead of Ctrl+C
  std::filesystem::path killWhenThere{};   // SIGKILL as soon as this file is there
  std::filesystem::path folder{};          // to run in; empty: this one
};

/// Runs build/fathom with these arguments. Standard error is no terminal.
Outcome runFathom(const std::vector<std::string>& arguments, const RunOptions& options = {});
/// What it says on standard output. Throws what it says on standard error unless it succeeds.
std::string outputOf(const std::vector<std::string>& arguments, const RunOptions& options = {});
/// What --json says.
nlohmann::json jsonOf(std::vector<std::string> arguments);
/// What it says on standard error as it succeeds; throws that unless it does.
std::string warningsOf(const std::vector<std::string>& arguments);
/// The one line that it says on standard error as it ends with this code; throws if it does not.
std::string refusalOf(const std::vector<std::string>& arguments, int code = 1);
std::string refusalOf(const std::vector<std::string>& arguments, const RunOptions& options);
/// Becomes this program, in a process of its own.
[[noreturn]] void execute(std::vector<std::string> command);
Outcome runProgram(const std::vector<std::string>& command, const RunOptions& options = {});

}  // namespace fathom::test

namespace fathom {

using test::jsonOf, test::Outcome, test::outputOf, test::refusalOf, test::runFathom,
    test::RunOptions, test::warningsOf;

}  // namespace fathom
