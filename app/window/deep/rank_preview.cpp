// SPDX-License-Identifier: BSD-3-Clause
// One rank's share of one region per step; at most two regions wait for the other thread.
#include "app/window/deep/rank_preview.h"

#include "app/engine/core/error.h"

#include <algorithm>

namespace fathom::deep {
namespace {

constexpr double kPixelLimit = 64e6;  // 1 GiB on the host

}  // namespace

RankPreview::Key RankPreview::key() const {
  const Inputs& inputs = engine_.opened();
  return {inputs.generation(), inputs.size(), inputs.scene() ? inputs.camera() : Camera{},
          engine_.setup().settings.captureFormat, options};
}

bool RankPreview::backgroundStep(gpu::Context& gpu) {
  jobs_.deliver();
  if (std::exchange(gpu_, &gpu) != &gpu) {  // another device: what is in progress begins anew
    ++run_;
    working_.reset();
    shares_.clear(), packed_.clear();
    choice_ = shown_ = {};
  }
  if (!std::exchange(wanted_, false) || !engine_.isPictureIdle()) return false;
  const Key wanted = key();
  if (isComplete()) return false;
  if (working_ != wanted) restart(wanted);
  if (!complaint_.empty()) return false;
  constexpr std::size_t kWaiting = 2;
  if (at_ < kRegions && jobs_.pending() < kWaiting) {
    try {
      captureStep(gpu);
    } catch (const Error&) {
      fail(std::current_exception());
    }
  }
  return true;
}

void RankPreview::restart(const Key& wanted) {
  ++run_;
  working_ = wanted;
  at_ = studied_ = 0;
  shares_.clear(), packed_.clear();
  complaint_.clear();
  whole_ = std::make_shared<RankStudy>();
  whole_->area = {0, 0, wanted.size.x, wanted.size.y};
  const double pixels = double(wanted.size.x) * wanted.size.y * (wanted.options.ranks + 4);
  if (pixels > kPixelLimit)
    complaint_ = fmt::format(
        "ranks: expected at most {:.0f} million pixels in the images of all, found {:.0f}",
        kPixelLimit * 1e-6, pixels * 1e-6);
}

void RankPreview::fail(std::exception_ptr reason) {
  shares_.clear(), packed_.clear();
  try {
    std::rethrow_exception(reason);
  } catch (const std::exception& error) {
    complaint_ = error.what();
  }
}

/// The next rank's share of this region; with the last one's, the region goes to the other thread.
void RankPreview::captureStep(gpu::Context& gpu) {
  const auto ranks = std::size_t(working_->options.ranks), rank = packed_.size();
  if (shares_.size() <= rank)
    shares_.push_back(std::make_unique<RankShare>(
        gpu, engine_.opened(), engine_.setup(),
        ShareOptions{working_->options.deal, int(rank), working_->options.ranks, 0, 0}));
  const glm::ivec2 size = working_->size;
  const int first = size.y * at_ / kRegions, end = size.y * (at_ + 1) / kRegions;
  const Rect area{0, first, size.x, end - first};
  packed_.push_back(area.empty() ? std::vector<PackedInput>() : shares_[rank]->pack(area));
  if (packed_.size() < ranks) return;
  auto packed = std::make_shared<std::vector<std::vector<PackedInput>>>(std::exchange(packed_, {}));
  ++at_;
  if (at_ == kRegions) shares_.clear();
  jobs_.submit(
      [this, area, packed, thin = working_->options.thin, run = run_]() -> JobQueue::Delivery {
        auto region = std::make_shared<RankStudy>(studyRegion(area, *packed, thin));
        return [this, region, run] {
          if (run != run_) return;
          addRegion(*whole_, std::move(*region));
          if (++studied_ == kRegions) finish();
        };
      },
      [this, run = run_](std::exception_ptr reason) {
        if (run == run_) fail(reason);
      });
}

void RankPreview::finish() {
  jobs_.submit(
      [this, whole = whole_, run = run_]() -> JobQueue::Delivery {
        auto ways = std::make_shared<std::array<WayOfCompositing, 3>>(compare(*whole));
        return [this, whole, ways, run] {
          if (run != run_) return;
          done_ = std::make_shared<const Done>(Done{std::move(*whole), std::move(*ways)});
          doneKey_ = *working_;
        };
      },
      [this, run = run_](std::exception_ptr reason) {
        if (run == run_) fail(reason);
      });
}

std::shared_ptr<const Image> RankPreview::chosen() const {
  if (choice_.what == Choice::Nothing || !isComplete()) return nullptr;
  const Image* image = nullptr;
  if (choice_.what == Choice::Rank && choice_.index < done_->study.alone.size())
    image = &done_->study.alone[choice_.index];
  if (choice_.what == Choice::Way && choice_.index < done_->ways.size())
    image = &done_->ways[choice_.index].difference;
  if (!image || image->pixels.empty()) return nullptr;
  return {done_, image};
}

bool RankPreview::takeChange() {
  const std::shared_ptr<const Image> picture = chosen();
  if (!std::exchange(seen_, false) || !picture) choice_ = {};
  if (choice_ == shown_) return false;
  shown_ = choice_;
  engine_.showInstead(choice_.what == Choice::Nothing ? nullptr : picture);
  return true;
}

}  // namespace fathom::deep
