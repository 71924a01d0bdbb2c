// SPDX-License-Identifier: BSD-3-Clause
// The standard streams of a command: "-" as the name of a file, and the progress line.
#pragma once

#include "app/cli/command.h"
#include "app/engine/core/progress.h"
#include "app/engine/io/atomic_file.h"

namespace fathom::commands {

/// "-" for standard input and output: formats with tables of places need a file, so that what comes
/// in and what goes out lies in a temporary one meanwhile.
class StandardStreams {
 public:
  /// Reads standard input to its end when one of the inputs is "-". Throws UsageError when two are,
  /// Error when nothing comes.
  StandardStreams(const std::vector<std::string>& inputs, const std::string& output,
                  const Command& command);

  /// With files in place of "-".
  const std::vector<std::string>& inputs() const { return inputs_; }
  const std::string& output() const { return output_; }
  bool writesOutput() const { return !outputFile_.empty(); }

  /// Runs the command, then copies its output; messages say "standard input", not the file's name.
  void run(const std::function<void()>& command);

 private:
  std::optional<TemporaryFolder> folder_;  // where one is needed
  std::vector<std::string> inputs_;
  std::string output_, inputFile_, outputFile_;
};

/// One line on standard error that says how far long work has come. Nothing at all when standard
/// error is not a terminal.
class ProgressLine {
 public:
  /// Shows `progress` until destroyed; `shown` false: does nothing.
  ProgressLine(const Progress& progress, bool shown);
  ~ProgressLine();

 private:
  void loop();
  const Progress& progress_;
  CommandHost* host_ = nullptr;  // is told too
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread thread_;
};

/// "read 42 %, 1.3 M/s, 12 s left"; `seconds` since the phase began.
std::string progressText(const std::string& phase, double done, double total, double seconds);

}  // namespace fathom::commands
