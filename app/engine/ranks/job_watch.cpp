// SPDX-License-Identifier: BSD-3-Clause
// A shared window with one atomic number (who has spoken), and a thread that polls the processes of
// the other ranks. FATHOM_RANKS_APART=1 in the environment makes each rank a machine of its own, so
// that the ring between machines can be tried on one; FATHOM_RANKS_START is how many seconds they
// may take to meet.
#include "app/engine/ranks/job_watch.h"

#include "app/engine/core/error.h"
#include "app/engine/core/launch.h"
#include "app/engine/core/progress.h"
#include "app/engine/core/text.h"

namespace fathom::ranks {
namespace {

constexpr auto kLookEvery = std::chrono::milliseconds(50);
constexpr auto kHeedWithin = std::chrono::milliseconds(600);  // mpirun kills after a second

constexpr int kLeft = -2;    // a rank that has done its work: no more signs are to be expected
constexpr int kSpoken = -3;  // a rank has said why the run ends: the others keep silent

/// The ranks that share this one's machine.
MPI_Comm machineOf(const MpiLibrary& mpi) {
  MPI_Comm machine;
  if (std::getenv("FATHOM_RANKS_APART"))
    MPI_Comm_split(mpi.world(), mpi.rank(), 0, &machine);
  else
    MPI_Comm_split_type(mpi.world(), MPI_COMM_TYPE_SHARED, mpi.rank(), MPI_INFO_NULL, &machine);
  return machine;
}

}  // namespace

StartWatch::StartWatch() {
  int started = 0;
  MPI_Initialized(&started);
  if (started) return;
  const char* const chosen = std::getenv("FATHOM_RANKS_START");
  const int seconds = chosen ? std::atoi(chosen) : 30 + launchSize() / 2;
  thread_ = std::thread([this, seconds] { look(std::chrono::seconds(seconds)); });
}

void StartWatch::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void StartWatch::look(std::chrono::milliseconds limit) {
  const auto start = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, kHeedWithin, [this] { return stopped_; })) {
    if (Progress::interrupted()) system::exitNow(kInterruptedCode);
    if (std::chrono::steady_clock::now() - start < limit) continue;
    fmt::print(stderr,
               "fathom: rank {}: expected all ranks to meet within {} s, found some missing\n",
               launchRank().value_or(0), limit / std::chrono::seconds(1));
    system::exitNow(1);
  }
}

