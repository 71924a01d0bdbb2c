// SPDX-License-Identifier: BSD-3-Clause
// Under mpirun, on every rank: whatever the number of ranks, the dealing and the memory,
// the deep image and the picture are those of one process, bit for bit; a flat z-composite of the
// same shares is not.
#include "app/engine/deep/distribute/rank_composite.h"
#include "app/engine/deep/bands/band_merger.h"
#include "app/engine/deep/distribute/device_ranks.h"
#include "app/engine/ranks/job.h"
#include "app/engine/scene/load_scene.h"
#include "tests/deep/deep_images.h"

namespace fathom::deep {
namespace {

ranks::Job* job = nullptr;
std::unique_ptr<gpu::Context> made;

gpu::Context& context() {
  if (!made) made = std::make_unique<gpu::Context>();
  return *made;
}

Settings plain() { return {.layout = Layout::BlockInterleaved}; }

std::unique_ptr<Inputs> sceneInputs(const std::string& spec, glm::ivec2 size) {
  Progress progress;
  auto read = std::make_unique<Loaded>();
  read->names = {spec};
  read->scene = loadScene(spec, progress);
  auto inputs = std::make_unique<Inputs>();
  inputs->setSize(size.x, size.y);
  inputs->adopt(std::move(*read), 0);
  inputs->setSize(size.x, size.y);
  return inputs;
}

/// Rows from top to bottom, deep or flat, as one.
struct Result {
  std::vector<std::size_t> counts;
  std::vector<std::uint32_t> words;
  std::vector<std::byte> values;
  std::vector<glm::vec4> pixels;
  void add(const DeepImage& rows) {
    for (std::size_t p = 0; p < rows.pixelCount(); ++p)
      counts.push_back(rows.fragmentOffsets[p + 1] - rows.fragmentOffsets[p]);
    // Index words number the fragments of a band.
    const bool indexed = rows.format == FragmentFormat::Indexed;
    for (std::size_t w = 0; w < rows.words.size(); ++w)
      words.push_back(indexed && w % 4 == 0 ? 0 : rows.words[w]);
    for (std::size_t i = 0; i < rows.fragmentCount() && indexed; ++i)
      for (const DeepChannel& channel : rows.channels) {
        const std::size_t n = bytesPerValue(channel.type);
        values.insert(values.end(), channel.values.begin() + std::ptrdiff_t(i * n),
                      channel.values.begin() + std::ptrdiff_t((i + 1) * n));
      }
  }
  void add(const Image& rows) {
    pixels.insert(pixels.end(), rows.pixels.begin(), rows.pixels.end());
  }
};

void expectSame(const Result& found, const Result& expected) {
  EXPECT_EQ(found.counts, expected.counts);
  EXPECT_EQ(found.words, expected.words);
  EXPECT_EQ(found.values, expected.values);
  ASSERT_EQ(found.pixels.size(), expected.pixels.size());
  const auto bytesOf = [](const Result& result) { return std::as_bytes(std::span(result.pixels)); };
  EXPECT_TRUE(std::ranges::equal(bytesOf(found), bytesOf(expected)));
}

Result alone(const Inputs& inputs, const Settings& settings, bool deep) {
  BandMerger merger(context(), inputs, MergeSetup(settings, inputs));
  Result result;
  Progress progress;
  if (deep)
    merger.merge(progress, [&](DeepImage&& rows) { result.add(rows); });
  else
    merger.flatten(progress, [&](Image&& rows) { result.add(rows); });
  return result;
}

struct How : RankOptions {
  Deal deal = Deal::Parts;
  double thinError = 0;
};

Result byRanks(const Inputs& whole, const Settings& settings, bool deep, const How& how,
               RankFigures* figures = nullptr) {
  Inputs inputs = whole;
  const MergeSetup setup(settings, inputs);
  InputsShare share(context(), inputs, setup, how.deal, job->rank(), job->ranks(), how.thinError);
  inputs.dropTriangles();  // as the command does
  EXPECT_TRUE(!inputs.scene() || inputs.scene()->vertices.capacity() == 0);
  DeviceMerge merge(context(), inputs, setup);
  const RankPicture picture{inputs.header(setup.shape.format), inputs.count()};
  RankComposite composite(*job, picture, share, merge, how);
  Result result;
  Progress progress;
  if (deep)
    composite.merge(progress, picture.header, [&](DeepImage&& rows) { result.add(rows); });
  else
    composite.flatten(progress, [&](const Rect&, Image&& rows) { result.add(rows); });
  if (figures) *figures = composite.figures();
  return result;
}

How optionsOf(Deal deal, int bands = 2) {
  How options;
  options.deal = deal, options.bands = bands;
  options.memoryBytes = 1 << 30;
  return options;
}

/// Deep and flat; rank 0 compares.
void expectAlone(const Inputs& inputs, const Settings& settings, Deal deal) {
  for (const bool deep : {true, false}) {
    const std::optional<Result> expected =
        job->rank() == 0 ? std::optional(alone(inputs, settings, deep)) : std::nullopt;
    const Result found = byRanks(inputs, settings, deep, optionsOf(deal));
    if (expected) expectSame(found, *expected);
  }
}

TEST(RankComposite, ScenesCutInEveryWay) {
  // A hairball cut along a space filling curve.
  expectAlone(*sceneInputs("hairball:strands=200", {72, 40}), plain(), Deal::Morton);
  // Planes by triangles.
  expectAlone(*sceneInputs("planes", {48, 40}), plain(), Deal::Triangles);
  // A powerplant by parts with its shadows.
  expectAlone(*sceneInputs("powerplant", {64, 40}), plain(), Deal::Parts);
}

TEST(RankComposite, SharesOfASceneWithoutShadowsHoldTheirOwnTrianglesAlone) {
  Progress progress;
  const std::shared_ptr<const Scene> scene = loadScene("hairball:strands=200", progress);
  ASSERT_TRUE(scene->lighting.shadowBounds.empty());
  for (const Deal how : {Deal::Triangles, Deal::Morton, Deal::Parts}) {
    std::size_t indices = 0;
    for (int rank = 0; rank < 4; ++rank) {
      const DealtScene share = deal(scene, how, rank, 4);
      indices += share.scene->indices.size();
      EXPECT_TRUE(how == Deal::Parts ||
                  share.scene->vertices.size() < scene->vertices.size() * 2 / 5);
      // Room for the whole scene is memory, too.
      EXPECT_LE(share.scene->vertices.capacity(), share.scene->vertices.size() * 2);
      EXPECT_LE(share.scene->indices.capacity(), share.scene->indices.size() * 2);
      for (const std::uint32_t index : share.scene->indices)
        ASSERT_LT(index, share.scene->vertices.size());
    }
    EXPECT_EQ(indices, scene->indices.size());
  }
}

std::vector<DeepImage> imagesOf(FragmentFormat format) {
  std::vector<DeepImage> images;
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    DeepImage image = test::randomImage({.window = {int(seed) * 3, int(seed), 40, 30},
                                         .format = format,
                                         .seed = seed,
                                         .counts = test::boundaryCounts(seed),
                                         .colors = test::Colors::Premultiplied});
    image.displayWindow = {0, 0, 64, 48};
    image.hasZBack = true;
    for (const char* name : {"A", "B", "G", "R"})
      image.channels.push_back({name, ChannelType::Half, {}});
    for (const char* name : {"Z", "ZBack"})
      image.channels.push_back({name, ChannelType::Float, {}});
    images.push_back(std::move(image));
  }
  return images;
}

std::unique_ptr<Inputs> imageInputs(std::vector<DeepImage> images) {
  auto inputs = std::make_unique<Inputs>();
  std::vector<std::string> names(images.size(), "image");
  std::unique_ptr<Loaded> read = loaded(std::move(images), std::move(names));
  inputs->adopt(std::move(*read), 0);
  return inputs;
}

TEST(RankComposite, VolumesThroughEachOtherAndAHoldOut) {
  Settings settings = plain();
  expectAlone(*imageInputs(imagesOf(FragmentFormat::Half)), settings, Deal::Parts);
  settings.roles = "add,hold-out";
  expectAlone(*imageInputs(imagesOf(FragmentFormat::Half)), settings, Deal::Parts);
}

TEST(RankComposite, ImagesWithOtherChannelsKeepThem) {
  std::vector<DeepImage> images = imagesOf(FragmentFormat::Half);
  for (DeepImage& image : images) {
    makeIndexed(image);
    image.channels.push_back({"id", ChannelType::Uint, {}});
    std::vector<std::byte>& ids = image.channels.back().values;
    ids.resize(image.fragmentCount() * 4);
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = std::byte(i * 37 + i / 256);
  }
  expectAlone(*imageInputs(std::move(images)), plain(), Deal::Parts);
}

TEST(RankComposite, LittleMemoryAndShortMessagesChangeNothing) {
  const std::unique_ptr<Inputs> inputs = sceneInputs("hairball:strands=200", {72, 40});
  const std::optional<Result> expected =
      job->rank() == 0 ? std::optional(alone(*inputs, plain(), true)) : std::nullopt;
  How options = optionsOf(Deal::Morton, 1);
  options.memoryBytes = std::uint64_t(120000 / job->ranks());  // cut into columns too
  options.maxSend = 1000;
  RankFigures figures;
  const Result found = byRanks(*inputs, plain(), true, options, &figures);
  if (expected) expectSame(found, *expected);
  EXPECT_GT(figures.regions, 5);
  // Regions that were packed and then cut are counted once.
  std::vector<std::uint64_t> all{std::uint64_t(figures.fragments),
                                 std::uint64_t(figures.mergedFragments)};
  job->sum(all);
  EXPECT_EQ(all[0], all[1]);
  const Result flat = byRanks(*inputs, plain(), false, options);
  if (expected) expectSame(flat, alone(*inputs, plain(), false));
  options.memoryBytes = 1;
  EXPECT_THROW(byRanks(*inputs, plain(), true, options), std::exception);
}

TEST(RankComposite, ThinningWithinABoundSendsLessAndKeepsThePictureAsNearAsStated) {
  Settings settings = plain();
  settings.captureFormat = CaptureFormat::Half;
  const std::unique_ptr<Inputs> inputs = sceneInputs("hairball:strands=4000", {64, 48});
  How options = optionsOf(Deal::Morton);
  options.thinError = 1.0 / 16;
  RankFigures figures;
  const Result thinned = byRanks(*inputs, settings, false, options, &figures);
  const double own[] = {figures.errorSum, figures.fragments, figures.sentFragments};
  std::vector<double> sums(3);
  const std::vector<double> all = job->gather(std::span<const double>(own));
  for (std::size_t i = 0; i < all.size(); ++i) sums[i % 3] += all[i];
  EXPECT_LE(figures.largestError, options.thinError * 1.000001);
  EXPECT_GT(sums[0], 0);
  EXPECT_LT(sums[2], 0.9 * sums[1]);
  if (job->rank() != 0) return;
  const Result exact = alone(*inputs, settings, false);
  ASSERT_EQ(thinned.pixels.size(), exact.pixels.size());
  double alpha = 0, light = 0;
  for (std::size_t i = 0; i < exact.pixels.size(); ++i) {
    const glm::vec4 off = glm::abs(thinned.pixels[i] - exact.pixels[i]);
    alpha = std::max(alpha, double(off.a));
    light = std::max({light, double(off.r), double(off.g), double(off.b)});
  }
  constexpr double kRounding = 1e-5;
  EXPECT_GT(alpha + light, 0);
  EXPECT_LE(alpha, sums[0] + kRounding);
  EXPECT_LE(light, 2 * sums[0] + kRounding);
}

TEST(RankComposite, SendsFarLessThanTheImages) {
  const std::unique_ptr<Inputs> inputs = sceneInputs("station", {240, 135});
  RankFigures figures;
  byRanks(*inputs, plain(), false, optionsOf(Deal::Parts), &figures);
  std::vector<std::uint64_t> sums{std::uint64_t(figures.sentBytes),
                                  std::uint64_t(figures.rawBytes)};
  job->sum(sums);
  EXPECT_TRUE(job->ranks() == 1 || sums[0] > 0);
  EXPECT_LT(double(sums[0]), 0.3 * double(sums[1]));
}

}  // namespace
}  // namespace fathom::deep

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  int result = 1;
  fathom::ranks::Job::run([&](fathom::ranks::Job& started) {
    fathom::deep::job = &started;
    result = RUN_ALL_TESTS();
    fathom::deep::made.reset();
  });
  return result;
}
