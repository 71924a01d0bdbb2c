// SPDX-License-Identifier: BSD-3-Clause
// Work on other threads. Workers return plain values; only the main thread holds gpu:: objects, so
// results are delivered there, in the order in which the jobs were submitted.
#pragma once

namespace fathom {

/// Calls body(first, last) on all cores for disjoint ranges that cover 0..count; returns when all
/// are done and rethrows the first exception. Ranges are at least `grain` long (but for the last).
void parallelFor(std::size_t count, std::size_t grain,
                 const std::function<void(std::size_t first, std::size_t last)>& body);

/// Calls body(i) for every i below `count`, of which each core takes `grain` at a time.
template <class Body>
void parallelForEach(std::size_t count, std::size_t grain, const Body& body) {
  parallelFor(count, grain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) body(i);
  });
}

/// What the exception says, one line.
std::string messageOf(const std::exception_ptr& error);

/// Hardware threads, at least 1.
unsigned threadCount();

/// A grain for `count` pieces of work of about one size: at most `max`, and less where cores would
/// otherwise wait for the last ones to finish.
std::size_t evenGrain(std::size_t count, std::size_t max);

/// Jobs one after the other, on a thread of its own.
class JobQueue {
 public:
  /// What a job leaves for the main thread: called by deliver(); may throw what the work threw.
  using Delivery = std::function<void()>;
  /// Runs on that thread. The exception it throws is handed to onError on the main thread, if any.
  using Work = std::function<Delivery()>;
  using OnError = std::function<void(std::exception_ptr)>;

  ~JobQueue();  // waits for the running job, drops those not started

  void submit(Work work, OnError onError = {});
  /// What was submitted so far is no longer wanted: neither its delivery nor its onError runs.
  void forget();
  /// Runs the deliveries that are due, oldest first, on the calling (main) thread. Returns how
  /// many.
  std::size_t deliver();
  /// Jobs submitted and not yet delivered.
  std::size_t pending() const;

 private:
  struct Job {
    Work work;
    OnError onError;
    std::uint64_t generation = 0;
    Delivery delivery;
  };
  void run();

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job> waiting_, finished_;  // in the order in which they were submitted
  std::size_t pending_ = 0;
  std::uint64_t generation_ = 0;  // one more with each forget()
  bool stopping_ = false;
  std::thread worker_;  // from the first job on
};

}  // namespace fathom
