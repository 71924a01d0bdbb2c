// SPDX-License-Identifier: BSD-3-Clause
// One message per peer and round: how long it will be, then a table of its parcels and their bytes,
// cut where MPI could not count them.
#include "app/engine/ranks/exchange.h"

#include "app/engine/core/error.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/ranks/mpi_library.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

namespace fathom::ranks {
namespace {

constexpr int kLengthTag = 1, kBytesTag = 2;

/// A parcel in the table at the front of a message.
struct Entry {
  std::int32_t from, to;
  std::uint64_t bytes;
};

/// uint64 number of parcels, their entries, their bytes one after the other.
std::vector<std::byte> message(std::vector<Parcel>&& parcels) {
  const std::uint64_t count = parcels.size();
  std::size_t bytes = sizeof count + parcels.size() * sizeof(Entry);
  for (const Parcel& parcel : parcels) bytes += parcel.bytes.size();
  std::vector<std::byte> out(bytes);
  std::byte* at = out.data();
  const auto put = [&](const void* from, std::size_t n) {
    if (n) std::memcpy(at, from, n);
    at += n;
  };
  put(&count, sizeof count);
  for (const Parcel& parcel : parcels) {
    const Entry entry{parcel.from, parcel.to, parcel.bytes.size()};
    put(&entry, sizeof entry);
  }
  for (Parcel& parcel : parcels) {
    put(parcel.bytes.data(), parcel.bytes.size());
    parcel.bytes = {};
  }
  return out;
}

void open(const std::vector<std::byte>& message, int ranks, std::vector<Parcel>& parcels) {
  std::uint64_t count = 0;
  const auto damaged = [] { fail("exchange: expected a message of parcels, found a damaged one"); };
  if (message.size() < sizeof count) damaged();
  std::memcpy(&count, message.data(), sizeof count);
  if (count > (message.size() - sizeof count) / sizeof(Entry)) damaged();
  std::size_t at = sizeof count + count * sizeof(Entry);
  for (std::uint64_t i = 0; i < count; ++i) {
    Entry entry;
    std::memcpy(&entry, message.data() + sizeof count + i * sizeof entry, sizeof entry);
    if (entry.bytes > message.size() - at || entry.from < 0 || entry.from >= ranks ||
        entry.to < 0 || entry.to >= ranks)
      damaged();
    const auto first = message.begin() + std::ptrdiff_t(at);
    parcels.push_back({entry.from, entry.to, {first, first + std::ptrdiff_t(entry.bytes)}});
    at += entry.bytes;
  }
  if (at != message.size()) damaged();
}

void order(std::vector<Parcel>& parcels) {
  std::stable_sort(parcels.begin(), parcels.end(),
                   [](const Parcel& a, const Parcel& b) { return a.from < b.from; });
}

}  // namespace

struct Exchange::State {
  State(Route wanted, std::uint64_t max) : route(wanted), maxMessage(max) {
    MPI_Comm_dup(mpi->world(), &world);
  }
  ~State() { MPI_Comm_free(&world); }

  std::shared_ptr<MpiLibrary> mpi = MpiLibrary::acquire();
  MPI_Comm world = MPI_COMM_NULL;  // its own: messages of others cannot be taken for these
  Route route;
  std::uint64_t maxMessage;
  std::map<Route, ExchangePlan> plans;
  ExchangeFigures figures;

  const ExchangePlan& plan(std::vector<Parcel> const& parcels);
  void post(std::vector<std::byte>& bytes, int peer, bool send, std::vector<MPI_Request>& requests);
  void swap(std::map<int, std::vector<std::byte>>& out, const std::vector<int>& sources,
            std::uint64_t maxBytes, std::vector<Parcel>& in);
};

const ExchangePlan& Exchange::State::plan(std::vector<Parcel> const& parcels) {
  Route chosen = route;
  if (chosen == Route::Auto) {
    std::uint64_t bytes = 0, all = 0;
    for (const Parcel& parcel : parcels) bytes += parcel.bytes.size();
    MPI_Request request;
    MPI_Iallreduce(&bytes, &all, 1, MPI_UINT64_T, MPI_SUM, world, &request);
    mpi->wait(request);
    chosen = chooseRoute(mpi->ranks(), double(all) / mpi->ranks());
  }
  const auto at = plans.find(chosen);
  return at != plans.end()
             ? at->second
             : plans.emplace(chosen, ExchangePlan(chosen, mpi->ranks())).first->second;
}

void Exchange::State::post(std::vector<std::byte>& bytes, int peer, bool send,
                           std::vector<MPI_Request>& requests) {
  for (std::uint64_t at = 0; at < bytes.size(); at += maxMessage) {
    const int count = int(std::min<std::uint64_t>(maxMessage, bytes.size() - at));
    MPI_Request& request = requests.emplace_back();
    if (send)
      MPI_Isend(bytes.data() + at, count, MPI_BYTE, peer, kBytesTag, world, &request);
    else
      MPI_Irecv(bytes.data() + at, count, MPI_BYTE, peer, kBytesTag, world, &request);
    figures.messages += send;
  }
}

/// Sends `out` by rank and receives one message from each source.
void Exchange::State::swap(std::map<int, std::vector<std::byte>>& out,
                           const std::vector<int>& sources, std::uint64_t maxBytes,
                           std::vector<Parcel>& in) {
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

Exchange::Exchange(Route route, std::uint64_t maxMessage)
    : state_(std::make_unique<State>(route, maxMessage)) {}
Exchange::~Exchange() = default;

std::vector<Parcel> Exchange::run(std::vector<Parcel>&& parcels, std::uint64_t maxBytes) {
  State& s = *state_;
  const Stopwatch watch;
  const int rank = s.mpi->rank();
  const ExchangePlan& plan = s.plan(parcels);
  std::vector<Parcel> held = std::move(parcels);
  for (int round = 0; round < plan.rounds(); ++round) {
    std::map<int, std::vector<Parcel>> leaving;
    for (const int peer : plan.sendsTo(round, rank)) leaving[peer];
    std::vector<Parcel> staying;
    for (Parcel& parcel : held) {
      const int next = plan.next(round, rank, parcel.to);
      (next == rank ? staying : leaving[next]).push_back(std::move(parcel));
    }
    std::map<int, std::vector<std::byte>> out;
    for (auto& [peer, those] : leaving) out[peer] = message(std::move(those));
    s.swap(out, plan.receivesFrom(round, rank), maxBytes, staying);
    held = std::move(staying);
  }
  for (const Parcel& parcel : held) FATHOM_CHECK_OP(parcel.to, ==, rank);
  order(held);
  s.figures.ms += watch.ms();
  return held;
}

std::vector<Parcel> Exchange::collect(std::vector<Parcel>&& parcels, std::uint64_t maxBytes) {
  State& s = *state_;
  const Stopwatch watch;
  std::vector<Parcel> held;
  std::map<int, std::vector<std::byte>> out;
  std::vector<int> sources;
  if (s.mpi->rank() == 0) {
    held = std::move(parcels);
    for (int rank = 1; rank < s.mpi->ranks(); ++rank) sources.push_back(rank);
  } else {
    out[0] = message(std::move(parcels));
  }
  s.swap(out, sources, maxBytes, held);
  order(held);
  s.figures.ms += watch.ms();
  return held;
}

ExchangeFigures Exchange::figures() const { return state_->figures; }

}  // namespace fathom::ranks
