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

struct JobQueue::State {
  struct Job {
    Work work;
    OnError onError;
    Delivery delivery;
    std::exception_ptr failure;
    bool finished = false;
  };

  std::mutex mutex;
  std::condition_variable wake;
  std::deque<std::shared_ptr<Job>> waiting;  // not started yet
  std::deque<std::shared_ptr<Job>> inOrder;  // all that are not delivered
  std::vector<std::thread> workers;
  bool stopping = false;

  void work();
  std::shared_ptr<Job> takeFinished();
};

JobQueue::JobQueue(unsigned workers) : state_(std::make_unique<State>()) {
  State& s = *state_;
  for (unsigned i = 0; i < std::max(1u, workers); ++i) s.workers.emplace_back([&s] { s.work(); });
}

JobQueue::~JobQueue() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopping = true;
    state_->waiting.clear();
  }
  state_->wake.notify_all();
  for (std::thread& thread : state_->workers) thread.join();
}

void JobQueue::submit(Work work, OnError onError) {
  auto job = std::make_shared<State::Job>();
  job->work = std::move(work);
  job->onError = std::move(onError);
  {
    const std::lock_guard lock(state_->mutex);
    state_->waiting.push_back(job);
    state_->inOrder.push_back(job);
  }
  state_->wake.notify_one();
}

/// A worker's loop.
void JobQueue::State::work() {
  for (;;) {
    std::shared_ptr<Job> job;
    {
      std::unique_lock lock(mutex);
      wake.wait(lock, [this] { return stopping || !waiting.empty(); });
      if (waiting.empty()) return;
      job = waiting.front();
      waiting.pop_front();
    }
    Delivery delivery;
    std::exception_ptr failure;
    try {
      delivery = job->work();
    } catch (...) {
      failure = std::current_exception();
    }
    job->work = nullptr;  // what it captured dies here, on the worker
    const std::lock_guard lock(mutex);
    job->delivery = std::move(delivery);
    job->failure = failure;
    job->finished = true;
  }
}

/// The oldest job when it is finished, else null.
std::shared_ptr<JobQueue::State::Job> JobQueue::State::takeFinished() {
  const std::lock_guard lock(mutex);
  if (inOrder.empty() || !inOrder.front()->finished) return nullptr;
  std::shared_ptr<Job> job = inOrder.front();
  inOrder.pop_front();
  return job;
}

std::size_t JobQueue::deliver() {
  std::size_t delivered = 0;
  while (const std::shared_ptr<State::Job> job = state_->takeFinished()) {
    ++delivered;
    if (job->failure) {
      if (job->onError) job->onError(job->failure);
    } else if (job->delivery) {
      job->delivery();
    }
  }
  return delivered;
}

std::size_t JobQueue::pending() const {
  const std::lock_guard lock(state_->mutex);
  return state_->inOrder.size();
}

}  // namespace fathom
