// SPDX-License-Identifier: BSD-3-Clause
// fathom smoe fit | render | capture
#include "app/techniques/smoe/command.h"

#include "app/io/image_file.h"
#include "app/techniques/smoe/checks.h"
#include "app/techniques/smoe/command_capture.h"
#include "app/techniques/smoe/fit_source.h"
#include "app/techniques/smoe/fitter.h"
#include "app/techniques/smoe/held_out.h"
#include "app/techniques/smoe/io.h"
#include "app/techniques/smoe/technique.h"

#include <algorithm>
#include <cmath>

namespace fathom::smoe {
namespace {

constexpr double kSliceMs = 200;  // short enough to show progress and to be stopped

// fit
// -------------------------------------------------------------------------------------------------

std::shared_ptr<const TrainingSet> readTrainingOf(CommandContext& context) {
  const std::string& input = context.inputs[0];
  const PhaseTimer timer(context.report, "read");
  auto training = std::make_shared<TrainingSet>();
  if (isSceneSpec(input)) {
    const CaptureRequest request = captureRequest(context);
    const auto scene = loadScene(input, context.progress);
    ViewCapture capture(context.gpu(), scene, request, context.progress);
    *training = capture.training(ColorSpace::Srgb, context.progress);
    reportCapture(context, capture.facts());
  } else {
    for (const CommandFlag& flag : captureFlags())
      if (context.given(flag.name))
        throw UsageError(fmt::format("--{}: expected a scene to draw, found {}", flag.name, input));
    if (context.size)
      throw UsageError(
          fmt::format("--size: expected a scene to draw, found {}, which has its own", input));
    *training = readTraining(input, ColorSpace::Srgb, context.progress);
  }
  const int every = context.number("hold-out", 0, 1000);
  if (every > 0 && training->pictures.size() < 2)
    throw UsageError("--hold-out: expected several views or frames, found one picture");
  holdOut(*training, every);
  context.report.size = {training->size.x, training->size.y};
  return training;
}

/// The fit's own progress, with the decibels so far.
void showProgress(Progress& shown, const Progress& fit, const Fitter& fitter) {
  const std::string phase = fit.phase().empty() ? "fitting" : fit.phase();
  const std::string now = fitter.curve().empty()
                              ? phase
                              : fmt::format("{} · {:.2f} dB", phase, fitter.curve().back().psnr);
  if (now != shown.phase() || fit.done() < shown.done()) shown.begin(now, fit.total());
  shown.advance(fit.done() - shown.done());
}

void reportFit(CommandContext& context, const Fitter& fitter, const Model& model,
               const TrainingSet& training, Encoding encoding) {
  const double dB = fitter.curve().empty() ? model.psnr : fitter.curve().back().psnr;
  const std::size_t bytes = savedBytes(model, encoding);
  const double bits = 8.0 * double(bytes) / double(model.components.size());
  context.print(fmt::format("{} components, {:.2f} dB, {} iterations, {:.0f} bits per component",
                            model.components.size(), dB, fitter.iteration(), bits));
  context.report.set("components", model.components.size());
  context.report.set("psnr", dB);
  context.report.set("iterations", fitter.iteration());
  context.report.set("bytes", bytes);
  context.report.set("bits_per_component", bits);
  if (training.heldOut.empty()) return;
  Decoder decoder(context.gpu());
  decoder.setModel(model);
  const double heldOut = judged(decoder, heldOutViews(training)).psnr;
  context.print(fmt::format("{} pictures held out: {:.2f} dB", training.heldOut.size(), heldOut));
  context.report.set("held_out", training.heldOut.size());
  context.report.set("held_out_psnr", heldOut);
}

void runFit(CommandContext& context) {
  const Settings& settings = context.as<SmoeTechnique>().settingsStruct();
  const int added = context.number("add", 0, 65536);
  if (added > 0 && !context.given("continue"))
    throw UsageError("--add: expected --continue MODEL beside it");
  const std::shared_ptr<const TrainingSet> training = readTrainingOf(context);
  FitRequest request;
  request.components = settings.components;
  request.steps = settings.steps;
  request.seed = context.seed;
  std::unique_ptr<Fitter> fitter;
  {
    const PhaseTimer timer(context.report, "gpu");
    if (context.given("continue")) {
      const Model from = readModel(context.text("continue"), context.progress);
      if (added > 0) request.steps = 0;
      fitter = std::make_unique<Fitter>(context.gpu(), training, request, from);
      if (added > 0) fitter->addComponents(added, settings.steps);
    } else {
      fitter = std::make_unique<Fitter>(context.gpu(), training, request);
    }
    Progress progress;
    while (!fitter->step(kSliceMs, progress)) showProgress(context.progress, progress, *fitter);
    context.gpu().finish();
  }
  const Model model = fitter->model();
  reportFit(context, *fitter, model, *training, settings.encoding);
  const PhaseTimer timer(context.report, "write");
  save(context.output, model, settings.encoding);
}

// render
// -------------------------------------------------------------------------------------------------

SmoeTechnique& openModel(CommandContext& context) {
  auto& technique = context.as<SmoeTechnique>();
  // The window takes pictures too, to fit to; here a model is meant.
  context.readBesideGpu([&] { return readModelInput(context.inputs.at(0), context.progress); });
  if (context.size) technique.resize(*context.size);
  const Settings& settings = technique.settingsStruct();
  if (!settings.view.empty() && technique.model()->leading() == 0)
    throw UsageError(
        fmt::format("--view: expected a light field or a video, found {}", context.inputs[0]));
  return technique;
}

void runRender(CommandContext& context) {
  SmoeTechnique& technique = openModel(context);
  if (technique.settingsStruct().show == Show::Error)
    technique.readSource(context.gpu(), context.progress);
  {
    const PhaseTimer timer(context.report, "gpu");
    context.progress.begin("decoding", 0);
    Effect effect = Effect::Rebuild;
    while (!technique.update(context.gpu(), effect, kSliceMs)) {
      effect = Effect::None;
      context.progress.throwIfCancelled();
    }
    context.gpu().finish();
  }
  context.report.size = {technique.size().x, technique.size().y};
  Image picture;
  {
    const PhaseTimer timer(context.report, "download");
    picture = technique.result().downloadImage();
  }
  {
    const PhaseTimer timer(context.report, "write");
    FlatExrOptions options;
    options.asFloat = context.on("float");
    writePicture(context.output, picture, options);
  }
  const ListFacts& lists = technique.decoder()->facts();
  context.report.set("components", technique.model()->components.size());
  context.report.set("kpb", lists.kpb);
  context.report.set("max_error_bound", lists.maxErrorBound);
  context.report.set("evaluations", lists.evaluationsPerSample);
  context.report.set("longest_list", lists.longest);
  context.report.set("empty_tiles", lists.emptyTiles);
}

std::vector<CommandFlag> fitFlags() {
  std::vector<CommandFlag> flags{
      {"continue", "MODEL", "Goes on from this model instead of starting anew", "", false},
      {"add", "N", "With --continue: splits N components where the error is", "0", false},
      {"hold-out", "N",
       "Keeps every N-th view out of the fit and judges the model by them; 0: none", "0", false}};
  flags.insert(flags.end(), captureFlags().begin(), captureFlags().end());
  return flags;
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> list{
      {"fit",
       "Fits a model to a picture, a folder of views or frames, or views of a scene.",
       "fathom smoe fit photo.png -k 2000 -o photo.smoe",
       {"SOURCE", 1, 1, "A picture, a folder of views or frames, or a scene."},
       {".smoe"},
       false,
       fitFlags(),
       runFit},
      {"render",
       "Decodes a model in any size, any window and any view.",
       "fathom smoe render garden.smoe --view 1.5,-2 --size 1024x768 -o view.png",
       {"MODEL", 1, 1, "A model in a .smoe file."},
       {".png", ".exr"},
       false,
       {{"float", "", "Write float channels to the EXR instead of half.", "off", false}},
       runRender},
      captureCommand(),
  };
  return list;
}

}  // namespace fathom::smoe
