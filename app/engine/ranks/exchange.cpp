// SPDX-License-Identifier: BSD-3-Clause
// One batch for each peer: how long it will be, then a table of its messages and their bytes, cut
// where MPI could not count them.
#include "app/engine/ranks/exchange.h"

#include "app/engine/core/error.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/ranks/mpi_library.h"

namespace fathom::ranks {
namespace {

constexpr int kLengthTag = 1, kBytesTag = 2;

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

void order(std::vector<Message>& messages) {
  std::stable_sort(messages.begin(), messages.end(),
                   [](const Message& a, const Message& b) { return a.from < b.from; });
}

}  // namespace

struct Exchange::State {
  explicit State(std::uint64_t max) : maxSend(max) { MPI_Comm_dup(mpi->world(), &world); }
  ~State() { MPI_Comm_free(&world); }

  std::shared_ptr<MpiLibrary> mpi = MpiLibrary::acquire();
  MPI_Comm world = MPI_COMM_NULL;  // its own: messages of others cannot be taken for these
  std::uint64_t maxSend;
  ExchangeFigures figures;

  void post(std::vector<std::byte>& bytes, int peer, bool send, std::vector<MPI_Request>& requests);
  void swap(std::map<int, std::vector<std::byte>>& out, const std::vector<int>& sources,
            std::uint64_t maxBytes, std::vector<Message>& in);
};

void Exchange::State::post(std::vector<std::byte>& bytes, int peer, bool send,
                           std::vector<MPI_Request>& requests) {
  for (std::uint64_t at = 0; at < bytes.size(); at += maxSend) {
    const int count = int(std::min<std::uint64_t>(maxSend, bytes.size() - at));
    MPI_Request& request = requests.emplace_back();
    if (send)
      MPI_Isend(bytes.data() + at, count, MPI_BYTE, peer, kBytesTag, world, &request);
    else
      MPI_Irecv(bytes.data() + at, count, MPI_BYTE, peer, kBytesTag, world, &request);
    figures.messages += send;
  }
}

/// Sends `out` by rank and receives one batch from each source.
void Exchange::State::swap(std::map<int, std::vector<std::byte>>& out,
                           const std::vector<int>& sources, std::uint64_t maxBytes,
                           std::vector<Message>& in) {
  std::vector<std::uint64_t> lengths(sources.size()), mine;
  mine.reserve(out.size());
  std::vector<MPI_Request> requests;
  for (std::size_t i = 0; i < sources.size(); ++i)
    MPI_Irecv(&lengths[i], 1, MPI_UINT64_T, sources[i], kLengthTag, world,
              &requests.emplace_back());
  for (const auto& [peer, bytes] : out) {
    mine.push_back(bytes.size());
    MPI_Isend(&mine.back(), 1, MPI_UINT64_T, peer, kLengthTag, world, &requests.emplace_back());
    figures.bytesSent += bytes.size() + sizeof(std::uint64_t);
    ++figures.messages;
  }
  for (MPI_Request& request : requests) mpi->wait(request);
  requests.clear();
  std::uint64_t announced = 0;
  for (const std::uint64_t length : lengths) {
    if (length > maxBytes - announced)
      fail("exchange: expected at most {} bytes at once, found more announced", maxBytes);
    announced += length;
  }
  std::vector<std::vector<std::byte>> received;
  for (const std::uint64_t length : lengths) received.emplace_back(length);
  for (std::size_t i = 0; i < sources.size(); ++i) post(received[i], sources[i], false, requests);
  for (auto& [peer, bytes] : out) post(bytes, peer, true, requests);
  for (MPI_Request& request : requests) mpi->wait(request);
  out.clear();
  for (std::vector<std::byte>& bytes : received) {
    open(bytes, mpi->ranks(), in);
    bytes = {};
  }
}

Exchange::Exchange(std::uint64_t maxSend) : state_(std::make_unique<State>(maxSend)) {}
Exchange::~Exchange() = default;

std::vector<Message> Exchange::run(std::vector<Message>&& messages, std::uint64_t maxBytes) {
  State& s = *state_;
  const Stopwatch watch;
  const int rank = s.mpi->rank();
  std::vector<std::vector<Message>> leaving(std::size_t(s.mpi->ranks()));
  for (Message& message : messages)
    leaving.at(std::size_t(message.to)).push_back(std::move(message));
  std::vector<Message> held = std::move(leaving[std::size_t(rank)]);
  std::map<int, std::vector<std::byte>> out;
  std::vector<int> peers;
  for (int peer = 0; peer < s.mpi->ranks(); ++peer) {
    if (peer == rank) continue;
    peers.push_back(peer);
    out[peer] = batchOf(std::move(leaving[std::size_t(peer)]));
  }
  s.swap(out, peers, maxBytes, held);
  order(held);
  s.figures.ms += watch.ms();
  return held;
}

std::vector<Message> Exchange::collect(std::vector<Message>&& messages, std::uint64_t maxBytes) {
  State& s = *state_;
  const Stopwatch watch;
  std::vector<Message> held;
  std::map<int, std::vector<std::byte>> out;
  std::vector<int> sources;
  if (s.mpi->rank() == 0) {
    held = std::move(messages);
    for (int rank = 1; rank < s.mpi->ranks(); ++rank) sources.push_back(rank);
  } else {
    out[0] = batchOf(std::move(messages));
  }
  s.swap(out, sources, maxBytes, held);
  order(held);
  s.figures.ms += watch.ms();
  return held;
}

ExchangeFigures Exchange::figures() const { return state_->figures; }

}  // namespace fathom::ranks
