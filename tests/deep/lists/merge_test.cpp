// SPDX-License-Identifier: BSD-3-Clause
// Upload, sorting, merging and download on the GPU against the reference, fragment by fragment:
// each layout with each method, block size, slot order and format.
#include "app/engine/deep/lists/arrange_lists.h"
#include "app/engine/deep/lists/merge_lists.h"
#include "app/engine/deep/lists/scene_capture.h"
#include "app/engine/deep/reference.h"
#include "tests/deep/deep_images.h"
#include "tests/support/gpu_test.h"

namespace fathom::deep {
namespace {

using test::RandomImage;
using test::randomImage;
using test::sameWords;

constexpr Slots kSlots[] = {Slots::Raster, Slots::Tile2x8};
constexpr FragmentFormat kFormats[] = {FragmentFormat::Rgba8, FragmentFormat::Half};
// One pixel; a group less one, equal, one more; odd by odd; one row; one column.
constexpr glm::ivec2 kSizes[] = {{1, 1},   {31, 1}, {4, 8},  {5, 9}, {17, 9},
                                 {33, 31}, {64, 1}, {1, 40}, {8, 8}};

/// The tests below run once per layout.
class PipelineMerge : public test::GpuTest, public testing::WithParamInterface<Layout> {
 protected:
  Settings settings() const { return {.layout = GetParam()}; }
  /// Links to try: they matter to linked lists alone.
  std::vector<Links> links() const {
    if (GetParam() == Layout::LinkedList) return {Links::Push, Links::Forward};
    return {Links::Forward};
  }
  void upload(const DeepImage& image, const Rect& window, const Settings& s, FragmentLists& out) {
    uploadLists(pipeline_, image, {window.x, window.y}, {0, 0, window.width, window.height},
                shapeOf(s, image.format), out);
  }
  /// Uploads both, merges them, downloads the result.
  DeepImage merged(const DeepImage& front, const DeepImage& back, const Settings& s) {
    const Rect window = unite(front.dataWindow, back.dataWindow);
    upload(front, window, s, front_);
    upload(back, window, s, back_);
    mergeLists(pipeline_, std::array{&front_, &back_}, s, merged_);
    return downloadLists(pipeline_, merged_, {window.x, window.y}, front);
  }
  void expectMerge(const DeepImage& front, const DeepImage& back, const Settings& s) {
    SCOPED_TRACE(testing::Message()
                 << "method " << int(s.method) << ", block " << s.block() << ", slots "
                 << int(s.slots) << ", format " << int(front.format) << ", links " << int(s.links));
    EXPECT_TRUE(sameWords(merged(front, back, s), reference::merge(front, back)));
  }

  void expectSorted(DeepImage image) {
    upload(image, image.dataWindow, settings(), front_);
    const DeepImage found = downloadLists(pipeline_, front_, {0, 0}, image);
    sortLists(image);
    EXPECT_TRUE(sameWords(found, image));
  }
  /// Unsorted lists, a length per column of groups.
  static DeepImage everyLengthTo(std::uint32_t longest, FragmentFormat format) {
    const auto counts = [longest](int x, int) {
      constexpr std::uint32_t lengths[] = {0,  1,  2,  7,  8,   9,   15,  16,  17,  31,
                                           32, 33, 64, 65, 127, 128, 129, 256, 257, 512};
      return std::min(lengths[x / 4], longest);
    };
    RandomImage wanted{{0, 0, 80, 8}, format, 5, counts};
    wanted.sorted = false;
    return randomImage(wanted);
  }

