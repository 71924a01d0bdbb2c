// SPDX-License-Identifier: BSD-3-Clause
// "-" for standard input and output: formats with tables of places need a file, so that what comes
// in and what goes out lies in a temporary one meanwhile.
#pragma once

#include "app/cli/command.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace fathom::commands {

class StandardStreams {
 public:
  /// Reads standard input to its end when one of the inputs is "-". Throws UsageError when two are,
  /// Error when nothing comes.
  StandardStreams(const std::vector<std::string>& inputs, const std::string& output,
                  const Command& command);
  ~StandardStreams();
  StandardStreams(const StandardStreams&) = delete;
  StandardStreams& operator=(const StandardStreams&) = delete;

  /// With files in place of "-".
  const std::vector<std::string>& inputs() const { return inputs_; }
  const std::string& output() const { return output_; }
  bool writesOutput() const { return !outputFile_.empty(); }

  /// Runs the command, then copies its output; messages say "standard input", not the file's name.
  void run(const std::function<void()>& command);

 private:
  std::filesystem::path folder_;  // empty: none was needed
  std::vector<std::string> inputs_;
  std::string output_, inputFile_, outputFile_;
};

}  // namespace fathom::commands
