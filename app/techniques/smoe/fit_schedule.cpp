// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/smoe/fit_schedule.h"

#include <algorithm>
#include <cmath>

namespace fathom::smoe {
namespace {

constexpr int kShortestRound = 10;  // steps: what moved must settle

}  // namespace

FitSchedule::FitSchedule(int steps, bool manyPictures, bool relocates, double rate)
    : steps_(steps), manyPictures_(manyPictures), relocates_(relocates), rate_(rate) {
  rounds_ = manyPictures ? 4 : 5;
  roundSteps_ = std::max(kShortestRound, manyPictures ? steps / rounds_ : steps / 2 / rounds_);
}

double FitSchedule::rate(int step) const {
  const double part = double(step) / std::max(1, steps_);
  if (manyPictures_) return rate_ * (part < 0.5 ? 0.5 : part < 0.75 ? 0.3 : 0.15);
  return part < 0.6 ? rate_ : rate_ * std::pow(0.1, (part - 0.6) / 0.4);
}

bool FitSchedule::relocatesAfter(int done) const {
  if (!relocates_ || done == 0 || done % roundSteps_ != 0) return false;
  // The last round of many pictures is for settling, as is the second half of an image's run.
  const int last = manyPictures_ ? rounds_ - 1 : rounds_;
  return done / roundSteps_ <= last && done + kShortestRound <= steps_;
}

}  // namespace fathom::smoe
