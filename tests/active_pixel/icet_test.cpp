// SPDX-License-Identifier: BSD-3-Clause
// IceT's own compressor against ours on the CPU: the same bytes, and back the same pixels.
#include "app/engine/active_pixel/distribute/icet.h"

#include "app/engine/core/error.h"
#include "app/engine/active_pixel/distribute/compositor.h"
#include "app/engine/active_pixel/image/reference.h"
#include "tests/active_pixel/frames.h"

#include <gtest/gtest.h>

namespace fathom::active_pixel {
namespace {

class Icet : public testing::Test {
  void SetUp() override {
    if (!icetAvailable()) GTEST_SKIP() << icetMissing();
  }
};

TEST_F(Icet, LaysOutImagesAsThisProgramDoes) { EXPECT_TRUE(icet::acceptsCompressed()); }

TEST_F(Icet, CompressesEveryFormatToTheBytesOfTheReference) {
  for (const Format& format : test::allFormats())
    for (const auto pattern : {test::Pattern::Blobs, test::Pattern::Noise, test::Pattern::Stripes})
      for (const double coverage : {0.0, 0.3, 1.0}) {
        const Frame frame = test::randomFrame(7, 61, 23, format, coverage, pattern);
        EXPECT_EQ(icet::compressFrame(frame), reference::encode(frame))
            << test::formatName(format) << " pattern " << int(pattern) << " " << coverage;
      }
}

TEST_F(Icet, DecompressesToThePixelsOfTheReference) {
  const glm::vec4 background(0.2f, 0.4f, 0.6f, 1.0f);
  for (const Format& format : test::allFormats()) {
    const SparseImage image = reference::encode(test::drawn({"..##.", "#...#", ".#..."}, format));
    const Frame ours = reference::decode(image.words, format.compositing, background);
    const Frame theirs = icet::decompress(image.words, format.compositing, background);
    if (format.compositing == Compositing::Blend) continue;  // IceT blends over the background
    EXPECT_EQ(ours.color, theirs.color) << test::formatName(format);
    EXPECT_EQ(ours.depth, theirs.depth) << test::formatName(format);
  }
}

TEST_F(Icet, RefusesAFormatWithoutARule) {
  EXPECT_THROW(icet::compressFrame(Frame({Color::Rgba8, Depth::None, Compositing::ZBuffer}, 4, 4)),
               Error);
}

}  // namespace
}  // namespace fathom::active_pixel
