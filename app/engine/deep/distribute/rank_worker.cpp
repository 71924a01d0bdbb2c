// SPDX-License-Identifier: BSD-3-Clause
// Two clocks of the system, one of which is asked for once; and a queue of tasks behind a lock.
#include "app/engine/deep/distribute/rank_worker.h"

#include "app/engine/core/stopwatch.h"

#include <future>

namespace fathom::deep {

bool PhaseWatch::inTurn() {
  static const bool wanted = std::getenv("FATHOM_RANKS_IN_TURN") != nullptr;
  return wanted;
}

double PhaseWatch::nowMs() { return inTurn() ? processorMs() : steadyMs(); }

SerialWorker::SerialWorker(bool ownThread) {
  if (ownThread) thread_ = std::thread([this] { loop(); });
}

SerialWorker::~SerialWorker() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

std::shared_future<void> SerialWorker::submit(std::function<void()> work) {
  std::packaged_task<void()> task([this, work = std::move(work)] {
    try {
      work();
    } catch (...) {
      note(std::current_exception());
    }
  });
  std::shared_future<void> done = task.get_future().share();
  if (!thread_.joinable()) {
    task();
    return done;
  }
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(task));
  }
  changed_.notify_all();
  return done;
}

void SerialWorker::drain() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return waiting_.empty() && !busy_; });
}

void SerialWorker::note(std::exception_ptr failure) {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::move(failure);
}

bool SerialWorker::failed() const {
  const std::lock_guard lock(mutex_);
  return failure_ != nullptr;
}

void SerialWorker::rethrow() const {
  const std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
}

void SerialWorker::loop() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    std::packaged_task<void()> task = std::move(waiting_.front());
    waiting_.pop_front();
    busy_ = true;
    lock.unlock();
    task();
    task = {};
    lock.lock();
    busy_ = false;
    changed_.notify_all();
  }
}

}  // namespace fathom::deep
