// SPDX-License-Identifier: BSD-3-Clause
// Pictures come at most 30 times a second; one that rests is measured in many rounds, one of a turn
// in a single round.
#include "app/engine/active_pixel/turntable.h"

#include <glm/trigonometric.hpp>

namespace fathom::active_pixel {
namespace {

constexpr double kTurnSeconds = 1.0 / 30;  // no picture of a turning scene comes sooner
constexpr std::size_t kRestingRounds = 24;
constexpr double kPageOpenSeconds = 2;  // a page drawn longer ago is closed

}  // namespace

bool ModeMeter::pageOpen() const { return page_ && page_->seconds() < kPageOpenSeconds; }

bool ModeMeter::behind() const { return pageOpen() && !history_.measured(composite_.pictures()); }

/// Times of other shares, or at another size, are not to be compared.
void ModeMeter::followShares() {
  if (deals_ == composite_.deals() && size_ == view_.size) return;
  history_.clear();
  deals_ = composite_.deals(), size_ = view_.size;
}

bool ModeMeter::backgroundStep(gpu::Context&, double budgetMs) {
  followShares();
  const bool turning = view_.turning();  // the window must not fall asleep
  if (!pageOpen() || !view_.input.source || !composite_.complete() || composite_.pictures() == 0)
    return turning;
  history_.begin(composite_.pictures(), composite_.ranks().size(), turning ? 1 : kRestingRounds);
  const TimeBudget budget(budgetMs);
  while (history_.step(composite_.localRanks(), view_.rankView(), composite_.compression().method))
    if (budget.spent()) return true;
  return turning;
}

Effect Turntable::advance() {
  if (!view_.turning() || !composite_.complete() || composite_.pictures() == 0) return Effect::None;
  if (meter_.behind()) return Effect::None;
  if (turned_ && turned_->seconds() < kTurnSeconds) return Effect::None;
  turned_.emplace();
  view_.camera.orbit(glm::radians(kStepDeg), 0);
  return Effect::Rebuild;
}

}  // namespace fathom::active_pixel
