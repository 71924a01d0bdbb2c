// SPDX-License-Identifier: BSD-3-Clause
// One rank's frame, drawn once; each step to the host can be repeated, for benches and the tuner.
#pragma once

#include "app/engine/active_pixel/compress/compressor.h"
#include "app/engine/active_pixel/share/share.h"
#include "app/lab/workload.h"

#include <functional>
#include <memory>

namespace fathom::active_pixel {

struct RankFrame {
  RankFrame(gpu::Context& gpu, std::shared_ptr<const Share> share, const Camera& camera,
            glm::ivec2 pictureSize, Method how);
  RankFrame(const RankFrame&) = delete;
  RankFrame& operator=(const RankFrame&) = delete;

  /// On the GPU; returns the compressor's slot.
  int compress();

  gpu::Context& gpu;
  const Format format{};
  ShareRenderer renderer;
  Compressor compressor;
  glm::ivec2 size;
  Method method;
  ShareRenderer::Drawn drawn;
  Frame frame, regionFrame;  // the whole picture; its region alone
  Frame target;              // of read-backs that are timed
  int slot = 0;
};

/// What the processor's compressor makes of a frame, against the reference.
CheckResult checkHost(const Frame& frame);
/// A trial of the processor's compressor: IceT's own function where there is one. Both arguments
/// must outlive it.
std::function<void()> hostTrial(RankFrame& rank, const Frame& frame);

}  // namespace fathom::active_pixel
