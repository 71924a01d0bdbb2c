// SPDX-License-Identifier: BSD-3-Clause
// Watches the ranks of a job on this machine from a thread of its own: a rank that is gone or gives
// no sign of life any more (stopped, swapped out for good), or an interrupt that the main thread
// does not handle in time, ends this process. One rank reports why: the first to write its number
// to a page that they share. Signs of life stand on that page too, counted up by the watch of each
// rank. Machines watch each other in a ring: the first rank of each sends a message to that of the
// next twice a second, where MPI allows calls from several threads.
#pragma once

#include "app/engine/ranks/job.h"
#include "app/engine/ranks/mpi_library.h"
#include "app/system/process.h"

namespace fathom::ranks {

/// Until the watch itself is made, MPI waits for all ranks without an end: this one ends the
/// process when they have not met in time. Where MPI was started by the caller, ranks may be late.
class StartWatch {
 public:
  StartWatch();
  ~StartWatch() { stop(); }
  void stop();

 private:
  void look(std::chrono::milliseconds limit);
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopped_ = false;
  std::thread thread_;
};

class JobWatch {
 public:
  /// After that a rank counts as stopped; longer where many share a core.
  static constexpr std::chrono::seconds kSilence{5};
  /// All ranks make theirs together.
  explicit JobWatch(const MpiLibrary& mpi);
  ~JobWatch();
  JobWatch(const JobWatch&) = delete;
  JobWatch& operator=(const JobWatch&) = delete;

  void stop();
  /// True for the first rank that asks: it is the one to report.
  bool claim();
  /// Prints the message, if no other rank has said something, and ends this process at once.
  [[noreturn]] void end(const std::string& message, int exitCode);
  void endIfRankGone() { endIfGone(peers_.size()); }
  /// On standard error of mpirun itself, which drops what its processes say once it is interrupted.
  static void sayInterrupted();

 private:
  using Clock = std::chrono::steady_clock;
  struct Peer {
    int rank;
    system::ProcessId process;
    int place;  // on the page
    int signs = -1;
    Clock::time_point heard{};
  };
  /// Messages from the machine before this one, and to the one behind it.
  class Ring;
  void look();
  /// Looks at the next `count` of the others.
  void endIfGone(std::size_t count);
  /// end() for the ranks of all machines.
  [[noreturn]] void endAll(const std::string& message);
  void endIfRankSilent(Clock::time_point now, bool slept);

  int rank_;
  std::chrono::seconds silence_ = kSilence;
  std::vector<Peer> peers_;  // the others on this machine
  std::atomic<std::size_t> nextPeer_{0};
  MPI_Win page_ = MPI_WIN_NULL;
  std::atomic<int>* speaker_ = nullptr;  // rank + 1 of the one that has reported, 0 while none has
  std::atomic<int>* signs_ = nullptr;    // of life, by place
  int place_ = 0;
  std::unique_ptr<Ring> ring_;  // of the first rank of a machine, where there are several machines
  std::atomic<bool> stopped_{false};
  std::thread thread_;
};

}  // namespace fathom::ranks
