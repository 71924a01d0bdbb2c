// SPDX-License-Identifier: BSD-3-Clause
// Deep images as the window sees them: inputs, pictures in slices, the inspector, picking, the
// legend, and inputs that are refused.
#include "app/engine/deep/lists/arrange_lists.h"
#include "app/engine/deep/read/streaming.h"
#include "app/engine/inspect.h"
#include "app/engine/io/frame_sequence.h"
#include "app/window/deep/parts.h"

#include "app/engine/deep/reference.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/picture.h"
#include "tests/deep/deep_images.h"
#include "tests/support/gpu_test.h"
#include "tests/support/synthetic_deep.h"

namespace fathom::deep {
namespace {

using test::deepImage;
using test::sphereField;

constexpr Rect kPixel{0, 0, 1, 1};
const Fragment kNear{0.5f, 0, 0, 0.5f, 2, 2}, kFar{0, 0.25f, 0, 0.5f, 3, 3};

class DeepTechniqueTest : public test::GpuTest {
 protected:
  void open(const std::string& scene, int width = 61, int height = 35) {
    technique_.setSize(width, height);
    technique_.adopt(read({scene}, progress_));
  }
  void adopt(std::vector<DeepImage> images) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < images.size(); ++i) names.push_back(fmt::format("{}.exr", i));
    technique_.adopt(loaded(std::move(images), names));
  }
  Image picture(bool anew = true) {
    if (anew) technique_.restart();
    EXPECT_FALSE(technique_.step(context(), INFINITY).partial);
    return technique_.frame().picture->downloadImage();
  }
  DeepImage merged() {
    DeepImage all;
    technique_.bandMerger(context()).merge(progress_, [&](DeepImage&& band) {
      all = all.dataWindow.empty() ? std::move(band) : joinRegions(std::move(all), std::move(band));
    });
    return all;
  }
  Edits edits(Purpose purpose) { return MergeSetup(settings_, technique_.opened()).edits(purpose); }
  Progress progress_;
  DeepEngine technique_;
  Settings& settings_ = technique_.settingsStruct();
};

/// Two volumes of spheres whose windows overlap in part.
std::vector<DeepImage> twoFields() {
  std::vector<DeepImage> images{sphereField({61, 35, 9, 1}), sphereField({61, 35, 9, 2, true})};
  images[1].dataWindow.x = 7, images[1].dataWindow.y = -5;
  return images;
}

/// The same with float colors: their fragments are moved by index.
std::vector<DeepImage> twoFloatFields() {
  std::vector<DeepImage> images = twoFields();
  for (DeepImage& image : images) {
    makeIndexed(image);
    for (DeepChannel& channel : image.channels) {
      if (channel.name != "R") continue;
      channel.type = ChannelType::Float;
      channel.values.resize(image.fragmentCount() * 4);
      for (std::size_t i = 0; i < image.fragmentCount(); ++i) {
        const float value = 0.3f + float(i) * 1e-7f;  // no half holds it
        std::memcpy(channel.values.data() + i * 4, &value, 4);
      }
    }
  }
  return images;
}

// ---- Pictures

TEST_F(DeepTechniqueTest, PictureOfFilesEqualsTheReference) {
  adopt(twoFields());
  const Image found = picture();
  EXPECT_TRUE(test::rounding(found, technique_.reference(), test::roundingBound(300, 1)));
}

TEST_F(DeepTechniqueTest, PictureOfASceneEqualsTheReference) {
  open("hairball:strands=200,spheres=8");
  const Image found = picture();
  EXPECT_TRUE(test::rounding(found, technique_.reference(), test::roundingBound(3000, 1)));
}

gpu::WorkCounts countsOfPictures(gpu::Context& context, DeepEngine& technique,
                                 const std::function<void(int)>& change) {
  gpu::WorkCounts before;
  for (int i = 0; i < 6; ++i) {
    if (i == 3) before = gpu::workCounts();  // programs and buffers are there by now
    change(i);
    EXPECT_FALSE(technique.step(context, INFINITY).partial);
  }
  return gpu::workCounts() - before;
}

