// SPDX-License-Identifier: BSD-3-Clause
// The processes that mpirun started, as one piece of work that succeeds or fails as a whole. Ranks
// agree after each step whether all of them succeeded; the rank that failed reports why, the others
// exit silently. A watch ends the run when a rank is gone, and when Ctrl+C is not handled in time.
#pragma once

#include "app/engine/ranks/team.h"

namespace fathom::ranks {

/// Whether this build has MPI; else what is missing, in one line.
bool mpiAvailable();
std::string mpiMissing();

/// Jobs work in this communicator of the caller's from now on: its handle in Fortran, `comm.py2f()`
/// of mpi4py. MPI has been started by the caller, who ends it. None: all that mpirun started.
void useCommunicator(std::optional<int> handle);
/// What has been caught now becomes the failure of a job that the other ranks have begun, or will:
/// all of them throw, as Team::collective() does. Returns when this rank has begun one since
/// useCommunicator(), which has told them.
void tellFailure();

class Job : public Team {
 public:
  /// Starts MPI, does the work and ends MPI. One job at a time, on the main thread, which makes all
  /// calls. What `work` throws out of collective() is rethrown. All else (IceT failed while ranks
  /// waited for each other) cannot be agreed on: one line is printed, unless another rank has said
  /// something, and this process ends; the watch of the others ends them. Throws NotBuiltError in
  /// a program without MPI.
  static void run(const std::function<void(Job&)>& work);

 private:
  struct State;
  explicit Job(State& state);
  void endIfRankGone() override;
  State& state_;
};

}  // namespace fathom::ranks
