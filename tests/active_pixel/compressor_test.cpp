// SPDX-License-Identifier: BSD-3-Clause
// The GPU compressor gives the reference's bytes: both methods, both layouts of work, every format,
// every edge of runs, regions, images larger than a storage block; and its ring keeps frames apart.
#include "app/engine/active_pixel/compress/compressor.h"
#include "app/engine/active_pixel/image/reference.h"
#include "app/engine/core/random.h"
#include "tests/active_pixel/frame_textures.h"
#include "tests/active_pixel/frames.h"
#include "tests/support/gpu_test.h"

namespace fathom::active_pixel {
namespace {

using test::FrameTextures;
using test::Pattern;

struct Variation {
  const char* name;
  Method method;
  bool spread;
};
const Variation kVariations[] = {{"FusedInWords", Method::Fused, false},
                                 {"FusedSideBySide", Method::Fused, true},
                                 {"FiveStep", Method::FiveStep, false}};

class CompressorTest : public test::GpuTest {
 protected:
  void TearDown() override {
    compressor_.reset();
    GpuTest::TearDown();
  }
  Compressor& compressor() {
    if (!compressor_) compressor_ = std::make_unique<Compressor>(context());
    return *compressor_;
  }
  std::vector<std::uint32_t> compressed(const CompressRequest& request,
                                        const Variation& variation) {
    compressor().setSpread(variation.spread);
    const Compressor::Result result =
        compressor().result(compressor().compress(request, variation.method));
    EXPECT_EQ(result.capacityBytes, bufferBytes(request.format, request.width, request.height));
    return {result.words.begin(), result.words.end()};
  }
  void expectReferenceBytes(Frame frame, const std::string& what) {
    const FrameTextures textures(context(), frame);
    const SparseImage expected = reference::encode(frame);
    for (const Variation& variation : kVariations)
      EXPECT_TRUE(test::exact(compressed(textures.request(frame), variation), expected.words))
          << what << " " << variation.name;
  }

