// SPDX-License-Identifier: BSD-3-Clause
// Jobs run on the queue's worker; everything else, including deliveries, on the main thread.
// A job knows whether it was cancelled by its own Progress, not by the loader's current one.
#include "app/window/document/loader.h"

#include <exception>
#include <new>
#include <utility>

namespace fathom::viewer {
namespace {

/// The message of an exception, one line.
std::string readingFailure(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    return "expected enough memory, found too little";
  } catch (const std::exception& e) {
    return e.what();
  }
}

}  // namespace

void Loader::start(const TechniqueEntry& entry, const std::vector<std::string>& inputs) {
  cancel();
  auto progress = std::make_shared<Progress>();
  progress->answerQuestions();
  progress_ = progress;
  inputs_ = inputs;
  jobs_.submit(
      [this, &entry, progress, inputs]() -> JobQueue::Delivery {
        progress->throwIfCancelled();
        // std::function must be copyable, but inputs can only be moved.
        auto loaded =
            std::make_shared<std::unique_ptr<LoadedInputs>>(entry.read(inputs, *progress));
        progress->throwIfCancelled();
        return [this, &entry, progress, inputs, loaded] {
          if (progress == progress_) progress_.reset();
          if (!progress->cancelled()) done_ = Loaded{&entry, inputs, std::move(*loaded)};
        };
      },
      [this, progress](std::exception_ptr error) {
        if (progress == progress_) progress_.reset();
        if (!progress->cancelled()) failures_.push_back(readingFailure(error));
      });
}

void Loader::cancel() {
  if (progress_) progress_->cancel();
  progress_.reset();
}

std::optional<Loader::Loaded> Loader::take(std::vector<std::string>& errors) {
  jobs_.deliver();
  for (std::string& failure : std::exchange(failures_, {})) errors.push_back(std::move(failure));
  return std::exchange(done_, std::nullopt);
}

}  // namespace fathom::viewer
