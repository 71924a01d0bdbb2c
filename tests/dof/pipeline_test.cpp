// SPDX-License-Identifier: BSD-3-Clause
// From fragments to sorted lists and a picture: the GPU holds what brute force on the CPU finds, at
// every size, in any number of bands, and however little room there was at first.
#include "app/engine/dof/splats/pipeline.h"
#include "app/engine/dof/splats/list_reader.h"
#include "app/engine/dof/splats/reference.h"
#include "app/engine/dof/splats/tile_sorter.h"
#include "app/engine/gpu/stress.h"
#include "tests/dof/pictures.h"
#include "tests/support/gpu_test.h"

namespace fathom::dof {
namespace {

using test::discPicture;
using test::lensWith;
using test::planePicture;

class DofPipeline : public test::GpuTest {
 protected:
  /// Lists of the whole picture, band after band; accumulates when `op` says so.
  void run(const Image& picture, const Lens& lens, Sort sort = Sort::Bitonic,
           Operator op = Operator::Coverage) {
    source_.reset();
    texture_ = gpu::Texture(context(), "test picture", gpu::TextureFormat::Rgba32f, picture.width,
                            picture.height);
    texture_.upload(picture);
    source_ = std::make_unique<PictureSource>(context(), texture_);
    runSource(*source_, lens, sort, op);
  }
  void runSource(Source& source, const Lens& lens, Sort sort, Operator op) {
    aperture_ = apertureOf(settings_);
    map_ = aperture_.plain() ? std::nullopt : std::optional(ApertureMap(aperture_));
    if (!tables_) tables_ = std::make_unique<ApertureTables>(context());
    tables_->update(aperture_);
    request_ = {};
    request_.optics = opticsOf(lens, aperture_, settings_, frame_);
    request_.optics.epsilon = 0;  // nothing is left away
    request_.area = area_;
    request_.mapped = !aperture_.plain();
    request_.varies = aperture_.varies(), request_.colored = aperture_.colored();
    request_.cells = op == Operator::LensCells;
    request_.tables = tables_.get();
    request_.reach = reachOf(lens, aperture_, frame_);
    request_.sort = sort;
    result_ = gpu::Texture(context(), "test result", gpu::TextureFormat::Rgba32f, source.size().x,
                           source.size().y);
    pipeline().begin(source, request_);
    for (std::size_t band = 0; band < pipeline().bands().size(); ++band) {
      pipeline().build(band);
      if (area_) accumulateArea(context(), pipeline(), request_.optics, op, result_);
    }
  }
  Pipeline& pipeline() {
    if (!pipeline_) pipeline_ = std::make_unique<Pipeline>(context());
    return *pipeline_;
  }
  Image result() const { return result_.downloadImage(); }
  /// The lists on the GPU, as splat indices.
  std::vector<std::vector<std::uint32_t>> gpuLists() {
    const auto begin = pipeline().lists().tileBegin->download();
    const auto entries = ListReader(pipeline()).entries();
    std::vector<std::vector<std::uint32_t>> lists;
    for (std::uint32_t t = 0; t < pipeline().lists().tileCount(); ++t)
      lists.emplace_back(entries.begin() + begin[t], entries.begin() + begin[t + 1]);
    return lists;
  }
  /// Order and members at once: both sides list splats front to back.
  void expectListsOfBruteForce() {
    const auto expected = reference::tileLists(ListReader(pipeline()).splats());
    const auto found = gpuLists();
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t t = 0; t < found.size(); ++t)
      EXPECT_TRUE(test::exact(found[t], expected[t])) << "tile " << t;
  }

  gpu::Texture texture_, result_;
  std::unique_ptr<PictureSource> source_;
  std::unique_ptr<Pipeline> pipeline_;
  ListRequest request_;
  reference::Discs discs() const { return {area_, map_ ? &*map_ : nullptr, frame_}; }

