// SPDX-License-Identifier: BSD-3-Clause
// Drawn and read back when it is made; the processor's compressor is IceT's where there is one.
#include "app/lab/active_pixel/rank_frame.h"

#include "app/engine/active_pixel/distribute/compositor.h"
#include "app/engine/active_pixel/distribute/icet.h"
#include "app/engine/active_pixel/image/reference.h"

#include <algorithm>
#include <utility>

namespace fathom::active_pixel {

RankFrame::RankFrame(gpu::Context& context, std::shared_ptr<const Share> share,
                     const Camera& camera, glm::ivec2 pictureSize, Method how)
    : gpu(context),
      renderer(context, std::move(share)),
      compressor(context),
      size(pictureSize),
      method(how) {
  drawn = renderer.draw(camera, size, format);
  readBack(drawn, format, size, drawn.region, frame);
  regionFrame = Frame(format, std::max(drawn.region.width, 1), std::max(drawn.region.height, 1));
  for (int y = 0; y < drawn.region.height; ++y)
    for (int x = 0; x < drawn.region.width; ++x) {
      const auto from =
          std::size_t(drawn.region.y + y) * std::size_t(size.x) + std::size_t(drawn.region.x + x);
      const auto to = std::size_t(y) * std::size_t(regionFrame.width) + std::size_t(x);
      std::copy_n(frame.colorAt(from), 4, regionFrame.colorAt(to));
      regionFrame.depth[to] = frame.depth[from];
    }
  readBack(drawn, format, size, {0, 0, size.x, size.y}, frame);
}

int RankFrame::compress() {
  return compressor.compress(
      {drawn.color, drawn.depth, format, size.x, size.y, Placement{drawn.region, drawn.region}},
      method);
}

CheckResult checkHost(const Frame& frame) {
  if (!icetAvailable()) return {true, "exact", ""};  // it is the reference
  const bool same = icet::compressFrame(frame) == reference::encode(frame);
  return {same, "exact", "other bytes than the reference"};
}

std::function<void()> hostTrial(RankFrame& rank, const Frame& frame) {
  const auto repeated = icetAvailable() ? std::make_shared<icet::Repeated>(frame) : nullptr;
  return [&rank, &frame, repeated] {
    const gpu::Timings::Scope scope(rank.gpu.timings(), "compress on the host",
                                    gpu::Timings::Scope::Work::Compute);
    if (repeated)
      repeated->run();
    else
      reference::encode(frame);
  };
}

}  // namespace fathom::active_pixel
