// SPDX-License-Identifier: BSD-3-Clause
// Agreement by reductions that never block a core: each rank tells whether it failed, the first
// that did speaks for all. What MPI may still write to lies on the heap, and stays there when
// waiting for it is given up (MpiLibrary::wait()). And how a job ends when a rank fails.
#include "app/engine/ranks/job.h"

#include "app/engine/core/error.h"
#include "app/engine/core/progress.h"
#include "app/engine/ranks/job_watch.h"
#include "app/engine/ranks/mpi_library.h"
#include "app/system/process.h"

namespace fathom::ranks {
namespace {

void reduce(const MpiLibrary& mpi, std::span<std::uint64_t> values, MPI_Op operation) {
  const auto held = std::make_shared<std::vector<std::uint64_t>>(values.begin(), values.end());
  MPI_Request request;
  MpiLibrary::expect(MPI_Iallreduce(MPI_IN_PLACE, held->data(), int(held->size()), MPI_UINT64_T,
                                    operation, mpi.world(), &request));
  mpi.wait(request, held);
  std::copy(held->begin(), held->end(), values.begin());
}

/// The failure of one rank among others that were well says which rank it was.
[[noreturn]] void rethrowNaming(const std::exception_ptr& failure, int rank) {
  const auto [code, text] = described(failure);
  const std::string named = fmt::format("rank {}: {}", rank, text);
  if (code == kInterruptedCode) std::rethrow_exception(failure);
  if (code == 2) throw UsageError(named);
  if (code == 77) throw NoDeviceError(named);
  throw Error(named);
}

}  // namespace

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
    return {kInterruptedCode, error.what()};
  } catch (const std::bad_alloc&) {
    return {1, "expected enough memory for this, found too little"};
  } catch (const std::exception& error) {
    return {1, error.what()};
  }
}

int Team::rank() const { return mpi_->rank(); }
int Team::ranks() const { return mpi_->ranks(); }
bool Team::overlaps() const { return mpi_->threads(); }

void Team::collective(const std::function<void()>& step) {
  std::exception_ptr failure;
  try {
    if (Progress::interrupted()) throw Cancelled();
    step();
    if (Progress::interrupted()) throw Cancelled();
  } catch (...) {
    failure = std::current_exception();
  }
  // A rank that is gone takes part in no agreement: mpirun has told the others to stop.
  if (failure && Progress::interrupted()) endIfRankGone();

  // How far behind the last rank the first that failed stands, and how many have failed.
  std::uint64_t first = failure ? std::uint64_t(ranks() - rank()) : 0;
  largest(std::span(&first, 1));
  if (first == 0) return;
  agreed_ = true;
  const auto speaker = std::size_t(ranks()) - first;
  std::uint64_t failedCount = failure ? 1 : 0;
  sum(std::span(&failedCount, 1));
  const auto [code, text] = failure ? described(failure) : std::pair<int, std::string>();
  const std::string said =
      gatherTexts(fmt::format("{} rank {}: {}", code, rank(), text)).at(speaker);
  if (speaker != std::size_t(rank()))
    throw RankFailed(std::stoi(said), said.substr(said.find(' ') + 1));
  if (failedCount == std::uint64_t(ranks())) std::rethrow_exception(failure);
  rethrowNaming(failure, rank());
}