  Aperture aperture_;
  std::optional<ApertureMap> map_;
  std::unique_ptr<ApertureTables> tables_;
  Settings settings_;
  ImageFrame frame_;
  bool area_ = true;
};

/// Sums of up to a thousand products in single precision, of colors up to 1.
constexpr float kRounding = 2e-4f;

TEST_F(DofPipeline, ListsAreThoseOfBruteForceInDepthOrder) {
  area_ = false;
  run(discPicture(75, 53), lensWith(8, 5, 8));
  expectListsOfBruteForce();
  area_ = true;
  run(discPicture(75, 53), lensWith(8, 5, 8));
  expectListsOfBruteForce();
}

TEST_F(DofPipeline, RadixSortGivesTheSameLists) {
  run(discPicture(75, 53), lensWith(8, 5, 8), Sort::Radix);
  expectListsOfBruteForce();
}

TEST_F(DofPipeline, ListsHoldAtOddSizes) {
  for (const glm::ivec2 size : {glm::ivec2(1, 1), {15, 16}, {16, 17}, {37, 21}, {33, 1}}) {
    SCOPED_TRACE(fmt::format("{} x {}", size.x, size.y));
    run(discPicture(size.x, size.y, 3), lensWith(6, 4, 16));
    expectListsOfBruteForce();
  }
}

TEST_F(DofPipeline, ListsOfTheLargestRadius) {
  area_ = false;
  run(planePicture(150, 40, 50), lensWith(60, 2, 64));
  EXPECT_GT(pipeline().lists().longest, 4096u);  // sorted where the list lies
  expectListsOfBruteForce();
}

TEST_F(DofPipeline, ListsTooLongForOneGroupAreSortedAtOnce) {
  pipeline().setLongestSorted(5000);
  area_ = false;
  run(planePicture(150, 40, 50), lensWith(60, 2, 64));
  EXPECT_GT(pipeline().lists().longest, 5000u);
  EXPECT_EQ(pipeline().keyWords(), 1);  // splats alone: sorted all at once
  expectListsOfBruteForce();
  // A picture without such lists goes back to sorting each by itself; without a wait, too.
  run(planePicture(16, 16, 5), lensWith(0.5, 5, 8));
  EXPECT_EQ(pipeline().keyWords(), 2);
  expectListsOfBruteForce();
  run(planePicture(150, 40, 50), lensWith(30, 2, 64));
  pipeline().setLongestSorted(100);
  pipeline().begin(*source_, request_);
  pipeline().queue(0);
  EXPECT_EQ(pipeline().check(true), Pipeline::Check::Again);
  pipeline().queue(0);
  EXPECT_EQ(pipeline().check(true), Pipeline::Check::Holds);
  expectListsOfBruteForce();
}

// On hardware: what a network is not given time for is sorted together.
TEST_F(DofPipeline, ListsBeyondTheLongestDispatchAreSortedAtOnce) {
  EXPECT_TRUE(TileSorter::sortsListsOf(45'000'000));
  EXPECT_FALSE(TileSorter::sortsListsOf(47'000'000));
  gpu::stress().slower = 1000;
  for (const Sort sort : {Sort::Auto, Sort::Bitonic}) {
    SCOPED_TRACE(int(sort));
    EXPECT_NO_THROW(run(discPicture(150, 106), lensWith(8, 5, 8), sort));
    EXPECT_EQ(pipeline().bands().size() == 1, sort == Sort::Auto || context().device().software);
    if (pipeline().bands().size() == 1) expectListsOfBruteForce();
  }
  gpu::stress() = {};
}

TEST_F(DofPipeline, RadiusOfAStripOf4096Pixels) {
  run(planePicture(4096, 2, 50), lensWith(5, 2, 8));
  expectListsOfBruteForce();
}

TEST_F(DofPipeline, SplatsAreThoseOfTheReference) {
  area_ = false;
  const Image picture = discPicture(61, 35);
  const Lens lens = lensWith(9, 4, 16);
  run(picture, lens);
  const SplatList found = ListReader(pipeline()).splats();
  const SplatList expected = test::splatsOf(picture, lens);
  ASSERT_EQ(found.splats.size(), expected.splats.size());
  for (std::size_t i = 0; i < found.splats.size(); ++i) {
    const Splat &f = found.splats[i], &e = expected.splats[i];
    ASSERT_EQ(f.pixel, e.pixel);
    ASSERT_EQ(f.z, e.z);
    // r = K - K S / z in single precision: an error of about 2^-23 K S / z = 1e-5 px at z = 0.4,
    // and one step of half beside it.
    ASSERT_NEAR(f.r2, e.r2, 1e-3 * e.r2 + 1e-5) << "splat " << i;
  }
}

TEST_F(DofPipeline, OverflowFromOneEntryGivesTheSameImage) {
  const Image picture = discPicture(90, 60);
  const Lens lens = lensWith(8, 5, 16);
  run(picture, lens);
  const Image expected = result();
  pipeline_ = std::make_unique<Pipeline>(context());
  pipeline().setCapacity(1);
  run(picture, lens);
  EXPECT_EQ(pipeline().totals().overflowRedos, 1);
  EXPECT_TRUE(test::rounding(result(), expected, 0));
}

TEST_F(DofPipeline, BandsGiveTheSameImage) {
  const Image picture = discPicture(70, 150);
  const Lens lens = lensWith(8, 5, 16);
  for (const Sort sort : {Sort::Bitonic, Sort::Radix}) {
    pipeline_ = std::make_unique<Pipeline>(context());
    run(picture, lens, sort);
    const Image expected = result();
    const std::uint32_t entries = pipeline().lists().entryCount;
    pipeline_ = std::make_unique<Pipeline>(context());
    context().memory().setBlockLimit(190000);  // records of five rows of tiles
    EXPECT_GT(entries, 190000u / 8);
    run(picture, lens, sort);
    EXPECT_GE(pipeline().bands().size(), 5u);
    EXPECT_TRUE(test::rounding(result(), expected, 0));
    context().memory().setBlockLimit(context().limits().storageBlockBytes);
  }
}

/// A row of tiles does not fit; discs of up to 128 px reach over half of the picture.
TEST_F(DofPipeline, PartsOfRowsGiveTheSameImage) {
  const Image picture = discPicture(400, 20);
  for (const auto& [radius, limit] : {std::pair(16, 70000), {128, 200000}}) {
    SCOPED_TRACE(radius);
    const Lens lens = lensWith(radius / 2.0, 5, radius);
    pipeline_ = std::make_unique<Pipeline>(context());
    run(picture, lens);
    const Image expected = result();
    const auto entries = pipeline().totals().entries, splats = pipeline().totals().splats;
    pipeline_ = std::make_unique<Pipeline>(context());
    context().memory().setBlockLimit(limit);
    run(picture, lens);
    context().memory().setBlockLimit(context().limits().storageBlockBytes);
    for (const TileArea& band : pipeline().bands()) EXPECT_LT(band.columns.count, 13);
    EXPECT_EQ(pipeline().totals().entries, entries);
    EXPECT_EQ(pipeline().totals().splats, splats);
    EXPECT_EQ(pipeline().totals().tiles, 50u);
    EXPECT_TRUE(test::rounding(result(), expected, 0));
  }
}

TEST_F(DofPipeline, ASingleTileThatDoesNotFitIsRefused) {
  context().memory().setBlockLimit(16 << 10);
  EXPECT_THROW(run(planePicture(600, 40, 50), lensWith(16, 2, 16)), Error);
}

TEST_F(DofPipeline, PictureIsThatOfTheReference) {
  const Image picture = discPicture(75, 53);
  for (const Operator op :
       {Operator::Over, Operator::Coverage, Operator::Slabs, Operator::LensCells}) {
    SCOPED_TRACE(int(op));
    run(picture, lensWith(7, 5, 16), Sort::Bitonic, op);
    const Image expected = reference::blur(ListReader(pipeline()).splats(), op, discs());
    EXPECT_TRUE(test::rounding(result(), expected, kRounding));
  }
}

/// What pixels have gathered goes from part to part.
TEST_F(DofPipeline, ListsInPartsGiveTheSamePicture) {
  frame_ = {{37, 26}, 45};
  for (const bool faults : {false, true})
    for (const Operator op :
         {Operator::Over, Operator::Coverage, Operator::Slabs, Operator::LensCells}) {
      SCOPED_TRACE(fmt::format("operator {}, faults {}", int(op), faults));
      settings_.blades = faults ? Blades::Five : Blades::Round;
      settings_.catsEye = faults ? 0.5f : 0;
      const auto made = [&](std::uint32_t part) {
        pipeline_ = std::make_unique<Pipeline>(context());
        pipeline().setListPart(part);
        run(discPicture(75, 53), lensWith(7, 5, 16), Sort::Radix, op);
        return result();
      };
      const Image whole = made(1u << 20);
      EXPECT_GT(pipeline().totals().longest, 700u);
      for (const std::uint32_t part : {256u, 500u})
        EXPECT_TRUE(test::rounding(made(part), whole, 2e-6f)) << part;
    }
}

/// Sums over discs of 200 pixels each, for 400 fragments: more than an invocation goes on llvmpipe.
TEST_F(DofPipeline, WhatIsCutIsMadeUpForInPilesOfFragments) {
  settings_.catsEye = 0.6f, settings_.swirl = 0.4f;
  frame_ = {{-20, 10}, 30};
  const float alpha = 1e-3f;
  PointLists lists;
  lists.size = {4, 4};
  for (int i = 0; i < 16; ++i) {
    for (int k = 0; k < 400; ++k)
      lists.fragments.push_back({{alpha, 0, 0, alpha}, 5 + 1e-4f * float(k)});
    lists.offsets.push_back(lists.fragments.size());
  }
  texture_ = gpu::Texture(context(), "test picture", gpu::TextureFormat::Rgba32f, 4, 4);
  texture_.upload(planePicture(4, 4, 5));
  DeepSource source(context(), std::make_shared<PointLists>(lists), texture_, 0, 16,
                    Edges::Renormalize);
  runSource(source, lensWith(8, 10, 16), Sort::Radix, Operator::Coverage);
  const std::vector<Splat> splats = ListReader(pipeline()).splats().splats;
  for (std::size_t i = 0; i < splats.size(); i += 401 + 13) {
    const Splat& s = splats[i];
    const double opacity = alpha * std::pow(1 - alpha, std::round((s.z - 5) * 1e4));
    EXPECT_NEAR(s.opacity * map_->lightOf(s.r, s.pixel, frame_).g / opacity, 1, 1e-3) << i;
  }
}

/// A tile whose splats are so many that pairs of tiles are not counted, each for itself.
TEST_F(DofPipeline, PilesOfFragmentsAreListedAsTheReferenceDoes) {
  PointLists lists;
  lists.size = {16, 16};
  for (int i = 0; i < 256; ++i) {
    for (int k = 0; k < (i < 8 ? 9000 : 1); ++k)
      lists.fragments.push_back({{3e-4f, 0, 0, 3e-4f}, 5 + 0.001f * float(k)});
    lists.offsets.push_back(lists.fragments.size());
  }
  texture_ = gpu::Texture(context(), "test picture", gpu::TextureFormat::Rgba32f, 16, 16);
  texture_.upload(planePicture(16, 16, 5));
  DeepSource source(context(), std::make_shared<PointLists>(lists), texture_, 0, 16,
                    Edges::Renormalize);
  runSource(source, lensWith(7, 6, 16), Sort::Bitonic, Operator::Coverage);
  EXPECT_EQ(pipeline().keyWords(), 1);
  EXPECT_GT(pipeline().lists().longest, 65'535u);
  expectListsOfBruteForce();
}

/// Apertures with a map; the device interpolates its sums with the precision of its samplers.
TEST_F(DofPipeline, PictureOfEveryLensIsThatOfTheReference) {
  std::vector<Settings> lenses(4);
  lenses[0].blades = Blades::Five, lenses[0].sphericalAberration = 0.6f;
  lenses[1].squeeze = 1.6f;
  lenses[2].catsEye = 0.5f, lenses[2].swirl = 0.2f;
  lenses[3].catsEye = 0.3f, lenses[3].blades = Blades::Six;
  frame_ = {{19.5, 13.5}, 24};
  for (const Settings& settings : lenses) {
    SCOPED_TRACE(&settings - lenses.data());
    settings_ = settings;
    for (const Operator op : {Operator::LensCells, Operator::Coverage}) {
      run(discPicture(40, 28), lensWith(3, 5, 4), Sort::Bitonic, op);
      const Image expected = reference::blur(ListReader(pipeline()).splats(), op, discs());
      EXPECT_TRUE(test::rounding(result(), expected, 5e-3f));
    }
    const SplatList splats = ListReader(pipeline()).splats();
    // Weights make up for the light that is cut: each splat has all of its own.
    for (std::size_t i = 0; splats.weighted && i < splats.splats.size(); i += 97) {
      const Splat& s = splats.splats[i];
      EXPECT_NEAR(s.opacity * map_->lightOf(s.r, s.pixel, frame_).g, 1, 1e-3) << i;
    }
  }
}

/// Weights of splats of 200 radii from 0.3 to 200 px, near the middle of the frame, where the rims
/// of both discs graze, and halfway out: times the sum of their shares, 1 within 0.1 %.
TEST_F(DofPipeline, WhatIsCutIsMadeUpForAt200Radii) {
  std::vector<Settings> lenses(4);
  lenses[0].catsEye = 0.6f;
  lenses[1].catsEye = 0.6f, lenses[1].swirl = 0.4f;
  lenses[2].catsEye = 1, lenses[2].blades = Blades::Five, lenses[2].sphericalAberration = 0.7f;
  lenses[3].swirl = 0.4f, lenses[3].squeeze = 1.6f;
  Image picture(20, 10);
  const Lens lens = lensWith(400, 5, 256);
  for (int i = 0; i < 200; ++i) {
    const double r = (i % 2 ? -0.3 : 0.3) * std::pow(200 / 0.3, i / 199.0);
    picture.pixels[std::size_t(i)] = glm::vec4(1, 1, 1, 5 * 400 / (400 - r));
  }
  for (const glm::dvec2 middle : {glm::dvec2(-50, 40), {8, 3}})
    for (const Settings& settings : lenses) {
      settings_ = settings;
      frame_ = {middle, 120};
      run(picture, lens);
      double worst = 0, at = 0;
      for (const Splat& s : ListReader(pipeline()).splats().splats) {
        const double off = std::abs(s.opacity * map_->lightOf(s.r, s.pixel, frame_).g - 1);
        if (off > worst) worst = off, at = s.r;
      }
      EXPECT_LT(worst, 1e-3) << "lens " << &settings - lenses.data() << " at " << at;
    }
}

TEST_F(DofPipeline, ListLengthsAroundAChunk) {
  area_ = false;  // the paper's discs: a splat touches a tile when a pixel center lies in it
  // All sharp: a list is its tile's pixels. 255, 256, 257 and 512 entries by borders and radii.
  run(planePicture(15, 17, 5), lensWith(0.5, 5, 8));
  EXPECT_EQ(pipeline().lists().entryCount, 255u);
  run(planePicture(16, 16, 5), lensWith(0.5, 5, 8));
  EXPECT_EQ(pipeline().lists().longest, 256u);
  // One splat of the tile beside it reaches over.
  Image picture = planePicture(32, 16, 5);
  picture.at(16, 8).a = 6;
  run(picture, lensWith(12, 5, 8));
  EXPECT_EQ(pipeline().lists().longest, 257u);
  expectListsOfBruteForce();
  // A plane whose every splat of two tiles reaches into the other: 512.
  run(planePicture(32, 16, 50), lensWith(40, 2, 64));
  EXPECT_EQ(pipeline().lists().longest, 512u);
}

}  // namespace
}  // namespace fathom::dof
