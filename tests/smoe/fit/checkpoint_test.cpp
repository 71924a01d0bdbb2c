// SPDX-License-Identifier: BSD-3-Clause
// A fit that was stopped anywhere and goes on from its file ends with the same bytes as one that
// never was; damaged files are refused.
#include "app/engine/smoe/fit/checkpoint.h"

#include "app/engine/core/error.h"
#include "app/engine/smoe/fit/fitter.h"
#include "app/engine/smoe/model/file.h"
#include "tests/smoe/fit/pictures.h"
#include "tests/support/gpu_test.h"
#include "tests/support/temp_folder.h"

#include <limits>

namespace fathom::smoe {
namespace {

constexpr double kToTheEnd = std::numeric_limits<double>::infinity();

class CheckpointTest : public test::GpuTest {
 protected:
  static FitRequest request(int components, int steps) {
    FitRequest request;
    request.components = components;
    request.emIterations = 5;
    request.refitIterations = 4;
    request.steps = steps;
    request.snapshots = true;
    return request;
  }
  /// The files that the fit leaves on its way to the end.
  std::vector<std::vector<std::byte>> run(Fitter& fitter) {
    std::vector<std::vector<std::byte>> files;
    int last = -1;
    for (bool done = false; !done;) {
      done = fitter.step(0.01, progress_);
      const FitSnapshot* snapshot = fitter.snapshot();
      if (!snapshot || snapshot->iteration == last) continue;
      last = snapshot->iteration;
      files.push_back(checkpointBytes({*snapshot, {30, 50, 2, true}}, "test"));
    }
    return files;
  }
  Checkpoint parse(const std::vector<std::byte>& file) {
    return parseCheckpoint(file, "test", progress_).value();
  }
  std::vector<std::byte> resumed(const std::shared_ptr<const TrainingSet>& training,
                                 const std::vector<std::byte>& file) {
    Fitter fitter(context(), training, parse(file).fit);
    fitter.step(kToTheEnd, progress_);
    return encode(fitter.model(), Encoding::F32).bytes;
  }
  Progress progress_;
};

TEST_F(CheckpointTest, AFitGoesOnAsIfItHadNeverStopped) {
  const auto training = trainingOf(discs({56, 40}));
  Fitter whole(context(), training, request(40, 70));
  const auto files = run(whole);
  const auto bytes = encode(whole.model(), Encoding::F32).bytes;
  ASSERT_GE(files.size(), 6u);  // of the mixture at 0 and 4 rounds, of descent at 0, 20, 40, 60
  for (const auto& file : files) EXPECT_EQ(resumed(training, file), bytes);
}

TEST_F(CheckpointTest, SoDoesOneThatGrows) {
  const auto training = trainingOf(discs({56, 40}));
  Fitter whole(context(), training, request(30, 20));
  whole.step(kToTheEnd, progress_);
  whole.addComponents(30, 120);
  const auto files = run(whole);
  const auto bytes = encode(whole.model(), Encoding::F32).bytes;
  ASSERT_EQ(whole.model().components.size(), 60u);
  ASSERT_GE(files.size(), 4u);
  EXPECT_GT(parse(files[0]).fit.growing, 0);
  for (const std::size_t i : {std::size_t(0), files.size() - 1})
    EXPECT_EQ(resumed(training, files[i]), bytes) << i;
}

TEST_F(CheckpointTest, AndOneThatWatchesSsim) {
  const auto training = trainingOf(discs({40, 32}));
  FitRequest wanted = request(24, 50);
  wanted.structure = 0.3f;
  Fitter whole(context(), training, wanted);
  const auto files = run(whole);
  EXPECT_EQ(parse(files.back()).fit.request.structure, 0.3f);
  EXPECT_EQ(parse(files.back()).fit.bestScore, whole.snapshot()->bestScore);
  const auto bytes = encode(whole.model(), Encoding::F32).bytes;
  for (const std::size_t i : {std::size_t(0), files.size() - 1})
    EXPECT_EQ(resumed(training, files[i]), bytes) << i;
}

TEST_F(CheckpointTest, AndOneOfViewsDrawnAtRandom) {
  const auto training = trainingOfViews({4, 2}, {24, 20});
  Fitter whole(context(), training, request(20, 220));
  const auto files = run(whole);
  EXPECT_GT(parse(files.back()).fit.draws, 0);
  EXPECT_EQ(resumed(training, files.back()), encode(whole.model(), Encoding::F32).bytes);
}

TEST_F(CheckpointTest, ItIsAModelWithTheStateBehindIt) {
  const auto training = trainingOf(discs({32, 24}));
  Fitter fitter(context(), training, request(12, 30));
  const auto files = run(fitter);
  const test::TempFolder folder;
  const FitSnapshot& fit = *fitter.snapshot();
  writeCheckpoint(folder.file("a.smoe"), {fit, {30, 50, 2, true}});
  const Model model = readModel(folder.file("a.smoe"), progress_);
  EXPECT_EQ(model.components, fit.model.components);
  const Checkpoint read = readCheckpoint(folder.file("a.smoe"), progress_).value();
  EXPECT_EQ(read.search, (PsnrSearch{30, 50, 2, true}));
  EXPECT_EQ(read.fit.best, fit.best);
  EXPECT_EQ(read.fit.device, fit.device);
  writeModel(folder.file("b.smoe"), model);
  EXPECT_FALSE(readCheckpoint(folder.file("b.smoe"), progress_));
}

TEST_F(CheckpointTest, DamagedOnesAndOtherPicturesAreRefused) {
  const auto training = trainingOf(discs({32, 24}));
  Fitter fitter(context(), training, request(12, 30));
  const auto files = run(fitter);
  for (const auto& file : {files.front(), files.back()}) {
    const std::span<const std::byte> state = behindModel(file, "test");
    const std::size_t begin = file.size() - state.size();
    for (std::size_t cut = begin + 8; cut < file.size(); cut += 13)
      EXPECT_THROW(parseCheckpoint(std::span(file).first(cut), "test", progress_), Error) << cut;
    for (std::size_t at = begin + 8; at < file.size(); at += 11) {
      std::vector<std::byte> damaged = file;
      damaged[at] ^= std::byte(0x41);
      try {
        parseCheckpoint(damaged, "test", progress_);
        // A letter of the device's name, or another digit of a number: nothing that is relied on.
        EXPECT_LT(at, begin + 12 + 700);
      } catch (const Error&) {
      }
    }
  }
  EXPECT_THROW(Fitter(context(), trainingOf(discs({32, 25})), parse(files.back()).fit), Error);
  EXPECT_THROW(Fitter(context(), trainingOf(ramp({32, 24})), parse(files.back()).fit), Error);
}

}  // namespace
}  // namespace fathom::smoe