TEST_F(DeepTechniqueTest, PicturesOfFilesAreMadeWithoutWaiting) {
  adopt(twoFields());
  picture();
  gpu::WorkCounts counts = countsOfPictures(
      context(), technique_, [&](int i) { settings_.view.peel = fmt::format(":{}", 3 + i); });
  EXPECT_EQ(counts.synchronizations(), 0u);
  settings_.view.peel.clear();
  counts = countsOfPictures(context(), technique_, [&](int i) {
    settings_.earlyOut = i % 2 ? EarlyOut::Off : EarlyOut::Exact;
  });
  EXPECT_EQ(counts.synchronizations(), 0u);
  EXPECT_EQ(counts.allocations, 0u);
}

TEST_F(DeepTechniqueTest, ACameraThatMovesIsWaitedForOncePerPicture) {
  for (const Layout layout : {Layout::LinkedList, Layout::BlockInterleaved}) {
    settings_.layout = layout;
    open("planes:count=4,spheres=2");
    picture();
    gpu::WorkCounts before;
    for (int i = 0; i < 6; ++i) {
      if (i == 3) before = gpu::workCounts();
      technique_.camera()->orbit(0.01f, 0);
      technique_.restart();
      EXPECT_FALSE(technique_.step(context(), INFINITY).partial);
      context().pace();
    }
    const gpu::WorkCounts counts = gpu::workCounts() - before;
    // A linked list's pool may be too small, which each input tells for itself.
    const std::uint64_t each = layout == Layout::LinkedList ? technique_.opened().count() : 1;
    EXPECT_EQ(counts.reads, 3 * each) << int(layout);
    EXPECT_EQ(counts.finishes, 0u);
    EXPECT_LE(counts.waits, 3u);
  }
}

TEST_F(DeepTechniqueTest, WhatIsMergedIsSavedWhileOthersAreOpened) {
  const TempFolder folder;
  adopt(twoFields());
  settings_.zOffsets = "0,0.25";
  const DeepImage expected = merged();
  DeepWindowParts parts(technique_);
  Editing& editing = *parts.editing;
  EXPECT_EQ(editing.savable()->endings, (std::vector<std::string>{".exr", ".fdp"}));
  for (const char* name : {"merged.exr", "merged.fdp"}) {
    settings_.zOffsets = "0,0.25";  // forgotten with other inputs
    const auto write = editing.writer(folder.file(name));
    adopt({deepImage(kPixel, {{kNear, kFar}})});
    write();
    EXPECT_TRUE(sameFragments(readDeepExr(folder / name), expected)) << name;
    adopt(twoFields());
  }
  EXPECT_THROW(editing.writer(folder.file("none/no.exr"))(), Error);
  settings_.steps = "grade gain=2";
  EXPECT_THROW(editing.writer(folder.file("early.exr")), Error);  // not done yet
  EXPECT_FALSE(editing.writer(folder.file("shot.recipe")));       // by save()
}

TEST_F(DeepTechniqueTest, StepsMakeThePicture) {
  const std::vector<DeepImage> fields = twoFields();
  adopt(twoFields());
  const Image plain = picture();
  // Of an input: it stays one of two.
  settings_.steps = "grade 2 gain=0.5";
  const Image graded = picture();
  EXPECT_EQ(technique_.opened().count(), 2u);
  EXPECT_FALSE(test::exact(graded.pixels, plain.pixels));
  DeepImage second = fields[1];
  ColorRepairs repairs;
  gradeFragments(second, {.gain = {0.5, 0.5, 0.5}}, repairs);
  settings_.steps.clear();
  adopt({fields[0], second});
  EXPECT_TRUE(test::exact(picture().pixels, graded.pixels));
  adopt(twoFields());
  // Of what is merged: one image, of another size, that no edit is done with again.
  settings_.steps = "move-z 2 offset=0.25; crop 5,3,20,10; expression Z = Z + frame";
  technique_.setFrameNumber(100);
  const Image cropped = picture();
  EXPECT_EQ(technique_.frame().size, glm::ivec2(20, 10));
  EXPECT_EQ(technique_.frame().origin, glm::ivec2(5, 3));
  EXPECT_TRUE(technique_.setup().edits(Purpose::File).isNothing());
  EXPECT_GT(decodeFragment(technique_.opened().images()[0], 0).z, 100);
  settings_.steps = "# crop 5,3,20,10";
  EXPECT_TRUE(test::exact(picture().pixels, plain.pixels));
  // What cannot be done is said with its line; the images stay those of before.
  settings_.steps = "tidy\ncrop 5000,0,9,9";
  EXPECT_THROW(picture(), Error);
  EXPECT_THAT(technique_.opened().made().complaint, HasSubstr("--do:2: crop: "));
  EXPECT_FALSE(technique_.stale());
  settings_.steps.clear();
  EXPECT_TRUE(test::exact(picture().pixels, plain.pixels));
}

