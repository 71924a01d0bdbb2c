// SPDX-License-Identifier: BSD-3-Clause
// Measurements on demand: what saving costs, without keeping anyone waiting; where drags and the
// clock take the view.
#include "app/engine/smoe/fit/quality.h"
#include "app/engine/smoe/open_model.h"
#include "app/window/smoe/measure.h"
#include "app/window/smoe/tools.h"
#include "tests/smoe/models.h"
#include "tests/support/gpu_test.h"

namespace fathom::smoe {
namespace {

class SmoeChecksTest : public test::GpuTest {
 protected:
  void finish() {
    while (checks_.work(context(), 5)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::shared_ptr<const Model> model_ =
      std::make_shared<const Model>(randomModel(11, 2, 150, {96, 64}));
  Checks checks_;
};

TEST_F(SmoeChecksTest, FewerBitsCostMore) {
  checks_.askCosts(model_, nullptr, {});
  EXPECT_TRUE(checks_.measuringCosts());
  finish();
  ASSERT_EQ(checks_.costs().size(), 4u);
  EXPECT_FALSE(checks_.againstSource());
  const auto& [f32, archive, compact] =
      std::tie(checks_.costs()[0], checks_.costs()[1], checks_.costs()[2]);
  EXPECT_GT(f32.psnr, archive.psnr);
  EXPECT_GT(archive.psnr, compact.psnr);
  EXPECT_GT(compact.psnr, 30);
  EXPECT_GT(f32.bytes, archive.bytes);
  EXPECT_GT(archive.bytes, compact.bytes);
  EXPECT_EQ(archive.bytes, fileBytes(*model_, Encoding::Archive));
  const Cost& packed = checks_.costs()[3];
  EXPECT_LT(packed.bytes, compact.bytes);
  EXPECT_GT(packed.psnr, 30);
}

TEST_F(SmoeChecksTest, TheSourceIsTheMeasureWhereThereIsOne) {
  const Image gray(96, 64, glm::vec4(0.2f, 0.2f, 0.2f, 1));
  checks_.askCosts(
      model_, std::make_shared<const TrainingSet>(trainingFrom(gray, ColorSpace::Srgb, "gray")),
      {});
  finish();
  ASSERT_EQ(checks_.costs().size(), 4u);
  EXPECT_TRUE(checks_.againstSource());
  EXPECT_LT(checks_.costs()[0].psnr, 30);  // it is no picture of that
}

/// The picture of the model itself is what its rounded experts are fitted to.
TEST_F(SmoeChecksTest, WhatIsPackedIsFittedToTheSourceAndSavedSo) {
  constexpr double kLoss = 2;
  const auto pictureOf = [](const Model& model) {
    const auto colors =
        reference::decode(reference::recordsOf(model, {}), {{model.width, model.height}});
    return reference::toImage(colors, {model.width, model.height}, model.colorSpace);
  };
  const Image wanted = pictureOf(*model_);
  const auto source =
      std::make_shared<const TrainingSet>(trainingFrom(wanted, ColorSpace::Srgb, "source"));
  checks_.askCosts(model_, source, {}, kLoss);
  finish();
  ASSERT_EQ(checks_.files().size(), std::size_t(kEncodings));
  const EncodedModel& packed = checks_.files()[3]->saved;
  const EncodedModel plain = encode(*model_, Encoding::Packed, kLoss);
  EXPECT_EQ(checks_.costs()[3].bytes, packed.bytes.size());
  const auto dB = [&](const EncodedModel& of) {
    return psnr(encoded(pictureOf(of.model), ColorSpace::Srgb), source->pictures[0]);
  };
  EXPECT_GT(dB(packed), dB(plain) + 0.1);
  EXPECT_NEAR(checks_.costs()[3].psnr, dB(packed), 0.05);
  // Each file says what it has.
  for (std::size_t i = 0; i < std::size_t(kEncodings); ++i) {
    const std::vector<std::byte>& bytes = checks_.files()[i]->saved.bytes;
    Progress progress;
    EXPECT_NEAR(readModel(bytes, "saved", progress).psnr, checks_.costs()[i].psnr, 0.001);
  }

  Settings settings{.encoding = Encoding::Packed, .packingLoss = float(kLoss)};
  ModelStore store(settings);
  store.open(model_, {});
  store.offer(Encoding::Packed, checks_.files()[3]);
  const TempFolder folder;
  store.save(folder.file("a.smoe"));
  EXPECT_EQ(store.fileBytes(), packed.bytes.size());
  settings.packingLoss = 1;  // is not what was made ready
  store.save(folder.file("b.smoe"));
  EXPECT_NE(readText(folder.file("b.smoe")), readText(folder.file("a.smoe")));

  // A question that nobody waits for any more holds nobody up.
  checks_.askCosts(model_, source, {}, kLoss);
  while (checks_.costs().size() < 3) checks_.work(context(), 5);
  for (int i = 0; i < 5; ++i) checks_.work(context(), 0);
  checks_.drop();
  EXPECT_TRUE(checks_.files().empty());
}

Model lightField() {
  Model model;
  model.dims = 4, model.width = 200, model.height = 100;
  model.views = {9, 5}, model.viewOrigin = {4, 2};
  return model;
}

Model video() {
  Model model;
  model.dims = 3, model.width = 200, model.height = 100, model.frames = 48;
  return model;
}

void expectAt(ViewCoordinates found, ViewCoordinates expected) {
  EXPECT_NEAR(found.x, expected.x, 1e-12);
  EXPECT_NEAR(found.y, expected.y, 1e-12);
}

TEST(Navigation, RangeIsTheGridAndHalfAStep) {
  const ViewRange range = viewRangeOf(lightField(), false);
  expectAt(range.low, {-4.5, -2.5});
  expectAt(range.high, {4.5, 2.5});
  expectAt(range.clamped({-9, 1}), {-4.5, 1});
  expectAt(viewRangeOf(lightField(), true).high, {7, 5});
  expectAt(viewRangeOf(video(), true).high, {47, 0});
}

TEST(Navigation, PictureWidthIsTheWholeGrid) {
  const Model model = lightField();
  const ViewRange range = viewRangeOf(model, false);
  expectAt(draggedView(model, {4.5, 2.5}, {1, 1}, range), {-4.5, -2.5});
  expectAt(draggedView(model, {0, 0}, {-1.0 / 9, 0}, range), {1, 0});
  expectAt(draggedView(model, {4, 0}, {-1, 0}, range), {4.5, 0});
}

TEST(Navigation, DragAndBackComesBack) {
  const Model model = lightField();
  const ViewRange range = viewRangeOf(model, false);
  const ViewCoordinates there = draggedView(model, {0.3, -0.7}, {0.1, 0.07}, range);
  expectAt(draggedView(model, there, {-0.1, -0.07}, range), {0.3, -0.7});
}

TEST(Navigation, VideoGoesForwardToTheRight) {
  const Model model = video();
  const ViewRange range = viewRangeOf(model, false);
  expectAt(draggedView(model, {4, 0}, {0.5, 0.9}, range), {28, 0});
  expectAt(draggedView(model, {4, 0}, {2, 0}, range), {47, 0});
}

TEST(Navigation, OrbitAndVideoComeRound) {
  // Orbit stays in the grid and comes round.
  const Model model = lightField();
  expectAt(orbitView(model, 0), {3.2, 0});
  expectAt(orbitView(model, kOrbitSeconds / 4), {0, 1.6});
  expectAt(orbitView(model, 2.5 + kOrbitSeconds), orbitView(model, 2.5));
  // Video plays and starts again.
  expectAt(orbitView(video(), 0.5), {12, 0});
  expectAt(orbitView(video(), 2.5), {12, 0});
  EXPECT_LE(orbitView(video(), 1.99).x, 47);
  // Images stay.
  Model image;
  expectAt(orbitView(image, 3), {0, 0});
  expectAt(viewRangeOf(image, true).clamped({3, 3}), {0, 0});
}

}  // namespace
}  // namespace fathom::smoe
