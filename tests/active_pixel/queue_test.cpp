// SPDX-License-Identifier: BSD-3-Clause
// Frames that overlap come out in order and whole.
#include "app/techniques/active_pixel/compress/compression_queue.h"
#include "app/techniques/active_pixel/image/reference.h"
#include "tests/active_pixel/frame_textures.h"
#include "tests/active_pixel/frames.h"
#include "tests/support/gpu_test.h"
#include "tests/support/tolerance.h"

namespace fathom::active_pixel {
namespace {

class Queue : public test::GpuTest {};

TEST_F(Queue, HandsOutFramesInOrderWhileOthersAreUnderWay) {
  CompressionQueue queue(context());
  std::vector<Frame> frames;
  for (std::uint64_t i = 0; i < 7; ++i)
    frames.push_back(test::randomFrame(i, 80, 50, Format{}, 0.1 * double(i)));
  std::uint64_t next = 0;
  const auto take = [&](const CompressionQueue::Finished& finished) {
    EXPECT_EQ(finished.frame, next);
    EXPECT_TRUE(test::exact(finished.result.words, reference::encode(frames[next]).words)) << next;
    std::fill(finished.result.words.begin(), finished.result.words.end(), 0u);  // as IceT does
    ++next;
  };
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const test::FrameTextures textures(context(), frames[i]);  // gone before the frame is read
    const auto finished = queue.push(textures.request(frames[i]), Method::Fused);
    EXPECT_EQ(finished.has_value(), i >= CompressionQueue::kInFlight);
    if (finished) take(*finished);
  }
  while (const auto finished = queue.drain()) take(*finished);
  EXPECT_EQ(next, frames.size());
}

}  // namespace
}  // namespace fathom::active_pixel
