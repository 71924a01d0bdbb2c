// SPDX-License-Identifier: BSD-3-Clause
// Agreement by reductions that never block a core: each rank tells whether it failed, the first
// that did speaks for all.
#include "app/engine/ranks/job.h"

#include "app/engine/core/error.h"
#include "app/engine/core/progress.h"
#include "app/engine/ranks/job_watch.h"
#include "app/engine/ranks/mpi_library.h"
#include "app/system/process.h"

namespace fathom::ranks {

struct Job::State {
  StartWatch starting;
  std::shared_ptr<MpiLibrary> mpi = MpiLibrary::acquire();
  JobWatch watch{*mpi};
  bool agreed = false;  // all ranks know that the work has failed

  State() { starting.stop(); }

  void reduce(std::span<std::uint64_t> values, MPI_Op operation) {
    MPI_Request request;
    MPI_Iallreduce(MPI_IN_PLACE, values.data(), int(values.size()), MPI_UINT64_T, operation,
                   mpi->world(), &request);
    mpi->wait(request);
  }
};

int Job::rank() const { return state_.mpi->rank(); }
int Job::ranks() const { return state_.mpi->ranks(); }
bool Job::overlaps() const { return state_.mpi->threads(); }

namespace {

bool begun = false;  // a job, since useCommunicator()

}  // namespace

void useCommunicator(std::optional<int> handle) {
  MpiLibrary::borrow(handle);
  begun = false;
}

void tellFailure() {
  if (!begun) Job::run([](Job& job) { job.collective([] { throw; }); });
}

bool mpiAvailable() { return true; }
std::string mpiMissing() { return {}; }

namespace {

/// What went wrong as one line, and the code that a process ends with for it.
std::pair<int, std::string> described(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const UsageError& error) {
    return {2, error.what()};
  } catch (const NoDeviceError& error) {
    return {77, error.what()};
  } catch (const NotBuiltError& error) {
    return {78, error.what()};
  } catch (const Cancelled& error) {
    return {JobWatch::kInterrupted, error.what()};
  } catch (const std::bad_alloc&) {
    return {1, "expected enough memory for this, found too little"};
  } catch (const std::exception& error) {
    return {1, error.what()};
  }
}

/// The failure of one rank among others that were well says which rank it was.
[[noreturn]] void rethrowNaming(const std::exception_ptr& failure, int rank) {
  const auto [code, text] = described(failure);
  const std::string named = fmt::format("rank {}: {}", rank, text);
  if (code == JobWatch::kInterrupted) std::rethrow_exception(failure);
  if (code == 2) throw UsageError(named);
  if (code == 77) throw NoDeviceError(named);
  throw Error(named);
}

}  // namespace

void Job::run(const std::function<void(Job&)>& work) {
  begun = true;
  State state;
  Job job(state);
  std::exception_ptr failure;
  try {
    work(job);
  } catch (const Cancelled&) {
    failure = std::make_exception_ptr(PeerFailed(JobWatch::kInterrupted));
    if (state.watch.claim()) JobWatch::sayInterrupted();
    if (!state.agreed) system::exitNow(JobWatch::kInterrupted);
  } catch (...) {
    failure = std::current_exception();
    if (!state.agreed)
      state.watch.end(fmt::format("rank {}: {}", job.rank(), described(failure).second), 1);
  }
  // No rank may leave while another's watch would take that for a death.
  state.watch.stop();
  MPI_Request request;
  MPI_Ibarrier(state.mpi->world(), &request);
  state.mpi->wait(request);
  if (failure) std::rethrow_exception(failure);
}

