// SPDX-License-Identifier: BSD-3-Clause
// Pictures from lists: compositing while merging, and saving and flattening, against the reference.
#include "app/engine/deep/lists/arrange_lists.h"
#include "app/engine/deep/lists/merge_lists.h"
#include "app/engine/deep/lists/scene_capture.h"
#include "app/engine/deep/reference.h"
#include "tests/deep/deep_images.h"
#include "tests/support/gpu_test.h"

namespace fathom::deep {
namespace {

using test::randomImage;

constexpr Rect kWindow{0, 0, 17, 9};

// Up to 66 fragments are composited. Each rounds five times at most (two for decoding RGBA8, three
// for over), and a transmittance that is off by so much lets that much of what is behind through:
// colors are at most alpha, so that this at most doubles it.
const float kBound = test::roundingBound(10 * 66, 1.0f);

class PipelineComposite : public test::GpuTest, public testing::WithParamInterface<Layout> {
 protected:
  void makeInputs(FragmentFormat format) {
    a_ = randomImage({kWindow, format, 1, test::boundaryCounts(1), test::Colors::Premultiplied});
    b_ = randomImage({kWindow, format, 2, test::boundaryCounts(2), test::Colors::Premultiplied});
  }
  void upload(const Settings& s) {
    uploadLists(pipeline_, a_, {0, 0}, kWindow, shapeOf(s, a_.format), front_);
    uploadLists(pipeline_, b_, {0, 0}, kWindow, shapeOf(s, b_.format), back_);
  }
  Image composited(const Settings& s) {
    upload(s);
    picture_.clear(glm::vec4(7));
    compositeLists(pipeline_, std::array{&front_, &back_}, s, picture_);
    return picture_.downloadImage();
  }
  Image savedAndFlattened(const Settings& s) {
    upload(s);
    picture_.clear(glm::vec4(7));
    mergeLists(pipeline_, std::array{&front_, &back_}, s, merged_);
    flattenLists(pipeline_, merged_, s.earlyOut, picture_);
    return picture_.downloadImage();
  }
  Image expected() const { return reference::flatten(reference::merge(a_, b_), kWindow); }
  Settings settings() const { return {.layout = GetParam()}; }

  Pipeline pipeline_{context()};
  gpu::Texture picture_{context(), "test picture", gpu::TextureFormat::Rgba32f, kWindow.width,
                        kWindow.height};
  DeepImage a_, b_;
  FragmentLists front_, back_, merged_;
};

TEST_P(PipelineComposite, WhileMergingEqualsTheReference) {
  Settings s = settings();
  for (const FragmentFormat format : {FragmentFormat::Rgba8, FragmentFormat::Half}) {
    makeInputs(format);
    for (const Method method : test::kMethods)
      for (const Slots slots : {Slots::Raster, Slots::Tile2x8}) {
        if (method == Method::RegisterBlock && slots == Slots::Raster) continue;  // slow to compile
        s.method = method, s.slots = slots;
        EXPECT_TRUE(test::rounding(composited(s), expected(), kBound))
            << "format " << int(format) << ", method " << int(method) << ", slots " << int(slots);
      }
  }
}

TEST_P(PipelineComposite, AfterSavingIsTheSamePictureAndAfterPushingTheReference) {
  makeInputs(FragmentFormat::Half);
  Settings s = settings();
  s.links = Links::Forward;
  EXPECT_TRUE(test::exact(savedAndFlattened(s).pixels, composited(s).pixels));
  s.links = Links::Push;
  EXPECT_TRUE(test::rounding(savedAndFlattened(s), expected(), kBound));
}

TEST_P(PipelineComposite, LeavingEarlyWhenNothingCanShowChangesNothing) {
  makeInputs(FragmentFormat::Half);
  Settings off = settings(), exact = settings();
  off.earlyOut = EarlyOut::Off, exact.earlyOut = EarlyOut::Exact;
  EXPECT_TRUE(test::exact(composited(exact).pixels, composited(off).pixels));
  EXPECT_TRUE(test::exact(savedAndFlattened(exact).pixels, savedAndFlattened(off).pixels));
}

TEST_P(PipelineComposite, LeavingEarlyForDisplayCostsLessThanHalfAStepOf8Bits) {
  makeInputs(FragmentFormat::Half);
  Settings s = settings();
  s.earlyOut = EarlyOut::Display;
  EXPECT_TRUE(test::rounding(composited(s), expected(), 1.0f / 512 + kBound));
}

TEST_P(PipelineComposite, KnowsOnlyTheRegion) {
  makeInputs(FragmentFormat::Half);
  const Settings s = settings();
  const Rect region{4, 8, 13, 1};
  uploadLists(pipeline_, a_, {0, 0}, region, shapeOf(s, a_.format), front_);
  uploadLists(pipeline_, b_, {0, 0}, region, shapeOf(s, b_.format), back_);
  picture_.clear(glm::vec4(7));
  compositeLists(pipeline_, std::array{&front_, &back_}, s, picture_);
  const Image picture = picture_.downloadImage(), whole = expected();
  for (int y = 0; y < kWindow.height; ++y)
    for (int x = 0; x < kWindow.width; ++x)
      for (int c = 0; c < 4; ++c) {
        if (region.contains(x, y)) {
          EXPECT_NEAR(picture.at(x, y)[c], whole.at(x, y)[c], kBound);
        } else {
          EXPECT_EQ(picture.at(x, y)[c], 7);
        }
      }
}

TEST_P(PipelineComposite, HeatMapShowsTheClassOfTheSummedCounts) {
  const auto counts = [](int x, int) { return std::uint32_t(x * x * 2); };  // 0 .. 512
  a_ = randomImage({.window = kWindow, .counts = counts});
  b_ = randomImage({.window = kWindow, .seed = 2, .counts = test::constantCount(1)});
  upload(settings());
  FragmentLists* const inputs[] = {&front_, &back_};
  drawHeatMap(pipeline_, inputs, picture_);
  const Image picture = picture_.downloadImage();
  for (int x = 0; x < kWindow.width; ++x) {
    const std::uint32_t count = counts(x, 0) + 1;
    const HeatClass* expectedClass = heatClasses().data();
    while (count > expectedClass->max) ++expectedClass;
    EXPECT_EQ(picture.at(x, 3), glm::vec4(expectedClass->color, 1)) << count << " fragments";
  }
}

INSTANTIATE_TEST_SUITE_P(Layouts, PipelineComposite, testing::ValuesIn(test::kLayouts),
                         test::layoutName);

}  // namespace
}  // namespace fathom::deep
