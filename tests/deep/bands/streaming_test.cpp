// SPDX-License-Identifier: BSD-3-Clause
// Files merged and flattened without ever being in memory as a whole: the same fragments and the
// same picture for every budget, whatever windows, channels and storage the files have.
#include "app/engine/deep/read/streaming.h"

#include "app/engine/deep/engine.h"
#include "app/engine/deep/reference.h"
#include "tests/deep/deep_images.h"
#include "tests/support/gpu_test.h"
#include "tests/support/synthetic_deep.h"

namespace fathom::deep {
namespace {

using test::sphereField;

// ---- Cutting into bands

TEST(PlanBands, CutsIntoAsManyStripsAsFitAndWhereTilesEnd) {
  using Loads = std::vector<double>;
  EXPECT_EQ(planBands(Loads(40, 1.0 / 20), {}), (std::vector<Rows>{{0, 16}, {16, 32}, {32, 40}}));
  EXPECT_EQ(planBands(Loads(100, 0.001), {}), (std::vector<Rows>{{0, 100}}));
  Loads load(24, 0.01);
  load[9] = 5;  // too much for any band
  EXPECT_EQ(planBands(load, {}), (std::vector<Rows>{{0, 8}, {8, 16}, {16, 24}}));
  EXPECT_EQ(planBands(Loads(40, 1.0 / 40), {16, 5}), (std::vector<Rows>{{0, 37}, {37, 40}}));
  // A tile that is too large is cut into strips.
  EXPECT_EQ(planBands(Loads(32, 1.0 / 10), {16, 0}),
            (std::vector<Rows>{{0, 8}, {8, 16}, {16, 24}, {24, 32}}));
  EXPECT_TRUE(planBands({}, {}).empty());
}

// ---- Files

/// One kind of inputs: what the files hold and how they are stored.
struct Kind {
  const char* name;
  std::vector<DeepImage> images;
  bool tiled = false;
};

/// Half colors, windows that overlap in part.
std::vector<DeepImage> halves() {
  std::vector<DeepImage> images{sphereField({61, 45, 9, 1}), sphereField({50, 40, 9, 2})};
  images[1].dataWindow.x = 7, images[1].dataWindow.y = -5;
  images[1].displayWindow = images[0].displayWindow;
  return images;
}

/// Windows that share no row: most bands hold one file alone.
std::vector<DeepImage> apart() {
  std::vector<DeepImage> images = halves();
  images[1].dataWindow.y = 60;
  return images;
}

/// One value of 32 bits per fragment, `wordOf` its number; channels stand by name.
template <class WordOf>
void addChannel(DeepImage& image, const std::string& name, ChannelType type, WordOf&& wordOf) {
  DeepChannel channel{name, type, {}};
  for (std::uint32_t i = 0; i < image.fragmentCount(); ++i) {
    const auto bytes = std::bit_cast<std::array<std::byte, 4>>(wordOf(i));
    channel.values.insert(channel.values.end(), bytes.begin(), bytes.end());
  }
  const auto after =
      std::ranges::find_if(image.channels, [&](const DeepChannel& c) { return c.name > name; });
  image.channels.insert(after, std::move(channel));
}

/// A file with an ID per fragment beside one without.
std::vector<DeepImage> withIds() {
  std::vector<DeepImage> images = halves();
  makeIndexed(images[1]);
  addChannel(images[1], "ID", ChannelType::Uint, [](std::uint32_t i) { return i * 2654435761u; });
  return images;
}

/// Four files, merged in one pass: IDs, normals, a red of single precision, none of these.
std::vector<DeepImage> manyKinds() {
  std::vector<DeepImage> images = withIds();
  for (const std::uint32_t seed : {3u, 4u}) {
    images.push_back(sphereField({55, 48, 7, seed}));
    makeIndexed(images.back());
  }
  for (const char* name : {"N.X", "N.Y", "N.Z"})
    addChannel(images[2], name, ChannelType::Float,
               [&](std::uint32_t i) { return std::sin(float(i) + float(name[2])); });
  std::erase_if(images[3].channels, [](const DeepChannel& c) { return c.name == "R"; });
  addChannel(images[3], "R", ChannelType::Float,
             [](std::uint32_t i) { return 0.3f + float(i) * 1e-7f; });  // no half holds it
  return images;
}

/// More than two: merged by one pass over all.
std::vector<DeepImage> five() {
  std::vector<DeepImage> images;
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    images.push_back(sphereField({40 + int(seed), 45, 4, seed}));
    images.back().dataWindow.y = 3 * int(seed);
    images.back().displayWindow = images[0].displayWindow;
  }
  return images;
}

std::vector<Kind> kinds() {
  return {{"halves", halves()},
          {"five", five()},
          {"apart", apart()},
          {"ids", withIds()},
          {"many", manyKinds()},
          {"tiles", halves(), true},
          {"volumes", {sphereField({40, 30, 6, 1, true}), sphereField({40, 30, 6, 2})}}};
}

class DeepStreaming : public test::GpuTest {
 protected:
  // The reference composites by Z alone.
  DeepStreaming() { technique_.settingsStruct().tidy = Tidy::Off; }
  std::vector<std::string> write(const Kind& kind) {
    std::vector<std::string> names;
    DeepWriteOptions options{.tiled = kind.tiled};
    options.tileSize = 12;  // borders that are not those of strips
    for (std::size_t i = 0; i < kind.images.size(); ++i) {
      names.push_back(folder_.file(fmt::format("{}-{}.exr", kind.name, i)));
      writeDeepExr(names.back(), kind.images[i], options);
    }
    return names;
  }
  void open(const std::vector<std::string>& names) {
    technique_.adopt(loaded(std::make_shared<StreamedFiles>(names, DeepReadOptions{})));
  }
  DeepImage merged() {
    DeepImage all;
    BandMerger merger = technique_.bandMerger(context());
    merger.setBudget(budget_);
    merger.merge(progress_, [&](DeepImage&& band) {
      all = all.dataWindow.empty() ? std::move(band) : joinRegions(std::move(all), std::move(band));
    });
    facts_ = merger.facts();
    return all;
  }
  Image flattened() {
    Image all(technique_.frame().size.x, technique_.frame().size.y);
    std::ptrdiff_t at = 0;
    BandMerger merger = technique_.bandMerger(context());
    merger.setBudget(budget_);
    merger.flatten(progress_, [&](Image&& rows) {
      at = std::ranges::copy(rows.pixels, all.pixels.begin() + at).out - all.pixels.begin();
    });
    EXPECT_EQ(std::size_t(at), all.pixels.size());
    return all;
  }

