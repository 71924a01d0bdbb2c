// SPDX-License-Identifier: BSD-3-Clause
// Every parcel reaches its rank by every route, for any number of ranks; who sends is who is waited
// for; and the cost model prefers few bytes or few messages as it should.
#include "app/engine/ranks/exchange_plan.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace fathom::ranks {
namespace {

constexpr Route kRoutes[] = {Route::DirectSend, Route::BinarySwap, Route::RadixK};

TEST(ExchangePlan, EveryParcelArrivesAndEveryMessageIsExpected) {
  for (const Route route : kRoutes)
    for (const int ranks : {1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 16, 22, 33}) {
      const ExchangePlan plan(route, ranks);
      for (int round = 0; round < plan.rounds(); ++round)
        for (int rank = 0; rank < ranks; ++rank)
          for (const int peer : plan.sendsTo(round, rank)) {
            const std::vector<int> expected = plan.receivesFrom(round, peer);
            EXPECT_TRUE(std::count(expected.begin(), expected.end(), rank))
                << int(route) << " " << ranks << ": " << rank << " to " << peer;
          }
      for (int from = 0; from < ranks; ++from)
        for (int to = 0; to < ranks; ++to) {
          int at = from;
          for (int round = 0; round < plan.rounds(); ++round) {
            const int next = plan.next(round, at, to);
            if (next == at) continue;
            const std::vector<int> peers = plan.sendsTo(round, at);
            EXPECT_TRUE(std::count(peers.begin(), peers.end(), next));
            at = next;
          }
          EXPECT_EQ(at, to) << int(route) << " " << ranks << " from " << from;
        }
    }
}

TEST(ExchangePlan, RoundsAreThoseOfTheRoutes) {
  EXPECT_EQ(ExchangePlan(Route::DirectSend, 16).rounds(), 1);
  EXPECT_EQ(ExchangePlan(Route::BinarySwap, 16).rounds(), 4);
  EXPECT_EQ(ExchangePlan(Route::BinarySwap, 5).rounds(), 4);  // fold, two swaps, unfold
  EXPECT_EQ(ExchangePlan(Route::RadixK, 16).rounds(), 2);     // 8 x 2
  EXPECT_EQ(ExchangePlan(Route::RadixK, 11).rounds(), 1);     // a prime
}

TEST(ExchangePlan, LargeImagesGoStraightAndManyRanksWithLittleInRounds) {
  EXPECT_EQ(chooseRoute(16, 64e6), Route::DirectSend);
  EXPECT_EQ(ExchangePlan(Route::BinarySwap, 3).next(0, 2, 2), 2);  // its own stays, partner or not
  EXPECT_EQ(chooseRoute(16, 1e5), Route::DirectSend);  // more rounds would send more for nothing
  EXPECT_NE(chooseRoute(1024, 4e4), Route::DirectSend);
  EXPECT_GT(expectedUs(Route::BinarySwap, 16, 64e6), expectedUs(Route::DirectSend, 16, 64e6));
}

}  // namespace
}  // namespace fathom::ranks
