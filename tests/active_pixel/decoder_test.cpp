// SPDX-License-Identifier: BSD-3-Clause
// What the GPU decodes and composites equals what the reference does, bit for bit: images from the
// compressor, with regions, and images brought from outside, with split runs.
#include "app/engine/active_pixel/compress/device_image.h"
#include "app/engine/active_pixel/image/reference.h"
#include "app/engine/core/random.h"
#include "tests/active_pixel/frame_textures.h"
#include "tests/active_pixel/frames.h"
#include "tests/support/gpu_test.h"

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
    Decoded textures;
    decode(context(), image, kBackground, textures);
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

using Words = std::vector<std::uint32_t>;

class GpuComposite : public test::GpuTest {
 protected:
  Words read(const DeviceImage& image) {
    const std::uint32_t bytes = image.facts.download().front().bytes;
    Words words(bytes / 4);
    image.words.read(words.data(), bytes);
    return words;
  }
  Words composited(const Words& front, const Words& back, const Format& format,
                   bool spread = false) {
    ImageWriter writer(context());
    GpuCompositor compositor(context());
    compositor.setSpread(spread);
    DeviceImage result;
    compositor.composite(writer.upload(front, format.compositing, "front"),
                         writer.upload(back, format.compositing, "back"), result);
    return read(result);
  }
};

/// Depths and alphas without infinity, NaN and numbers that hardware may take for zero.
void keepOrdinary(Frame& frame) {
  const auto odd = [](float v) { return !std::isfinite(v) || (v != 0 && !std::isnormal(v)); };
  for (float& depth : frame.depth)
    if (odd(depth)) depth = 0.5f;
  if (frame.format.color == Color::Rgba8 || frame.format.color == Color::None) return;
  for (std::size_t i = 0; i < frame.pixelCount(); ++i)
    if (odd(frame.colorOf(i).a)) frame.setColor(i, glm::vec4(0.5f));
}

class GpuCompositeFormats : public GpuComposite, public ::testing::WithParamInterface<Format> {};

TEST_P(GpuCompositeFormats, EqualTheReference) {
  Random random(9);
  for (std::uint64_t i = 0; i < 20; ++i) {
    const int width = 1 + int(random.below(120)), height = 1 + int(random.below(30));
    Frame front = test::randomFrame(2 * i, width, height, GetParam(), 0.5, test::Pattern(i % 3));
    Frame back =
        test::randomFrame(2 * i + 1, width, height, GetParam(), 0.5, test::Pattern((i + 1) % 3));
    keepOrdinary(front);
    keepOrdinary(back);
    const SparseImage expected = reference::encode(reference::composite(front, back));
    EXPECT_TRUE(test::exact(composited(reference::encode(front).words,
                                       reference::encode(back).words, GetParam(), i % 2 == 1),
                            expected.words))
        << i << ": " << width << " x " << height;
  }
}

TEST_P(GpuCompositeFormats, EqualTheReferenceWithRegions) {
  Compressor front(context()), back(context());
  GpuCompositor compositor(context());
  DeviceImage result;
  Random random(11);
  for (std::uint64_t i = 0; i < 20; ++i) {
    Frame frames[2] = {test::randomFrame(i, 60, 30, GetParam(), 0.7),
                       test::randomFrame(i + 50, 60, 30, GetParam(), 0.7)};
    std::vector<test::FrameTextures> textures;
    std::vector<CompressRequest> requests;
    for (Frame& frame : frames) {
      keepOrdinary(frame);
      textures.emplace_back(context(), frame);
    }
    for (int f = 0; f < 2; ++f) {
      requests.push_back(textures[std::size_t(f)].request(frames[f]));
      const int width = int(random.below(60)), height = int(random.below(30));
      const Region target{int(random.below(100)), int(random.below(50)), width, height};
      requests.back().width = 110;
      requests.back().height = 55;
      requests.back().placement = {{3, 2, width, height}, target};
    }
    const int inFront = front.compress(requests[0], Method::Fused);
    const int inBack = back.compress(requests[1], Method::Fused);
    compositor.composite(front.image(inFront), back.image(inBack), result);
    const auto decode = [&](const Compressor::Result& image) {
      return reference::decode(image.words, GetParam().compositing, glm::vec4(0));
    };
    const Frame expected =
        reference::composite(decode(front.result(inFront)), decode(back.result(inBack)));
    EXPECT_TRUE(test::exact(read(result), reference::encode(expected).words)) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(All, GpuCompositeFormats, ::testing::ValuesIn(test::allFormats()),
                         [](const auto& test) { return test::formatName(test.param); });

TEST_F(GpuComposite, GivesEqualDepthsToTheBack) {
  Frame front = test::drawn({"####"}), back = front;
  front.depth = {0.5f, 0.0f, -0.0f, 1e-40f};
  back.depth = {0.5f, -0.0f, 0.0f, 2e-40f};
  for (std::size_t i = 0; i < 4; ++i) back.setColor(i, glm::vec4(1));
  const Frame expected = reference::composite(front, back);
  EXPECT_EQ(expected.colorOf(2), glm::vec4(1));
  EXPECT_NE(expected.colorOf(3), glm::vec4(1));  // nearer, if only by a denormal number
  EXPECT_TRUE(test::exact(
      composited(reference::encode(front).words, reference::encode(back).words, Format{}),
      reference::encode(expected).words));
}

TEST_F(GpuComposite, OfNothingIsNothing) {
  const Words empty = reference::encode(Frame(Format{}, 50, 4)).words;
  const Words some =
      reference::encode(test::drawn(std::vector<std::string>(4, std::string(50, '#')))).words;
  EXPECT_EQ(composited(empty, empty, Format{}), empty);
  EXPECT_EQ(composited(some, empty, Format{}), some);
  EXPECT_EQ(composited(empty, some, Format{}), some);
}

}  // namespace
}  // namespace fathom::active_pixel
