// SPDX-License-Identifier: BSD-3-Clause
// Merging many images in one pass: fragment for fragment what iterated pairwise merging gives, in
// every layout, with either method, saved or composited.
#include "app/engine/deep/lists/arrange_lists.h"
#include "app/engine/deep/lists/merge_lists.h"
#include "app/engine/deep/lists/scene_capture.h"
#include "app/engine/deep/reference.h"
#include "tests/deep/deep_images.h"
#include "tests/support/gpu_test.h"

namespace fathom::deep {
namespace {

using test::randomImage;
using test::sameWords;

constexpr Rect kWindow{0, 0, 17, 9};

/// So many images, some with long lists, some with few fragments, one with none.
std::vector<DeepImage> manyImages(std::size_t count, FragmentFormat format = FragmentFormat::Half,
                                  const Rect& window = kWindow) {
  std::vector<DeepImage> images;
  std::uint32_t index = 0;
  for (std::size_t i = 0; i < count; ++i) {
    test::RandomImage wanted{window, format, std::uint32_t(i) + 1,
                             test::boundaryCounts(std::uint32_t(i)), test::Colors::Premultiplied};
    if (i % 3 == 1)
      wanted.counts = [i](int x, int y) { return std::uint32_t((x + y + int(i)) % 4); };
    if (i == 4) wanted.counts = test::constantCount(0);
    wanted.firstIndex = index;
    images.push_back(randomImage(wanted));
    index += std::uint32_t(images.back().fragmentCount());
  }
  return images;
}

std::vector<FragmentLists*> all(std::vector<FragmentLists>& lists) {
  std::vector<FragmentLists*> pointers;
  for (FragmentLists& one : lists) pointers.push_back(&one);
  return pointers;
}

class PipelineMergeMany : public test::GpuTest, public testing::WithParamInterface<Layout> {
 protected:
  Settings settings(Strategy strategy = Strategy::KWay) const {
    return {.layout = GetParam(), .strategy = strategy};
  }
  void upload(const std::vector<DeepImage>& images, const Settings& s,
              const Rect& region = kWindow) {
    inputs_.clear();
    inputs_.resize(images.size());
    for (std::size_t i = 0; i < images.size(); ++i)
      uploadLists(pipeline_, images[i], {0, 0}, region, shapeOf(s, images[i].format), inputs_[i]);
  }
  DeepImage merged(const std::vector<DeepImage>& images, const Settings& s) {
    upload(images, s);
    return downloadLists(pipeline_, *mergeDown(pipeline_, all(inputs_), merged_, s, true)[0],
                         {0, 0}, images[0]);
  }

