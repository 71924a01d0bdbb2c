// SPDX-License-Identifier: BSD-3-Clause
// The operations on the GPU: in every layout and slot order what the CPU makes in double, fragment
// for fragment; colors to the rounding of a half where an operation computed them. Flattening mixed
// points and volumes rounds nothing on the way, and is held to 1e-6 of a witness in double.
#include "app/engine/deep/lists/arrange_lists.h"
#include "app/engine/deep/lists/merge_lists.h"
#include "app/engine/deep/lists/scene_capture.h"
#include "app/engine/deep/operations/operations.h"
#include "app/engine/deep/reference.h"
#include "tests/deep/operations/literal_tidy.h"
#include "tests/support/gpu_test.h"
#include "tests/support/synthetic_deep.h"

#include <random>

namespace fathom::deep {
namespace {

constexpr Rect kWindow{0, 0, 37, 29};
constexpr float kInf = std::numeric_limits<float>::infinity();

DeepImage mixed(std::uint32_t seed, const Rect& window = kWindow) {
  DeepImage image = test::deepImage(window, test::mixedLists(std::size_t(window.area()), seed));
  image.hasZBack = true;
  return image;
}

/// Points at few depths, so that many coincide.
DeepImage points(std::uint32_t seed, FragmentFormat format = FragmentFormat::Half) {
  DeepImage image = test::randomImage(
      {kWindow, format, seed, test::boundaryCounts(seed), test::Colors::Premultiplied});
  if (format == FragmentFormat::Half)
    for (std::size_t i = 0; i < image.words.size(); i += 4) image.words[i + 3] = image.words[i + 2];
  sortLists(image);
  return image;
}

/// Volumes that end nowhere, and what lies in them.
DeepImage infinite() {
  const Fragment all{0.25f, 0.5f, 0, 0.75f, -kInf, kInf}, behind{0.5f, 0.25f, 0, 0.75f, 1, kInf},
      point{0, 0, 0.5f, 0.5f, 2, 2};
  DeepImage image = test::deepImage({0, 0, 3, 1}, {{all, behind}, {behind, point}, {all, point}});
  image.hasZBack = true;
  return image;
}

/// Volumes of one place in the order of their words: cut at one depth, they have no other.
DeepImage inOrder(DeepImage image) {
  sortLists(image);
  return image;
}

/// Without what is so little that rounding decides whether it was dropped.
DeepImage withoutLeast(const DeepImage& image) {
  DeepImage kept = image;
  kept.words.clear();
  kept.fragmentOffsets = {0};
  const auto stride = std::size_t(image.stride());
  for (std::size_t p = 0; p < image.pixelCount(); ++p) {
    for (std::size_t i = image.fragmentOffsets[p]; i < image.fragmentOffsets[p + 1]; ++i) {
      const Fragment f = decodeFragment(image, i);
      if (std::max({std::abs(f.r), std::abs(f.g), std::abs(f.b), f.a}) < 2e-6f) continue;
      kept.words.insert(kept.words.end(), image.words.begin() + std::ptrdiff_t(i * stride),
                        image.words.begin() + std::ptrdiff_t((i + 1) * stride));
    }
    kept.fragmentOffsets.push_back(kept.words.size() / stride);
  }
  return kept;
}

/// What passes to each fragment of an image.
std::vector<double> passingOf(const DeepImage& image) {
  std::vector<double> all;
  for (std::size_t p = 0; p < image.pixelCount(); ++p) {
    double passing = 1;
    for (std::size_t i = image.fragmentOffsets[p]; i < image.fragmentOffsets[p + 1]; ++i) {
      all.push_back(passing);
      passing *= 1 - decodeFragment(image, i).a;
    }
  }
  return all;
}

/// Same window and counts, same depths, colors within half a step of a half (or of 8 bits) and
/// `bound`; with `passing`, the bound is of what shows of a fragment.
testing::AssertionResult sameButForRounding(const DeepImage& found, const DeepImage& expected,
                                            double bound = 2e-6,
                                            const std::vector<double>& passing = {}) {
  const double step = 1.0 / 1024;
  if (expected.format == FragmentFormat::Rgba8) bound = 2.0 / 255;  // alpha and straight color
  if (found.fragmentOffsets != expected.fragmentOffsets)
    return testing::AssertionFailure() << "counts differ: expected " << expected.fragmentCount()
                                       << " fragments, found " << found.fragmentCount();
  for (std::size_t i = 0; i < expected.fragmentCount(); ++i) {
    const Fragment f = decodeFragment(found, i), e = decodeFragment(expected, i);
    if (f.z != e.z || f.zBack != e.zBack)
      return testing::AssertionFailure() << "fragment " << i << ": expected Z " << e.z << " to "
                                         << e.zBack << ", found " << f.z << " to " << f.zBack;
    const float fs[] = {f.r, f.g, f.b, f.a}, es[] = {e.r, e.g, e.b, e.a};
    for (int c = 0; c < 4; ++c)
      if (const double shows = passing.empty() ? 1 : std::max(passing[i], 1e-12);
          !(std::abs(fs[c] - es[c]) <= step * std::abs(es[c]) + bound / shows))
        return testing::AssertionFailure() << "fragment " << i << " channel " << c << ": expected "
                                           << es[c] << ", found " << fs[c];
  }
  return testing::AssertionSuccess();
}

class PipelineEdit : public test::GpuTest, public testing::WithParamInterface<Layout> {
 protected:
  ListShape shape(const DeepImage& image, Slots slots = Slots::Tile2x8) const {
    const Settings s{.layout = GetParam(), .slots = slots};
    return shapeOf(s, image.format);
  }
  void upload(const DeepImage& image, FragmentLists& out, Slots slots = Slots::Tile2x8) {
    const Rect& w = image.dataWindow;
    uploadLists(pipeline_, image, {w.x, w.y}, {0, 0, w.width, w.height}, shape(image, slots), out);
  }
  DeepImage download(const FragmentLists& lists, const DeepImage& like) {
    return downloadLists(pipeline_, lists, {like.dataWindow.x, like.dataWindow.y}, like);
  }
  DeepImage depths(const DeepImage& image, const InputEdit& edit) {
    upload(image, in_);
    editDepths(pipeline_, in_, edit, image.hasZBack, out_);
    return download(out_, image);
  }
  static DeepImage expected(const std::vector<DeepImage>& images,
                            const std::vector<InputEdit>& edits, const MergeEdit& merge = {}) {
    return mergeEdited(withEdits(images, edits), merge);
  }
  DeepImage held(const DeepImage& image, const DeepImage& matte, Role role) {
    upload(image, in_);
    if (image.hasZBack) {
      tidyLists(pipeline_, in_, tidy_);
      std::swap(in_, tidy_);
    }
    upload(matte, matte_);
    holdLists(pipeline_, in_, matte_, role, HoldRule::Exact, out_);
    return download(out_, image);
  }

