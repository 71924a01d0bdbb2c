// SPDX-License-Identifier: BSD-3-Clause
// The processes that mpirun started, as one piece of work that succeeds or fails as a whole. Ranks
// agree after each step whether all of them succeeded; the rank that failed reports why, the others
// exit silently. A watch ends the run when a rank is gone, and when Ctrl+C is not handled in time.
#pragma once

namespace fathom::ranks {

/// Whether this build has MPI; else what is missing, in one line.
bool mpiAvailable();
std::string mpiMissing();

/// Jobs work in this communicator of the caller's from now on: its handle in Fortran, `comm.py2f()`
/// of mpi4py. MPI has been started by the caller, who ends it. None: all that mpirun started.
void useCommunicator(std::optional<int> handle);

class Job {
 public:
  /// Starts MPI, does the work and ends MPI. One job at a time, on the main thread, which makes all
  /// calls. What `work` throws out of collective() is rethrown. All else (IceT failed while ranks
  /// waited for each other) cannot be agreed on: one line is printed, unless another rank has said
  /// something, and this process ends; the watch of the others ends them. Throws NotBuiltError in
  /// a program without MPI.
  static void run(const std::function<void(Job&)>& work);

  int rank() const;
  int ranks() const;
  /// Other threads may call MPI too (through an Exchange) while the main thread works.
  bool overlaps() const;

  /// Each rank does its own step, which must not wait for others. Returns when all are done. If any
  /// failed, every rank throws: the first that failed its own exception, the others PeerFailed.
  void collective(const std::function<void()>& step);

  /// The values of all ranks, in order of rank; as many from each. All ranks call it.
  std::vector<double> gather(std::span<const double> mine);
  /// A text of each rank, of any length.
  std::vector<std::string> gatherTexts(const std::string& mine);
  /// Each value becomes that of all ranks together: their sum, or the largest.
  void sum(std::span<std::uint64_t> values);
  void largest(std::span<std::uint64_t> values);
  /// Bytes from one rank to another, into as many; the rest of the ranks have nothing to do.
  void pass(std::span<std::byte> bytes, int from, int to);

 private:
  struct State;
  explicit Job(State& state) : state_(state) {}
  State& state_;
};

}  // namespace fathom::ranks