TEST_F(DeepTechniqueTest, StepsOfADraggedNumberAreShownOneAfterTheOther) {
  adopt(twoFields());
  const auto last = [&] {
    while (technique_.step(context(), 1).partial || technique_.stale()) {
    }
    return technique_.reference();
  };
  settings_.steps = "grade gain=0.25";
  const Image expected = last();
  settings_.steps = "grade gain=4";
  technique_.step(context(), 1);
  settings_.steps = "grade gain=0.25";  // while the other is being made
  EXPECT_TRUE(technique_.stale());
  EXPECT_TRUE(test::exact(last().pixels, expected.pixels));
  settings_.steps = "grade gain=4";
  technique_.step(context(), 1);
  adopt({deepImage(kPixel, {{kNear, kFar}})});  // other inputs end it
  EXPECT_EQ(last().width, 1);
}

TEST_F(DeepTechniqueTest, FramesOfNumberedFilesAreShownAndPlayed) {
  const TempFolder folder;
  for (int frame = 8; frame <= 11; ++frame) {
    writeDeepExr(folder / fmt::format("a.{:03}.exr", frame),
                 sphereField({31, 17, 5, std::uint32_t(frame)}));
    writeDeepExr(folder / fmt::format("b{:02}.exr", frame),
                 sphereField({31, 17, 5, std::uint32_t(50 + frame)}));
  }
  EXPECT_EQ(patternOfNumbered("/x1/shot2.0010.exr"), "/x1/shot2.####.exr");
  EXPECT_EQ(patternOfNumbered("/x1/shot.exr"), "");
  settings_.zOffsets = "0,0.25";
  const auto pictureOf = [&](int frame) {
    technique_.adopt(read({folder.file(fmt::format("a.{:03}.exr", frame)),
                           folder.file(fmt::format("b{:02}.exr", frame))},
                          progress_));
    return picture();
  };
  const Image tenth = pictureOf(10), eighth = pictureOf(8);
  DeepWindowParts parts(technique_);
  parts.adopted({});
  FramePlayer& frames = parts.frames();
  EXPECT_EQ(frames.frames(), (std::vector<int>{8, 9, 10, 11}));
  EXPECT_EQ(frames.shown(), 0u);
  const auto next = [&] {
    const std::size_t before = frames.shown();
    for (int i = 0; i < 2000; ++i) {
      parts.advance();
      if (frames.shown() != before) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  };
  frames.show(2);
  ASSERT_TRUE(next());
  EXPECT_TRUE(test::exact(picture().pixels, tenth.pixels));
  EXPECT_EQ(technique_.inputs()[1], folder.file("b10.exr"));
  frames.framesPerSecond() = 120;
  frames.play(true);
  for (const std::size_t frame : {3u, 0u, 1u, 2u}) {
    ASSERT_TRUE(next());
    EXPECT_EQ(frames.shown(), frame);
    if (frame == 0) {
      EXPECT_TRUE(test::exact(picture().pixels, eighth.pixels));
    }
  }
  frames.play(false);
  EXPECT_TRUE(frames.isKept(3));
  folder.write("a.011.exr", "no picture");
  technique_.adopt(read({folder.file("a.008.exr")}, progress_));
  parts.adopted({});
  frames.show(3);
  for (int i = 0; i < 2000 && frames.complaint().empty(); ++i) {
    parts.advance();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_THAT(frames.complaint(), HasSubstr("a.011.exr"));
  EXPECT_EQ(frames.shown(), 0u);
}

TEST_F(DeepTechniqueTest, AnObjectIsPickedByWhatShowsMost) {
  DeepImage image = deepImage(kPixel, {{kNear, kFar, {0, 0, 1, 1, 4, 4}}});
  makeIndexed(image);
  DeepChannel ids{"id", ChannelType::Uint, std::vector<std::byte>(12)};
  const std::uint32_t values[] = {7, 9, 9};  // 0.5; 0.25 and 0.25: the first of equal ones
  std::memcpy(ids.values.data(), values, sizeof values);
  image.channels.push_back(ids);
  adopt({image});
  picture();
  const auto object = technique_.inspection().object(0, 0);
  ASSERT_TRUE(object.has_value());
  EXPECT_EQ(object->id, 7u);
  EXPECT_EQ(object->name, "7");
  EXPECT_EQ(object->input, 0u);
  EXPECT_FALSE(technique_.inspection().object(5, 0).has_value());
}

TEST_F(DeepTechniqueTest, SlicesEndInTheSamePicture) {
  open("planes:count=32,spheres=8");
  const Image whole = picture();
  technique_.restart();
  bool done = !technique_.step(context(), 0).partial;
  EXPECT_FALSE(done);  // one input is not all
  int calls = 1;
  while (!done && calls < 100) done = !technique_.step(context(), 0).partial, ++calls;
  EXPECT_TRUE(done);
  EXPECT_TRUE(test::exact(technique_.frame().picture->downloadImage().pixels, whole.pixels));
}

TEST_F(DeepTechniqueTest, ASettingThatRedrawsKeepsThePicture) {
  std::vector<DeepImage> images = twoFields();
  for (const bool many : {false, true}) {
    if (many) images.push_back(sphereField({61, 35, 3, 3}));  // three have two strategies
    settings_ = {};
    settings_.strategy = Strategy::Pairwise;
    adopt(images);
    const Image before = picture();
    settings_.method = Method::Stepwise;
    EXPECT_TRUE(test::exact(picture(false).pixels, before.pixels));
    settings_.strategy = Strategy::KWay;
    EXPECT_TRUE(test::exact(picture(false).pixels, before.pixels));
    settings_.saveMerged = true;
    EXPECT_TRUE(test::exact(picture(false).pixels, before.pixels));
  }
}

TEST_F(DeepTechniqueTest, AnotherSizeOfASceneIsRebuilt) {
  open("planes:count=32,spheres=8", 20, 10);
  picture();
  technique_.setSize(33, 17);
  const Image larger = picture();
  EXPECT_EQ(larger.width, 33);
  EXPECT_TRUE(test::rounding(larger, technique_.reference(), test::roundingBound(400, 1)));
}

TEST_F(DeepTechniqueTest, FilesHaveTheirOwnSize) {
  adopt({deepImage({3, 4, 2, 1}, {{kNear}, {}})});
  technique_.setSize(640, 480);
  EXPECT_EQ(technique_.frame().size, glm::ivec2(2, 1));
  EXPECT_EQ(technique_.frame().origin, glm::ivec2(3, 4));
}

TEST_F(DeepTechniqueTest, KeepsTheFirstDisplayWindow) {
  std::vector<DeepImage> images{deepImage(kPixel, {{kNear}}), deepImage(kPixel, {{kFar}})};
  images[0].displayWindow = {0, 0, 7, 5};
  adopt(std::move(images));
  EXPECT_EQ(technique_.opened().header(FragmentFormat::Half).displayWindow, (Rect{0, 0, 7, 5}));
}

// ---- Merging and bands

TEST_F(DeepTechniqueTest, ManyFilesInBandsAreTheSameByEitherStrategy) {
  std::vector<DeepImage> images = twoFields();
  for (std::uint32_t seed = 3; seed < 8; ++seed) images.push_back(sphereField({61, 35, 3, seed}));
  const DeepImage expected = test::referenceMerged(images);
  for (const Layout layout : {Layout::LinkedList, Layout::RankInterleaved})
    for (const Strategy strategy : {Strategy::Pairwise, Strategy::KWay})
      for (const int kib : {48, 192, 4096}) {
        settings_.layout = layout, settings_.strategy = strategy;
        settings_.links = kib == 4096 ? Links::Push : Links::Forward;
        context().memory().setBlockLimit(kib * 1024);
        adopt(images);
        EXPECT_TRUE(sameFragments(merged(), expected))
            << kib << " KiB, layout " << int(layout) << ", strategy " << int(strategy);
      }
}

TEST_F(DeepTechniqueTest, BandsOfASceneGiveTheSamePictureAndCounts) {
  open("planes:count=32,spheres=8");
  const Image whole = picture();
  const std::vector<std::uint32_t> counts = technique_.counts(context());
  open("planes:count=32,spheres=8");
  context().memory().setBlockLimit(256 * 1024);  // the scene itself must fit
  EXPECT_TRUE(test::exact(picture().pixels, whole.pixels));
  EXPECT_EQ(technique_.counts(context()), counts);
}

TEST_F(DeepTechniqueTest, ABudgetTooSmallForAllBandsGivesTheSame) {
  open("planes:count=32,spheres=8");
  const Image whole = picture();
  const auto row = technique_.inspect(30, 17)->rows.at(0);
  const std::vector<std::uint32_t> counts = technique_.counts(context());
  gpu::MemoryAccount& memory = context().memory();
  const struct Restore {
    gpu::MemoryAccount& memory;
    std::int64_t budget;
    ~Restore() { memory.setBudget(budget); }
  } restore{memory, memory.budget()};
  std::int64_t lists = 0;
  for (const gpu::MemoryAccount::Entry& entry : memory.entries())
    if (entry.name == "fragments") lists += entry.bytes;
  technique_.restart();
  EXPECT_FALSE(technique_.step(context(), INFINITY).partial);
  memory.setBudget(memory.totalBytes() - lists / 2);
  open("planes:count=32,spheres=8");
  const Image found = picture();
  EXPECT_TRUE(test::exact(found.pixels, whole.pixels));
  EXPECT_EQ(technique_.inspect(30, 17)->rows.at(0), row);
  EXPECT_EQ(technique_.counts(context()), counts);
  EXPECT_TRUE(test::rounding(technique_.reference(), whole, test::roundingBound(3000, 1)));
}

TEST_F(DeepTechniqueTest, ReferenceOfASceneIsCutLikeThePicture) {
  open("planes:count=32,spheres=8");
  const Image whole = picture();
  open("planes:count=32,spheres=8");
  context().memory().setBlockLimit(256 * 1024);
  picture();
  context().memory().setBlockLimit(96 * 1024);  // less than the bands were cut for
  EXPECT_TRUE(test::rounding(technique_.reference(), whole, test::roundingBound(3000, 1)));
}

TEST_F(DeepTechniqueTest, ABlockOfPixelsThatDoesNotFitSaysWhatItNeeds) {
  adopt({test::randomImage({.window = {0, 0, 4, 8}, .counts = test::constantCount(600)})});
  context().memory().setBlockLimit(64 * 1024);
  EXPECT_EQ(messageOf([&] { merged(); }),
            "fragments: needs 300 KiB in one buffer, this GPU allows 64.0 KiB");
}

// ---- Float colors

TEST_F(DeepTechniqueTest, FlattensFloatColorsLikeTheReference) {
  settings_.tidy = Tidy::Off;
  adopt(twoFloatFields());
  const DeepImage expected = test::referenceMerged(twoFloatFields());
  EXPECT_TRUE(
      test::exact(picture().pixels, reference::flatten(expected, expected.dataWindow).pixels));
}

TEST_F(DeepTechniqueTest, InspectsFloatColorsOfEveryInput) {
  const DeepImage expected = test::referenceMerged(twoFloatFields());
  adopt(twoFloatFields());
  for (const glm::ivec2 at : {glm::ivec2(30, 20), glm::ivec2(50, 30), glm::ivec2(67, 39)}) {
    const glm::ivec2 origin = technique_.frame().origin;
    const auto report = technique_.inspect(at.x, at.y);
    ASSERT_TRUE(report);
    const std::size_t p = expected.pixelIndex(at.x + origin.x, at.y + origin.y);
    ASSERT_EQ(report->marks.size(), expected.fragmentOffsets[p + 1] - expected.fragmentOffsets[p]);
    for (std::size_t i = 0; i < report->marks.size(); ++i) {
      const Fragment f = decodeFragment(expected, expected.fragmentOffsets[p] + i);
      EXPECT_EQ(report->marks[i].z, f.z);
      EXPECT_EQ(report->marks[i].r, f.r / f.a);
    }
  }
}

// ---- Operations

TEST_F(DeepTechniqueTest, PicturesOfVolumesAreTidyUnlessTold) {
  adopt(twoFields());
  EXPECT_TRUE(edits(Purpose::Picture).merged.tidy);
  EXPECT_FALSE(edits(Purpose::File).merged.tidy);
  const Image tidy = picture();
  settings_.tidy = Tidy::Off;
  const Image raw = picture(false);
  EXPECT_FALSE(test::rounding(raw, tidy, 1e-3f));
  const DeepImage merged = test::referenceMerged(twoFields());
  EXPECT_TRUE(test::rounding(raw, reference::flatten(merged, merged.dataWindow),
                             test::roundingBound(300, 1)));
}

TEST_F(DeepTechniqueTest, EditedPicturesEqualTheReferenceInBandsAndLayouts) {
  const std::vector<InputEdit> edits{{.zScale = 1.25f, .nearest = 2}, {.role = Role::HoldOut}};
  for (const Layout layout : {Layout::LinkedList, Layout::BlockInterleaved})
    for (const int kib : {1024, 48}) {
      context().memory().setBlockLimit(kib * 1024);
      settings_.layout = layout;
      adopt(twoFields());
      setEdits(settings_, edits);
      // What is held out is rounded to half before it is composited.
      EXPECT_TRUE(test::rounding(picture(), technique_.reference(), 4e-3f)) << kib << " KiB";
    }
}

TEST_F(DeepTechniqueTest, WithoutVisibleInputsNothingIsLeft) {
  adopt(twoFields());
  settings_.visible = "off,off";
  for (const glm::vec4& pixel : picture().pixels) ASSERT_EQ(pixel, glm::vec4(0));
  EXPECT_EQ(merged().fragmentCount(), 0u);
}

TEST_F(DeepTechniqueTest, EditsOfASceneHoldOnePartOutByAnother) {
  open("atrium");
  setEdits(settings_, std::vector<InputEdit>{{}, {.role = Role::HoldOut}});
  const Image found = picture();
  EXPECT_TRUE(test::rounding(found, technique_.reference(), 4e-3f));
  setEdits(settings_, {});
  EXPECT_FALSE(test::rounding(picture(false), found, 4e-3f));
}

// ---- The inspector, picking, facts

/// The table is that of `fathom deep inspect` (DeepCommand.InspectPrintsTheListFrontToBack).
TEST_F(DeepTechniqueTest, MarksOfTheInspectorHaveStraightColors) {
  adopt({deepImage(kPixel, {{kFar}}), deepImage(kPixel, {{kNear}})});
  const auto report = technique_.inspect(0, 0);
  ASSERT_TRUE(report);
  ASSERT_EQ(report->marks.size(), 2u);
  EXPECT_EQ(report->marks[0].r, 1.0f);
  EXPECT_EQ(report->marks[0].source, 1);
  EXPECT_EQ(report->marks[1].g, 0.5f);
  EXPECT_EQ(report->marks[1].source, 0);
}

TEST_F(DeepTechniqueTest, InspectionShowsZBackOfVolumesAlone) {
  adopt({deepImage(kPixel, {{Fragment{0, 0, 0, 1, 2, 4}, Fragment{0, 0, 0, 1, 5, 5}}})});
  const auto report = technique_.inspect(0, 0);
  ASSERT_GE(report->columns.size(), 2u);
  EXPECT_EQ(report->columns[1], "ZBack");
  EXPECT_EQ(report->rows[0][1], "4");
  EXPECT_EQ(report->rows[1][1], "");
}

TEST_F(DeepTechniqueTest, InspectsNothingOutside) {
  adopt({deepImage(kPixel, {{kNear}})});
  EXPECT_FALSE(technique_.inspect(1, 0));
  EXPECT_FALSE(technique_.inspect(0, -1));
}

TEST_F(DeepTechniqueTest, InspectsPartsOfASceneInEveryLayout) {
  open("planes:count=32,spheres=8");
  std::vector<std::string> first;
  for (const char* layout : {"ll", "la", "ia", "bia"}) {
    assign(technique_.settings(), "layout", layout);
    picture();
    const auto report = technique_.inspect(30, 17);
    ASSERT_TRUE(report);
    std::vector<std::string> rows;
    for (const auto& row : report->rows) rows.push_back(fmt::format("{}", fmt::join(row, " ")));
    EXPECT_GT(rows.size(), 1u);
    if (first.empty()) first = rows;
    EXPECT_EQ(rows, first) << layout;
  }
}

TEST_F(DeepTechniqueTest, PicksAPointOnTheSurface) {
  open("atrium", 64, 36);
  picture();
  const auto point = technique_.pick(40, 20);
  ASSERT_TRUE(point);
  // The point projects back to the pixel it was picked from.
  Camera camera = *technique_.camera();
  camera.fitDepth({glm::vec3(-100), glm::vec3(100)});
  const glm::vec4 clip = camera.projection(64.0f / 36) * camera.view() * glm::vec4(*point, 1);
  EXPECT_NEAR((clip.x / clip.w + 1) / 2 * 64, 40.5, 1e-2);
  EXPECT_NEAR((1 - clip.y / clip.w) / 2 * 36, 20.5, 1e-2);
  // Its distance is the depth of a fragment there.
  bool found = false;
  const auto report = technique_.inspect(40, 20);
  ASSERT_TRUE(report);
  for (const PixelReport::Mark& mark : report->marks)
    found = found || std::abs(mark.z - clip.w) < 1e-3f * mark.z;
  EXPECT_TRUE(found);
}

TEST_F(DeepTechniqueTest, LegendNamesTheClassesOfTheHeatMap) {
  EXPECT_TRUE(technique_.legend().empty());  // of a picture
  settings_.show = Show::HeatMap;
  const std::vector<LegendEntry> legend = technique_.legend();
  ASSERT_EQ(legend.size(), heatClasses().size());
  for (std::size_t i = 0; i < legend.size(); ++i)
    EXPECT_EQ(glm::vec3(legend[i].r, legend[i].g, legend[i].b), heatClasses()[i].color);
  EXPECT_EQ(legend[0].label, "0");
  EXPECT_EQ(legend[2].label, "2 to 8");
  EXPECT_EQ(legend.back().label, "513 and more");
}

TEST_F(DeepTechniqueTest, CountsAddUpToTheFragments) {
  const std::vector<DeepImage> images = twoFields();
  adopt(images);
  std::uint64_t sum = 0;
  for (const std::uint32_t count : technique_.counts(context())) sum += count;
  EXPECT_EQ(sum, images[0].fragmentCount() + images[1].fragmentCount());
}

// ---- Inputs that do not fit

TEST_F(DeepTechniqueTest, AcceptsScenesAndExrFilesByContent) {
  const TempFolder folder;
  writeDeepExr(folder / "deep.dat", deepImage(kPixel, {{kNear}}));
  EXPECT_TRUE(accepts({folder.file("deep.dat")}));
  EXPECT_TRUE(accepts({"hairball:strands=20"}));
  EXPECT_FALSE(accepts({folder.write("not.exr", "text").string()}));
}

}  // namespace
}  // namespace fathom::deep
