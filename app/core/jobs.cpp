// SPDX-License-Identifier: BSD-3-Clause
#include "app/core/jobs.h"

#include <algorithm>
#include <atomic>
#include <optional>

namespace fathom {

unsigned threadCount() { return std::max(1u, std::thread::hardware_concurrency()); }

std::size_t evenGrain(std::size_t count, std::size_t most) {
  constexpr std::size_t kRangesPerThread = 8;
  return std::clamp<std::size_t>(count / (kRangesPerThread * threadCount()), 1, most);
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

struct JobQueue::Job {
  Work work;
  OnError onError;
  Delivery delivery;
  std::exception_ptr failure;
  bool finished = false;
};

JobQueue::JobQueue(unsigned workers) {
  for (unsigned i = 0; i < std::max(1u, workers); ++i) workers_.emplace_back([this] { work(); });
}

JobQueue::~JobQueue() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    waiting_.clear();
  }
  wake_.notify_all();
  for (std::thread& thread : workers_) thread.join();
}

void JobQueue::submit(Work work, OnError onError) {
  auto job = std::make_shared<Job>();
  job->work = std::move(work);
  job->onError = std::move(onError);
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(job);
    inOrder_.push_back(job);
  }
  wake_.notify_one();
}

void JobQueue::work() {
  for (;;) {
    std::shared_ptr<Job> job;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      job = waiting_.front();
      waiting_.pop_front();
    }
    Delivery delivery;
    std::exception_ptr failure;
    try {
      delivery = job->work();
    } catch (...) {
      failure = std::current_exception();
    }
    job->work = nullptr;  // what it captured dies here, on the worker
    const std::lock_guard lock(mutex_);
    job->delivery = std::move(delivery);
    job->failure = failure;
    job->finished = true;
  }
}

std::size_t JobQueue::deliver() {
  std::size_t delivered = 0;
  for (;;) {
    std::shared_ptr<Job> job;
    {
      const std::lock_guard lock(mutex_);
      if (inOrder_.empty() || !inOrder_.front()->finished) return delivered;
      job = inOrder_.front();
      inOrder_.pop_front();
    }
    ++delivered;
    if (job->failure) {
      if (job->onError) job->onError(job->failure);
    } else if (job->delivery) {
      job->delivery();
    }
  }
}

std::size_t JobQueue::pending() const {
  const std::lock_guard lock(mutex_);
  return inOrder_.size();
}

}  // namespace fathom