  Pipeline pipeline_{context()};
  FragmentLists front_, back_, merged_;
};

TEST_P(PipelineMerge, TwoAreMergedWhereStorageBlocksAreFew) {
  limitStorageBlocks(9);  // the least that GL allows is 8, which linked lists do not fit
  const DeepImage front = randomImage({.window = {0, 0, 17, 9}, .seed = 3}),
                  back = randomImage({.window = {0, 0, 17, 9}, .seed = 4});
  Pipeline few{context()};
  FragmentLists a, b, out;
  const ListShape shape = shapeOf(settings(), front.format);
  uploadLists(few, front, {0, 0}, {0, 0, 17, 9}, shape, a);
  uploadLists(few, back, {0, 0}, {0, 0, 17, 9}, shape, b);
  Settings stepwise = settings();
  stepwise.method = Method::Stepwise;
  mergeLists(few, std::array{&a, &b}, stepwise, out);
  EXPECT_TRUE(sameWords(downloadLists(few, out, {0, 0}, front), reference::merge(front, back)));
}

TEST_P(PipelineMerge, EqualsTheReferenceInEveryShape) {
  // Every block size with either fragment size would only compile the same code again, as would
  // each of these shapes with both orders of slots: they take turns.
  const std::pair<FragmentFormat, BlockSize> shapes[] = {
      {FragmentFormat::Rgba8, BlockSize::Four},
      {FragmentFormat::Half, BlockSize::Four},
      {FragmentFormat::Rgba8, BlockSize::Sixteen},
      {FragmentFormat::Half, BlockSize::Eight},
      {FragmentFormat::Half, BlockSize::One}};
  std::size_t turn = 0;
  for (const auto& [format, block] : shapes) {
    if (block == BlockSize::One && GetParam() != Layout::RankInterleaved) continue;
    const DeepImage front = randomImage({{0, 0, 17, 9}, format, 1, test::boundaryCounts(1)});
    const DeepImage back = randomImage({{0, 0, 17, 9}, format, 2, test::boundaryCounts(2)});
    Settings s = settings();
    s.blockSize = block;
    s.slots = kSlots[++turn / 2 % 2];
    for (const Method method : test::kMethods)
      for (const Links link : links()) {
        s.method = method, s.links = link;
        expectMerge(front, back, s);
      }
  }
}

TEST_P(PipelineMerge, EqualsTheReferenceAtBoundarySizes) {
  Settings s = settings();
  for (const glm::ivec2 size : kSizes) {
    SCOPED_TRACE(testing::Message() << size.x << " x " << size.y);
    const Rect window{0, 0, size.x, size.y};
    const DeepImage front = randomImage({.window = window, .seed = 3});
    const DeepImage back =
        randomImage({.window = window, .seed = 4, .counts = test::boundaryCounts(9)});
    for (const Method method : test::kMethods) {
      s.method = method;
      expectMerge(front, back, s);
    }
  }
}

TEST_P(PipelineMerge, UnitesDataWindows) {
  expectMerge(randomImage({.window = {-3, 5, 9, 7}}),
              randomImage({.window = {2, -4, 11, 12}, .seed = 2}), settings());
  expectMerge(randomImage({.window = {0, 0, 3, 2}}),
              randomImage({.window = {40, 20, 2, 3}, .seed = 2}), settings());
}

TEST_P(PipelineMerge, WithNothingChangesNothing) {
  const DeepImage image = randomImage({.window = {0, 0, 9, 9}});
  const DeepImage none = randomImage({.window = {0, 0, 9, 9}, .counts = test::constantCount(0)});
  const Settings s = settings();
  EXPECT_TRUE(sameWords(merged(image, none, s), image));
  EXPECT_TRUE(sameWords(merged(none, image, s), image));
  EXPECT_TRUE(sameWords(merged(none, none, s), none));
}

TEST_P(PipelineMerge, KeepsTheOrderOfIndexedFragments) {
  const DeepImage front = randomImage({{0, 0, 11, 6}, FragmentFormat::Indexed});
  RandomImage second{{0, 0, 11, 6}, FragmentFormat::Indexed, 2, test::boundaryCounts(7)};
  second.firstIndex = std::uint32_t(front.fragmentCount());
  expectMerge(front, randomImage(second), settings());
}

TEST_P(PipelineMerge, KeepsFrontFirstWhenAllDepthsAreEqual) {
  DeepImage front = randomImage({.window = {0, 0, 8, 8}}),
            back = randomImage({.window = {0, 0, 8, 8}, .seed = 2});
  for (DeepImage* image : {&front, &back})
    for (std::size_t i = 0; i < image->fragmentCount(); ++i)
      image->words[4 * i + 2] = image->words[4 * i + 3] = 0x3F800000u;
  Settings s = settings();
  for (const Links link : links()) {
    s.links = link;
    expectMerge(front, back, s);
  }
}

TEST_P(PipelineMerge, OfListsBeyond512) {
  const auto counts = [](int x, int y) { return x == 1 && y == 2 ? 1025u : x == 3 ? 513u : 40u; };
  expectMerge(randomImage({.window = {0, 0, 5, 3}, .counts = counts}),
              randomImage({.window = {0, 0, 5, 3}, .seed = 2, .counts = counts}), settings());
}

TEST_P(PipelineMerge, DownloadGivesBackWhatWasUploaded) {
  Settings s = settings();
  for (const Slots slots : kSlots)
    for (const glm::ivec2 size : kSizes) {
      s.slots = slots;
      const Rect window{-2, 7, size.x, size.y};
      const DeepImage image = randomImage({.window = window, .seed = std::uint32_t(size.x)});
      upload(image, window, s, front_);
      EXPECT_TRUE(sameWords(downloadLists(pipeline_, front_, {window.x, window.y}, image), image))
          << size.x << " x " << size.y;
    }
}

TEST_P(PipelineMerge, UploadSortsListsOfEveryLengthClassInPlace) {
  pipeline_.sortMethod = SortMethod::InPlace;
  for (const FragmentFormat format : kFormats) expectSorted(everyLengthTo(512, format));
}

TEST_P(PipelineMerge, UploadSortsListsOfEveryLengthClassByNetworks) {
  pipeline_.sortMethod = SortMethod::Network;
  expectSorted(everyLengthTo(100, FragmentFormat::Half));
}

TEST_P(PipelineMerge, UploadSortsListsOfAnyLength) {
  // Short and long lists in one group; runs of 1024 merged once, twice, three times.
  constexpr std::uint32_t lengths[] = {512, 513, 1023, 1024, 1025, 2048, 5000, 3, 700};
  const auto counts = [&](int x, int y) { return y == 0 ? lengths[x] : std::uint32_t(x); };
  for (const FragmentFormat format : kFormats) {
    RandomImage wanted{{0, 0, 9, 3}, format, 6, counts};
    wanted.sorted = false;
    expectSorted(randomImage(wanted));
  }
}

TEST_P(PipelineMerge, OfSeveralInputsEqualsTheReference) {
  std::vector<DeepImage> images;
  for (std::uint32_t i = 0; i < 4; ++i)
    images.push_back(
        randomImage({.window = {0, 0, 9, 9}, .seed = i, .counts = test::boundaryCounts(i)}));
  const Rect window{0, 0, 9, 9};
  Settings s = settings();
  for (const Links link : links()) {
    s.links = link;
    std::vector<FragmentLists> lists(4);
    for (std::size_t i = 0; i < 4; ++i) upload(images[i], window, s, lists[i]);
    // A chain: the second merge has one input that was pushed and one that was not.
    FragmentLists two, three, four;
    mergeLists(pipeline_, std::array{&lists[0], &lists[1]}, s, two);
    mergeLists(pipeline_, std::array{&two, &lists[2]}, s, three);
    mergeLists(pipeline_, std::array{&three, &lists[3]}, s, four);
    EXPECT_TRUE(sameWords(downloadLists(pipeline_, three, {0, 0}, images[0]),
                          reference::merge(std::span(images).first(3))))
        << "links " << int(link);
    EXPECT_TRUE(
        sameWords(downloadLists(pipeline_, four, {0, 0}, images[0]), reference::merge(images)))
        << "links " << int(link);
  }
}

TEST_P(PipelineMerge, ReadsTheListOfOnePixel) {
  const DeepImage image = randomImage({.window = {0, 0, 17, 9}});
  Settings s = settings();
  for (const Slots slots : kSlots) {
    s.slots = slots;
    upload(image, image.dataWindow, s, front_);
    for (const glm::ivec2 at : {glm::ivec2(0, 0), glm::ivec2(16, 8), glm::ivec2(5, 7)}) {
      const auto list = image.list(at.x, at.y);
      EXPECT_EQ(readList(pipeline_, front_, at.x, at.y),
                std::vector<std::uint32_t>(list.begin(), list.end()));
    }
  }
}

TEST_P(PipelineMerge, CountsFragmentsPerPixelOfAllInputs) {
  const DeepImage a = randomImage({.window = {0, 0, 13, 9}});
  const DeepImage b =
      randomImage({.window = {0, 0, 13, 9}, .seed = 2, .counts = test::boundaryCounts(3)});
  upload(a, a.dataWindow, settings(), front_);
  upload(b, b.dataWindow, settings(), back_);
  FragmentLists* const inputs[] = {&front_, &back_};
  const std::vector<std::uint32_t> counts = countPixels(pipeline_, inputs);
  ASSERT_EQ(counts.size(), a.pixelCount());
  for (std::size_t p = 0; p < counts.size(); ++p)
    EXPECT_EQ(counts[p], a.fragmentOffsets[p + 1] - a.fragmentOffsets[p] +
                             b.fragmentOffsets[p + 1] - b.fragmentOffsets[p]);
}

INSTANTIATE_TEST_SUITE_P(Layouts, PipelineMerge, testing::ValuesIn(test::kLayouts),
                         test::layoutName);

}  // namespace
}  // namespace fathom::deep
