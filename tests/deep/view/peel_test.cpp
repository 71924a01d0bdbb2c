// SPDX-License-Identifier: BSD-3-Clause
// Peeling on the GPU equals the reference on the same list, in every layout, for lists that run
// backward, and in the technique's picture.
#include "app/engine/deep/engine.h"
#include "app/engine/deep/lists/arrange_lists.h"
#include "app/engine/deep/lists/merge_lists.h"
#include "app/engine/deep/lists/scene_capture.h"
#include "app/engine/deep/reference.h"
#include "tests/deep/deep_images.h"
#include "tests/support/gpu_test.h"
#include "tests/support/synthetic_deep.h"

namespace fathom::deep {
namespace {

constexpr Rect kWindow{0, 0, 17, 9};
const float kBound = test::roundingBound(10 * 66, 1.0f);
const Peel kPeels[] = {{{0, 1}, 0}, {{}, 1}, {{}, 9}, {{-1, 3}, 2}, {{2, 1}, 0}};

class DeepPeel : public test::GpuTest, public testing::WithParamInterface<Layout> {
 protected:
  DeepImage input(FragmentFormat format, std::uint32_t seed) {
    return test::randomImage(
        {kWindow, format, seed, test::boundaryCounts(seed), test::Colors::Premultiplied});
  }
  Pipeline pipeline_{context()};
  gpu::Texture picture_{context(), "test picture", gpu::TextureFormat::Rgba32f, kWindow.width,
                        kWindow.height};
};

TEST_P(DeepPeel, EqualsTheReference) {
  Settings s{.layout = GetParam()};
  for (const FragmentFormat format : {FragmentFormat::Rgba8, FragmentFormat::Half}) {
    const DeepImage a = input(format, 1), b = input(format, 2);
    FragmentLists front, back, merged;
    uploadLists(pipeline_, a, {0, 0}, kWindow, shapeOf(s, format), front);
    uploadLists(pipeline_, b, {0, 0}, kWindow, shapeOf(s, format), back);
    for (const Links links : {Links::Forward, Links::Push}) {  // push: the list runs backward
      s.links = links;
      mergeLists(pipeline_, std::array{&front, &back}, s, merged);
      for (const Peel& peel : kPeels) {
        picture_.clear(glm::vec4(7));
        peelLists(pipeline_, merged, peel, EarlyOut::Exact, picture_);
        EXPECT_TRUE(test::rounding(picture_.downloadImage(),
                                   reference::flatten(reference::merge(a, b), kWindow, peel),
                                   kBound))
            << "format " << int(format) << ", links " << int(links) << ", peel "
            << textOf(peel.range) << " number " << peel.number;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Layouts, DeepPeel,
                         testing::Values(Layout::LinkedList, Layout::Linearized,
                                         Layout::Interleaved, Layout::BlockInterleaved,
                                         Layout::RankInterleaved, Layout::AlignedBlocks));

class DeepPeelTechnique : public test::GpuTest {
 protected:
  void adopt(std::vector<DeepImage> images) {
    technique_.adopt(loaded(std::move(images), {"a.exr", "b.exr"}));
  }
  Image picture(bool anew) {
    if (anew) technique_.restart();
    EXPECT_FALSE(technique_.step(context(), INFINITY).partial);
    return technique_.frame().picture->downloadImage();
  }
  DeepEngine technique_;
};

TEST_F(DeepPeelTechnique, ARedrawPeelsThePictureAndBack) {
  DepthView& seeing = technique_.settingsStruct().view;
  for (const bool volumes : {false, true}) {
    seeing = {};
    adopt({test::sphereField({61, 35, 9, 1}), test::sphereField({61, 35, 9, 2, volumes})});
    const Image whole = picture(true);
    const auto marks = technique_.inspect(30, 17)->marks;
    ASSERT_GT(marks.size(), 3u);
    for (const int number : {0, 2}) {
      seeing.peel = textOf(ZRange{marks[1].z, marks[marks.size() - 2].z});
      seeing.peelNumber = number;
      const Image peeled = picture(false);
      EXPECT_FALSE(test::exact(peeled.pixels, whole.pixels));
      // Parts of volumes are rounded to half floats, each by at most half of 2^-10.
      const float bound = volumes ? 4e-3f : test::roundingBound(300, 1);
      EXPECT_TRUE(test::rounding(peeled, technique_.reference(), bound));
    }
    seeing = {};
    EXPECT_TRUE(test::exact(picture(false).pixels, whole.pixels));
  }
}

TEST_F(DeepPeelTechnique, OtherInputsAreMergedAgain) {
  technique_.settingsStruct().view.peelNumber = 1;
  adopt({test::sphereField({61, 35, 9, 1}), test::sphereField({61, 35, 9, 2})});
  const Image before = picture(true);
  adopt({test::sphereField({61, 35, 9, 1}), test::sphereField({61, 35, 9, 5})});
  const Image after = picture(true);
  EXPECT_FALSE(test::exact(after.pixels, before.pixels));
  EXPECT_TRUE(test::rounding(after, technique_.reference(), test::roundingBound(300, 1)));
}

TEST_F(DeepPeelTechnique, ARangeThatIsNoneIsSaid) {
  adopt({test::sphereField({61, 35, 9, 1}), test::sphereField({61, 35, 9, 2})});
  technique_.settingsStruct().view.peel = "near";
  EXPECT_THROW(technique_.step(context(), INFINITY), UsageError);
}

}  // namespace
}  // namespace fathom::deep
