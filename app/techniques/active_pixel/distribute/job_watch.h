// SPDX-License-Identifier: BSD-3-Clause
// Watches the ranks of a job on this machine from a thread of its own: a rank that is gone, or an
// interrupt that the main thread does not handle in time, ends this process. One rank reports why:
// the first to write its number to a page that they share.
#pragma once

#include "app/techniques/active_pixel/distribute/mpi_library.h"

#include <sys/types.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace fathom::active_pixel {

class JobWatch {
 public:
  static constexpr int kInterrupted = 130;  // exit code, as commands/ has it
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
  void endIfRankGone();
  /// On standard error of mpirun itself, which drops what its processes say once it is interrupted.
  static void sayInterrupted();

 private:
  struct Peer {
    int rank;
    pid_t process;
  };
  void look();

  int rank_;
  std::vector<Peer> peers_;  // the others on this machine
  MPI_Win page_ = MPI_WIN_NULL;
  std::atomic<int>* speaker_ = nullptr;  // rank + 1 of the one that has reported, 0 while none has
  std::atomic<bool> stopped_{false};
  std::thread thread_;
};

}  // namespace fathom::active_pixel
