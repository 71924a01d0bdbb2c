// SPDX-License-Identifier: BSD-3-Clause
// The ranks of a communicator as one team: what they tell each other, and steps that succeed or
// fail for all of them; waiting never blocks a core. A job is the team that mpirun started, from
// MPI's start to its end: the rank that failed reports why, the others exit silently. A watch ends
// the run when a rank is gone, and when Ctrl+C is not handled in time.
#pragma once

#include "app/engine/core/error.h"
#include "app/engine/core/fields.h"

namespace fathom::ranks {

class MpiLibrary;

/// Another rank has failed; what() is what that one says. The exit code tells the kind of error.
class RankFailed : public PeerFailed {
 public:
  RankFailed(int exitCode, std::string text) : PeerFailed(exitCode), text_(std::move(text)) {}
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

constexpr int kInterruptedCode = 130;  // of a process that Ctrl+C has ended

/// What went wrong as one line, and the code that a process ends with for it.
std::pair<int, std::string> described(const std::exception_ptr& failure);

/// All ranks make all calls, in the same order and from one thread each.
class Team {
 public:
  explicit Team(std::shared_ptr<MpiLibrary> mpi) : mpi_(std::move(mpi)) {}
  virtual ~Team() = default;

  int rank() const;
  int ranks() const;
  /// Other threads may call MPI too (through an Exchange) while the main thread works.
  bool overlaps() const;
  const std::shared_ptr<MpiLibrary>& mpi() const { return mpi_; }

  /// Each rank does its own step, which must not wait for others. Returns when all are done. If any
  /// failed, every rank throws: the first that failed its own exception, the others RankFailed. The
  /// first call of every job: a rank that has failed before its job takes part by tellFailure().
  void collective(const std::function<void()>& step);
  /// `facts` ("A, B, C": what this rank was told and has read) and settings are to be those of rank
  /// 0. A rank whose are not names the first that differs, of `subject`; throws as collective().
  void expectSame(const std::string& subject, std::string facts, const Describe& settings);

  /// The values of all ranks, in order of rank; as many from each, copied as bytes.
  template <class T>
  std::vector<T> gather(std::span<const T> mine) {
    const std::vector<std::byte> bytes = gatherBytes(std::as_bytes(mine));
    std::vector<T> all(bytes.size() / sizeof(T));
    if (!all.empty()) std::memcpy(static_cast<void*>(all.data()), bytes.data(), bytes.size());
    return all;
  }
  /// A text of each rank, of any length.
  std::vector<std::string> gatherTexts(const std::string& mine);
  /// Each value becomes that of all ranks together: their sum, or the largest.
  void sum(std::span<std::uint64_t> values);
  void largest(std::span<std::uint64_t> values);
  /// Bytes from one rank to another, into as many; the rest of the ranks have nothing to do.
  void pass(std::span<std::byte> bytes, int from, int to);

 protected:
  bool agreed_ = false;  // all ranks know that the work has failed

 private:
  /// A rank that is gone takes part in no agreement.
  virtual void endIfRankGone() {}
  std::vector<std::byte> gatherBytes(std::span<const std::byte> mine);
  std::shared_ptr<MpiLibrary> mpi_;
};

// ---- Jobs

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

// ---- Messages of bytes between the ranks of a job: each straight to the rank that it is for. What
// is in them is the caller's. What MPI could not count is cut; a length that would not fit the
// memory that was agreed on is refused before anything is allocated.

struct Message {
  int from = 0, to = 0;
  std::vector<std::byte> bytes;
};

/// What this rank has sent so far, headers included.
struct ExchangeFigures {
  std::uint64_t bytesSent = 0, messages = 0;
};

class Exchange {
 public:
  static constexpr std::uint64_t kMaxSend = std::uint64_t(1) << 30;  // MPI counts with int

  /// All ranks of the team make theirs together, on the main thread, before the team ends; calls
  /// come from one thread at a time, in the same order on all ranks. `maxSend`: bytes of one send.
  explicit Exchange(const Team& team, std::uint64_t maxSend = kMaxSend);
  ~Exchange();

  /// Every message to its rank, in one round; what came for this one, its own too, ordered by
  /// sender and as sent. All ranks throw Error when more than `maxBytes` are announced to one at
  /// once.
  std::vector<Message> run(std::vector<Message>&& messages, std::uint64_t maxBytes);

  ExchangeFigures figures() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fathom::ranks
