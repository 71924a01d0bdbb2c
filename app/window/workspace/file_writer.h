// SPDX-License-Identifier: BSD-3-Clause
// Files that take their time are written beside the frames: pictures, screenshots. What comes of
// each is told as a message.
#pragma once

#include "app/engine/core/jobs.h"
#include "app/window/widgets/messages.h"

#include <functional>
#include <string>

namespace fathom::viewer {

class FileWriter {
 public:
  /// Runs `write` on a worker; then `done` is told, or the Error that it threw.
  void write(std::function<void()> write, std::string done);
  bool working() const { return jobs_.pending() > 0; }
  /// Once per frame.
  void tell(Messages& messages);
  /// Before the window goes: waits until all are written.
  void finish(Messages& messages);

 private:
  Messages* messages_ = nullptr;  // while it is told
  JobQueue jobs_;
};

}  // namespace fathom::viewer
