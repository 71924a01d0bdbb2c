// SPDX-License-Identifier: BSD-3-Clause
// The ranks of a cluster, one after the other inside this process: each draws its share and
// compresses it in any of the three modes, and the time of each step is kept.
#pragma once

#include "app/engine/active_pixel/compress/compressor.h"
#include "app/engine/active_pixel/image/runs.h"
#include "app/engine/active_pixel/share/share.h"
#include "app/engine/gpu/slices.h"

namespace fathom::active_pixel {

/// Milliseconds of one rank.
struct ModeTimes {
  double render = 0, read = 0, compress = 0;
};

/// A rank with the image that it made last.
struct LocalRank {
  std::shared_ptr<const Share> share;
  std::unique_ptr<ShareRenderer> renderer;
  Region region;  // outside of it nothing was drawn
  SparseImage sparse;
  SparseFacts facts;
  RunLengths lengths{};
  ModeTimes times;
};

/// How shares are drawn.
struct RankView {
  Camera camera;
  glm::ivec2 size{0};
  Format format;
  bool rankColors = false;  // each in its own
};

class LocalRanks {
 public:
  explicit LocalRanks(gpu::Context& gpu);
  /// Forgets all ranks.
  void clear() { ranks_.clear(), underWay_.clear(); }
  /// What is under way is not wanted any more.
  void drop() { underWay_.clear(); }
  void add(std::shared_ptr<const Share> share);
  std::size_t count() const { return ranks_.size(); }
  const std::vector<LocalRank>& all() const { return ranks_; }

  /// Draws a rank's share and compresses it; everything about the rank is then of this picture. In
  /// the modes of the processor, by the reference, into its place in the whole picture.
  void compress(std::size_t rank, const RankView& view, Mode mode, Method method);
  /// The same on the GPU without waiting: the compressed image can be worked with there, until two
  /// more have been begun; take() brings it to the rank. Ranks are taken in the order in which they
  /// were begun.
  const DeviceImage& begin(std::size_t rank, const RankView& view, Method method);
  void take();
  bool underWay() const { return !underWay_.empty(); }

 private:
  ShareRenderer::Drawn drawRank(std::size_t rank, const RankView& view);

  struct Begun {
    std::size_t rank;
    int slot;
    Compositing compositing;
  };
  void keep(LocalRank& rank, Compositing compositing);

  gpu::Context& gpu_;
  Compressor compressor_;
  gpu::SliceTimer renderTimer_, compressTimer_;
  std::deque<Begun> underWay_;
  std::shared_ptr<ShareTargets> targets_ = std::make_shared<ShareTargets>();
  std::vector<LocalRank> ranks_;
  Frame frame_;  // read back last
};

}  // namespace fathom::active_pixel
