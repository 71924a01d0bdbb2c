// SPDX-License-Identifier: BSD-3-Clause
// How long the batches of all ranks are, then one for each peer that has any: a table of its
// messages and their bytes, cut where MPI could not count them.
#include "app/engine/ranks/exchange.h"

#include "app/engine/core/error.h"
#include "app/engine/ranks/mpi_library.h"

namespace fathom::ranks {
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