  TempFolder folder_;
  Progress progress_;
  DeepEngine technique_;
  std::uint64_t budget_ = 128u << 20;
  BandMerger::Facts facts_;  // of the last merged()
};

TEST_F(DeepStreaming, MergesTheSameFragmentsInEveryBudget) {
  for (const Kind& kind : kinds()) {
    open(write(kind));
    const DeepImage wanted = test::referenceMerged(kind.images);
    for (const std::uint64_t budget : {8u << 10, 300u << 10, 192u << 20}) {
      budget_ = budget;
      EXPECT_TRUE(sameFragments(merged(), wanted)) << kind.name << ", budget " << budget;
      EXPECT_EQ(facts_.fragmentsIn, wanted.fragmentCount());
      EXPECT_EQ(facts_.bands > 1, budget < 1u << 20) << kind.name;
    }
  }
}

TEST_F(DeepStreaming, FlattensTheSamePictureInEveryBudget) {
  for (const Kind& kind : kinds()) {
    open(write(kind));
    const DeepImage deep = test::referenceMerged(kind.images);
    const Image wanted = reference::flatten(deep, deep.dataWindow);
    for (const std::uint64_t budget : {8u << 10, 192u << 20}) {
      budget_ = budget;
      EXPECT_TRUE(test::rounding(flattened(), wanted, test::roundingBound(300, 1)))
          << kind.name << ", budget " << budget;
    }
  }
}

/// The device's limits cut further: strips into columns, read again where they had gone.
TEST_F(DeepStreaming, CutsWhatTheDeviceCannotHold) {
  const std::int64_t limit = context().memory().blockLimit();
  for (const Kind& kind : kinds()) {
    open(write(kind));
    const DeepImage wanted = test::referenceMerged(kind.images);
    // A block of 4 x 8 pixels of all inputs has to fit.
    context().memory().setBlockLimit((kind.images.size() > 2 ? 32 : 16) << 10);
    EXPECT_TRUE(sameFragments(merged(), wanted)) << kind.name;
    const Image picture = flattened();
    context().memory().setBlockLimit(limit);
    EXPECT_TRUE(test::rounding(picture, reference::flatten(wanted, wanted.dataWindow),
                               test::roundingBound(300, 1)))
        << kind.name;
  }
}

TEST_F(DeepStreaming, ResidentImagesGoThroughTheSameBands) {
  for (const Kind& kind : kinds()) {
    technique_.adopt(loaded(kind.images, write(kind)));
    budget_ = 100 << 10;
    const DeepImage wanted = test::referenceMerged(kind.images);
    EXPECT_TRUE(sameFragments(merged(), wanted)) << kind.name;
    EXPECT_TRUE(test::rounding(flattened(), reference::flatten(wanted, wanted.dataWindow),
                               test::roundingBound(300, 1)))
        << kind.name;
  }
}

/// What an 8K capture meets on a device with small buffers, at the size of a test.
TEST_F(DeepStreaming, AScenesBandsAreCutForTheDevice) {
  technique_.setSize(450, 270);
  technique_.adopt(read({"hairball:strands=300,spheres=8"}, progress_));
  const DeepImage whole = merged();
  const Image picture = flattened();
  const std::int64_t limit = context().memory().blockLimit();
  context().memory().setBlockLimit(1 << 20);  // the scene itself must fit
  const DeepImage inBands = merged();
  EXPECT_GT(facts_.bands, 2);
  const Image pictureInBands = flattened();
  context().memory().setBlockLimit(limit);
  EXPECT_TRUE(sameFragments(inBands, whole));
  EXPECT_EQ(facts_.fragmentsIn, whole.fragmentCount());
  EXPECT_TRUE(test::exact(pictureInBands.pixels, picture.pixels));
  EXPECT_TRUE(test::rounding(picture, reference::flatten(whole, whole.dataWindow),
                             test::roundingBound(3000, 1)));
}

TEST_F(DeepStreaming, BandsStayWithinTheBudget) {
  open(write({"halves", halves()}));
  const std::uint64_t all = technique_.fragmentsIn();
  budget_ = all * 80 / 4;
  merged();
  EXPECT_GE(facts_.bands, 4);
  EXPECT_LE(facts_.maxFragments, all / 4);
}

TEST_F(DeepStreaming, FilesBeyondTheMemoryAreRefusedBeforeLoading) {
  const std::vector<std::string> names = write({"halves", halves()});
  DeepReadOptions options{.memoryBudget = 1000};
  EXPECT_THAT(messageOf([&] { checkMemory(names, options); }),
              StartsWith(names[0] + " and 1 more: expected deep images of at most 0.00 GiB"));
  options.memoryBudget = 1u << 30;
  EXPECT_NO_THROW(checkMemory(names, options));
}

TEST_F(DeepStreaming, AnErrorInABandEndsTheWork) {
  open(write({"halves", halves()}));
  budget_ = 64 << 10;
  int bands = 0;
  BandMerger merger = technique_.bandMerger(context());
  merger.setBudget(budget_);
  EXPECT_THROW(merger.merge(progress_,
                            [&](DeepImage&&) {
                              if (++bands == 2) throw Error("disk full");
                            }),
               Error);
  EXPECT_EQ(bands, 2);
}

TEST_F(DeepStreaming, ADamagedRowEndsTheWork) {
  const std::vector<std::string> names = write({"halves", halves()});
  std::string bytes = readText(names[1]);
  bytes.replace(bytes.size() - 40, 40, 40, '\xff');  // the last row's samples
  folder_.write("halves-1.exr", bytes);
  open(names);
  budget_ = 64 << 10;
  EXPECT_THROW(merged(), Error);
}

}  // namespace
}  // namespace fathom::deep
