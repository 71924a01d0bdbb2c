// SPDX-License-Identifier: BSD-3-Clause
// What a fit learns from: pictures, folders of views and of frames, and folders that are neither;
// where it begins; disparities.
#include "app/engine/smoe/fit/training.h"
#include "app/engine/io/exr/flat_exr.h"
#include "app/engine/io/flat_formats.h"
#include "app/engine/io/picture.h"
#include "app/engine/io/view_folder.h"
#include "app/engine/smoe/fit/mixture.h"
#include "tests/smoe/models.h"

namespace fathom::smoe {
namespace {

TrainingSet read(const std::filesystem::path& path, ColorSpace space = ColorSpace::Srgb) {
  Progress progress;
  return readTraining(path, space, progress);
}

std::string messageFor(const TempFolder& folder) {
  return messageOf([&] { read(folder.path()); });
}

/// Gray (linear), so that a picture tells which it is.
void writeGray(const std::filesystem::path& file, float gray, int width = 5, int height = 3) {
  writePng(file, Image(width, height, glm::vec4(gray, gray, gray, 1)));
}

/// columns x rows views; the one at column a, row b is (a + rows b) / 16 gray.
void writeGrid(const TempFolder& folder, int columns, int rows) {
  for (int a = 0; a < columns; ++a)
    for (int b = 0; b < rows; ++b) writeGray(folder / viewFileName(a, b), float(a + rows * b) / 16);
  writeViewIndex(folder.path(), {columns, rows}, glm::dvec2(columns - 1, rows - 1) / 2.0, "test",
                 {});
}

/// Names of well-known data sets say where each view belongs.
TEST(SmoeTraining, LightFieldsAreKnownByTheirNames) {
  const TempFolder hci, stanford;
  for (int i = 0; i < 9; ++i) {
    const Image gray(4, 4, glm::vec4(glm::vec3(float(i) / 16), 1));
    writePicture(hci.file(fmt::format("input_Cam{:03}.png", i)), gray);
    writePicture(stanford.file(fmt::format("out_{:02}_{:02}_-{}.5_1.25_.png", i / 3, i % 3, i)),
                 gray);
  }
  Progress progress;
  for (const TempFolder* folder : {&hci, &stanford}) {
    const TrainingSet training = readTraining(folder->path(), ColorSpace::Linear, progress);
    ASSERT_EQ(training.dims, 4);
    EXPECT_EQ(training.views, glm::ivec2(3));
    EXPECT_THAT(training.note, HasSubstr("9 views of 3 x 3"));
    // Column by column: the second is the first of the second row.
    EXPECT_NEAR(training.pictures[1].at(0, 0).r, 3.0f / 16, 0.01f);
  }
}

class Training : public FolderTest {};

TEST_F(Training, PngKeepsItsBytes) {
  std::vector<std::uint8_t> bytes;
  for (int i = 0; i < 256; ++i)
    for (int c = 0; c < 3; ++c) bytes.push_back(std::uint8_t(i * (c + 1)));
  writePngBytes(folder / "a.png", 256, 1, 3, bytes);
  const TrainingSet set = read(folder / "a.png");
  EXPECT_EQ(set.dims, 2);
  EXPECT_EQ(set.size, glm::ivec2(256, 1));
  ASSERT_EQ(set.pictures.size(), 1u);
  for (int i = 0; i < 256; ++i)
    for (int c = 0; c < 3; ++c)
      EXPECT_NEAR(set.pictures[0].at(i, 0)[c] * 255, bytes[std::size_t(3 * i + c)], 1e-3);
}

TEST_F(Training, LinearExrIsEncoded) {
  writeFlatExr(folder / "a.exr", Image(2, 2, glm::vec4(0.25f, 0.5f, 4, 1)), {.asFloat = true});
  const glm::vec4 srgb = read(folder / "a.exr").pictures[0].at(1, 1);
  EXPECT_NEAR(srgb.r, 0.5371f, 1e-4f);
  EXPECT_NEAR(srgb.g, 0.7354f, 1e-4f);
  EXPECT_EQ(srgb.b, 1);
  const glm::vec4 linear = read(folder / "a.exr", ColorSpace::Linear).pictures[0].at(1, 1);
  EXPECT_EQ(linear, glm::vec4(0.25f, 0.5f, 1, 1));

  // Unless it is told otherwise, light above 1 is kept.
  Progress progress;
  const TrainingSet kept = readTraining(folder / "a.exr", std::nullopt, progress);
  EXPECT_EQ(kept.coding(), Coding(ColorSpace::Asinh, 4));
  EXPECT_NEAR(kept.pictures[0].at(1, 1).r, std::asinh(25) / std::asinh(400), 1e-6);
  EXPECT_EQ(kept.pictures[0].at(1, 1).b, 1);
  const Image gray(2, 2, glm::vec4(0.5f, 0.5f, 0.5f, 1));
  EXPECT_EQ(trainingFrom(gray, std::nullopt, "gray").coding(), Coding(ColorSpace::GraySrgb));
  EXPECT_THROW(trainingFrom(Image(1, 1, {0, 1, 0, 1}), ColorSpace::GraySrgb, "green"), Error);
}

TEST_F(Training, AlphaIsOverBlack) {
  const Image half(1, 1, glm::vec4(0.25f, 0, 0, 0.5f));  // premultiplied
  EXPECT_FLOAT_EQ(trainingFrom(half, ColorSpace::Linear, "x").pictures[0].at(0, 0).r, 0.25f);
}

TEST_F(Training, EveryColorSpaceComesBackAsItWas) {
  Image picture(3, 1);
  picture.at(0, 0) = {0.2f, 0.7f, 0.1f, 1};
  picture.at(1, 0) = {1, 0, 0.5f, 1};
  picture.at(2, 0) = {0.001f, 0.002f, 1, 1};
  for (const Coding& space : {Coding(ColorSpace::Srgb), Coding(ColorSpace::Linear),
                              Coding(ColorSpace::Ycbcr709), Coding(ColorSpace::Asinh, 3)}) {
    std::vector<glm::dvec3> values;
    for (const glm::vec4& p : encoded(picture, space).pixels) values.push_back(glm::vec3(p));
    EXPECT_TRUE(test::rounding(reference::toImage(values, {3, 1}, space), picture, 2e-5f));
  }
}

TEST_F(Training, ViewsLieByColumnThenRow) {
  writeGrid(folder, 3, 2);
  const TrainingSet set = read(folder.path(), ColorSpace::Linear);
  EXPECT_EQ(set.dims, 4);
  EXPECT_EQ(set.views, glm::ivec2(3, 2));
  ASSERT_EQ(set.pictures.size(), 6u);
  EXPECT_EQ(set.coordinatesOf(0), ViewCoordinates(-1, -0.5));
  EXPECT_EQ(set.coordinatesOf(1), ViewCoordinates(-1, 0.5));
  EXPECT_EQ(set.coordinatesOf(4), ViewCoordinates(1, -0.5));
  EXPECT_NEAR(set.pictures[4].at(0, 0).r, 2.0f / 16, 0.003f);
  EXPECT_NEAR(set.pictures[3].at(0, 0).r, 3.0f / 16, 0.003f);
}

TEST_F(Training, FramesLieInTime) {
  for (int i = 8; i < 12; ++i) writeGray(folder / fmt::format("f{}.png", i), float(i) / 16);
  const TrainingSet set = read(folder.path(), ColorSpace::Linear);
  EXPECT_EQ(set.dims, 3);
  EXPECT_EQ(set.frames, 4);
  EXPECT_EQ(set.coordinatesOf(3), ViewCoordinates(3, 0));
  EXPECT_NEAR(set.pictures[2].at(0, 0).r, 10.0f / 16, 0.003f);
}

TEST_F(Training, NamesTheMissingView) {
  writeGrid(folder, 3, 2);
  std::filesystem::remove(folder / "view_01_02.png");
  EXPECT_EQ(messageFor(folder),
            folder.file("view_01_02.png") +
                ": expected a view of row 1, column 2 (of 2 rows, 3 columns), found none");
}

TEST(TrainingViews, NameTheOneThatDoesNotFit) {
  const std::tuple<const char*, int, const char*> rows[] = {
      {"view_01_01.png", 4, "5 x 3 pixels as in view_00_00.png, found 5 x 4"},
      {"view_02_00.png", 3, "a name that ends in _ROW_COLUMN, rows 0..1, columns 0..1"},
      {"view_1_1.png", 3, "one view of row 1, column 1, found view_01_01.png too"}};
  for (const auto& [name, height, expected] : rows) {
    const TempFolder folder;
    writeGrid(folder, 2, 2);
    writeGray(folder / name, 0.5f, 5, height);
    EXPECT_EQ(messageFor(folder), folder.file(name) + ": expected " + expected);
  }
}

TEST_F(Training, NamesTheFrameThatIsMissing) {
  for (const int i : {1, 2, 4}) writeGray(folder / fmt::format("f{}.png", i), 0.5f);
  EXPECT_EQ(messageFor(folder), folder.file("f4.png") + ": expected frame 3 before it, found none");
}

TEST_F(Training, RefusesWhatIsNoFolderOfPictures) {
  EXPECT_EQ(messageFor(folder), folder.path().string() +
                                    ": expected images (.exr, .png, .jpg, .jpeg, .webp, .tif, "
                                    ".tiff, .hdr, .ppm, .pgm), found none");
  writeGray(folder / "portrait.png", 0.5f);
  EXPECT_EQ(messageFor(folder), folder.file("portrait.png") +
                                    ": expected a name that ends in the frame's number (or "
                                    "views.json in the folder, for views)");
}

TEST_F(Training, ChecksTheIndexOfViews) {
  writeGrid(folder, 2, 2);
  const std::pair<const char*, const char*> rows[] = {
      {"[]", "a JSON object, found array"},
      {R"({"rows": 2})", "\"columns\", found none"},
      {R"({"columns": 65, "rows": 2})", "\"columns\" as a whole number from 1 to 64, found 65"},
      {R"({"columns": 2, "rows": 2.5})", "\"rows\" as a whole number from 1 to 64, found 2.5"},
      {R"({"columns": 2, "rows": 2, "origin": [0, 2]})",
       "\"origin\" as column and row within the grid, found [0,2]"},
      {R"({"columns": 2, "rows": 2, "origin": 1})",
       "\"origin\" as column and row within the grid, found 1"}};
  for (const auto& [text, expected] : rows) {
    folder.write("views.json", text);
    EXPECT_EQ(messageFor(folder), folder.file("views.json") + ": expected " + expected);
  }
}

TEST_F(Training, RefusesMoreSamplesThanItTakes) {
  EXPECT_NO_THROW(checkSamples("x", {8192, 8192}, 1));
  EXPECT_EQ(messageOf([] {
              checkSamples("x", {8192, 8192}, 2);
            }),
            "x: expected at most 67108864 pixels in all images, found 2 images of 8192 x 8192");
}

TEST_F(Training, RefusesWhatIsNotANumber) {
  Image image(2, 1, glm::vec4(1));
  image.at(1, 0).g = std::numeric_limits<float>::quiet_NaN();
  writeFlatExr(folder / "a.exr", image);
  EXPECT_EQ(messageOf([&] { read(folder / "a.exr"); }),
            folder.file("a.exr") + ": expected finite colors, found a pixel that is not");
}

TEST(HoldOut, IsStrewnOverTheGridAndSparesTheMiddle) {
  TrainingSet set;
  set.dims = 4;
  set.views = {9, 9};
  set.viewOrigin = {4, 4};
  set.pictures.resize(81);
  for (const int every : {2, 5, 8, 9, 10}) {
    holdOut(set, every);
    EXPECT_FALSE(set.isHeldOut(set.middle()));
    EXPECT_NEAR(double(set.heldOut.size()), 81.0 / every, 2);
    EXPECT_EQ(set.fitted().size() + set.heldOut.size(), 81u);
    std::vector<int> columns(9), rows(9);
    for (const std::size_t i : set.heldOut) ++columns[i / 9], ++rows[i % 9];
    EXPECT_LE(*std::max_element(rows.begin(), rows.end()), 9 / every * 2 + 2) << every;
  }
  holdOut(set, 0);
  EXPECT_TRUE(set.heldOut.empty());
}

std::vector<int> coverage(const std::vector<PixelBox>& boxes, glm::ivec2 size) {
  std::vector<int> covered(std::size_t(size.x * size.y), 0);
  for (const PixelBox& box : boxes)
    for (int y = box.low.y; y < box.high.y; ++y)
      for (int x = box.low.x; x < box.high.x; ++x) ++covered[std::size_t(y * size.x + x)];
  return covered;
}

TEST(CutPicture, CoversEveryPixelOnceWithExactlySoManyBoxes) {
  for (const int count : {1, 2, 37, 300}) {
    const auto boxes = cutPicture(discs({61, 47}), count);
    EXPECT_EQ(int(boxes.size()), count);
    EXPECT_EQ(coverage(boxes, {61, 47}), std::vector<int>(61 * 47, 1)) << count;
  }
  // Repeats pixels when there are too few.
  EXPECT_EQ(cutPicture(discs({3, 2}), 10).size(), 10u);
  EXPECT_EQ(cutPicture(discs({1, 1}), 5).size(), 5u);
}

TEST(CutPicture, CutsAtTheEdge) {
  Image halves = flat({64, 32}, glm::vec3(0.1f));
  for (int y = 0; y < 32; ++y)
    for (int x = 24; x < 64; ++x) halves.at(x, y) = glm::vec4(0.9f);
  const auto boxes = cutPicture(halves, 2);
  EXPECT_EQ(boxes[0].high, glm::ivec2(24, 32));
  EXPECT_EQ(boxes[1].low, glm::ivec2(24, 0));
}

TEST(CutPicture, SpendsBoxesWhereColorsAreNotLinear) {
  Image picture = ramp({64, 64});
  const Image busy = noise({64, 64}, 3);
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 32; ++x) picture.at(x, y) = busy.at(x, y);
  int inside = 0;
  for (const PixelBox& box : cutPicture(picture, 100))
    inside += box.high.x <= 32 && box.high.y <= 32;
  EXPECT_GT(inside, 80);
}

TEST(LeafGaussian, HasMeanAndCovarianceOfItsPixels) {
  // y = x / 16 in red over 16 columns: var_x = 255 / 12, cov = var_x / 16.
  const Gaussian g = leafGaussian(ramp({16, 4}), {{0, 0}, {16, 4}});
  EXPECT_DOUBLE_EQ(g.prior, 1);
  EXPECT_NEAR(g.mean[0], 8, 1e-12);
  EXPECT_NEAR(g.mean[2], 0.5, 1e-6);
  EXPECT_NEAR(g.covariance[0][0], 255.0 / 12 + kPixelVariance, 1e-9);
  EXPECT_NEAR(g.covariance[0][2], 255.0 / 12 / 16, 1e-6);
  EXPECT_NEAR(g.covariance[4][4], kColorVariance, 1e-9);
}

TEST(StartMixture, HasExactlySoManyComponentsInEveryDimension) {
  EXPECT_EQ(startMixture(*trainingOf(discs({32, 32})), 50).size(), 50u);
  EXPECT_EQ(startMixture(*trainingOfViews({3, 3}, {24, 16}), 20).size(), 20u);
  auto video = trainingOfViews({1, 11}, {24, 16});
  video->dims = 3;
  video->frames = 11;
  video->views = {1, 1};
  EXPECT_EQ(startMixture(*video, 21).size(), 21u);
  EXPECT_EQ(startMixture(*video, 1).size(), 1u);
}

constexpr glm::ivec2 kSize{64, 48};

/// A pattern without period in sight, defined everywhere.
glm::vec4 pattern(double x, double y) {
  const double a = std::sin(0.9 * x + 0.31 * y) + std::sin(0.37 * x - 0.71 * y + 1);
  const double b = std::sin(0.53 * x * std::cos(0.2 * y)) + std::cos(0.83 * y);
  return {float(0.5 + 0.2 * a), float(0.5 + 0.2 * b), float(0.5 + 0.1 * (a - b)), 1};
}

/// Left half moves by `left` px per step, right half by `right`.
TrainingSet twoPlanes(glm::ivec2 views, double left, double right) {
  TrainingSet set;
  set.dims = 4, set.size = kSize, set.views = views;
  set.viewOrigin = glm::dvec2(views - 1) / 2.0;
  set.pictures.resize(std::size_t(views.x * views.y), Image(kSize.x, kSize.y));
  for (std::size_t i = 0; i < set.pictures.size(); ++i) {
    const ViewCoordinates a = set.coordinatesOf(i);
    for (int y = 0; y < kSize.y; ++y)
      for (int x = 0; x < kSize.x; ++x) {
        const double d = x < kSize.x / 2 ? left : right;
        set.pictures[i].at(x, y) = pattern(x - d * a.x, y - d * a.y);
      }
  }
  return set;
}

TEST(DisparitySweep, FindsWhatThingsMoveBy) {
  const DisparitySweep sweep(twoPlanes({5, 5}, 0.7, -1.2));
  EXPECT_NEAR(sweep.over({8, 10, 12, 12}), 0.7, 0.11);
  EXPECT_NEAR(sweep.over({44, 20, 12, 12}), -1.2, 0.11);
  // Works in small grids and along one axis.
  EXPECT_NEAR(DisparitySweep(twoPlanes({3, 3}, 0.7, 0.7)).over({8, 10, 12, 12}), 0.7, 0.11);
  EXPECT_NEAR(DisparitySweep(twoPlanes({1, 7}, 0.7, 0.7)).over({8, 10, 12, 12}), 0.7, 0.11);
  EXPECT_EQ(DisparitySweep(twoPlanes({1, 1}, 0.7, 0.7)).over({8, 10, 12, 12}), 0);
}

TEST(DisparitySweep, JudgesSmallBoxesWithTheirSurroundings) {
  const DisparitySweep sweep(twoPlanes({5, 5}, 0.7, -1.2));
  EXPECT_NEAR(sweep.over({16, 20, 1, 1}), 0.7, 0.11);
}

TEST(DisparitySweep, LeavesFlatThingsWhereTheyAre) {
  TrainingSet set = twoPlanes({5, 5}, 0, 0);
  for (Image& picture : set.pictures) picture = Image(kSize.x, kSize.y, glm::vec4(0.4f));
  EXPECT_EQ(DisparitySweep(set).over({8, 10, 12, 12}), 0);
}

TEST(DisparitySweep, DoesNotLookAtHeldOutViews) {
  TrainingSet set = twoPlanes({5, 5}, 0.7, 0.7);
  for (const std::size_t i : {2u, 10u, 14u, 22u}) {  // two steps to each side of the middle
    set.heldOut.push_back(i);
    set.pictures[i] = Image(kSize.x, kSize.y, glm::vec4(1));
  }
  EXPECT_NEAR(DisparitySweep(set).over({8, 10, 12, 12}), 0.7, 0.21);
}

}  // namespace
}  // namespace fathom::smoe
