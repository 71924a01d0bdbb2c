// SPDX-License-Identifier: BSD-3-Clause
// The GPU compressor against IceT itself: the same bytes.
#include "app/engine/active_pixel/distribute/compositor.h"
#include "app/engine/active_pixel/distribute/icet.h"
#include "app/engine/core/random.h"
#include "tests/active_pixel/frame_textures.h"
#include "tests/active_pixel/frames.h"
#include "tests/support/gpu_test.h"

namespace fathom::active_pixel {
namespace {

class Witness : public test::GpuTest {
 protected:
  void SetUp() override {
    if (!icetAvailable()) GTEST_SKIP() << icetMissing();
    GpuTest::SetUp();
  }
  void expectIcetBytes(Compressor& compressor, Frame& frame, Method method, bool depthTexture) {
    const test::FrameTextures textures(context(), frame, depthTexture);
    const auto result = compressor.result(compressor.compress(textures.request(frame), method));
    EXPECT_TRUE(test::exact(result.words, icet::compressFrame(frame).words))
        << frame.width << " x " << frame.height << " " << test::formatName(frame.format);
  }
};

TEST_F(Witness, WritesTheBytesOfRandomImages) {
  Compressor compressor(context());
  Random random(2);
  for (std::uint64_t i = 0; i < 500; ++i) {
    Frame frame = test::randomFrame(i, 1 + int(random.below(120)), 1 + int(random.below(80)),
                                    test::allFormats()[i % 6], double(random.uniform()),
                                    test::Pattern(random.below(3)));
    expectIcetBytes(compressor, frame, Method(i / 6 % 2), i % 4 == 0);
  }
}

TEST_F(Witness, WritesTheBytesOfLargeImages) {
  Compressor compressor(context());
  const int sizes[][2] = {{1920, 1080}, {3840, 2160}};
  for (const auto& [width, height] : sizes) {
    Frame frame = test::randomFrame(1, width, height, Format{}, 0.3);
    expectIcetBytes(compressor, frame, Method::Fused, true);
    expectIcetBytes(compressor, frame, Method::FiveStep, true);
  }
  Frame whole = test::randomFrame(2, 7680, 4320, Format{}, 0.3);
  expectIcetBytes(compressor, whole, Method::Fused, true);
}

}  // namespace
}  // namespace fathom::active_pixel
