// SPDX-License-Identifier: BSD-3-Clause
// Resampling on the GPU: the same fragments in the same order as on the CPU, and the same light in
// front of each, whatever the filter, the map, the format and the number of regions.
#include "app/engine/deep/lists/resample_lists.h"
#include "tests/deep/deep_images.h"
#include "tests/support/gpu_test.h"

#include <glm/gtc/constants.hpp>

namespace fathom::deep {
namespace {

constexpr Rect kWindow{-3, 5, 37, 29};

/// Points whose depths coincide often; some pixels hide what lies behind, some hold nothing.
DeepImage points(FragmentFormat format, std::uint32_t seed, const Rect& window = kWindow) {
  DeepImage image = test::randomImage({window, FragmentFormat::Half, seed,
                                       test::boundaryCounts(seed), test::Colors::Premultiplied});
  for (std::size_t i = 0; i < image.words.size(); i += 4) image.words[i + 3] = image.words[i + 2];
  sortLists(image);
  image.displayWindow = window;
  if (format == FragmentFormat::Half) return image;
  DeepImage wide = image;  // the same with channels of floats, and one that is copied
  wide.format = FragmentFormat::Indexed;
  wide.channels.clear();
  for (const char* name : {"A", "B", "G", "R", "Z", "id"})
    wide.channels.push_back({name, name[0] == 'i' ? ChannelType::Uint : ChannelType::Float,
                             std::vector<std::byte>(image.fragmentCount() * 4)});
  for (std::size_t i = 0; i < image.fragmentCount(); ++i) {
    const Fragment f = decodeFragment(image, i);
    const float values[] = {f.a, f.b, f.g, f.r, f.z, std::bit_cast<float>(std::uint32_t(i))};
    for (std::size_t c = 0; c < 6; ++c)
      std::memcpy(wide.channels[c].values.data() + i * 4, &values[c], 4);
    wide.words[4 * i] = std::uint32_t(i), wide.words[4 * i + 1] = 0;
  }
  return wide;
}

void expectSameFragments(const DeepImage& found, const DeepImage& expected) {
  ASSERT_EQ(found.fragmentOffsets, expected.fragmentOffsets);
  for (std::size_t p = 0; p < found.pixelCount(); ++p) {
    glm::dvec4 sums[2] = {glm::dvec4(0), glm::dvec4(0)};
    for (std::size_t i = found.fragmentOffsets[p]; i < found.fragmentOffsets[p + 1]; ++i) {
      const Fragment a = decodeFragment(found, i), b = decodeFragment(expected, i);
      ASSERT_EQ(std::bit_cast<std::uint32_t>(a.z), std::bit_cast<std::uint32_t>(b.z));
      sums[0] += (1 - sums[0].a) * glm::dvec4(a.r, a.g, a.b, a.a);
      sums[1] += (1 - sums[1].a) * glm::dvec4(b.r, b.g, b.b, b.a);
      const glm::dvec4 d = glm::abs(sums[0] - sums[1]);
      ASSERT_LE(std::max({d.r, d.g, d.b, d.a}), found.format == FragmentFormat::Half ? 2e-3 : 1e-5)
          << "pixel " << p;
    }
  }
  for (std::size_t c = 0; c < found.channels.size(); ++c)
    if (found.channels[c].type == ChannelType::Uint) {
      EXPECT_EQ(found.channels[c].values, expected.channels[c].values);
    }
}

class ResampleGpu : public test::GpuTest {
 protected:
  void expectAsOnCpu(const DeepImage& image, const Resampling& how) {
    expectSameFragments(resampled(image, how, nullptr, &resampler_), resampled(image, how));
  }
  ListResampler resampler_{context()};
};

TEST_F(ResampleGpu, ResizesAsTheCpu) {
  const DeepImage image = points(FragmentFormat::Indexed, 3);
  for (const PixelFilter filter :
       {PixelFilter::Box, PixelFilter::Tent, PixelFilter::Gaussian, PixelFilter::Mitchell}) {
    SCOPED_TRACE(int(filter));
    expectAsOnCpu(image, resizing(image, {18, 11}, filter));
  }
  expectAsOnCpu(image, resizing(image, {50, 40}, PixelFilter::Box));  // whole pixels among them
  expectAsOnCpu(image, resizing(image, {3, 2}, PixelFilter::Tent));   // lists beyond the networks
}

TEST_F(ResampleGpu, TurnsAndPinsAsTheCpu) {
  const DeepImage image = points(FragmentFormat::Indexed, 5);
  const double a = glm::pi<double>() / 5;
  const glm::dmat3 turned(std::cos(a), -std::sin(a), 0, std::sin(a), std::cos(a), 0, 2, 1, 1);
  expectAsOnCpu(image, transforming(image, turned, PixelFilter::Mitchell));
  const glm::dmat3 pinned = cornerPin(kWindow, {{{0, 0}, {30, 4}, {22, 33}, {1, 28}}});
  expectAsOnCpu(image, transforming(image, pinned, PixelFilter::Tent));
  expectAsOnCpu(image,
                transforming(image, glm::dmat3(1, 0, 0, 0, 1, 0, 4, -2, 1), PixelFilter::Tent));
}

TEST_F(ResampleGpu, RegionsThatAreCutJoin) {
  for (const FragmentFormat format : {FragmentFormat::Half, FragmentFormat::Indexed}) {
    const DeepImage image = points(format, 7);
    resampler_.limitFragments(300);
    expectAsOnCpu(image, resizing(image, {21, 17}, PixelFilter::Tent));
    EXPECT_GT(resampler_.regions(), 17);
  }
}

TEST_F(ResampleGpu, ThinsWhatTheDeviceMade) {
  const DeepImage image = points(FragmentFormat::Half, 9);
  Resampling how = resizing(image, {14, 10}, PixelFilter::Tent);
  how.thinError = 1.0 / 64;
  ThinReport report;
  const DeepImage thinned = resampled(image, how, &report, &resampler_);
  how.thinError = 0;
  EXPECT_LT(thinned.fragmentCount(), resampled(image, how).fragmentCount());
  EXPECT_GT(report.error, 0);
  EXPECT_LE(report.error, 1.0 / 64);
}

}  // namespace
}  // namespace fathom::deep
