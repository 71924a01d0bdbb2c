// SPDX-License-Identifier: BSD-3-Clause
// Stages in order: keys are compared before each call, the clock is read after each step.
#include "app/engine/core/stages.h"

#include "app/engine/core/error.h"
#include "app/engine/core/stopwatch.h"

namespace fathom {
TimeBudget::TimeBudget(double ms) : endMs_(std::isinf(ms) ? ms : steadyMs() + ms) {}
bool TimeBudget::limited() const { return !std::isinf(endMs_); }
double TimeBudget::leftMs() const { return limited() ? endMs_ - steadyMs() : endMs_; }

std::size_t Stages::firstIncomplete() const {
  // The stage in progress counts: its key may have changed since it began.
  const std::size_t begun = std::min(stages_.size(), at_ + (begun_ ? 1 : 0));
  for (std::size_t i = 0; i < begun; ++i)
    if (stages_[i].changed()) return i;
  return at_;
}

void Stages::restartFrom(std::size_t stage) {
  for (std::size_t i = stage; i < stages_.size(); ++i) stages_[i].forget();
  at_ = stage;
  begun_ = false;
}

bool Stages::run(double budgetMs, const std::function<void()>& settle) {
  const TimeBudget budget(budgetMs);
  // A stage in progress whose key is unchanged goes on; anything else starts over.
  const std::size_t first = firstIncomplete();
  if (first < at_ || (begun_ && stages_[first].changed())) restartFrom(first);
  while (at_ < stages_.size()) {
    Stage& stage = stages_[at_];
    try {
      if (!begun_) {
        stage.remember();
        begun_ = true;
        if (stage.begin) stage.begin();
      }
      if (stage.step(std::max(budget.leftMs(), 0.0))) {
        ++at_;
        begun_ = false;
      }
    } catch (...) {
      restartFrom(std::min(at_, stages_.size() - 1));
      stages_[at_].remember();  // so that changed() tells of what may mend it
      throw;
    }
    if (at_ == stages_.size() || !budget.limited()) continue;
    if (settle) settle();
    if (budget.spent()) return false;
  }
  return true;
}

void Stages::invalidate(const std::string& name) {
  const auto at = std::ranges::find(stages_, name, &Stage::name);
  FATHOM_CHECK(at != stages_.end());
  const auto stage = std::size_t(at - stages_.begin());
  if (stage < at_ || (stage == at_ && begun_)) restartFrom(stage);
}

void Stages::invalidateAll() { restartFrom(0); }

bool Stages::changed() const {
  return std::ranges::any_of(stages_, [](const Stage& stage) { return stage.changed(); });
}

std::string Stages::current() const {
  const std::size_t first = firstIncomplete();
  return first < stages_.size() ? stages_[first].name : std::string();
}

}  // namespace fathom
