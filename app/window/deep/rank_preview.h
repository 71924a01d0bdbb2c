// SPDX-License-Identifier: BSD-3-Clause
// What `fathom deep composite` under mpirun would do with what is open, seen without MPI: this
// device captures the shares of all ranks one after the other, a region of one rank at a time,
// while a page shows it; the rest is done on another thread. One of the pictures can take the place
// of the engine's own.
#pragma once

#include "app/engine/core/jobs.h"
#include "app/engine/deep/engine.h"
#include "app/window/deep/rank_study.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace fathom::deep {

struct PreviewOptions {
  int ranks = 4;
  Deal deal = Deal::Parts;
  int thin = 4;  // RankOptions::thin of the third way
  bool operator==(const PreviewOptions&) const = default;
};

class RankPreview {
 public:
  /// The engine must outlive this.
  explicit RankPreview(DeepEngine& engine) : engine_(engine) {}

  PreviewOptions options;  // what the page asks for

  /// A page shows it in this frame.
  void want() { wanted_ = seen_ = true; }
  /// One slice; true while more is to be done.
  bool backgroundStep(gpu::Context& gpu);

  /// The newest that is complete; null: none yet.
  const RankStudy* study() const { return done_ ? &done_->study : nullptr; }
  const std::array<WayOfCompositing, 3>& ways() const { return done_->ways; }
  bool isComplete() const { return done_ && doneKey_ == key(); }
  double share() const { return double(at_) / kRegions; }
  const std::string& complaint() const { return complaint_; }

  /// What takes the picture's place: a rank's image alone, or the difference of a way.
  struct Choice {
    enum What { Nothing, Rank, Way } what = Nothing;
    std::size_t index = 0;
    bool operator==(const Choice&) const = default;
  };
  const Choice& choice() const { return choice_; }
  void choose(const Choice& choice) { choice_ = choice; }
  /// Hands the choice to the engine; true when it is another one than before. Asked once a frame:
  /// the choice ends with the page and with what it was made of.
  bool takeChange();

 private:
  static constexpr int kRegions = 8;
  struct Key {
    std::uint64_t inputs = 0;
    glm::ivec2 size{0};
    Camera camera;
    CaptureFormat format = CaptureFormat::Half;
    PreviewOptions options;
    bool operator==(const Key&) const = default;
  };
  struct Done {
    RankStudy study;
    std::array<WayOfCompositing, 3> ways;
  };
  Key key() const;
  void restart(const Key& wanted);
  void captureStep(gpu::Context& gpu);
  void finish();
  void fail(std::exception_ptr reason);
  std::shared_ptr<const Image> chosen() const;

  DeepEngine& engine_;
  gpu::Context* gpu_ = nullptr;  // whose memory the shares hold
  bool wanted_ = false, seen_ = false;
  Choice choice_, shown_;
  std::shared_ptr<const Done> done_;
  Key doneKey_;
  std::string complaint_;

  // In progress.
  std::optional<Key> working_;
  std::uint64_t run_ = 0;  // jobs of an earlier one leave nothing
  int at_ = 0;             // the region
  std::vector<std::unique_ptr<RankShare>> shares_;
  std::vector<std::vector<PackedInput>> packed_;  // of the ranks that have captured it
  std::shared_ptr<RankStudy> whole_;
  int studied_ = 0;
  JobQueue jobs_{1};  // last: it waits for what uses the rest
};

}  // namespace fathom::deep
