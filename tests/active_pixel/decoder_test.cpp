// SPDX-License-Identifier: BSD-3-Clause
// What the GPU decodes equals what the reference decodes, bit for bit: images from the compressor,
// with regions, and images brought from outside, with split runs.
#include "app/engine/active_pixel/compress/decoder.h"
#include "app/engine/active_pixel/compress/device_image.h"
#include "app/engine/active_pixel/image/reference.h"
#include "app/engine/core/error.h"
#include "app/engine/core/random.h"
#include "tests/active_pixel/frame_textures.h"
#include "tests/active_pixel/frames.h"
#include "tests/support/gpu_test.h"
#include "tests/support/tolerance.h"

#include <bit>
#include <span>

namespace fathom::active_pixel {
namespace {

const glm::vec4 kBackground(0.2f, 0.4f, 0.6f, 0.8f);

using Words = std::vector<std::uint32_t>;

/// All bits of color and depth, so that NaN equals itself.
std::vector<std::byte> bytesOf(const Frame& frame) {
  std::vector<std::byte> bytes = frame.color;
  const auto depth = std::as_bytes(std::span(frame.depth));
  bytes.insert(bytes.end(), depth.begin(), depth.end());
  return bytes;
}

class DecoderTest : public test::GpuTest {
 protected:
  Frame decoded(const DeviceImage& image) {
    Decoder::Decoded textures;
    Decoder(context()).decode(image, kBackground, textures);
    return download(textures, image.format, image.width, image.height);
  }
  Frame uploadedAndDecoded(const Words& words, const Format& format) {
    return decoded(ImageWriter(context()).upload(words, format.compositing, "image"));
  }
};

class DecoderFormats : public DecoderTest, public ::testing::WithParamInterface<Format> {};

TEST_P(DecoderFormats, DecodeWhatComesFromOutside) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Frame frame = test::randomFrame(seed, 1 + int(seed * 29 % 97), 1 + int(seed * 7 % 31),
                                          GetParam(), 0.5, test::Pattern(seed % 3));
    const Words words = reference::encode(frame).words;
    const Frame expected = reference::decode(words, GetParam().compositing, kBackground);
    EXPECT_TRUE(test::exact(bytesOf(uploadedAndDecoded(words, GetParam())), bytesOf(expected)))
        << seed;
  }
}

TEST_P(DecoderFormats, DecodeWhatTheCompressorLeavesOnTheGpu) {
  Compressor compressor(context());
  Random random(3);
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    Frame frame = test::randomFrame(seed, 70, 40, GetParam(), 0.6, test::Pattern(seed % 3));
    const test::FrameTextures textures(context(), frame);
    CompressRequest request = textures.request(frame);
    const Region region{int(random.below(30)), int(random.below(20)), int(random.below(60)),
                        int(random.below(30))};
    if (seed % 3 != 0) request.placement = {{0, 0, region.width, region.height}, region};
    const int slot = compressor.compress(request, Method::Fused);
    const Frame found = decoded(compressor.image(slot));
    const auto result = compressor.result(slot);
    EXPECT_TRUE(
        test::exact(bytesOf(found),
                    bytesOf(reference::decode(result.words, GetParam().compositing, kBackground))));
  }
}

INSTANTIATE_TEST_SUITE_P(All, DecoderFormats, ::testing::ValuesIn(test::allFormats()),
                         [](const auto& test) { return test::formatName(test.param); });

TEST_F(DecoderTest, JoinsSplitRuns) {
  const Frame frame = test::drawn({"..###.", "#....#"});
  const Words whole = reference::encode(frame).words;
  // (2,3) becomes (1,0) (1,1) (0,2): legal, and IceT writes the like.
  Words split(whole.begin(), whole.begin() + 7);
  split.insert(split.end(), {1, 0, 1, 1, whole[9], whole[10], 0, 2});
  split.insert(split.end(), whole.begin() + 11, whole.end());
  split[6] = std::uint32_t(split.size() * 4);
  DeviceImage image = ImageWriter(context()).upload(split, Compositing::ZBuffer, "split");
  EXPECT_TRUE(test::exact(bytesOf(decoded(image)),
                          bytesOf(reference::decode(whole, Compositing::ZBuffer, kBackground))));
  Words words(whole.size());
  image.words.read(words.data(), std::int64_t(words.size() * 4));
  EXPECT_EQ(words, whole);
}

TEST_F(DecoderTest, ShowsBackgroundWhereNothingIsActive) {
  const Words words = reference::encode(Frame(Format{}, 40, 3)).words;
  const Frame frame = uploadedAndDecoded(words, Format{});
  EXPECT_TRUE(test::exact(bytesOf(frame), bytesOf(Frame(Format{}, 40, 3, kBackground))));
}

TEST_F(DecoderTest, RefusesDamagedImages) {
  Words words = reference::encode(test::drawn({".##."})).words;
  words[8] = 7;
  EXPECT_THROW(ImageWriter(context()).upload(words, Compositing::ZBuffer, "damaged"), Error);
}

}  // namespace
}  // namespace fathom::active_pixel