void Job::collective(const std::function<void()>& step) {
  std::exception_ptr failure;
  try {
    if (Progress::interrupted()) throw Cancelled();
    step();
    if (Progress::interrupted()) throw Cancelled();
  } catch (...) {
    failure = std::current_exception();
  }
  // A rank that is gone takes part in no agreement: mpirun has told the others to stop.
  if (failure && Progress::interrupted()) state_.watch.endIfRankGone();

  constexpr int kNone = std::numeric_limits<int>::max();
  const int mine = failure ? rank() : kNone;
  int first = kNone;
  MPI_Request request;
  MPI_Iallreduce(&mine, &first, 1, MPI_INT, MPI_MIN, state_.mpi->world(), &request);
  state_.mpi->wait(request);
  if (first == kNone) return;
  state_.agreed = true;

  const int failed = failure ? 1 : 0;
  int failedCount = 0;
  MPI_Iallreduce(&failed, &failedCount, 1, MPI_INT, MPI_SUM, state_.mpi->world(), &request);
  state_.mpi->wait(request);
  const auto [code, text] = failure ? described(failure) : std::pair<int, std::string>();
  const std::string said =
      gatherTexts(fmt::format("{} rank {}: {}", code, rank(), text)).at(std::size_t(first));
  if (first != rank()) throw RankFailed(std::stoi(said), said.substr(said.find(' ') + 1));
  if (failedCount == ranks()) std::rethrow_exception(failure);
  rethrowNaming(failure, rank());
}

void Job::expectSame(const std::string& subject, std::string facts, const Describe& settings) {
  facts = fmt::format("fathom {}, {}", FATHOM_VERSION, facts);
  for (const FieldValue& setting : valuesOf(settings))
    facts += fmt::format(", --{} {}", setting.name, setting.text);
  const std::string other = gatherTexts(facts)[0];
  collective([&] {
    if (facts == other) return;
    const auto [a, b] = std::mismatch(facts.begin(), facts.end(), other.begin(), other.end());
    const auto from = std::size_t(a - facts.begin());
    const std::size_t before = from ? facts.rfind(", ", from - 1) : std::string::npos;
    const std::size_t fact = before == std::string::npos ? 0 : before + 2;
    const auto differing = [&](const std::string& all) {
      return all.substr(fact, all.find(", ", std::max(from, fact + 1) - 1) - fact);
    };
    fail("{}: expected what rank 0 has ({}), found {}", subject, differing(other),
         differing(facts));
  });
}

std::vector<double> Job::gather(std::span<const double> mine) {
  std::vector<double> all(mine.size() * std::size_t(ranks()));
  MPI_Request request;
  MPI_Iallgather(mine.data(), int(mine.size()), MPI_DOUBLE, all.data(), int(mine.size()),
                 MPI_DOUBLE, state_.mpi->world(), &request);
  state_.mpi->wait(request);
  return all;
}

std::vector<std::string> Job::gatherTexts(const std::string& mine) {
  std::vector<std::uint64_t> lengths(static_cast<std::size_t>(ranks()));
  lengths[std::size_t(rank())] = mine.size();
  largest(lengths);
  std::uint64_t longest = 0;
  for (const std::uint64_t length : lengths) longest = std::max(longest, length);
  std::string padded = mine;
  padded.resize(longest);
  std::string all(longest * std::size_t(ranks()), ' ');
  MPI_Request request;
  MPI_Iallgather(padded.data(), int(longest), MPI_CHAR, all.data(), int(longest), MPI_CHAR,
                 state_.mpi->world(), &request);
  state_.mpi->wait(request);
  std::vector<std::string> texts;
  for (std::size_t r = 0; r < lengths.size(); ++r)
    texts.push_back(all.substr(r * longest, lengths[r]));
  return texts;
}

void Job::sum(std::span<std::uint64_t> values) { state_.reduce(values, MPI_SUM); }
void Job::largest(std::span<std::uint64_t> values) { state_.reduce(values, MPI_MAX); }

void Job::pass(std::span<std::byte> bytes, int from, int to) {
  if (rank() != from && rank() != to) return;
  constexpr std::size_t kMaxBytes = std::size_t(1) << 30;  // MPI counts with int
  for (std::size_t at = 0; at < bytes.size(); at += kMaxBytes) {
    const int count = int(std::min(kMaxBytes, bytes.size() - at));
    MPI_Request request;
    if (rank() == from)
      MPI_Isend(bytes.data() + at, count, MPI_BYTE, to, 0, state_.mpi->world(), &request);
    else
      MPI_Irecv(bytes.data() + at, count, MPI_BYTE, from, 0, state_.mpi->world(), &request);
    state_.mpi->wait(request);
  }
}

}  // namespace fathom::ranks
