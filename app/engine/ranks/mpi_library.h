// SPDX-License-Identifier: BSD-3-Clause
// MPI, started once and ended with its last user, and waiting that leaves the processor to others.
#pragma once

#include <mpi.h>

namespace fathom::ranks {

class MpiLibrary {
 public:
  static std::shared_ptr<MpiLibrary> acquire();
  /// As useCommunicator() of job.h.
  static void borrow(std::optional<int> communicator);
  ~MpiLibrary();

  /// A communicator with all ranks, apart from that of IceT.
  MPI_Comm world() const { return world_; }
  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  /// Any thread may call MPI, not only the one that started it.
  bool threads() const { return threads_; }

  /// Waits for a request without keeping a core busy: ranks may well be more than cores.
  void wait(MPI_Request& request) const;

 private:
  MpiLibrary();
  MPI_Comm world_ = MPI_COMM_NULL;
  int rank_ = 0, ranks_ = 1;
  bool threads_ = false;
  bool started_ = false;  // here, and is ended here
};

}  // namespace fathom::ranks
