// SPDX-License-Identifier: BSD-3-Clause
// Messages of bytes between the ranks of a job: each straight to the rank that it is for. What is
// in them is the caller's. What MPI could not count is cut; a length that would not fit the memory
// that was agreed on is refused before anything is allocated.
#pragma once

#include "app/engine/ranks/job.h"

namespace fathom::ranks {

struct Message {
  int from = 0, to = 0;
  std::vector<std::byte> bytes;
};

/// What this rank has sent so far, headers included.
struct ExchangeFigures {
  std::uint64_t bytesSent = 0, messages = 0;
};

class Exchange {
 public:
  static constexpr std::uint64_t kMaxSend = std::uint64_t(1) << 30;  // MPI counts with int

  /// All ranks of the team make theirs together, on the main thread, before the team ends; calls
  /// come from one thread at a time, in the same order on all ranks. `maxSend`: bytes of one send.
  explicit Exchange(const Team& team, std::uint64_t maxSend = kMaxSend);
  ~Exchange();

  /// Every message to its rank, in one round; what came for this one, its own too, ordered by
  /// sender and as sent. All ranks throw Error when more than `maxBytes` are announced to one at
  /// once.
  std::vector<Message> run(std::vector<Message>&& messages, std::uint64_t maxBytes);

  ExchangeFigures figures() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fathom::ranks
