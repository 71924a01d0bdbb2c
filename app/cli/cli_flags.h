// SPDX-License-Identifier: BSD-3-Clause
// The settings of a technique as flags: names, domains, defaults and help come from describe(),
// and every value goes through assign(), the only parser of values.
#pragma once

#include "app/engine/core/fields.h"

#include <CLI/CLI.hpp>

#include <map>
#include <string>
#include <vector>

namespace fathom::commands {

class CliFlags {
 public:
  CliFlags() = default;
  CliFlags(const CliFlags&) = delete;  // the app keeps references to the texts
  CliFlags& operator=(const CliFlags&) = delete;

  /// Declares one flag per setting (`--stream` and `--stream=off` for a toggle) and `--set`.
  void declare(CLI::App& app, const Describe& settings);
  /// Only `--set name=value`, for subcommands that find out later whose settings they are.
  void declareSet(CLI::App& app);
  /// Assigns what was given: `--set` first, then the flags. Throws UsageError.
  void assignTo(const Describe& settings) const;

  /// The `--set` values, split. Throws UsageError when one has no "=".
  std::vector<std::pair<std::string, std::string>> sets() const;

 private:
  std::map<std::string, std::string> texts_;  // only the flags given are not empty
  std::map<std::string, CLI::Option*> options_;
  std::vector<std::string> sets_;
};

}  // namespace fathom::commands
