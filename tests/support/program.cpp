// SPDX-License-Identifier: BSD-3-Clause
// What it says is held against what a test expects of it.
#include "tests/support/program.h"

#include <nlohmann/json.hpp>

namespace fathom::test {
namespace {

std::string oneLineOf(Outcome outcome, int code) {
  if (outcome.code != code || std::count(outcome.err.begin(), outcome.err.end(), '\n') != 1)
    throw std::runtime_error(fmt::format("found {}: {}", outcome.code, outcome.err));
  return std::move(outcome.err);
}

}  // namespace

Outcome runFathom(const std::vector<std::string>& arguments, const RunOptions& options) {
  std::vector<std::string> command = {FATHOM_PROGRAM};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return runProgram(command, options);
}

std::string outputOf(const std::vector<std::string>& arguments, const RunOptions& options) {
  Outcome outcome = runFathom(arguments, options);
  if (outcome.code != 0) throw std::runtime_error(outcome.err);
  return std::move(outcome.out);
}

nlohmann::json jsonOf(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--json", "-"});
  return nlohmann::json::parse(outputOf(arguments));
}

std::string warningsOf(const std::vector<std::string>& arguments) {
  Outcome outcome = runFathom(arguments);
  if (outcome.code != 0) throw std::runtime_error(outcome.err);
  return std::move(outcome.err);
}

std::string refusalOf(const std::vector<std::string>& arguments, int code) {
  return oneLineOf(runFathom(arguments), code);
}

std::string refusalOf(const std::vector<std::string>& arguments, const RunOptions& options) {
  return oneLineOf(runFathom(arguments, options), 1);
}

}  // namespace fathom::test
