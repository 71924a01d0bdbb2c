// SPDX-License-Identifier: BSD-3-Clause
// The way of a parcel from rank to rank, for any number of ranks. Direct send: one round, everybody
// to everybody. Binary swap: rounds of pairs; ranks beyond the largest power of two hand theirs to
// a partner first and get what is for them last. Radix-k: rounds among groups whose sizes multiply
// to the number of ranks (Peterka, Goodell, Ross, Shen, Thakur, "A configurable algorithm for
// parallel image-compositing applications", SC 2009). Plain values, no MPI.
#pragma once

#include <cstdint>
#include <vector>

namespace fathom::ranks {

enum class Route { Auto, DirectSend, BinarySwap, RadixK };

class ExchangePlan {
 public:
  /// `route` is not Auto. `ranks` >= 1.
  ExchangePlan(Route route, int ranks);

  int rounds() const { return int(rounds_.size()); }
  /// Where rank `at` passes a parcel for `to` on to in this round; `at` itself: it stays.
  int next(int round, int at, int to) const;
  /// Whom a rank sends one message in this round, and from whom it gets one; ascending.
  std::vector<int> sendsTo(int round, int rank) const;
  std::vector<int> receivesFrom(int round, int rank) const;

 private:
  enum class Kind { Digit, Fold, Unfold };
  struct Round {
    Kind kind;
    int stride = 1, size = 1;  // Digit: ranks that differ only in (rank / stride) % size
  };
  int ranks_, folded_;  // ranks that take part in the rounds of pairs
  std::vector<Round> rounds_;
};

/// What an exchange is expected to cost, and so which route to take, after LogP (Culler et al.,
/// "LogP: towards a realistic model of parallel computation", 1993): the messages of a round are on
/// their way together, so latency counts once per round, the processor's part once per message, and
/// each byte. Routes of several rounds send bytes more than once and fewer messages.
struct LinkCost {
  double roundUs = 20;      // latency
  double messageUs = 2;     // of the processor, per message that a rank sends
  double bytesPerUs = 1e3;  // of one rank
};
double expectedUs(Route route, int ranks, double bytesPerRank, const LinkCost& cost = {});
/// The cheapest of the three.
Route chooseRoute(int ranks, double bytesPerRank, const LinkCost& cost = {});

}  // namespace fathom::ranks
