// SPDX-License-Identifier: BSD-3-Clause
// Parcels of bytes between the ranks of a job: to whom they are for, by one of three routes, or all
// to rank 0. What is in them is the caller's. Messages beyond a limit are cut; a length that would
// not fit the memory that was agreed on is refused before anything is allocated.
#pragma once

#include "app/engine/ranks/exchange_plan.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace fathom::ranks {

struct Parcel {
  int from = 0, to = 0;
  std::vector<std::byte> bytes;
};

/// What this rank has sent so far, headers included, and the milliseconds of exchanging.
struct ExchangeFigures {
  std::uint64_t bytesSent = 0, messages = 0;
  double ms = 0;
};

class Exchange {
 public:
  static constexpr std::uint64_t kMaxMessage = std::uint64_t(1) << 30;  // MPI counts with int

  /// All ranks of the job make theirs together, on the main thread, before the job ends; calls come
  /// from one thread at a time, in the same order on all ranks. `maxMessage`: longer ones are cut.
  explicit Exchange(Route route, std::uint64_t maxMessage = kMaxMessage);
  ~Exchange();
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  /// Every parcel to its rank; what came for this one, its own too, ordered by sender and as sent.
  /// With Route::Auto the route is chosen by all ranks' bytes. Throws Error when more than
  /// `maxBytes` are announced to this rank at once.
  std::vector<Parcel> run(std::vector<Parcel>&& parcels, std::uint64_t maxBytes);
  /// The same straight to rank 0, whoever a parcel names.
  std::vector<Parcel> collect(std::vector<Parcel>&& parcels, std::uint64_t maxBytes);

  ExchangeFigures figures() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fathom::ranks
