// SPDX-License-Identifier: BSD-3-Clause
// Ranks as numbers of mixed radix: a round sets one digit to that of the destination.
#include "app/engine/ranks/exchange_plan.h"

#include "app/engine/core/error.h"

#include <algorithm>
#include <set>

namespace fathom::ranks {
namespace {

constexpr int kMaxRadix = 8;

/// Factors of at most kMaxRadix where there are such, large ones first; a prime beyond stays whole.
std::vector<int> factorsOf(int n) {
  std::vector<int> factors;
  while (n > 1) {
    int factor = std::min(n, kMaxRadix);
    while (factor > 1 && n % factor != 0) --factor;
    if (factor == 1) {
      factor = kMaxRadix + 1;
      while (n % factor != 0) ++factor;
    }
    factors.push_back(factor);
    n /= factor;
  }
  return factors;
}

int largestPowerOfTwo(int n) {
  int power = 1;
  while (power * 2 <= n) power *= 2;
  return power;
}

}  // namespace

ExchangePlan::ExchangePlan(Route route, int ranks) : ranks_(ranks), folded_(ranks) {
  FATHOM_CHECK(route != Route::Auto && ranks >= 1);
  if (route == Route::DirectSend) {
    rounds_.push_back({Kind::Digit, 1, ranks});
    return;
  }
  if (route == Route::RadixK) {
    int stride = 1;
    for (const int factor : factorsOf(ranks)) {
      rounds_.push_back({Kind::Digit, stride, factor});
      stride *= factor;
    }
    return;
  }
  folded_ = largestPowerOfTwo(ranks);
  if (folded_ < ranks) rounds_.push_back({Kind::Fold});
  for (int stride = 1; stride < folded_; stride *= 2) rounds_.push_back({Kind::Digit, stride, 2});
  if (folded_ < ranks) rounds_.push_back({Kind::Unfold});
}

int ExchangePlan::next(int round, int at, int to) const {
  if (at == to) return at;
  const Round& r = rounds_[std::size_t(round)];
  const int home = to < folded_ ? to : to - folded_;  // who holds it until the last round
  switch (r.kind) {
    case Kind::Fold:
      return at < folded_ ? at : at - folded_;
    case Kind::Unfold:
      return at == home ? to : at;
    case Kind::Digit:
      break;
  }
  if (at >= folded_) return at;
  const int mine = at / r.stride % r.size, wanted = home / r.stride % r.size;
  return at + (wanted - mine) * r.stride;
}

std::vector<int> ExchangePlan::sendsTo(int round, int rank) const {
  const Round& r = rounds_[std::size_t(round)];
  std::set<int> peers;
  for (int to = 0; to < ranks_; ++to) {
    // Only what can have come this far: in the last round everything is at home.
    const int home = to < folded_ ? to : to - folded_;
    if (r.kind == Kind::Unfold && home != rank) continue;
    if (const int peer = next(round, rank, to); peer != rank) peers.insert(peer);
  }
  return {peers.begin(), peers.end()};
}

std::vector<int> ExchangePlan::receivesFrom(int round, int rank) const {
  const Round& r = rounds_[std::size_t(round)];
  if (r.kind == Kind::Fold)
    return rank + folded_ < ranks_ ? std::vector<int>{rank + folded_} : std::vector<int>{};
  if (r.kind == Kind::Unfold)
    return rank >= folded_ ? std::vector<int>{rank - folded_} : std::vector<int>{};
  return sendsTo(round, rank);  // groups are symmetric
}

double expectedUs(Route route, int ranks, double bytesPerRank, const LinkCost& cost) {
  const ExchangePlan plan(route, ranks);
  double us = 0;
  for (int round = 0; round < plan.rounds(); ++round) {
    // Rank 0 takes part in every round; of a group of k it sends (k - 1) / k of what it holds.
    const double peers =
        double(std::max(plan.sendsTo(round, 0).size(), plan.receivesFrom(round, 0).size()));
    us += cost.roundUs + peers * cost.messageUs +
          bytesPerRank * peers / (peers + 1) / cost.bytesPerUs;
  }
  return us;
}

Route chooseRoute(int ranks, double bytesPerRank, const LinkCost& cost) {
  Route best = Route::DirectSend;
  for (const Route route : {Route::RadixK, Route::BinarySwap})
    if (expectedUs(route, ranks, bytesPerRank, cost) < expectedUs(best, ranks, bytesPerRank, cost))
      best = route;
  return best;
}

}  // namespace fathom::ranks
