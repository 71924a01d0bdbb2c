// SPDX-License-Identifier: BSD-3-Clause
// What the window adds to the engine of active pixels: a page of the parts in numbers, a page of
// the three modes, measured while it is open, and a scene that turns by itself.
#pragma once

#include "app/engine/active_pixel/engine.h"
#include "app/engine/core/stopwatch.h"
#include "app/window/parts.h"

namespace fathom::active_pixel {

/// The cost of reading back and compressing in each of the three modes, picture by picture: the
/// slowest rank counts (Lipinski et al. 2021, table 1).
class ModeHistory {
 public:
  struct Sample {
    double readMs = 0, compressMs = 0;  // of the slowest rank
    std::uint64_t bytes = 0;            // of all ranks
    double totalMs() const { return readMs + compressMs; }
  };
  using Picture = std::array<Sample, kModeCount>;

  /// Starts measuring a picture in `rounds` rounds, unless it is the one measured last.
  void begin(std::uint64_t picture, std::size_t ranks, std::size_t rounds);
  /// One rank in one mode; false when all have been measured in all rounds.
  bool step(LocalRanks& ranks, const RankView& view, Method method);
  /// Whether a picture has been measured once at least.
  bool measured(std::uint64_t picture) const { return picture_ == picture && done_ >= round_; }
  /// The newest rounds, oldest first: several of one picture, or one each of many.
  const std::deque<Picture>& pictures() const { return pictures_; }
  void clear() { *this = {}; }

 private:
  std::deque<Picture> pictures_;
  Picture current_{};
  std::uint64_t picture_ = 0;
  std::size_t done_ = 0, round_ = 0, total_ = 0;  // steps: so far, in a round, in all rounds
};

/// Measures all modes on the current picture: in many rounds while it rests, in one while it turns.
class ModeMeter : public Background {
 public:
  /// The engine must outlive this.
  explicit ModeMeter(ActivePixelEngine& engine) : engine_(engine) {}
  /// The page of modes is being drawn; it counts as open for a while.
  void pageDrawn() { page_.emplace(); }
  /// The page is open, and the newest picture has not been measured yet.
  bool behind() const;
  const ModeHistory& history() const { return history_; }

  bool backgroundStep(gpu::Context& gpu, double budgetMs) override;

 private:
  bool pageOpen() const;
  void clearIfRepartitioned();

  ActivePixelEngine& engine_;
  ModeHistory history_;
  std::uint64_t partitionCount_ = 0;  // of the shares that the history is of
  glm::ivec2 size_{0};                // of the pictures that the history is of
  std::optional<Stopwatch> page_;
};

class ActivePixelWindowParts : public WindowParts, private Panels, private Playing {
 public:
  /// How far a scene turns from one picture to the next (Lipinski et al. 2021, sec. 4).
  static constexpr float kStepDeg = 2;
  /// The engine must outlive this.
  explicit ActivePixelWindowParts(ActivePixelEngine& engine);

  /// Turns the scene when its picture is there, measured and old enough.
  void advance() override;

 private:
  std::vector<TechniquePage> pages() const override;
  void drawPage(const std::string& name) override;
  bool animated() const override { return engine_.view().turning(); }

  ActivePixelEngine& engine_;
  ModeMeter meter_;
  std::optional<Stopwatch> turned_;
};

// pages.cpp

/// Triangles, region, active pixels, runs and bytes of each part, with the lengths of its runs.
void drawPartsPage(const std::vector<LocalRank>& parts, glm::ivec2 size);
/// Times of reading back and compressing, now and over the pictures of a turn; `turn` is the switch
/// that turns the scene.
void drawModesPage(const ModeHistory& modes, bool& turn);

}  // namespace fathom::active_pixel
