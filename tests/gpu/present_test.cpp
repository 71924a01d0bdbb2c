// SPDX-License-Identifier: BSD-3-Clause
// What a window needs beyond passes.
#include "app/engine/gpu/texture.h"
#include "tests/support/gpu_test.h"
#include "tests/support/tolerance.h"

namespace fathom::gpu {
namespace {

using PresentTest = test::GpuTest;

TEST_F(PresentTest, CopyHoldsTheSameAndStaysWhenTheSourceChanges) {
  for (const TextureFormat format : {TextureFormat::Rgba32f, TextureFormat::Rgba16f}) {
    Texture source(context(), "source", format, 17, 9);
    Image image(17, 9, {0.25f, 0.5f, 2, 1});
    image.at(16, 8) = {1, 0, 0, 0.5f};
    source.upload(image);
    const Texture copy = copyOf(context(), "copy", source);
    source.clear({0, 0, 0, 0});
    EXPECT_EQ(copy.format(), format);
    EXPECT_TRUE(test::exact(copy.downloadImage().pixels, image.pixels));
  }
}

TEST_F(PresentTest, CopyStandsInTheMemoryAccount) {
  const std::int64_t before = context().memory().totalBytes();
  Texture source(context(), "source", TextureFormat::Rgba32f, 10, 10);
  const Texture copy = copyOf(context(), "copy", source);
  EXPECT_EQ(context().memory().totalBytes() - before, 2 * 10 * 10 * 16);
}

TEST_F(PresentTest, PausedScopesAreNotRecorded) {
  Timings& timings = context().timings();
  timings.beginFrame();
  { const Timings::Scope scope(timings, "work"); }
  {
    const Timings::Pause pause(timings);
    const Timings::Scope scope(timings, "window");
  }
  timings.endFrame();
  timings.finish();
  ASSERT_EQ(timings.passes().size(), 1u);
  EXPECT_EQ(timings.passes()[0].name, "work");
}

}  // namespace
}  // namespace fathom::gpu
