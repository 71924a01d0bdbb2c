// SPDX-License-Identifier: BSD-3-Clause
// Work on other threads: complete, disjoint, in order, with its exceptions.
#include "app/engine/core/jobs.h"

#include "app/engine/core/progress.h"

namespace fathom {
namespace {

using namespace std::chrono_literals;

TEST(ParallelFor, CoversEveryIndexOnce) {
  for (const std::size_t count : {0ul, 1ul, 63ul, 64ul, 65ul, 100000ul}) {
    std::vector<std::atomic<int>> visits(count);
    parallelFor(count, 64, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) ++visits[i];
    });
    for (const std::atomic<int>& visit : visits) ASSERT_EQ(visit, 1);
  }
}

TEST(ParallelFor, RethrowsTheFailure) {
  EXPECT_THROW(parallelFor(1000, 1,
                           [](std::size_t first, std::size_t) {
                             if (first == 500) throw Error("five hundred");
                           }),
               Error);
}

TEST(ParallelFor, StopsSoonAfterAFailure) {
  std::atomic<int> calls{0};
  try {
    parallelFor(1000000, 1, [&](std::size_t, std::size_t) {
      ++calls;
      throw Error("at once");
    });
  } catch (const Error&) {
  }
  EXPECT_LE(calls, int(threadCount()) + 1);
}

/// Delivers until nothing is pending.
void drain(JobQueue& queue) {
  while (queue.pending() > 0) {
    queue.deliver();
    std::this_thread::sleep_for(1ms);
  }
}

TEST(JobQueue, DeliversInTheOrderAsked) {
  JobQueue queue;
  std::vector<int> order;
  for (int i = 0; i < 20; ++i)
    queue.submit(
        [i, &order]() -> JobQueue::Delivery {
          std::this_thread::sleep_for((20 - i) * 100us);
          return [i, &order] { order.push_back(i); };
        },
        nullptr);
  drain(queue);
  std::vector<int> expected(20);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(order, expected);
}

TEST(JobQueue, DeliversOnTheCallingThread) {
  JobQueue queue;
  std::thread::id worker, receiver;
  queue.submit(
      [&]() -> JobQueue::Delivery {
        worker = std::this_thread::get_id();
        return [&] { receiver = std::this_thread::get_id(); };
      },
      nullptr);
  drain(queue);
  EXPECT_EQ(receiver, std::this_thread::get_id());
  EXPECT_NE(worker, receiver);
}

TEST(JobQueue, FailureGoesToItsOwnHandler) {
  JobQueue queue;
  std::string message;
  queue.submit([]() -> JobQueue::Delivery { throw Error("broken"); },
               [&](std::exception_ptr failure) {
                 try {
                   std::rethrow_exception(failure);
                 } catch (const Error& error) {
                   message = error.what();
                 }
               });
  drain(queue);
  EXPECT_EQ(message, "broken");
}

TEST(JobQueue, DeliversNothingThatIsForgotten) {
  JobQueue queue;
  int delivered = 0, failed = 0;
  const auto submit = [&] {
    queue.submit([&]() -> JobQueue::Delivery { return [&] { ++delivered; }; });
    queue.submit([]() -> JobQueue::Delivery { throw Error("broken"); },
                 [&](std::exception_ptr) { ++failed; });
  };
  submit();
  queue.forget();
  submit();
  drain(queue);
  EXPECT_EQ(delivered, 1);
  EXPECT_EQ(failed, 1);
}

TEST(JobQueue, EndsWithJobsStillWaiting) {
  std::atomic<int> started{0};
  {
    JobQueue queue;
    for (int i = 0; i < 100; ++i)
      queue.submit(
          [&]() -> JobQueue::Delivery {
            ++started;
            std::this_thread::sleep_for(2ms);
            return {};
          },
          nullptr);
  }
  EXPECT_LT(started, 100);
}

TEST(Progress, CancelThrowsAtTheNextAdvance) {
  Progress progress;
  progress.begin("rows", 10);
  progress.advance(4);
  EXPECT_DOUBLE_EQ(progress.fraction(), 0.4);
  progress.cancel();
  EXPECT_THROW(progress.advance(1), Cancelled);
}

TEST(Progress, FractionEndsAtOne) {
  Progress progress;
  progress.begin("rows", 2);
  progress.advance(5);
  EXPECT_DOUBLE_EQ(progress.fraction(), 1.0);
}

}  // namespace
}  // namespace fathom