 private:
  std::unique_ptr<Compressor> compressor_;
};

class CompressorFormats : public CompressorTest, public ::testing::WithParamInterface<Format> {};

TEST_P(CompressorFormats, GiveReferenceBytesAtEveryEdge) {
  const std::string on(300, '#'), off(300, '.');
  for (const std::string& row :
       {std::string("."), std::string("#"), off, on, "#" + off, off + "#", "." + on, on + ".",
        std::string("#.#.#.#.#"), std::string(".#.#.#.#."), off.substr(0, 32) + on.substr(0, 32),
        on.substr(0, 32) + off.substr(0, 32), on.substr(0, 31) + ".", off.substr(0, 31) + "#",
        on + off + on, std::string(".##...###..#")})
    expectReferenceBytes(test::drawn({row}, GetParam()), row);
}

TEST_P(CompressorFormats, GiveReferenceBytesAtEveryWidth) {
  std::uint64_t seed = 1;
  for (const int width : {1, 2, 31, 32, 33, 63, 64, 65, 255, 256, 257, 333})
    for (const int height : {1, 2, 17}) {
      Frame frame = test::randomFrame(seed, width, height, GetParam(), 0.5, Pattern(seed % 3));
      expectReferenceBytes(frame, fmt::format("{} x {}", width, height));
      ++seed;
    }
}

INSTANTIATE_TEST_SUITE_P(All, CompressorFormats, ::testing::ValuesIn(test::allFormats()),
                         [](const auto& test) { return test::formatName(test.param); });

TEST_F(CompressorTest, GivesReferenceBytesOfRandomImages) {
  Random random(2021);
  for (int i = 0; i < 120; ++i) {
    const Format& format = test::allFormats()[random.below(6)];
    const int width = 1 + int(random.below(90)), height = 1 + int(random.below(60));
    Frame frame = test::randomFrame(std::uint64_t(i), width, height, format,
                                    double(random.uniform()), Pattern(random.below(3)));
    const FrameTextures textures(context(), frame, random.below(2) == 0);
    const Variation& variation = kVariations[random.below(3)];
    EXPECT_TRUE(
        test::exact(compressed(textures.request(frame), variation), reference::encode(frame).words))
        << "image " << i << " " << test::formatName(format) << " " << variation.name;
  }
}

TEST_F(CompressorTest, PlacesRegionsAsTheReference) {
  Random random(7);
  for (int i = 0; i < 60; ++i) {
    const Format& format = test::allFormats()[random.below(6)];
    Frame frame = test::randomFrame(std::uint64_t(i), 1 + int(random.below(80)),
                                    1 + int(random.below(40)), format, 0.6, Pattern(i % 3));
    const FrameTextures textures(context(), frame);
    CompressRequest request = textures.request(frame);
    request.width = 1 + int(random.below(100));
    request.height = 1 + int(random.below(50));
    const int width = int(random.below(90)), height = int(random.below(50));
    const auto at = [&](int size) { return int(random.below(std::uint32_t(size) + 8)) - 8; };
    request.placement = {{at(frame.width), at(frame.height), width, height},
                         {at(request.width), at(request.height), width, height}};
    if (i % 5 == 0) request.placement->target.x = 0;
    const Variation& variation = kVariations[i % 3];
    EXPECT_TRUE(test::exact(
        compressed(request, variation),
        reference::encode(frame, request.width, request.height, *request.placement).words))
        << "region " << i << " " << variation.name;
  }
}

TEST_F(CompressorTest, JoinsRunsAcrossRowsOfWholeWidthRegions) {
  Frame frame = test::drawn({"####", "####", "####"});
  const FrameTextures textures(context(), frame);
  CompressRequest request = textures.request(frame);
  request.height = 5;
  request.placement = {{0, 0, 4, 3}, {0, 1, 4, 3}};
  for (const Variation& variation : kVariations) {
    const std::vector<std::uint32_t> words = compressed(request, variation);
    EXPECT_EQ(words[7], 4u);
    EXPECT_EQ(words[8], 12u);
  }
}

TEST_F(CompressorTest, NeedsNoGpuForAnEmptyRegion) {
  Frame frame = test::drawn({"##", "##"});
  const FrameTextures textures(context(), frame);
  CompressRequest request = textures.request(frame);
  request.placement = Placement{};
  context().timings().clear();
  for (const Variation& variation : kVariations)
    EXPECT_TRUE(test::exact(compressed(request, variation),
                            reference::encode(frame, 2, 2, Placement{}).words));
  context().finish();
  EXPECT_TRUE(context().timings().passes().empty());
}

TEST_F(CompressorTest, WritesImagesLargerThanAStorageBlock) {
  std::size_t turn = 0;  // each way has two of the six formats
  for (const Format& format : test::allFormats()) {
    Frame frame = test::randomFrame(3, 301, 211, format, 0.8, Pattern::Blobs);
    const FrameTextures textures(context(), frame);
    const Variation& variation = kVariations[turn++ % 3];
    // The five steps need a word per pixel in one block.
    context().memory().setBlockLimit(variation.method == Method::Fused ? 301 * 211 * 2 + 64
                                                                       : 301 * 211 * 4 + 64);
    EXPECT_TRUE(
        test::exact(compressed(textures.request(frame), variation), reference::encode(frame).words))
        << test::formatName(format) << " " << variation.name;
  }
}

TEST_F(CompressorTest, RefusesWhatTheDeviceCannotHold) {
  Frame frame = test::randomFrame(3, 301, 211, Format{}, 0.8);
  const FrameTextures textures(context(), frame);
  context().memory().setBlockLimit(301 * 211 * 2);
  EXPECT_THROW(compressor().compress(textures.request(frame), Method::FiveStep), Error);
  CompressRequest huge = textures.request(frame);
  huge.width = huge.height = 20000;
  EXPECT_THROW(compressor().compress(huge, Method::Fused), Error);
}

TEST_F(CompressorTest, ReadsHalfFloatAndEncodedColors) {
  Frame frame = test::drawn({".##.", "####"});
  const FrameTextures textures(context(), frame);
  gpu::Texture encoded(context(), "encoded", gpu::TextureFormat::SrgbA8, 4, 2);
  encoded.write(frame.color.data(), std::int64_t(frame.color.size()));
  CompressRequest request = textures.request(frame);
  request.color = &encoded;
  EXPECT_EQ(compressed(request, kVariations[0]), reference::encode(frame).words);

  gpu::Texture half(context(), "half", gpu::TextureFormat::Rgba16f, 4, 2);
  Image image(4, 2);
  for (std::size_t i = 0; i < 8; ++i) image.pixels[i] = glm::vec4(float(i), 0.5f, -2.0f, 0.25f);
  half.upload(image);
  for (const Color color : {Color::Rgba32f, Color::Rgb32f}) {
    Frame floats(Format{color, Depth::Float32, Compositing::ZBuffer}, 4, 2);
    floats.depth = frame.depth;
    for (std::size_t i = 0; i < 8; ++i) floats.setColor(i, image.pixels[i]);
    request = {&half, &textures.depth, floats.format, 4, 2, std::nullopt};
    for (const Variation& variation : kVariations)
      EXPECT_EQ(compressed(request, variation), reference::encode(floats).words) << variation.name;
  }
}

TEST_F(CompressorTest, CountsActivePixelsAndRuns) {
  Frame frame = test::drawn({".##...###..#"});
  const FrameTextures textures(context(), frame);
  for (const Variation& variation : kVariations) {
    compressor().setSpread(variation.spread);
    const auto result =
        compressor().result(compressor().compress(textures.request(frame), variation.method));
    EXPECT_EQ(result.active, 6u);
    EXPECT_EQ(result.runs, 3u);
  }
}

TEST_F(CompressorTest, KeepsFramesApartInItsRing) {
  std::vector<Frame> frames;
  std::vector<FrameTextures> textures;
  for (int i = 0; i < Compressor::kSlots; ++i) {
    frames.push_back(test::randomFrame(std::uint64_t(i), 60 + i, 40, Format{}, 0.2 * (i + 1)));
    textures.emplace_back(context(), frames.back());
  }
  for (int round = 0; round < 3; ++round) {
    std::vector<int> slots;
    for (std::size_t i = 0; i < frames.size(); ++i)
      slots.push_back(compressor().compress(textures[i].request(frames[i]), Method::Fused));
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const auto result = compressor().result(slots[i]);
      EXPECT_TRUE(test::exact(result.words, reference::encode(frames[i]).words));
      std::fill(result.words.begin(), result.words.end(), 0xDEADu);  // as IceT does
    }
  }
}

TEST_F(CompressorTest, FoldsMoreGroupsThanOneDispatchDimensionHolds) {
  // 8.6 million pixels: more than 65,535 groups of pixels, and of runs.
  const Format format{Color::None, Depth::Float32, Compositing::ZBuffer};
  Frame frame(format, 4096, 2100);
  for (std::size_t i = 0; i < frame.pixelCount(); i += 2) frame.depth[i] = 0.5f;
  const FrameTextures textures(context(), frame);
  const SparseImage expected = reference::encode(frame);
  for (const Variation& variation : {kVariations[0], kVariations[2]})
    EXPECT_TRUE(compressed(textures.request(frame), variation) == expected.words) << variation.name;
}

}  // namespace
}  // namespace fathom::active_pixel
