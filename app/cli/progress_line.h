// SPDX-License-Identifier: BSD-3-Clause
// One line on standard error that says how far long work has come. Nothing at all when standard
// error is not a terminal.
#pragma once

#include "app/engine/core/progress.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace fathom {
struct CommandHost;
}

namespace fathom::commands {

class ProgressLine {
 public:
  /// Shows `progress` until destroyed; `shown` false: does nothing.
  ProgressLine(const Progress& progress, bool shown);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

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
