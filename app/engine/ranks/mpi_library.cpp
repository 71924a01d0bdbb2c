// SPDX-License-Identifier: BSD-3-Clause
// MPI is initialized once per process and finalized with the last user; crash handlers stay ours.
#include "app/engine/ranks/mpi_library.h"

#include "app/system/machine.h"

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
    library->start();
    current = library;
  }
  return library;
}

void MpiLibrary::start() {
  int ended = 0;
  MPI_Finalized(&ended);
  if (ended) fail("MPI: expected to be started once in a process, found it ended already");
  // Ranks share their cores with each other and with software rendering: who waits makes room. What
  // the user has set is left alone.
  system::setVariable("OMPI_MCA_mpi_yield_when_idle", "1", false);
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

std::shared_ptr<MpiLibrary> MpiLibrary::over(MPI_Comm host, std::chrono::milliseconds limit) {
  std::shared_ptr<MpiLibrary> library(new MpiLibrary);
  library->limit_ = limit;
  const auto made = std::make_shared<MPI_Comm>(MPI_COMM_NULL);
  MPI_Request request;
  expect(MPI_Comm_idup(host, made.get(), &request));
  library->wait(request, made);
  library->world_ = *made;
  expect(MPI_Comm_set_errhandler(library->world_, MPI_ERRORS_RETURN));
  expect(MPI_Comm_rank(library->world_, &library->rank_));
  expect(MPI_Comm_size(library->world_, &library->ranks_));
  library->findPeers();
  return library;
}

/// Processes of ranks with this machine's name that this process can see: containers may share a
/// name, and not their processes.
void MpiLibrary::findPeers() {
  struct Place {
    std::uint64_t machine;
    std::int64_t process;
  };
  struct Buffers {
    Place mine;
    std::vector<Place> all;
  };
  char name[MPI_MAX_PROCESSOR_NAME];
  int length = 0;
  MPI_Get_processor_name(name, &length);
  const auto held = std::make_shared<Buffers>();
  held->mine = {std::hash<std::string>()(std::string(name, std::size_t(length))),
                std::int64_t(system::processId())};
  held->all.resize(std::size_t(ranks_));
  MPI_Request request;
  expect(MPI_Iallgather(&held->mine, sizeof(Place), MPI_BYTE, held->all.data(), sizeof(Place),
                        MPI_BYTE, world_, &request));
  wait(request, held);
  for (int rank = 0; rank < ranks_; ++rank) {
    const Place& place = held->all[std::size_t(rank)];
    if (rank != rank_ && place.machine == held->mine.machine &&
        system::isRunning(system::ProcessId(place.process)))
      peers_.emplace_back(rank, system::ProcessId(place.process));
  }
}

MPI_Comm MpiLibrary::duplicate() const {
  const auto made = std::make_shared<MPI_Comm>(MPI_COMM_NULL);
  MPI_Request request;
  expect(MPI_Comm_idup(world_, made.get(), &request));
  wait(request, made);
  return *made;
}

MpiLibrary::~MpiLibrary() {
  if (world_ != MPI_COMM_NULL && !lost_) MPI_Comm_free(&world_);
  if (started_) MPI_Finalize();
}

void MpiLibrary::wait(MPI_Request& request, const std::shared_ptr<void>& held) const {
  constexpr int kEagerRounds = 200;  // the others are mostly there already
  constexpr auto kLookEvery = std::chrono::milliseconds(50);
  using Clock = std::chrono::steady_clock;
  const Clock::time_point since = Clock::now();
  Clock::time_point looked = since;
  int done = 0;
  try {
    if (lost_) throw RankLost(loss_);
    for (int round = 0; !done; ++round) {
      expect(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
      if (done) return;
      if (round < kEagerRounds) {
        std::this_thread::yield();
        continue;
      }
      // The longer it has taken, the less it matters when it is seen: hundreds of ranks that share
      // a core would keep it busy with looking.
      const Clock::duration taken = Clock::now() - since;
      std::this_thread::sleep_for(
          std::clamp<Clock::duration>(taken / 16, std::chrono::microseconds(100), kLookEvery / 5));
      if (Clock::now() - looked < kLookEvery) continue;
      looked = Clock::now();
      expectPeers(since);
    }
  } catch (const Error& error) {
    if (!lost_) loss_ = error.what();
    lost_ = true;
    if (held) new std::shared_ptr<void>(held);  // MPI may write there yet
    throw;
  }
}

void MpiLibrary::expectPeers(std::chrono::steady_clock::time_point since) const {
  for (std::size_t i = 0; i < std::min(kPeersAtOnce, peers_.size()); ++i) {
    const auto& [rank, process] = peers_[nextPeer_++ % peers_.size()];
    if (!system::isRunning(process))
      throw RankLost(
          fmt::format("rank {}: expected to work to the end, found it gone (killed?)", rank));
  }
  if (limit_.count() > 0 && std::chrono::steady_clock::now() - since > limit_)
    throw RankLost(
        fmt::format("expected all ranks within {} ms, found some missing", limit_.count()));
}

void MpiLibrary::expect(int code) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  fail("MPI: expected success, found \"{}\"", std::string_view(text, std::size_t(length)));
}

}  // namespace fathom::ranks
