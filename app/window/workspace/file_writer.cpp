// SPDX-License-Identifier: BSD-3-Clause
// One after another, in the order in which they were asked for.
#include "app/window/workspace/file_writer.h"

#include <chrono>
#include <exception>
#include <thread>
#include <utility>

namespace fathom::viewer {

void FileWriter::write(std::function<void()> write, std::string done) {
  jobs_.submit(
      [this, write = std::move(write), done = std::move(done)]() -> JobQueue::Delivery {
        write();
        return [this, done] { messages_->note(done); };
      },
      [this](std::exception_ptr error) {
        try {
          std::rethrow_exception(error);
        } catch (const std::exception& e) {
          messages_->error(e.what());
        }
      });
}

void FileWriter::tell(Messages& messages) {
  messages_ = &messages;
  jobs_.deliver();
}

void FileWriter::finish(Messages& messages) {
  for (tell(messages); working(); tell(messages))
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

}  // namespace fathom::viewer
