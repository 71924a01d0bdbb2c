// SPDX-License-Identifier: BSD-3-Clause
// Neighbors are looked for where order says that they are, and some places around, because surfaces
// that pass through each other change places.
#include "app/engine/deep/operations/fragment_prediction.h"

#include "app/engine/core/error.h"

#include <bit>

namespace fathom::deep {
namespace {

constexpr int kReach = 4;        // places that a neighbor may lie off the expected one
constexpr int kGoodEnough = 20;  // bits; the search ends
constexpr std::size_t kColorNumbers = 4, kZNumber = 4, kThicknessNumber = 5;

std::uint32_t foldBits(std::uint32_t d) { return (d << 1) ^ (0u - (d >> 31)); }
std::uint32_t unfoldBits(std::uint32_t f) { return (f >> 1) ^ (0u - (f & 1)); }
/// A difference within `bits`.
std::uint32_t foldBits(std::uint32_t d, int bits) {
  const auto wide = std::uint32_t(std::int32_t(d << (32 - bits)) >> (32 - bits));
  return foldBits(wide) & ((1u << bits) - 1);
}

/// A fragment is fresh when its best neighbor leaves more bits than this: then that one is of
/// another surface, and its changes would mislead those that follow.
int worstCost(int colorBits) { return 22 + 3 * colorBits / 4; }

}  // namespace

void FragmentPrediction::beginPixel(bool inRow) {
  left_.swap(list_);
  list_.clear();
  if (!inRow) left_.clear();
  taken_.assign(left_.size(), 0);
  expected_ = 0;
}

FragmentNumbers FragmentPrediction::missedBy(const FragmentNumbers& fragment,
                                             const Known& neighbor) const {
  FragmentNumbers missed;
  for (std::size_t i = 0; i < kColorNumbers; ++i)
    missed[i] = foldBits(fragment[i] - neighbor.at[i] - neighbor.step[i], colorBits_);
  for (std::size_t i = kColorNumbers; i < missed.size(); ++i)
    missed[i] = foldBits(fragment[i] - neighbor.at[i] - neighbor.step[i]);
  return missed;
}

/// The place in left_ that costs least, if it is worth it.
bool FragmentPrediction::find(const FragmentNumbers& fragment, Choice& best) const {
  best.cost = worstCost(colorBits_) + 1;
  const int limit = best.cost;
  const auto look = [&](std::ptrdiff_t offset) {
    const std::size_t place = expected_ + std::size_t(offset);  // wraps below 0
    if (place >= left_.size() || taken_[place]) return;
    int cost = 0;
    for (const std::uint32_t number : missedBy(fragment, left_[place]))
      cost += std::bit_width(number);
    if (offset != 0) cost += 2 + std::bit_width(std::size_t(offset < 0 ? -offset : offset));
    if (cost < best.cost) best = {place, cost};
  };
  look(0);
  for (int reach = 1; reach <= kReach && best.cost > kGoodEnough; ++reach) {
    look(reach);
    look(-reach);
  }
  return best.cost < limit;
}

void FragmentPrediction::note(const FragmentNumbers& fragment, std::ptrdiff_t neighbor) {
  Known known{fragment};
  if (neighbor >= 0) {
    const Known& before = left_[std::size_t(neighbor)];
    for (std::size_t i = 0; i < fragment.size(); ++i) known.step[i] = fragment[i] - before.at[i];
    known.hasStep = true;
    expected_ = std::size_t(neighbor) + 1;
  }
  zBefore_ = fragment[kZNumber];
  list_.push_back(known);
}

FragmentPrediction::Coded FragmentPrediction::encode(const FragmentNumbers& fragment, bool search) {
  Coded coded;
  Choice choice;
  if (search && find(fragment, choice)) {
    const Known& neighbor = left_[choice.place];
    coded.reference =
        std::uint8_t(1 + foldBits(std::uint32_t(choice.place) - std::uint32_t(expected_)));
    coded.forecast = neighbor.hasStep ? Forecast::Trend : Forecast::Neighbor;
    coded.missed = missedBy(fragment, neighbor);
    taken_[choice.place] = 1;
    note(fragment, std::ptrdiff_t(choice.place));
    return coded;
  }
  coded.missed = {fragment[0],
                  foldBits(fragment[1] - fragment[0], colorBits_),
                  foldBits(fragment[2] - fragment[1], colorBits_),
                  fragment[3],
                  foldBits(fragment[kZNumber] - zBefore_),
                  foldBits(fragment[kThicknessNumber])};
  note(fragment, -1);
  return coded;
}

std::ptrdiff_t FragmentPrediction::placeOf(std::uint8_t reference) const {
  if (reference == 0) return -1;
  const std::size_t place =
      expected_ + std::size_t(std::int32_t(unfoldBits(std::uint32_t(reference) - 1)));
  if (place >= left_.size())
    fail("deep stream: expected one of {} neighbors, found another", left_.size());
  return std::ptrdiff_t(place);
}

Forecast FragmentPrediction::forecastOf(std::uint8_t reference) const {
  const std::ptrdiff_t place = placeOf(reference);
  if (place < 0) return Forecast::Fresh;
  return left_[std::size_t(place)].hasStep ? Forecast::Trend : Forecast::Neighbor;
}

FragmentNumbers FragmentPrediction::decode(std::uint8_t reference, const FragmentNumbers& missed) {
  const std::ptrdiff_t place = placeOf(reference);
  const std::uint32_t mask = (1u << colorBits_) - 1;
  FragmentNumbers fragment;
  if (place >= 0) {
    const Known& neighbor = left_[std::size_t(place)];
    for (std::size_t i = 0; i < fragment.size(); ++i) {
      fragment[i] = neighbor.at[i] + neighbor.step[i] + unfoldBits(missed[i]);
      if (i < kColorNumbers) fragment[i] &= mask;
    }
  } else {
    const std::uint32_t g = (missed[0] + unfoldBits(missed[1])) & mask;
    fragment = {missed[0],
                g,
                (g + unfoldBits(missed[2])) & mask,
                missed[3],
                zBefore_ + unfoldBits(missed[kZNumber]),
                unfoldBits(missed[kThicknessNumber])};
  }
  note(fragment, place);
  return fragment;
}

}  // namespace fathom::deep