  Pipeline pipeline_{context()};
  FragmentLists in_, matte_, tidy_, out_;
};

TEST_P(PipelineEdit, TidyEqualsTheReference) {
  for (const Slots slots : {Slots::Raster, Slots::Tile2x8})
    for (const DeepImage& image :
         {mixed(1), points(2), infinite(), points(3, FragmentFormat::Rgba8)}) {
      SCOPED_TRACE(testing::Message() << image.fragmentCount() << " fragments");
      upload(image, in_, slots);
      tidyLists(pipeline_, in_, out_);
      const DeepImage found = download(out_, image);
      EXPECT_TRUE(test::isTidy(found));
      EXPECT_TRUE(sameButForRounding(found, expected({image}, {}, {.tidy = true})));
    }
}

TEST_P(PipelineEdit, TidyKeepsEveryBitOfWhatIsTidy) {
  const DeepImage image = expected({mixed(4)}, {}, {.tidy = true});
  upload(image, in_);
  tidyLists(pipeline_, in_, out_);
  EXPECT_TRUE(test::sameWords(download(out_, image), image));
}

TEST_P(PipelineEdit, FlattensMixedSamplesWithin1e6OfTheLiteralDefinition) {
  const Rect window{0, 0, 100, 100};
  const std::vector<std::vector<Fragment>> lists = test::mixedLists(10000, 11);
  DeepImage image = test::deepImage(window, lists);
  image.hasZBack = true;
  const gpu::Texture picture(context(), "tidy", gpu::TextureFormat::Rgba32f, 100, 100);
  upload(image, in_);
  flattenTidy(pipeline_, in_, EarlyOut::Off, picture);
  const Image found = picture.downloadImage();
  double worst = 0;
  for (std::size_t p = 0; p < lists.size(); ++p) {
    const glm::dvec4 exact = test::over(test::literallyTidy(lists[p]));
    for (int c = 0; c < 4; ++c) {
      worst = std::max(worst, std::abs(double(found.pixels[p][c]) - exact[c]));
      ASSERT_NEAR(found.pixels[p][c], exact[c], 1e-6) << "pixel " << p << " channel " << c;
    }
  }
  RecordProperty("worst", std::to_string(worst));
}

TEST_P(PipelineEdit, FlattenTidyOfTidyListsIsFlatten) {
  const DeepImage image = expected({mixed(4)}, {}, {.tidy = true});
  const gpu::Texture one(context(), "tidy", gpu::TextureFormat::Rgba32f, 37, 29);
  const gpu::Texture two(context(), "flat", gpu::TextureFormat::Rgba32f, 37, 29);
  upload(image, in_);
  flattenTidy(pipeline_, in_, EarlyOut::Exact, one);
  flattenLists(pipeline_, in_, EarlyOut::Exact, two);
  EXPECT_TRUE(test::exact(one.downloadImage().pixels, two.downloadImage().pixels));
}

TEST_P(PipelineEdit, DepthsEqualTheReference) {
  const InputEdit edits[] = {{.zScale = 0.7f, .zOffset = -1.3f},
                             {.nearest = 1.2f, .farthest = 4.1f},
                             {.zScale = 3, .zOffset = 2, .nearest = 5, .farthest = kInf},
                             {.nearest = 9, .farthest = 8}};
  for (const InputEdit& edit : edits) {
    EXPECT_TRUE(
        sameButForRounding(inOrder(depths(mixed(5), edit)), inOrder(expected({mixed(5)}, {edit}))));
    EXPECT_TRUE(test::sameWords(depths(points(6), edit), expected({points(6)}, {edit})));
  }
}

TEST_P(PipelineEdit, HoldEqualsTheReference) {
  for (const Role role : {Role::HoldOut, Role::HoldIn}) {
    const std::vector<InputEdit> edits{{}, {.role = role}};
    const std::pair<DeepImage, DeepImage> cases[] = {
        {mixed(7), mixed(8)},
        {points(7), mixed(8)},
        {points(7, FragmentFormat::Rgba8), points(8, FragmentFormat::Rgba8)}};
    for (const auto& [main, matte] : cases) {
      DeepImage image = main;
      image.hasZBack = image.format == FragmentFormat::Half;
      // The lists that are held are tidy when they have volumes; here all are, or none.
      const bool tidies = image.hasZBack;
      const DeepImage tidy = tidies ? expected({image}, {}, {.tidy = true}) : image;
      // Behind alpha next to 1, what passes is a difference of floats: few digits of what hardly
      // shows.
      const DeepImage whole = withoutLeast(expected({tidy, matte}, edits));
      EXPECT_TRUE(
          sameButForRounding(withoutLeast(held(image, matte, role)), whole, 1e-6, passingOf(whole)))
          << "role " << int(role) << ", format " << int(image.format);
    }
  }
}

TEST_P(PipelineEdit, DropHiddenEqualsTheReference) {
  for (const float alpha : {1.0f, 0.75f, 0.2f})
    for (const DeepImage& image : {points(9), mixed(9), points(9, FragmentFormat::Rgba8)}) {
      upload(image, in_);
      dropHidden(pipeline_, in_, alpha, out_);
      EXPECT_TRUE(
          test::sameWords(download(out_, image), expected({image}, {}, {.dropHidden = alpha})));
    }
}

/// Lists of many fragments that hide little: what is cheapest next lies anywhere.
DeepImage longLists() {
  std::mt19937 random(11);
  std::vector<std::vector<Fragment>> lists;
  for (const std::size_t count : {2, 63, 64, 65, 127, 128, 129, 200, 400, 700}) {
    std::vector<Fragment> list;
    float z = 1;
    for (std::size_t i = 0; i < count; ++i) {
      z += 1e-3f * float(1 + random() % 1000);
      const float alpha = float(1 + random() % 8) / 1024;
      list.push_back({alpha, alpha / 2, 0, alpha, z, z});
    }
    lists.push_back(list);
  }
  return test::deepImage({0, 0, 5, 2}, lists);
}

TEST_P(PipelineEdit, ThinEqualsTheReference) {
  const DeepImage image = test::sphereField({37, 29, 24, 5}), many = longLists();
  const DeepImage volumes = test::sphereField({37, 29, 12, 6, true});
  for (const int most : {1, 3, 7, 90})
    for (const DeepImage* one : {&image, &volumes, &many}) {
      ThinReport report;
      const DeepImage thin = mergeEdited(withEdits(std::span(one, 1)), {.maxCount = most}, &report);
      upload(*one, in_);
      const float found = thinLists(pipeline_, in_, most, out_);
      EXPECT_NEAR(found, report.move, 1e-5f * report.move);
      const DeepImage lists = download(out_, *one);
      ASSERT_EQ(lists.fragmentOffsets, thin.fragmentOffsets);
      EXPECT_TRUE(test::isSorted(lists));
      // Costs that tie to rounding may group otherwise: hardly any do.
      std::size_t differing = 0;
      for (std::size_t i = 0; i < thin.fragmentCount(); ++i) {
        const Fragment f = decodeFragment(lists, i), e = decodeFragment(thin, i);
        differing += std::abs(f.z - e.z) > 1e-5f * std::abs(e.z) || std::abs(f.a - e.a) > 1e-3f;
      }
      EXPECT_LE(differing, thin.fragmentCount() / 200);
    }
}

TEST_P(PipelineEdit, OfListsThatRunBackToFront) {
  const DeepImage a = points(1), b = points(2);
  const Settings s{.layout = GetParam(), .links = Links::Push};
  FragmentLists front, back;
  upload(a, front);
  upload(b, back);
  mergeLists(pipeline_, std::array{&front, &back}, s, in_);
  tidyLists(pipeline_, in_, out_);
  EXPECT_TRUE(sameButForRounding(download(out_, a), expected({a, b}, {}, {.tidy = true})));
}

TEST_P(PipelineEdit, OfNothingIsNothing) {
  const DeepImage none = test::randomImage({.window = kWindow, .counts = test::constantCount(0)});
  upload(none, in_);
  tidyLists(pipeline_, in_, out_);
  EXPECT_TRUE(test::sameWords(download(out_, none), none));
  EXPECT_TRUE(test::sameWords(held(points(1), none, Role::HoldIn), none));
  EXPECT_TRUE(test::sameWords(held(points(1), none, Role::HoldOut), points(1)));
}

TEST_P(PipelineEdit, LongListsOfOverlappingVolumes) {
  std::vector<Fragment> list;
  for (int i = 0; i < 300; ++i)
    list.push_back({0.01f, 0.01f, 0, 0.015625f, float(i), float(i + 40 + i % 7)});
  DeepImage image = test::deepImage({0, 0, 2, 1}, {list, {list[3]}});
  image.hasZBack = true;
  upload(image, in_);
  tidyLists(pipeline_, in_, out_);
  EXPECT_TRUE(sameButForRounding(download(out_, image), expected({image}, {}, {.tidy = true})));
}

INSTANTIATE_TEST_SUITE_P(Layouts, PipelineEdit, testing::ValuesIn(test::kLayouts),
                         test::layoutName);

}  // namespace
}  // namespace fathom::deep
