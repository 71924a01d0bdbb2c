// SPDX-License-Identifier: BSD-3-Clause
// The pictures of a film that is played or scrubbed: small frames, drawn in slices in the order in
// which they will be needed, and kept while they still show what the film is.
#pragma once

#include "app/engine/flame/film/frame_cache.h"
#include "app/engine/flame/film/transport.h"
#include "app/engine/flame/render/rendering.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace fathom::flame {

class FilmPreview {
 public:
  /// One slice of drawing the next missing frame; true while more are missing. The transport is
  /// told when the frame under its playhead arrives.
  bool step(gpu::Context& gpu, Transport& transport, const Settings& settings, std::uint64_t seed,
            double budgetMs);
  /// Makes the frame at the playhead the picture; false when it is not there.
  bool show(gpu::Context& gpu, const Transport& transport, const Settings& settings);
  const gpu::Texture& picture() const { return picture_; }
  /// For every frame of Transport::range(), whether it is there.
  std::vector<bool> kept(const Transport& transport, const Settings& settings) const;
  const FrameCache& cache() const { return cache_; }
  /// Other genomes are open now.
  void reset();

 private:
  void start(gpu::Context& gpu, const Transport& transport, const Settings& settings,
             std::uint64_t seed);

  static constexpr std::size_t kCacheBytes = std::size_t(256) << 20;
  FrameCache cache_{kCacheBytes};
  std::unique_ptr<Rendering> rendering_;
  std::optional<int> drawing_;                   // the frame that rendering_ draws
  std::uint64_t drawingKey_ = 0, shownKey_ = 0;  // of that frame, of picture_
  gpu::Texture picture_;
};

}  // namespace fathom::flame