class JobWatch::Ring {
 public:
  /// `firsts`: the first ranks of all machines, this one among them; takes the communicator over.
  Ring(MPI_Comm firsts, int worldRank) : firsts_(firsts) {
    int place = 0, count = 1;
    MPI_Comm_rank(firsts_, &place);
    MPI_Comm_size(firsts_, &count);
    next_ = (place + 1) % count;
    std::vector<int> ranks(static_cast<std::size_t>(count));
    MPI_Allgather(&worldRank, 1, MPI_INT, ranks.data(), 1, MPI_INT, firsts_);
    before_ = ranks[std::size_t((place + count - 1) % count)];
  }
  /// Both sides have said that they leave, unless one of them has failed to.
  ~Ring() {
    const Clock::time_point start = Clock::now();
    while (!left_ && Clock::now() - start < std::chrono::seconds(1)) {
      receive();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (!left_) return;  // a message may still be under way: the communicator stays
    while (sending_ != MPI_REQUEST_NULL && !sent()) std::this_thread::yield();
    MPI_Comm_free(&firsts_);
  }

  /// The first rank of the machine before this one.
  int before() const { return before_; }
  /// Sends a sign when it is time, takes in those that came. How long none has come.
  Clock::duration turn(Clock::time_point now, bool slept) {
    if (slept || heard_ == Clock::time_point{}) heard_ = now;
    if (now - sentAt_ > kSignEvery && sent()) {
      send(0);
      sentAt_ = now;
    }
    if (receive()) heard_ = now;
    return left_ ? Clock::duration(0) : now - heard_;
  }
  /// No more signs are to be expected from here.
  void leave() { tell(kLeft); }
  /// All machines behind this one learn that something has been said.
  void tellSpoken() { tell(kSpoken); }
  bool spoken() const { return spoken_; }

 private:
  static constexpr auto kSignEvery = std::chrono::milliseconds(500);

  void tell(int sign) {
    while (!sent()) std::this_thread::yield();
    send(sign);
  }
  void send(int sign) {
    sign_ = sign;
    MPI_Isend(&sign_, 1, MPI_INT, next_, 0, firsts_, &sending_);
  }
  bool sent() {
    int done = 1;
    if (sending_ != MPI_REQUEST_NULL) MPI_Test(&sending_, &done, MPI_STATUS_IGNORE);
    return done != 0;
  }
  bool receive() {
    bool any = false;
    for (int there = 1; there && !left_;) {
      MPI_Iprobe(MPI_ANY_SOURCE, 0, firsts_, &there, MPI_STATUS_IGNORE);
      if (!there) break;
      int sign = 0;
      MPI_Recv(&sign, 1, MPI_INT, MPI_ANY_SOURCE, 0, firsts_, MPI_STATUS_IGNORE);
      left_ = sign == kLeft, any = true;
      if (sign == kSpoken && !std::exchange(spoken_, true)) tellSpoken();
    }
    return any;
  }

  MPI_Comm firsts_;
  int next_ = 0, before_ = 0, sign_ = 0;
  MPI_Request sending_ = MPI_REQUEST_NULL;
  Clock::time_point sentAt_{}, heard_{};
  bool left_ = false;  // the machine before this one has
  bool spoken_ = false;
};

JobWatch::JobWatch(const MpiLibrary& mpi) : rank_(mpi.rank()) {
  MPI_Comm machine = machineOf(mpi);
  int localRank = 0, localRanks = 1;
  MPI_Comm_rank(machine, &localRank);
  MPI_Comm_size(machine, &localRanks);

  constexpr int kAlivePerCore = 16;
  silence_ *= std::max(
      1, localRanks / kAlivePerCore / std::max(1, int(std::thread::hardware_concurrency())));

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

  const int mine[2] = {mpi.rank(), system::processId()};
  std::vector<int> all(std::size_t(localRanks) * 2);
  MPI_Allgather(mine, 2, MPI_INT, all.data(), 2, MPI_INT, machine);
  for (int i = 0; i < localRanks; ++i)
    if (const int rank = all[std::size_t(i) * 2], process = all[std::size_t(i) * 2 + 1];
        rank < 0 || rank >= mpi.ranks() || process <= 0 || !system::isRunning(process))
      end(fmt::format("rank {}: expected the ranks of this machine, found rank {} as process {}",
                      rank_, rank, process),
          1);
  for (int i = 0; i < localRanks; ++i)
    if (i != localRank) peers_.push_back({all[std::size_t(i) * 2], all[std::size_t(i) * 2 + 1], i});
  MPI_Comm_free(&machine);

  MPI_Comm firsts = MPI_COMM_NULL;
  MPI_Comm_split(mpi.world(), localRank == 0 ? 0 : MPI_UNDEFINED, mpi.rank(), &firsts);
  int machines = 1;
  if (firsts != MPI_COMM_NULL) MPI_Comm_size(firsts, &machines);
  if (machines > 1 && mpi.threads()) {
    ring_ = std::make_unique<Ring>(firsts, rank_);
    if (ring_->before() < 0 || ring_->before() >= mpi.ranks())
      endAll(fmt::format("rank {}: expected the first ranks of the machines, found rank {}", rank_,
                         ring_->before()));
  } else if (firsts != MPI_COMM_NULL) {
    MPI_Comm_free(&firsts);
  }
  thread_ = std::thread([this] { look(); });
}

JobWatch::~JobWatch() {
  stop();
  ring_.reset();
  MPI_Win_free(&page_);
}

void JobWatch::stop() {
  stopped_ = true;
  if (!thread_.joinable()) return;
  thread_.join();
  if (ring_) ring_->leave();
  if (signs_) signs_[place_] = kLeft;
}

bool JobWatch::claim() {
  int nobody = 0;
  return speaker_->compare_exchange_strong(nobody, rank_ + 1);
}

void JobWatch::end(const std::string& message, int exitCode) {
  if (claim()) {
    fmt::print(stderr, "fathom: {}\n", printable(message));
    std::fflush(stderr);
  }
  system::exitNow(exitCode);
}

void JobWatch::sayInterrupted() {
  std::FILE* const out = system::openErrorsOfParent();
  fmt::print(out ? out : stderr, "fathom: interrupted\n");
  if (out) std::fclose(out);
}

void JobWatch::endIfGone(std::size_t count) {
  for (std::size_t i = 0; i < std::min(count, peers_.size()); ++i)
    if (const Peer& peer = peers_[nextPeer_++ % peers_.size()]; !system::isRunning(peer.process))
      end(fmt::format("rank {}: expected to work to the end, found it gone (killed?)", peer.rank),
          1);
}

/// `slept`: this process itself was stopped meanwhile, and cannot say how long others were silent.
void JobWatch::endIfRankSilent(Clock::time_point now, bool slept) {
  const auto endSilent = [this](int rank) {
    endAll(fmt::format("rank {}: expected a sign of life within {} s, found none (stopped?)", rank,
                       silence_.count()));
  };
  for (Peer& peer : peers_) {
    const int signs = signs_[peer.place];
    if (slept || signs == kLeft || signs != peer.signs || peer.heard == Clock::time_point{}) {
      peer.signs = signs, peer.heard = now;
    } else if (now - peer.heard > silence_) {
      endSilent(peer.rank);
    }
  }
  if (!ring_) return;
  if (ring_->turn(now, slept) > silence_) endSilent(ring_->before());
  if (ring_->spoken()) claim();
}

void JobWatch::endAll(const std::string& message) {
  if (ring_) {
    ring_->tellSpoken();
    std::this_thread::sleep_for(3 * kLookEvery);  // mpirun ends the others once this process ends
  }
  end(message, 1);
}

void JobWatch::look() {
  Clock::time_point interruptedAt{}, before = Clock::now();
  while (!stopped_) {
    ++signs_[place_];
    endIfGone(kPeersAtOnce);
    const Clock::time_point looked = Clock::now();
    endIfRankSilent(looked, looked - before > std::chrono::seconds(1));
    before = looked;
    if (Progress::interrupted()) {
      const Clock::time_point now = Clock::now();
      if (interruptedAt == Clock::time_point{}) {
        interruptedAt = now;
        endIfGone(peers_.size());  // which is why mpirun stops the others
        if (claim()) sayInterrupted();
      }
      if (now - interruptedAt > kHeedWithin) system::exitNow(kInterruptedCode);
    }
    std::this_thread::sleep_for(kLookEvery);
  }
}

}  // namespace fathom::ranks
