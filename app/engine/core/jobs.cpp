// SPDX-License-Identifier: BSD-3-Clause
// Threads behind parallelFor and JobQueue. A pool per parallelFor: its threads live for
// milliseconds to minutes, and starting them costs microseconds.
#include "app/engine/core/jobs.h"

#include "app/engine/core/launch.h"

namespace fathom {

std::string messageOf(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    return "expected enough memory, found too little";
  } catch (const std::exception& e) {
    return e.what();
  }
}

unsigned threadCount() {
  static const unsigned count =
      std::max(1u, std::thread::hardware_concurrency() / static_cast<unsigned>(launchLocalRanks()));
  return count;
}

std::size_t evenGrain(std::size_t count, std::size_t max) {
  constexpr std::size_t kRangesPerThread = 8;
  return std::clamp<std::size_t>(count / (kRangesPerThread * threadCount()), 1, max);
}

void parallelFor(std::size_t count, std::size_t grain,
                 const std::function<void(std::size_t, std::size_t)>& body) {
  grain = std::max<std::size_t>(grain, 1);
  const std::size_t pieces = (count + grain - 1) / grain;
  const std::size_t threads = std::min<std::size_t>(threadCount(), pieces);
  if (threads <= 1) {
    if (count) body(0, count);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failureMutex;
  const auto run = [&] {
    for (std::size_t piece; (piece = next.fetch_add(1)) < pieces;) {
      try {
        body(piece * grain, std::min(count, (piece + 1) * grain));
      } catch (...) {
        const std::lock_guard lock(failureMutex);
        if (!failure) failure = std::current_exception();
        next = pieces;
      }
    }
  };
  std::vector<std::thread> pool;
  for (std::size_t i = 1; i < threads; ++i) pool.emplace_back(run);
  run();
  for (std::thread& thread : pool) thread.join();
  if (failure) std::rethrow_exception(failure);
}

JobQueue::~JobQueue() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    waiting_.clear();
  }
  wake_.notify_one();
  if (worker_.joinable()) worker_.join();
}

void JobQueue::submit(Work work, OnError onError) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({std::move(work), std::move(onError), generation_, {}});
    ++pending_;
    if (!worker_.joinable()) worker_ = std::thread([this] { run(); });
  }
  wake_.notify_one();
}

void JobQueue::forget() {
  const std::lock_guard lock(mutex_);
  ++generation_;
}

/// The worker's loop.
void JobQueue::run() {
  for (;;) {
    Job job;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      job = std::move(waiting_.front());
      waiting_.pop_front();
    }
    try {
      job.delivery = job.work();
    } catch (...) {
      job.delivery = [onError = job.onError, error = std::current_exception()] {
        if (onError) onError(error);
      };
    }
    job.work = nullptr;  // what it captured dies here, on the worker
    const std::lock_guard lock(mutex_);
    finished_.push_back(std::move(job));
  }
}

std::size_t JobQueue::deliver() {
  for (std::size_t delivered = 0;; ++delivered) {
    Job job;
    {
      const std::lock_guard lock(mutex_);
      if (finished_.empty()) return delivered;
      job = std::move(finished_.front());
      finished_.pop_front();
      --pending_;
      if (job.generation != generation_) continue;
    }
    if (job.delivery) job.delivery();
  }
}

std::size_t JobQueue::pending() const {
  const std::lock_guard lock(mutex_);
  return pending_;
}

}  // namespace fathom
