// SPDX-License-Identifier: BSD-3-Clause
// The pages by name; the turn, whose pictures come at most 30 times a second and wait until the
// modes have been measured on the one before; and that measurement: modes first, then ranks, then
// rounds.
#include "app/window/active_pixel/parts.h"

namespace fathom::active_pixel {

constexpr double kTurnSeconds = 1.0 / 30;  // no picture of a turning scene comes sooner

ActivePixelWindowParts::ActivePixelWindowParts(ActivePixelEngine& engine)
    : engine_(engine), meter_(engine) {
  panels = this;
  playing = this;
  background = &meter_;
}

std::vector<TechniquePage> ActivePixelWindowParts::pages() const {
  return {{"parts", "Parts", "Each part in numbers", TechniquePage::Place::Strip},
          {"modes", "Modes", "Three ways to the host, measured on this scene",
           TechniquePage::Place::Side}};
}

void ActivePixelWindowParts::drawPage(const std::string& name) {
  if (name == "parts") drawPartsPage(engine_.ranks(), engine_.frame().size);
  if (name == "modes") {
    meter_.pageDrawn();
    drawModesPage(meter_.history(), engine_.settingsStruct().turn);
  }
}

void ActivePixelWindowParts::advance() {
  if (!engine_.view().turning() || !engine_.complete() || engine_.pictures() == 0) return;
  if (meter_.behind()) return;
  if (turned_ && turned_->seconds() < kTurnSeconds) return;
  turned_.emplace();
  engine_.camera()->orbit(glm::radians(kStepDeg), 0);
}

constexpr std::size_t kMaxPictures = 180;  // one turn of 2 degrees each
constexpr std::size_t kRestingRounds = 24;
constexpr double kPageOpenSeconds = 2;  // a page drawn longer ago is closed

void ModeHistory::begin(std::uint64_t picture, std::size_t ranks, std::size_t rounds) {
  if (picture_ == picture) return;
  picture_ = picture;
  current_ = {};
  done_ = 0, round_ = ranks * kModeCount, total_ = round_ * rounds;
}

bool ModeHistory::step(LocalRanks& ranks, const RankView& view, Method method) {
  if (done_ == total_) return false;
  const std::size_t mode = done_ % kModeCount;
  const std::size_t rank = done_ % round_ / kModeCount;
  const LocalRanks::Measured measured = ranks.measure(rank, view, Mode(mode), method);
  Sample& sample = current_[mode];
  if (measured.times.read + measured.times.compress > sample.totalMs())
    sample.readMs = measured.times.read, sample.compressMs = measured.times.compress;
  sample.bytes += measured.bytes;
  if (++done_ % round_ > 0) return true;
  pictures_.push_back(current_);
  current_ = {};
  if (pictures_.size() > kMaxPictures) pictures_.pop_front();
  return done_ < total_;
}

// ---- Measuring while the page is open

bool ModeMeter::pageOpen() const { return page_ && page_->seconds() < kPageOpenSeconds; }

bool ModeMeter::behind() const { return pageOpen() && !history_.measured(engine_.pictures()); }

/// Times of other shares, or at another size, are not to be compared.
void ModeMeter::clearIfRepartitioned() {
  const std::uint64_t partitionCount = engine_.partitionCount();
  if (partitionCount_ == partitionCount && size_ == engine_.frame().size) return;
  history_.clear();
  partitionCount_ = partitionCount, size_ = engine_.frame().size;
}

bool ModeMeter::backgroundStep(gpu::Context&, double budgetMs) {
  clearIfRepartitioned();
  const View& view = engine_.view();
  const bool turning = view.turning();  // the window must not fall asleep
  if (!pageOpen() || !view.input.source || !engine_.complete() || engine_.pictures() == 0)
    return turning;
  history_.begin(engine_.pictures(), engine_.ranks().size(), turning ? 1 : kRestingRounds);
  const TimeBudget budget(budgetMs);
  while (history_.step(engine_.localRanks(), view.rankView(), engine_.compression().method))
    if (budget.spent()) return true;
  return turning;
}

}  // namespace fathom::active_pixel
