// SPDX-License-Identifier: BSD-3-Clause
// A shared window with one atomic number (who has spoken), and a thread that polls the processes of
// the other ranks.
#include "app/ranks/job_watch.h"

#include "app/core/error.h"
#include "app/core/progress.h"

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <new>

namespace fathom::ranks {
namespace {

constexpr auto kLookEvery = std::chrono::milliseconds(50);
constexpr auto kHeedWithin = std::chrono::milliseconds(600);  // mpirun kills after a second

constexpr int kLeft = -2;  // a rank that has done its work: no more signs are to be expected

bool gone(pid_t process) { return kill(process, 0) != 0 && errno == ESRCH; }

}  // namespace

JobWatch::JobWatch(const MpiLibrary& mpi) : rank_(mpi.rank()) {
  MPI_Comm machine;
  MPI_Comm_split_type(mpi.world(), MPI_COMM_TYPE_SHARED, mpi.rank(), MPI_INFO_NULL, &machine);
  int localRank = 0, localRanks = 1;
  MPI_Comm_rank(machine, &localRank);
  MPI_Comm_size(machine, &localRanks);

  void* memory = nullptr;
  const MPI_Aint wanted =
      localRank == 0 ? (1 + localRanks) * MPI_Aint(sizeof(std::atomic<int>)) : 0;
  MPI_Win_allocate_shared(wanted, 1, MPI_INFO_NULL, machine, &memory, &page_);
  MPI_Aint bytes = 0;
  int unit = 0;
  MPI_Win_shared_query(page_, 0, &bytes, &unit, &memory);
  speaker_ = static_cast<std::atomic<int>*>(memory);
  if (localRank == 0)
    for (int i = 0; i <= localRanks; ++i) new (speaker_ + i) std::atomic<int>(0);
  signs_ = speaker_ + 1;
  place_ = localRank;

  const int mine[2] = {mpi.rank(), int(getpid())};
  std::vector<int> all(std::size_t(localRanks) * 2);
  MPI_Allgather(mine, 2, MPI_INT, all.data(), 2, MPI_INT, machine);
  for (int i = 0; i < localRanks; ++i)
    if (i != localRank)
      peers_.push_back({all[std::size_t(i) * 2], pid_t(all[std::size_t(i) * 2 + 1]), i});
  MPI_Comm_free(&machine);
  thread_ = std::thread([this] { look(); });
}

JobWatch::~JobWatch() {
  stop();
  MPI_Win_free(&page_);
}

void JobWatch::stop() {
  stopped_ = true;
  if (thread_.joinable()) thread_.join();
  if (signs_) signs_[place_] = kLeft;
}

bool JobWatch::claim() {
  int nobody = 0;
  return speaker_->compare_exchange_strong(nobody, rank_ + 1);
}

void JobWatch::end(const std::string& message, int exitCode) {
  if (claim()) {
    fmt::print(stderr, "fathom: {}\n", message);
    std::fflush(stderr);
  }
  _exit(exitCode);
}

void JobWatch::sayInterrupted() {
  const std::string launcher = fmt::format("/proc/{}/fd/2", getppid());
  std::FILE* const out = std::fopen(launcher.c_str(), "a");
  fmt::print(out ? out : stderr, "fathom: interrupted\n");
  if (out) std::fclose(out);
}

void JobWatch::endIfRankGone() {
  for (const Peer& peer : peers_)
    if (gone(peer.process))
      end(fmt::format("rank {}: expected to work to the end, found it gone (killed?)", peer.rank),
          1);
}

/// `slept`: this process itself was stopped meanwhile, and cannot say how long others were silent.
void JobWatch::endIfRankSilent(Clock::time_point now, bool slept) {
  for (Peer& peer : peers_) {
    const int signs = signs_[peer.place];
    if (slept || signs == kLeft || signs != peer.signs || peer.heard == Clock::time_point{}) {
      peer.signs = signs, peer.heard = now;
    } else if (now - peer.heard > kSilence) {
      end(fmt::format("rank {}: expected a sign of life within {} s, found none (stopped?)",
                      peer.rank, kSilence.count()),
          1);
    }
  }
}

void JobWatch::look() {
  Clock::time_point interruptedAt{}, before = Clock::now();
  while (!stopped_) {
    ++signs_[place_];
    endIfRankGone();
    const Clock::time_point looked = Clock::now();
    endIfRankSilent(looked, looked - before > std::chrono::seconds(1));
    before = looked;
    if (Progress::interrupted()) {
      const Clock::time_point now = Clock::now();
      if (interruptedAt == Clock::time_point{}) interruptedAt = now;
      if (now - interruptedAt > kHeedWithin) {
        if (claim()) sayInterrupted();
        _exit(kInterrupted);
      }
    }
    std::this_thread::sleep_for(kLookEvery);
  }
}

}  // namespace fathom::ranks