  Pipeline pipeline_{context()};
  std::vector<FragmentLists> inputs_, merged_;
};

TEST_P(PipelineMergeMany, EqualsIteratedPairwiseMerging) {
  for (const std::size_t count : {3, 4, 8, 16, 17}) {
    const std::vector<DeepImage> images = manyImages(count);
    const DeepImage pairwise = merged(images, settings(Strategy::Pairwise));
    EXPECT_TRUE(sameWords(pairwise, reference::merge(images)));
    Settings s = settings();
    for (const Method method : test::kMethods) {
      if (method == Method::RegisterBlock && count != 8)
        continue;  // 3, 4: OfRgba8; 16: heads alone
      s.method = method;
      EXPECT_TRUE(sameWords(merged(images, s), pairwise))
          << count << " images, method " << int(method);
    }
  }
}

TEST_P(PipelineMergeMany, OfRgba8EqualsTheReference) {
  Settings s = settings();
  s.method = Method::RegisterBlock;
  for (const std::size_t count : {3, 4}) {
    const std::vector<DeepImage> images = manyImages(count, FragmentFormat::Rgba8);
    EXPECT_TRUE(sameWords(merged(images, s), reference::merge(images))) << count;
  }
}

TEST_P(PipelineMergeMany, ReadsLargeBlocksInPieces) {
  // Four lists have room for 8 fragments each in registers.
  if (GetParam() != Layout::BlockInterleaved && GetParam() != Layout::RankInterleaved) return;
  const std::vector<DeepImage> images = manyImages(4, FragmentFormat::Rgba8);
  Settings s = settings();
  s.method = Method::RegisterBlock;
  s.blockSize = BlockSize::Sixteen;
  EXPECT_TRUE(sameWords(merged(images, s), reference::merge(images)));
}

TEST_P(PipelineMergeMany, KeepsTheOrderOfTheInputsWhenAllDepthsAreEqual) {
  std::vector<DeepImage> images = manyImages(17, FragmentFormat::Indexed);
  for (DeepImage& image : images)
    for (std::size_t i = 0; i < image.fragmentCount(); ++i)
      image.words[4 * i + 2] = image.words[4 * i + 3] = 0x3F800000u;
  EXPECT_TRUE(sameWords(merged(images, settings()), reference::merge(images)));
}

TEST_P(PipelineMergeMany, CompositesLikeTheReference) {
  gpu::Texture picture(context(), "test picture", gpu::TextureFormat::Rgba32f, kWindow.width,
                       kWindow.height);
  Settings s = settings();
  s.method = Method::Stepwise;
  for (const std::size_t count : {3, 17}) {
    // 17 are rounds and a composite of 16: the layout makes no difference that 3 would not show.
    if (count == 17 && GetParam() != Layout::BlockInterleaved) continue;
    const std::vector<DeepImage> images = manyImages(count);
    upload(images, s);
    picture.clear(glm::vec4(7));
    compositeLists(pipeline_, mergeDown(pipeline_, all(inputs_), merged_, s, false), s, picture);
    EXPECT_TRUE(test::rounding(picture.downloadImage(),
                               reference::flatten(reference::merge(images), kWindow),
                               test::roundingBound(10 * 33 * int(count), 1.0f)))
        << count << " images";
  }
}

TEST_P(PipelineMergeMany, LeavesItsInputsAsTheyWere) {
  const std::vector<DeepImage> images = manyImages(17);
  const Settings s = settings();
  merged(images, s);
  for (std::size_t i = 0; i < images.size(); ++i) {
    EXPECT_TRUE(sameWords(downloadLists(pipeline_, inputs_[i], {0, 0}, images[i]), images[i]));
    EXPECT_EQ(readList(pipeline_, inputs_[i], 5, 7),
              std::vector<std::uint32_t>(images[i].list(5, 7).begin(), images[i].list(5, 7).end()));
  }
  // Filled again, one with more than its part of the pool holds.
  std::vector<DeepImage> others = manyImages(17);
  std::swap(others[1], others[2]);
  for (std::size_t i = 0; i < others.size(); ++i)
    uploadLists(pipeline_, others[i], {0, 0}, kWindow, shapeOf(s, others[i].format), inputs_[i]);
  const FragmentLists& again = *mergeDown(pipeline_, all(inputs_), merged_, s, true)[0];
  EXPECT_TRUE(
      sameWords(downloadLists(pipeline_, again, {0, 0}, others[0]), reference::merge(others)));
}

TEST_P(PipelineMergeMany, AtBoundarySizes) {
  for (const glm::ivec2 size : {glm::ivec2(1, 1), glm::ivec2(33, 31), glm::ivec2(64, 1)}) {
    const Rect window{0, 0, size.x, size.y};
    const std::vector<DeepImage> images = manyImages(6, FragmentFormat::Half, window);
    const Settings s = settings();
    upload(images, s, window);
    const FragmentLists& found = *mergeDown(pipeline_, all(inputs_), merged_, s, true)[0];
    EXPECT_TRUE(
        sameWords(downloadLists(pipeline_, found, {0, 0}, images[0]), reference::merge(images)))
        << size.x << " x " << size.y;
  }
}

TEST_P(PipelineMergeMany, APoolThatDoesNotFitIsSaid) {
  const std::vector<DeepImage> images = manyImages(6);
  upload(images, settings());
  context().memory().setBlockLimit(96 * 1024);
  EXPECT_THROW(mergeDown(pipeline_, all(inputs_), merged_, settings(), true), gpu::DoesNotFit);
}

INSTANTIATE_TEST_SUITE_P(Layouts, PipelineMergeMany, testing::ValuesIn(test::kLayouts),
                         test::layoutName);

/// Linked lists alone have directions.
class PipelineMergeManyLinked : public PipelineMergeMany {};

TEST_P(PipelineMergeManyLinked, PushesLikeIteratedPairwiseMerging) {
  Settings s = settings();
  s.links = Links::Push;
  for (const std::size_t count : {4, 17}) {
    const std::vector<DeepImage> images = manyImages(count);
    EXPECT_TRUE(sameWords(merged(images, s), reference::merge(images))) << count;
    // What was pushed runs back to front: merged with others of either direction.
    std::vector<FragmentLists> again(3);
    again[0] = *mergeDown(pipeline_, all(inputs_), merged_, s, true)[0];
    for (std::size_t i = 1; i < 3; ++i)
      uploadLists(pipeline_, images[i], {0, 0}, kWindow, shapeOf(s, images[i].format), again[i]);
    std::vector<FragmentLists> more;
    EXPECT_TRUE(
        sameWords(downloadLists(pipeline_, *mergeDown(pipeline_, all(again), more, s, true)[0],
                                {0, 0}, images[0]),
                  reference::merge(std::vector{reference::merge(images), images[1], images[2]})));
  }
}

INSTANTIATE_TEST_SUITE_P(Layouts, PipelineMergeManyLinked, testing::Values(Layout::LinkedList),
                         test::layoutName);

}  // namespace
}  // namespace fathom::deep
