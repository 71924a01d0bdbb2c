// SPDX-License-Identifier: BSD-3-Clause
// MPI is initialized once per process and finalized with the last user; crash handlers stay ours.
#include "app/engine/ranks/mpi_library.h"

#include "app/engine/core/error.h"
#include "app/system/process.h"

namespace fathom::ranks {
namespace {

std::optional<int> borrowed;

}  // namespace

void MpiLibrary::borrow(std::optional<int> communicator) { borrowed = communicator; }

std::shared_ptr<MpiLibrary> MpiLibrary::acquire() {
  static std::weak_ptr<MpiLibrary> current;
  std::shared_ptr<MpiLibrary> library = current.lock();
  if (!library) {
    library.reset(new MpiLibrary);
    current = library;
  }
  return library;
}

MpiLibrary::MpiLibrary() {
  int ended = 0;
  MPI_Finalized(&ended);
  if (ended) fail("MPI: expected to be started once in a process, found it ended already");
  // Ranks share their cores with each other and with software rendering: who waits makes room. What
  // the user has set is left alone.
  setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
  const system::CrashHandlersKept ours;  // MPI would print pages about a crash
  int provided = 0, there = 0;
  MPI_Initialized(&there);
  started_ = !there;
  if (started_)
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
  else
    MPI_Query_thread(&provided);
  threads_ = provided >= MPI_THREAD_MULTIPLE;
  MPI_Comm_dup(borrowed ? MPI_Comm_f2c(*borrowed) : MPI_COMM_WORLD, &world_);
  MPI_Comm_rank(world_, &rank_);
  MPI_Comm_size(world_, &ranks_);
}

MpiLibrary::~MpiLibrary() {
  MPI_Comm_free(&world_);
  if (started_) MPI_Finalize();
}

void MpiLibrary::wait(MPI_Request& request) const {
  constexpr int kEagerRounds = 200;  // the others are mostly there already
  int done = 0;
  for (int round = 0; !done; ++round) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done) return;
    if (round < kEagerRounds)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

}  // namespace fathom::ranks
