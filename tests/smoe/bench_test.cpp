// SPDX-License-Identifier: BSD-3-Clause
// What the benchmarks rest on: measures of accuracy, parts of models, and every check of theirs in
// the small size. Besides, what quantizing costs a fitted model.
#include "app/lab/smoe/bench.h"
#include "app/engine/core/compare.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/picture.h"
#include "app/engine/smoe/model/file.h"
#include "app/lab/smoe/workloads.h"
#include "tests/smoe/models.h"
#include "tests/support/gpu_test.h"
#include "tests/support/program.h"

#include <nlohmann/json.hpp>

namespace fathom::smoe {
namespace {

TEST(Accuracy, PapersTestAllowsTheRootOfWhatOursAllows) {
  // One color of one pixel errs by 1/40: the pixel's MSE is 1/4800, below 2^-12.
  const std::vector<glm::dvec3> truth(4, glm::dvec3(0.5));
  std::vector<glm::dvec3> found = truth;
  found[2].g += 1.0 / 40;
  const Accuracy a = accuracyOf(found, truth);
  EXPECT_EQ(12, a.paperBits());
  EXPECT_EQ(0, a.strictBits());
  EXPECT_NEAR(std::pow(0.7152 / 40, 2) / 4, a.luminanceMse, 1e-12);
}

TEST(Accuracy, StrictTestIsOfColorsThatAreShown) {
  const Accuracy a = accuracyOf(std::vector{glm::dvec3(1.5)}, std::vector{glm::dvec3(1.2)});
  EXPECT_NEAR(0.3, a.max, 1e-15);
  EXPECT_EQ(16, a.strictBits());
}

TEST(Accuracy, NotANumberIsInfinitelyWrong) {
  const Accuracy a = accuracyOf(std::vector{glm::dvec3(NAN)}, std::vector{glm::dvec3(0.5)});
  EXPECT_EQ(0, a.strictBits());
  EXPECT_TRUE(std::isinf(a.max));
}

TEST(NearestTo, TakesASquareAround) {
  std::vector<Record> records;
  for (int i = 0; i < 10; ++i) records.push_back(disc({i, 0}, 1, glm::dvec3(0)));
  const Model model = modelOf(records, {10, 10});
  EXPECT_EQ((std::vector<std::uint32_t>{3, 4, 5}), nearestTo(model, {4.1, 1}, 3));
  EXPECT_EQ(2u, restricted(model, {1, 7}).components.size());
}

TEST(RateQuality, CurvesThatAreShiftedDifferByTheShift) {
  std::vector<RatePoint> anchor, cheaper, better;
  for (const double rate : {0.1, 0.2, 0.5, 1.0}) {
    anchor.push_back({rate, 30 + 5 * std::log(rate)});
    cheaper.push_back({0.8 * rate, 30 + 5 * std::log(rate)});
    better.push_back({rate, 31 + 5 * std::log(rate)});
  }
  EXPECT_NEAR(bjontegaard(anchor, cheaper).rate, -0.2, 1e-9);
  EXPECT_NEAR(bjontegaard(anchor, better).dB, 1, 1e-9);
  EXPECT_FALSE(bjontegaard(anchor, {{5, 60}, {9, 70}}).known);
  EXPECT_FALSE(bjontegaard(anchor, {{0.3, 25}}).known);
}

TEST(SmoeBenches, RateMeasuresTheFilesThatAreGiven) {
  const TempFolder folder;
  const Image picture = benchPicture({48, 40}, 0.2f, 5).pictures[0];
  writePicture(folder.file("mine.png"), picture);
  const std::string out = outputOf(
      {"bench", "smoe.rate", folder.file("mine.png"), "--quick", "--trials", "1", "--json", "-"});
  for (const char* text : {"mine.png", "SMoE at 3", "SMoE at 6", "MS-SSIM", "bits per pixel"})
    EXPECT_THAT(out, HasSubstr(text));
  // A trial decodes: it takes longer than finding that all is there already.
  const nlohmann::json bench = nlohmann::json::parse(out);
  for (const auto& row : bench["trials"])
    if (row["label"].get<std::string>().starts_with("SMoE at")) {
      EXPECT_GT(row["wall_ms"]["median"].get<double>(), 0.02) << row["label"];
      EXPECT_LE(row["values"]["bits per pixel"].get<double>(),
                row["settings"]["bpp"].get<double>());
    }
  // The tables of the page are made of this.
  std::ofstream(folder.file("rate.json")) << out;
  const std::string tables = folder.file("tables.md");
  const std::string command = fmt::format("python3 {}/docs/measure_rate.py {} > {}",
                                          FATHOM_SOURCE_DIR, folder.file("rate.json"), tables);
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_THAT(readFile(tables), HasSubstr("| mean | 6 | | | "));
  EXPECT_EQ(runFathom({"bench", "smoe.lists", folder.file("mine.png"), "--quick"}).code, 2);
}

class FittedModel : public test::GpuTest {};

TEST_F(FittedModel, LosesLittleByQuantizing) {
  const auto training = std::make_shared<const TrainingSet>(benchPicture({96, 96}, 0.5f, 3));
  Fitter fitter(context(), training, {.components = 300, .steps = 40});
  Progress progress;
  while (!fitter.step(std::numeric_limits<double>::infinity(), progress)) {
  }
  const Model model = fitter.model();
  const auto psnrOf = [&](const Model& m) {
    const auto colors = reference::decode(reference::recordsOf(m, {}), {{96, 96}});
    double sum = 0;
    for (std::size_t i = 0; i < colors.size(); ++i)
      for (int k = 0; k < 3; ++k)
        sum += std::pow(
            std::clamp(colors[i][k], 0.0, 1.0) - double(training->pictures[0].pixels[i][k]), 2);
    return -10 * std::log10(sum / double(3 * colors.size()));
  };
  const double exactly = psnrOf(model);
  EXPECT_GT(exactly, 30);
  EXPECT_LT(exactly - psnrOf(quantized(model, Quantization::archive())), 0.02);
  EXPECT_LT(exactly - psnrOf(quantized(model, Quantization::compact())), 0.3);
}

TEST(SmoeBenches, EqualTheReferenceInTheSmallSize) {
  const Outcome outcome = runFathom({"bench", "smoe", "--quick", "--check"});
  EXPECT_EQ(0, outcome.code) << outcome.err;
}

}  // namespace
}  // namespace fathom::smoe