void Team::expectSame(const std::string& subject, std::string facts, const Describe& settings) {
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

std::vector<std::byte> Team::gatherBytes(std::span<const std::byte> mine) {
  struct Buffers {
    std::vector<std::byte> mine, all;
  };
  const auto held = std::make_shared<Buffers>();
  held->mine.assign(mine.begin(), mine.end());
  held->all.resize(mine.size() * std::size_t(ranks()));
  MPI_Request request;
  MpiLibrary::expect(MPI_Iallgather(held->mine.data(), int(mine.size()), MPI_BYTE, held->all.data(),
                                    int(mine.size()), MPI_BYTE, mpi_->world(), &request));
  mpi_->wait(request, held);
  return std::move(held->all);
}

std::vector<std::string> Team::gatherTexts(const std::string& mine) {
  std::vector<std::uint64_t> lengths(static_cast<std::size_t>(ranks()));
  lengths[std::size_t(rank())] = mine.size();
  largest(lengths);
  std::string padded = mine;
  padded.resize(*std::max_element(lengths.begin(), lengths.end()));
  const std::vector<std::byte> all = gatherBytes(std::as_bytes(std::span(padded)));
  std::vector<std::string> texts;
  for (std::size_t r = 0; r < lengths.size(); ++r)
    texts.emplace_back(reinterpret_cast<const char*>(all.data()) + r * padded.size(), lengths[r]);
  return texts;
}

void Team::sum(std::span<std::uint64_t> values) { reduce(*mpi_, values, MPI_SUM); }
void Team::largest(std::span<std::uint64_t> values) { reduce(*mpi_, values, MPI_MAX); }

void Team::pass(std::span<std::byte> bytes, int from, int to) {
  if (rank() != from && rank() != to) return;
  constexpr std::size_t kMaxBytes = std::size_t(1) << 30;  // MPI counts with int
  for (std::size_t at = 0; at < bytes.size(); at += kMaxBytes) {
    const int count = int(std::min(kMaxBytes, bytes.size() - at));
    MPI_Request request;
    if (rank() == from)
      MPI_Isend(bytes.data() + at, count, MPI_BYTE, to, 0, mpi_->world(), &request);
    else
      MPI_Irecv(bytes.data() + at, count, MPI_BYTE, from, 0, mpi_->world(), &request);
    mpi_->wait(request);
  }
}

// ---- Jobs

struct Job::State {
  StartWatch starting;
  std::shared_ptr<MpiLibrary> mpi = MpiLibrary::acquire();
  JobWatch watch{*mpi};

  State() { starting.stop(); }
};

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

Job::Job(State& state) : Team(state.mpi), state_(state) {}
void Job::endIfRankGone() { state_.watch.endIfRankGone(); }

void Job::run(const std::function<void(Job&)>& work) {
  begun = true;
  State state;
  Job job(state);
  std::exception_ptr failure;
  try {
    work(job);
  } catch (const Cancelled&) {
    job.endIfRankGone();
    failure = std::make_exception_ptr(PeerFailed(kInterruptedCode));
    if (state.watch.claim()) JobWatch::sayInterrupted();
    if (!job.agreed_) system::exitNow(kInterruptedCode);
  } catch (...) {
    failure = std::current_exception();
    if (!job.agreed_)
      state.watch.end(fmt::format("rank {}: {}", job.rank(), described(failure).second), 1);
  }
  // No rank may leave while another's watch would take that for a death.
  state.watch.stop();
  MPI_Request request;
  MPI_Ibarrier(state.mpi->world(), &request);
  state.mpi->wait(request);
  if (failure) std::rethrow_exception(failure);
}

// ---- Messages. How long the batches of all ranks are, then one for each peer that has any: a
// table of its messages and their bytes, cut where MPI could not count them.

namespace {

constexpr int kBytesTag = 1;

/// A message in the table at the front of a batch.
struct Entry {
  std::int32_t from, to;
  std::uint64_t bytes;
};

/// uint64 number of messages, their entries, their bytes one after the other.
std::vector<std::byte> batchOf(std::vector<Message>&& messages) {
  const std::uint64_t count = messages.size();
  std::size_t bytes = sizeof count + messages.size() * sizeof(Entry);
  for (const Message& message : messages) bytes += message.bytes.size();
  std::vector<std::byte> out(bytes);
  std::byte* at = out.data();
  const auto put = [&](const void* from, std::size_t n) {
    if (n) std::memcpy(at, from, n);
    at += n;
  };
  put(&count, sizeof count);
  for (const Message& message : messages) {
    const Entry entry{message.from, message.to, message.bytes.size()};
    put(&entry, sizeof entry);
  }
  for (Message& message : messages) {
    put(message.bytes.data(), message.bytes.size());
    message.bytes = {};
  }
  return out;
}

/// The messages of a batch, after those that `messages` has. Throws Error for one that is damaged.
void open(const std::vector<std::byte>& batch, int ranks, std::vector<Message>& messages) {
  std::uint64_t count = 0;
  const auto damaged = [] { fail("exchange: expected a batch of messages, found a damaged one"); };
  if (batch.size() < sizeof count) damaged();
  std::memcpy(&count, batch.data(), sizeof count);
  if (count > (batch.size() - sizeof count) / sizeof(Entry)) damaged();
  std::size_t at = sizeof count + count * sizeof(Entry);
  for (std::uint64_t i = 0; i < count; ++i) {
    Entry entry;
    std::memcpy(&entry, batch.data() + sizeof count + i * sizeof entry, sizeof entry);
    if (entry.bytes > batch.size() - at || entry.from < 0 || entry.from >= ranks || entry.to < 0 ||
        entry.to >= ranks)
      damaged();
    const auto first = batch.begin() + std::ptrdiff_t(at);
    messages.push_back({entry.from, entry.to, {first, first + std::ptrdiff_t(entry.bytes)}});
    at += entry.bytes;
  }
  if (at != batch.size()) damaged();
}

}  // namespace

struct Exchange::State {
  State(std::shared_ptr<MpiLibrary> library, std::uint64_t max)
      : mpi(std::move(library)),
        world(mpi->threads() ? mpi->duplicate() : mpi->world()),
        maxSend(max) {}
  ~State() {
    if (mpi->threads() && !mpi->lost()) MPI_Comm_free(&world);
  }

  std::shared_ptr<MpiLibrary> mpi;
  MPI_Comm world;  // its own where another thread calls MPI beside this one
  std::uint64_t maxSend;
  ExchangeFigures figures;

  /// Batches by rank on their way, with their lengths.
  struct Flight {
    explicit Flight(int ranks) : out(ranks), in(ranks), outBytes(ranks), inBytes(ranks) {}
    std::vector<std::vector<std::byte>> out, in;
    std::vector<std::uint64_t> outBytes, inBytes;
    std::uint64_t refused = 0;  // that a rank was announced more than it takes
    std::vector<MPI_Request> requests;
  };
  void post(std::vector<std::byte>& bytes, int peer, bool send, Flight& flight);
  void swap(const std::shared_ptr<Flight>& flight, std::uint64_t maxBytes,
            std::vector<Message>& in);
  void takeLengths(const std::shared_ptr<Flight>& flight, std::uint64_t maxBytes);
};

void Exchange::State::post(std::vector<std::byte>& bytes, int peer, bool send, Flight& flight) {
  for (std::uint64_t at = 0; at < bytes.size(); at += maxSend) {
    const int count = int(std::min<std::uint64_t>(maxSend, bytes.size() - at));
    MPI_Request& request = flight.requests.emplace_back();
    MpiLibrary::expect(
        send ? MPI_Isend(bytes.data() + at, count, MPI_BYTE, peer, kBytesTag, world, &request)
             : MPI_Irecv(bytes.data() + at, count, MPI_BYTE, peer, kBytesTag, world, &request));
    figures.messages += send;
  }
}

/// How much comes from whom. A rank that cannot take it keeps all from sending.
void Exchange::State::takeLengths(const std::shared_ptr<Flight>& flight, std::uint64_t maxBytes) {
  MPI_Request request;
  for (std::size_t peer = 0; peer < flight->out.size(); ++peer) {
    flight->outBytes[peer] = flight->out[peer].size();
    figures.bytesSent += flight->outBytes[peer];
  }
  figures.bytesSent += sizeof(std::uint64_t) * (flight->out.size() - 1);
  MpiLibrary::expect(MPI_Ialltoall(flight->outBytes.data(), 1, MPI_UINT64_T, flight->inBytes.data(),
                                   1, MPI_UINT64_T, world, &request));
  mpi->wait(request, flight);
  std::uint64_t announced = 0;
  for (const std::uint64_t bytes : flight->inBytes) {
    flight->refused |= bytes > maxBytes - announced ? 1u : 0u;
    announced += std::min(bytes, maxBytes - announced);
  }
  MpiLibrary::expect(
      MPI_Iallreduce(MPI_IN_PLACE, &flight->refused, 1, MPI_UINT64_T, MPI_MAX, world, &request));
  mpi->wait(request, flight);
  if (flight->refused)
    fail("exchange: expected at most {} bytes at once, found more announced", maxBytes);
}

void Exchange::State::swap(const std::shared_ptr<Flight>& flight, std::uint64_t maxBytes,
                           std::vector<Message>& in) {
  takeLengths(flight, maxBytes);
  for (std::size_t peer = 0; peer < flight->in.size(); ++peer) {
    flight->in[peer].resize(flight->inBytes[peer]);
    post(flight->in[peer], int(peer), false, *flight);
  }
  for (std::size_t peer = 0; peer < flight->out.size(); ++peer)
    post(flight->out[peer], int(peer), true, *flight);
  for (MPI_Request& request : flight->requests) mpi->wait(request, flight);
  for (std::vector<std::byte>& bytes : flight->in) {
    if (!bytes.empty()) open(bytes, mpi->ranks(), in);
    bytes = {};
  }
}

Exchange::Exchange(const Team& team, std::uint64_t maxSend)
    : state_(std::make_unique<State>(team.mpi(), maxSend)) {}
Exchange::~Exchange() = default;

std::vector<Message> Exchange::run(std::vector<Message>&& messages, std::uint64_t maxBytes) {
  State& s = *state_;
  const auto rank = std::size_t(s.mpi->rank());
  std::vector<std::vector<Message>> leaving(std::size_t(s.mpi->ranks()));
  for (Message& message : messages)
    leaving.at(std::size_t(message.to)).push_back(std::move(message));
  std::vector<Message> held = std::move(leaving[rank]);
  const auto flight = std::make_shared<State::Flight>(s.mpi->ranks());
  for (std::size_t peer = 0; peer < leaving.size(); ++peer)
    if (peer != rank && !leaving[peer].empty())
      flight->out[peer] = batchOf(std::move(leaving[peer]));
  s.swap(flight, maxBytes, held);
  std::ranges::stable_sort(held, {}, &Message::from);
  return held;
}

ExchangeFigures Exchange::figures() const { return state_->figures; }

}  // namespace fathom::ranks
