// SPDX-License-Identifier: BSD-3-Clause
// A fit that was stopped anywhere and goes on from its file ends with the same bytes as one that
// never was; damaged files are refused. Fits of pictures with alpha, their models as files, and
// their checkpoints.
#include "app/engine/smoe/fit/checkpoint.h"
#include "app/engine/smoe/decode/decoder.h"
#include "app/engine/smoe/fit/experts.h"
#include "app/engine/smoe/fit/fitter.h"
#include "app/engine/smoe/fit/quality.h"
#include "app/engine/smoe/model/file.h"
#include "app/engine/smoe/model/packed.h"
#include "tests/smoe/models.h"
#include "tests/support/gpu_test.h"

namespace fathom::smoe {
namespace {

constexpr double kToTheEnd = std::numeric_limits<double>::infinity();

FitRequest requestOf(int components, int steps) {
  return {.components = components, .emIterations = 5, .steps = steps, .snapshots = true};
}

class CheckpointTest : public test::GpuTest {
 protected:
  static FitRequest request(int components, int steps) {
    FitRequest request = requestOf(components, steps);
    request.refitIterations = 4;
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
  const TempFolder folder;
  const FitSnapshot& fit = *fitter.snapshot();
  writeCheckpoint(folder.file("a.smoe"), {fit, {30, 50, 2, true}});
  const Model model = readModel(folder.file("a.smoe"), progress_);
  EXPECT_EQ(model.components, fit.model.components);
  const Checkpoint read = readCheckpoint(folder.file("a.smoe"), progress_).value();
  EXPECT_EQ(read.search, (PsnrSearch{30, 50, 2, true}));
  EXPECT_EQ(read.fit.best, fit.best);
  EXPECT_EQ(read.fit.device, fit.device);
  save(folder.file("b.smoe"), model, Encoding::F32);
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

TrainingSet srgbOf(const Image& picture) {
  return trainingFrom(picture, ColorSpace::Srgb, "picture");
}
std::shared_ptr<const TrainingSet> sharedOf(const Image& picture) {
  return std::make_shared<const TrainingSet>(srgbOf(picture));
}

/// A textured disc with a soft edge, cut out: linear, premultiplied.
Image cutOut(glm::ivec2 size) {
  Image picture = discs(size);
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x) {
      const float r = std::hypot(float(x) - float(size.x) / 2, float(y) - float(size.y) / 2);
      const float a = std::clamp((0.42f * float(size.y) - r) / 6 + 0.5f, 0.0f, 1.0f);
      picture.at(x, y) = glm::vec4(glm::vec3(picture.at(x, y)) * a, a);
    }
  return picture;
}

/// What is seen over a ground, as displayed.
Image over(const Image& picture, float ground) {
  Image result = picture;
  for (glm::vec4& p : result.pixels) p = glm::vec4(glm::vec3(p) + (1 - p.a) * ground, 1);
  return encoded(result, ColorSpace::Srgb);
}

double psnrOfAlpha(const Image& a, const Image& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i)
    sum += std::pow(double(a.pixels[i].a) - double(b.pixels[i].a), 2);
  return decibels(sum / double(a.pixels.size()));
}

class SmoeAlphaFit : public test::GpuTest {
 protected:
  Model fitted(const std::shared_ptr<const TrainingSet>& training, const FitRequest& request,
               std::shared_ptr<const Model> from = nullptr) {
    const auto run = [&](const auto& part, const FitRequest& of, const Model* start) {
      auto fitter = start ? std::make_unique<Fitter>(context(), part, of, *start)
                          : std::make_unique<Fitter>(context(), part, of);
      Progress progress;
      while (!fitter->step(50, progress)) {
      }
      return fitter;
    };
    const DividedRequest parts = divided(*training, request);
    std::shared_ptr<const Model> alpha;
    if (training->alpha)
      alpha = std::make_shared<const Model>(
          run(training->alpha, parts.alpha, from ? from->alpha.get() : nullptr)->model());
    Model model = run(training, parts.colors, from.get())->model();
    model.alpha = alpha;
    return model;
  }
  Image decoded(const Model& model, const ViewWindow& window, double budgetMs = kToTheEnd) {
    Decoder decoder(context());
    decoder.setModel(model);
    gpu::Texture picture(context(), "test", gpu::TextureFormat::Rgba32f, window.size.x,
                         window.size.y);
    while (!decoder.build(window, DecodeOptions{}, budgetMs)) {
    }
    while (!decoder.shade(picture, budgetMs)) {
    }
    return picture.downloadImage();
  }
  static ViewWindow whole(const Model& model) { return {.size = {model.width, model.height}}; }
};

TEST_F(SmoeAlphaFit, LooksRightOverBlackAndOverWhite) {
  const Image picture = cutOut({72, 56});
  const auto training = sharedOf(picture);
  ASSERT_TRUE(training->alpha);
  const Model model = fitted(training, requestOf(160, 100));
  ASSERT_TRUE(model.alpha);
  EXPECT_EQ(model.components.size() + model.alpha->components.size(), 160u);
  const Image found = decoded(model, whole(model));
  EXPECT_GT(psnrOfAlpha(found, picture), 36);
  for (const float ground : {0.0f, 1.0f})
    EXPECT_GT(psnr(over(found, ground), over(picture, ground)), 27) << ground;
  for (const glm::vec4& p : found.pixels)
    ASSERT_LE(std::max({p.r, p.g, p.b}), p.a);  // valid premultiplied colors
  EXPECT_NEAR(model.alpha->psnr, psnrOfAlpha(found, picture), 0.1);

  // Continued, both go on; by a source without alpha, it is gone.
  const auto from = std::make_shared<const Model>(model);
  const Model more = fitted(training, requestOf(160, 20), from);
  EXPECT_EQ(more.alpha->components.size(), model.alpha->components.size());
  EXPECT_GT(more.alpha->psnr, model.alpha->psnr - 0.01);
  EXPECT_FALSE(fitted(sharedOf(over(picture, 0.5f)), requestOf(160, 1), from).alpha);
}

TEST_F(SmoeAlphaFit, TheDecoderAgreesWithTheReferenceInSlicesToo) {
  const Model model = fitted(sharedOf(cutOut({72, 56})), requestOf(60, 1));
  ViewWindow window = whole(model);
  EXPECT_TRUE(test::rounding(decoded(model, window), reference::picture(model, window), 1e-3f));
  window.samples = 2, window.size = {50, 40}, window.step = 1.5, window.corner = {-1, -2};
  const Image wanted = reference::picture(model, window);
  EXPECT_TRUE(test::rounding(decoded(model, window), wanted, 1e-3f));
  EXPECT_EQ(decoded(model, window, 0).pixels, decoded(model, window).pixels);
  Model opaque = model;
  opaque.alpha = nullptr;
  for (const glm::vec4& p : decoded(opaque, window).pixels) ASSERT_EQ(p.a, 1);
}

TEST_F(SmoeAlphaFit, AlphaTakesWhatItIsWorth) {
  const auto shareOf = [](const Image& of) { return alphaComponents(srgbOf(of), 1000); };
  Image even = cutOut({72, 56}), edge = even;
  for (glm::vec4& p : even.pixels) p *= 0.5f / std::max(p.a, 1e-6f);
  for (glm::vec4& p : even.pixels) p.a = 0.5f;
  EXPECT_EQ(shareOf(even), 1);
  const int cut = shareOf(edge);
  EXPECT_GT(cut, 20);
  EXPECT_LE(cut, 500);
  // White without any texture of its own: its alpha is as hard as what is seen.
  for (glm::vec4& p : edge.pixels) p = glm::vec4(p.a);
  EXPECT_GT(shareOf(edge), std::max(300, cut));
  // An edge wherever it lies.
  for (int at = 20; at < 24; ++at) {
    Image half = flat({72, 56}, {0.5f, 0.5f, 0.5f});
    for (int y = 0; y < 56; ++y)
      for (int x = 0; x < at; ++x) half.at(x, y) = glm::vec4(0);
    EXPECT_GT(shareOf(half), 300) << at;
  }
  EXPECT_EQ(shareOf(discs({72, 56})), 0);
  const TrainingSet opaque = srgbOf(discs({72, 56}));
  EXPECT_FALSE(opaque.alpha);
  EXPECT_EQ(divided(opaque, requestOf(40, 3)).colors.components, 40);
}

/// Of the alpha that comes first: the file is a gray model, with the request for both.
TEST_F(SmoeAlphaFit, ItsCheckpointsGoOn) {
  const auto training = sharedOf(cutOut({48, 40}));
  const FitRequest both = requestOf(60, 45);
  Progress progress;
  Fitter whole(context(), training->alpha, divided(*training, both).alpha);
  std::vector<std::byte> file;
  while (!whole.step(0.01, progress))
    if (const FitSnapshot* at = whole.snapshot(); file.empty() && at && at->stageIteration == 20) {
      Checkpoint checkpoint{*at, {}, both};
      checkpoint.fit.model = asGray(std::move(checkpoint.fit.model));
      file = checkpointBytes(checkpoint, "test");
    }
  ASSERT_FALSE(file.empty());
  const Checkpoint back = parseCheckpoint(file, "test", progress).value();
  ASSERT_TRUE(back.whole);
  EXPECT_EQ(back.whole->components, 60);
  EXPECT_EQ(back.fit.model.colorSpace, ColorSpace::Gray);
  Fitter resumed(context(), training->alpha, back.fit);
  resumed.step(kToTheEnd, progress);
  EXPECT_EQ(resumed.model().components, whole.model().components);

  // Of the colors that come second: their alpha lies between the model and the state.
  Checkpoint colors{*whole.snapshot(), {}};
  colors.fit.model.colorSpace = ColorSpace::Srgb;
  colors.fit.model.alpha = std::make_shared<const Model>(whole.model());
  const auto second = checkpointBytes(colors, "test");
  const Checkpoint read = parseCheckpoint(second, "test", progress).value();
  EXPECT_FALSE(read.whole);
  ASSERT_TRUE(read.fit.model.alpha);
  EXPECT_EQ(read.fit.model.alpha->components, whole.model().components);
  EXPECT_EQ(read.fit.best, colors.fit.best);
}

/// Rounded experts suit the picture again, alpha's to the alpha.
TEST_F(SmoeAlphaFit, PackingRefitsBoth) {
  const auto training = sharedOf(cutOut({72, 56}));
  const Model model = fitted(training, requestOf(120, 60));
  const Packer packer(model);
  const Image& wanted = training->alpha->pictures[0];
  const auto psnrOf = [&](const EncodedModel& saved) {
    return psnr(decoded(*saved.model.alpha, whole(model)), wanted);
  };
  const double plain = psnrOf(encodePacked(packer, 1.5));
  EXPECT_GT(psnrOf(encodePacked(packer, 1.5, "model", refitterFor(context(), training))), plain);
}

}  // namespace
}  // namespace fathom::smoe
