// SPDX-License-Identifier: BSD-3-Clause
// What fathom deep composite under mpirun would do with what is open, seen without MPI: this device
// captures the shares of all ranks, a region of one rank at a time, while a page shows it; bytes
// and pictures of them are made on another thread, and one of the pictures can take the place of
// the engine's own.
#pragma once

#include "app/engine/core/image.h"
#include "app/engine/core/jobs.h"
#include "app/engine/deep/distribute/device_ranks.h"
#include "app/engine/deep/engine.h"

namespace fathom::deep {

/// Bytes are those of direct send: rows that a rank merges itself are not sent.
struct RankNumbers {
  std::uint64_t fragments = 0, thinnedFragments = 0;
  std::uint64_t rawBytes = 0;  // a count per pixel, and fragments as they lie in memory
  std::uint64_t sentBytes = 0, thinnedBytes = 0;
  std::uint64_t flatBytes = 0;  // active pixels in 4 bytes, their runs in 8
  double depth = 0;             // sum of Z over all fragments
  void add(const RankNumbers& other);
};

/// A region, or all of the picture.
struct RankStudy {
  Rect area;  // of the picture
  std::vector<RankNumbers> ranks;
  std::vector<Image> alone;  // per rank; none of these of images with other channels
  Image deep, thinned;
};

/// `packed`: per rank. `thin`: fragments per pixel of each input that are sent when they are
/// thinned.
RankStudy studyRegion(const Rect& area, const std::vector<std::vector<PackedInput>>& packed,
                      int thin);
/// Puts the rows of a region in their place; `whole` has its size.
void addRegion(RankStudy& whole, RankStudy&& region);

/// A way of compositing: what all ranks send, and how far its picture is off.
struct WayOfCompositing {
  std::uint64_t bytes = 0;
  double mean = 0, largest = 0;  // of the differences of R, G, B and A from all fragments
  Image difference;              // absolute, opaque; empty for all fragments themselves
};
/// Flat, all fragments, thinned. Flat: the pictures of the ranks over each other, that of the least
/// mean depth in front, as IceT's ordered compositing has one order for the whole picture.
std::array<WayOfCompositing, 3> compare(const RankStudy& whole);

/// Lists as they were packed; not of Indexed images.
DeepImage unpacked(const PackedRows& packed);

/// What the page asks for.
struct PreviewOptions {
  int ranks = 4;
  Deal deal = Deal::Parts;
  int thin = 4;  // RankShare::Thinning::count of the third way
  bool operator==(const PreviewOptions&) const = default;
};

/// Captures the shares of all ranks by this device, one rank's share of one region per step, and
/// has them studied on another thread.
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
  /// Hands the choice to the engine, once a frame: it ends with the page and with what it was made
  /// of.
  void advance();

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
  std::shared_ptr<RankStudy> whole_;              // only the other thread touches it
  JobQueue jobs_{1};                              // last: it waits for what uses the rest
};

}  // namespace fathom::deep
