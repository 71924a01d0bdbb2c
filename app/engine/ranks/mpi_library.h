// SPDX-License-Identifier: BSD-3-Clause
// MPI, started once and ended with its last user, or a communicator of a host that has started it;
// and waiting that leaves the processor to others.
#pragma once

#include "app/engine/core/error.h"
#include "app/system/process.h"

#include <mpi.h>

namespace fathom::ranks {

/// A rank has gone, or gave no answer in time: nothing can be agreed on any more.
class RankLost : public Error {
 public:
  using Error::Error;
};

/// A look at another process reads a file: so many of them at a time.
constexpr std::size_t kPeersAtOnce = 4;

class MpiLibrary {
 public:
  static std::shared_ptr<MpiLibrary> acquire();
  /// As useCommunicator() of job.h.
  static void borrow(std::optional<int> communicator);
  /// A communicator of its own with the ranks of the host's, whose errors are thrown. All ranks
  /// make theirs together. Waiting throws RankLost when a rank of this machine is gone, or after
  /// `limit` (0: never).
  static std::shared_ptr<MpiLibrary> over(MPI_Comm host, std::chrono::milliseconds limit);
  ~MpiLibrary();

  /// A communicator with all ranks, apart from that of IceT.
  MPI_Comm world() const { return world_; }
  /// Another one of the same ranks.
  MPI_Comm duplicate() const;
  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  /// On this machine, as far as they can be watched.
  int ranksHere() const { return int(peers_.size()) + 1; }
  /// Any thread may call MPI, not only the one that started it.
  bool threads() const { return threads_; }

  /// Waits for a request without keeping a core busy: ranks may well be more than cores. When it
  /// throws, MPI still has the request: what `held` holds is never freed then.
  void wait(MPI_Request& request, const std::shared_ptr<void>& held = nullptr) const;
  /// A rank was lost: nothing collective may be called any more, not even to free.
  bool lost() const { return lost_; }
  /// Throws Error with MPI's words for a code that is none of success.
  static void expect(int code);

 private:
  MpiLibrary() = default;
  void start();
  void findPeers();
  /// Looks at a few peers, others each time: of hundreds of ranks each would look at all.
  void expectPeers(std::chrono::steady_clock::time_point since) const;

  MPI_Comm world_ = MPI_COMM_NULL;
  int rank_ = 0, ranks_ = 1;
  bool threads_ = false;                // of a host's communicator: only the host's thread calls
  bool started_ = false;                // here, and is ended here
  std::chrono::milliseconds limit_{0};  // for waiting
  std::vector<std::pair<int, system::ProcessId>> peers_;  // watched while waiting: rank, process
  mutable std::atomic<std::size_t> nextPeer_{0};
  mutable std::atomic<bool> lost_{false};
  mutable std::string loss_;  // and how
};

}  // namespace fathom::ranks
