// SPDX-License-Identifier: BSD-3-Clause
// fathom smoe fit, render, convert and capture: their flags, the work, and what they report.
#include "app/cli/command.h"

#include "app/engine/core/progress.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/core/text.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/color_config.h"
#include "app/engine/io/flat_formats.h"
#include "app/engine/io/frame_sequence.h"
#include "app/engine/io/picture.h"
#include "app/engine/io/video_file.h"
#include "app/engine/scene/load_scene.h"
#include "app/engine/smoe/decode/processor.h"
#include "app/engine/smoe/engine.h"
#include "app/engine/smoe/fit/checkpoint.h"
#include "app/engine/smoe/fit/experts.h"
#include "app/engine/smoe/fit/fitter.h"
#include "app/engine/smoe/fit/quality.h"
#include "app/engine/smoe/fit/training.h"
#include "app/engine/smoe/model/file.h"
#include "app/engine/smoe/model/file_format.h"
#include "app/engine/smoe/model/model.h"
#include "app/engine/smoe/open_model.h"

namespace fathom::smoe {
namespace {

constexpr double kSliceMs = 200;    // short enough to show progress and to be stopped
constexpr double kExactPsnr = 100;  // dB; what is beyond is rounding

// ---- capture

const std::vector<CommandFlag>& captureFlags() {
  static const std::vector<CommandFlag> flags{
      {"grid", "AxB", "Columns and rows of views", "9x9"},
      {"disparity", "PX", "Largest motion of a visible point from view to view", "1"},
      {"focus-distance", "M", "Depth that stays in place; 0: between the nearest and the farthest",
       "0"},
      {"samples-per-pixel", "N", "Samples per pixel along each axis, 1 to 8", "4"}};
  return flags;
}

CaptureRequest captureRequest(const CommandContext& context) {
  CaptureRequest request{.grid = parseGrid(context.text("grid"))};
  if (context.size) request.size = *context.size;
  request.disparity = context.real("disparity", 0.01, 16);
  request.focus = context.real("focus-distance", 0, 1e6);
  request.samples = context.number("samples-per-pixel", 1, 8);
  return request;
}

void reportCapture(CommandContext& context, const CaptureFacts& facts) {
  context.record.set("focus", facts.focus);
  context.record.set("baseline", facts.baseline);
  context.record.set("near", facts.nearZ);
  context.record.set("far", facts.farZ);
  context.record.set("disparity_low", facts.disparityLow);
  context.record.set("disparity_high", facts.disparityHigh);
}

void runCapture(CommandContext& context) {
  const CaptureRequest request = captureRequest(context);
  const std::shared_ptr<const Scene> scene =
      context.timed("read", [&] { return loadScene(context.inputs[0], context.progress); });
  context.record.size = {request.size.x, request.size.y};
  const PhaseTimer timer(context.record, "draw and write");
  ViewCapture capture(context.gpu(), scene, request, context.progress);
  writeViews(capture, context.output, context.progress);
  const CaptureFacts& facts = capture.facts();
  context.print(fmt::format("{} views of {} x {}; focus {:.3f} m, baseline {:.4f} m per step",
                            request.grid.x * request.grid.y, request.size.x, request.size.y,
                            facts.focus, facts.baseline));
  context.print(fmt::format("depth {:.2f} to {:.2f} m moves by {:.2f} to {:.2f} px per step",
                            facts.nearZ, facts.farZ, facts.disparityLow, facts.disparityHigh));
  context.record.set("views", std::int64_t(request.grid.x) * request.grid.y);
  reportCapture(context, facts);
}

Command captureCommand() {
  return {"capture",
          "Render a light field of a scene: a grid of views.",
          "fathom smoe capture atrium --grid 9x9 --size 256x192 -o views",
          {"SCENE", 1, 1, "A built-in scene or a scene file"},
          {{}, false, true},
          captureFlags(),
          runCapture,
          false};
}

// ---- fit

SharedTraining readTrainingOf(CommandContext& context) {
  const std::string& input = context.inputs[0];
  const PhaseTimer timer(context.record, "read");
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
        failUsage("--{}: expected a scene to draw, found {}", flag.name, input);
    if (context.size)
      failUsage("--size: expected a scene to draw, found {}, which has its own", input);
    std::optional<Coding> continued;
    if (context.given("continue"))
      continued = sourceCoding(readModel(context.text("continue"), context.progress));
    *training = readTraining(input, continued, context.progress);
  }
  if (!training->note.empty()) context.print(training->note);
  if (training->alpha && wordIndex("--alpha", context.text("alpha"), {"keep", "ignore"}) == 1) {
    training->alpha = nullptr;
    context.print(fmt::format("{} has alpha: it is composited over black", input));
  }
  const int every = context.number("hold-out", 0, 1000);
  if (every > 0 && training->pictures.size() < 2)
    throw UsageError("--hold-out: expected several views or frames, found one image");
  holdOut(*training, every);
  context.record.size = {training->size.x, training->size.y};
  return training;
}

/// The fit's own progress, with the decibels so far.
void showProgress(Progress& shown, const Progress& fit, const Fitter& fitter, bool ofAlpha) {
  const std::string phase =
      (ofAlpha ? "alpha: " : "") + (fit.phase().empty() ? "fitting" : fit.phase());
  const std::string now = fitter.curve().empty()
                              ? phase
                              : fmt::format("{} · {:.2f} dB", phase, fitter.curve().back().psnr);
  if (now != shown.phase() || fit.done() < shown.done()) shown.begin(now, fit.total());
  shown.advance(fit.done() - shown.done());
}

void reportFit(CommandContext& context, const Fitter& fitter, const TrainingSet& training,
               const FittedFile& file) {
  const Model& model = file.saved.model;
  const Judgment& fitted = file.quality.fitted;
  const std::size_t bytes = file.saved.bytes.size();
  const double bits = 8.0 * double(bytes) / double(allComponents(model));
  if (model.alpha) {
    const std::size_t count = model.alpha->components.size();
    context.print(fmt::format("alpha: {} components, {:.2f} dB", count, model.alpha->psnr));
    context.record.set("alpha_components", count);
    context.record.set("alpha_psnr", file.quality.alphaPsnr);
  }
  context.print(fmt::format(
      "{} components, {:.2f} dB{}, {} steps, {} bytes, {:.0f} bits per component",
      model.components.size(), fitted.psnr,
      isAsinh(model.colorSpace) ? "" : fmt::format(" ({:.2f} dB in 8 bits)", fitted.psnr8),
      fitter.iteration(), grouped(bytes), bits));
  context.record.set("components", model.components.size());
  context.record.set("psnr", fitted.psnr);
  if (!isAsinh(model.colorSpace)) context.record.set("psnr_8bit", fitted.psnr8);
  if (file.quality.msSsim > 0) context.record.set("ms_ssim", file.quality.msSsim);
  context.record.set("iterations", fitter.iteration());
  context.record.set("bytes", bytes);
  context.record.set("bits_per_component", bits);
  std::vector<RunRecord::Row> curve;
  for (const FitPoint& p : fitter.curve())
    curve.push_back({{"iteration", std::int64_t(p.iteration)},
                     {"seconds", p.seconds},
                     {"psnr", p.psnr},
                     {"stage", p.stage}});
  context.record.lists.emplace_back("curve", std::move(curve));
  if (!file.quality.heldOut) return;
  context.print(
      fmt::format("{} images held out: {:.2f} dB", training.heldOut.size(), *file.quality.heldOut));
  context.record.set("held_out", training.heldOut.size());
  context.record.set("held_out_psnr", *file.quality.heldOut);
}

/// What a fit should come to besides a number of components.
struct FitGoal {
  double psnr = 0;          // dB; 0: none
  double bitsPerPixel = 0;  // 0: none
  double seconds = 0;       // 0: no limit
};

FitGoal goalOf(const CommandContext& context) {
  FitGoal goal;
  if (context.given("target-psnr")) goal.psnr = context.real("target-psnr", 1, 90);
  if (context.given("target-bpp")) goal.bitsPerPixel = context.real("target-bpp", 0.001, 1000);
  if (context.given("max-time")) goal.seconds = context.real("max-time", 0.1, 1e7);
  if (goal.psnr > 0 && goal.bitsPerPixel > 0)
    throw UsageError("--target-psnr: expected no --target-bpp with it");
  return goal;
}

/// A fit, what it is to reach, and where it is saved to go on from.
struct FitRun {
  std::unique_ptr<Fitter> fitter;      // of alpha first, then of the colors
  std::shared_ptr<const Model> alpha;  // once it is fitted
  std::optional<FitRequest> whole;     // while alpha is being fitted: of both
  PsnrSearch search;
  double lost = 0;       // dB that the encoding may cost, beyond the goal of the search
  std::string noRoom;    // why the search ended before its goal; empty: it did not
  fs::path checkpoint;   // empty: none
  bool written = false;  // by this run
  Stopwatch sinceWritten;
};

void saveCheckpoint(FitRun& run) {
  const FitSnapshot* snapshot = run.fitter ? run.fitter->snapshot() : nullptr;
  if (!snapshot || run.checkpoint.empty()) return;
  Checkpoint checkpoint{*snapshot, run.search, run.whole};
  if (!run.whole) checkpoint.fit.model.alpha = run.alpha;
  writeCheckpoint(run.checkpoint, checkpoint);
  run.written = true;
  run.sinceWritten.restart();
}

/// What Ctrl+C leaves, and how to go on.
void saveInterrupted(FitRun& run) {
  saveCheckpoint(run);
  if (!run.written) return;
  log::line(log::Level::Normal,
            fmt::format("fathom: stopped after {} steps; continue by the same command with "
                        "--continue {}",
                        run.fitter->snapshot()->iteration, run.checkpoint.string()));
}

void runFitter(CommandContext& context, FitRun& run) {
  Progress progress;
  const double everyS = context.real("checkpoint-every", 0, 1e6);
  try {
    while (!run.fitter->step(kSliceMs, progress)) {
      showProgress(context.progress, progress, *run.fitter, run.whole.has_value());
      if (everyS > 0 && run.sinceWritten.seconds() > everyS) saveCheckpoint(run);
    }
  } catch (const Cancelled&) {
    if (everyS > 0) saveInterrupted(run);
    throw;
  }
  context.gpu().finish();
}

/// Of a round of a search: after fewer, new components are not yet what they will be.
int stepsOfRound(const PsnrSearch& search) { return std::max(60, search.steps / 4); }

/// The first request of a search: few components.
FitRequest firstOf(PsnrSearch& search, FitRequest request, const TrainingSet& training) {
  search.steps = request.steps;
  request.components = std::clamp(int(pixelsOf(training) / 1000), 8, kMaxComponents);
  request.steps = stepsOfRound(search);
  return request;
}

/// Adds components while too far from the goal, then a long descent, then takes away those that
/// the goal can do without. False: all done.
bool goOn(PsnrSearch& search, double lost, double pixels, double maxSeconds, Fitter& fitter) {
  constexpr double kDecibelsPerDoubling = 4, kClose = 0.3;
  constexpr double kAbove = 0.06, kAim = 0.02;  // dB that a result may have, and should have
  constexpr double kRegained = 0.25;            // dB, by the steps after a trim
  constexpr int kRounds = 12, kTrims = 2, kPatience = 4, kEnd = 12;
  if (search.goal <= 0) return false;
  const double goal = search.goal + lost, reached = fitter.curve().back().psnr;
  const int components = int(fitter.model().components.size());
  const auto grow = [&](double dB, int most) {
    const double factor = std::clamp(std::exp2(dB / kDecibelsPerDoubling), 1.05, 2.0);
    const int wanted = std::clamp(int(components * factor) + 1, components + 1, most);
    ++search.rounds;
    fitter.addComponents(std::min(wanted - components, components), stepsOfRound(search));
    return true;
  };
  if (!search.last) {
    const int most = int(std::min(pixels, double(kMaxComponents)));
    if (reached < goal - kClose && search.rounds < kRounds && components < most)
      return grow(goal - kClose / 2 - reached, most);
    search.last = true, search.rounds = kRounds;
    if (reached < goal) {
      fitter.continueFor(search.steps);
      return true;
    }
  }
  if (maxSeconds > 0 && fitter.curve().back().seconds >= maxSeconds) return false;
  // The goal comes before few components: where they were too few, more steps and then more
  // components make up for it.
  const int steps = stepsOfRound(search) / 2, round = search.rounds - kRounds;
  if (round >= kEnd || (round == 0 && reached < goal)) return false;
  if (reached < goal && round >= kPatience) return grow(goal + kAim - reached, 2 * components);
  if (reached >= goal && reached <= goal + kAbove) return false;
  ++search.rounds;
  if (reached < goal) {
    fitter.continueFor(steps);
  } else if (round < kTrims) {
    fitter.trimTo(goal - kRegained, steps);
  } else {
    search.rounds = kRounds + kEnd;
    fitter.trimTo(goal + kAim, 0);
  }
  return true;
}

/// The command line may repeat what the checkpoint was begun with, and nothing else.
void expectOwn(CommandContext& context, const Checkpoint& checkpoint, const FitRequest& request,
               const FitGoal& goal, const TrainingSet& training) {
  const Model& model = checkpoint.fit.model;
  const bool hasAlpha = checkpoint.whole || model.alpha;
  if (hasAlpha != (training.alpha != nullptr))
    failUsage("--alpha: expected {} as in the checkpoint, found {}", hasAlpha ? "keep" : "ignore",
              hasAlpha ? "none" : "some");
  FitRequest own = checkpoint.whole.value_or(checkpoint.fit.request);
  if (model.alpha) own.components += int(model.alpha->components.size());
  const auto expect = [](const char* flag, auto given, auto usual, auto theirs, auto alsoTheirs) {
    if (given != usual && given != theirs && given != alsoTheirs)
      failUsage("--{}: expected {} as in the checkpoint, found {}", flag, theirs, given);
  };
  const Settings usual;
  const int count = int(model.components.size()) + checkpoint.fit.growing;
  expect("components", request.components, usual.components, own.components, count);
  expect("steps", request.steps, usual.steps,
         checkpoint.search.goal > 0 ? checkpoint.search.steps : own.steps, checkpoint.fit.steps);
  expect("ssim", request.structure, 0.0f, own.structure, own.structure);
  expect("target-psnr", goal.psnr, 0.0, checkpoint.search.goal, 0.0);
  if (context.given("add")) throw UsageError("--add: expected a model, found a checkpoint");
}

/// What --continue names; nothing without it.
struct Beginning {
  std::optional<Checkpoint> checkpoint;
  std::optional<Model> model;
};

Beginning readBeginning(CommandContext& context, const FitRequest& whole, const FitGoal& goal,
                        const TrainingSet& training) {
  Beginning from;
  if (!context.given("continue")) return from;
  const std::string& file = context.text("continue");
  from.checkpoint = readCheckpoint(file, context.progress);
  if (from.checkpoint) {
    expectOwn(context, *from.checkpoint, whole, goal, training);
    if (from.checkpoint->fit.device != context.gpu().device().renderer)
      context.print(fmt::format("the fit began on {}: the result may not be the same bit for bit",
                                from.checkpoint->fit.device));
    return from;
  }
  if (goal.psnr > 0 || goal.bitsPerPixel > 0)
    throw UsageError(
        "--continue: expected a checkpoint with --target-psnr or --target-bpp, found a model");
  from.model = readModel(file, context.progress);
  if (whole.components != Settings().components &&
      whole.components != int(from.model->components.size()))
    log::warn("--components: ignored, {} has {}; --add N splits N more", file,
              from.model->components.size());
  if (from.model->alpha && !training.alpha)
    context.print(
        fmt::format("{} has alpha, which {} has not: it is left out", file, training.name));
  return from;
}

/// Descends until the goal of the run is reached, or more components do not fit into the GPU.
void descend(CommandContext& context, FitRun& run, FitRequest request,
             const SharedTraining& training) {
  Model reached;
  for (bool more = true; more;) try {
      runFitter(context, run);
      reached = run.fitter->model();
      more = goOn(run.search, run.lost, pixelsOf(*training), request.maxSeconds, *run.fitter);
    } catch (const gpu::DoesNotFit& error) {
      if (reached.components.empty()) throw;
      run.noRoom = error.what();
      request.steps = std::exchange(run.search.last, true) ? 0 : run.search.steps;
      if (request.maxSeconds > 0)
        request.maxSeconds = std::max(0.1, request.maxSeconds - run.fitter->curve().back().seconds);
      run.fitter = std::make_unique<Fitter>(context.gpu(), training, request, reached);
    }
}

/// From a checkpoint's state, or anew.
void beginFit(CommandContext& context, FitRun& run, const Checkpoint* checkpoint,
              FitRequest request, const SharedTraining& training) {
  if (checkpoint) {
    run.search = checkpoint->search;
    run.fitter =
        std::make_unique<Fitter>(context.gpu(), training, checkpoint->fit, request.maxSeconds);
    return;
  }
  if (run.search.goal > 0) request = firstOf(run.search, request, *training);
  run.fitter = std::make_unique<Fitter>(context.gpu(), training, request);
}

void fitAlpha(CommandContext& context, FitRun& run, const Beginning& from, const FitRequest& whole,
              const TrainingSet& training) {
  const Checkpoint* checkpoint = from.checkpoint ? &*from.checkpoint : nullptr;
  if (checkpoint && !checkpoint->whole) {  // it was complete
    run.alpha = checkpoint->fit.model.alpha;
    return;
  }
  run.whole = whole;
  const FitRequest request = divided(training, whole).alpha;
  if (from.model && from.model->alpha)
    run.fitter =
        std::make_unique<Fitter>(context.gpu(), training.alpha, request, *from.model->alpha);
  else
    beginFit(context, run, checkpoint, request, training.alpha);
  descend(context, run, request, training.alpha);
  run.alpha = std::make_shared<const Model>(run.fitter->model());
  run.fitter.reset();
  run.whole.reset();
  run.search = {run.search.goal};
}

void fitColors(CommandContext& context, FitRun& run, const Beginning& from, const FitRequest& whole,
               const SharedTraining& training) {
  FitRequest request = divided(*training, whole).colors;
  const bool own = from.checkpoint && !from.checkpoint->whole;
  if (!from.model) {
    beginFit(context, run, own ? &*from.checkpoint : nullptr, request, training);
  } else {
    const int added = context.number("add", 0, kMaxComponents), steps = request.steps;
    if (added > 0) request.steps = 0;
    run.fitter = std::make_unique<Fitter>(context.gpu(), training, request, *from.model);
    if (added > 0) run.fitter->addComponents(added, steps);
  }
  descend(context, run, request, training);
}

/// Steps of descent by effort, 1 to 9; what settings say without one is in the middle.
int stepsFor(const CommandContext& context, const Settings& settings) {
  constexpr int kSteps[] = {60, 120, 250, 500, 1000, 1500, 2500, 4000, 8000};
  if (!context.given("effort")) return settings.steps;
  if (settings.steps != Settings{}.steps) throw UsageError("--effort: expected no --steps with it");
  return kSteps[context.number("effort", 1, 9) - 1];
}

FileGoal fileGoalOf(CommandContext& context, const FitGoal& goal) {
  const Settings& settings = context.as<SmoeEngine>().settingsStruct();
  return {settings.encoding, double(settings.packingLoss), goal.psnr, goal.bitsPerPixel};
}

/// As told, or as many as the file has room for; tried out where there is time for it.
int wantedComponents(CommandContext& context, const FitRequest& request, const FitGoal& goal,
                     const SharedTraining& training) {
  constexpr int kTrialEffort = 7;
  if (goal.bitsPerPixel <= 0) return request.components;
  const FileGoal file = fileGoalOf(context, goal);
  const bool tries = context.given("effort") && context.number("effort", 1, 9) >= kTrialEffort &&
                     file.encoding == Encoding::Packed && training->dims == 2 && !training->alpha &&
                     !context.given("continue");
  return tries ? componentsByTrial(context.gpu(), training, request, file, context.progress)
               : componentsFor(file, *training);
}

void fit(CommandContext& context, FitRun& run, const FitGoal& goal,
         const SharedTraining& training) {
  const Settings& settings = context.as<SmoeEngine>().settingsStruct();
  FitRequest whole{.components = settings.components,
                   .steps = stepsFor(context, settings),
                   .seed = context.seed,
                   .snapshots = true,
                   .structure = settings.ssim};
  whole.components = wantedComponents(context, whole, goal, training);
  run.search.goal = goal.psnr;
  const double losses[kEncodings] = {0.005, 0.02, 0.1, double(settings.packingLoss)};
  run.lost = losses[std::size_t(settings.encoding)];
  const Beginning from = readBeginning(context, whole, goal, *training);
  if (from.checkpoint && from.checkpoint->whole) {
    whole = *from.checkpoint->whole;
    run.search.goal = from.checkpoint->search.goal;
  }
  whole.maxSeconds = goal.seconds;
  if (training->alpha) fitAlpha(context, run, from, whole, *training);
  fitColors(context, run, from, whole, training);
}

/// Settings that a goal decides instead.
void warnOfIgnored(const FitGoal& goal, const Settings& settings) {
  const bool byBits = goal.bitsPerPixel > 0;
  if ((byBits || goal.psnr > 0) && settings.components != Settings().components)
    log::warn("--components: ignored, --target-{} decides how many", byBits ? "bpp" : "psnr");
  if (byBits && settings.encoding == Encoding::Packed &&
      settings.packingLoss != Settings().packingLoss)
    log::warn("--packing-loss: ignored, --target-bpp decides how coarsely numbers are rounded");
}

/// A JSON header can take most of a small file.
void warnOfLongHeader(const std::string& name, std::span<const std::byte> file) {
  std::span<const std::byte> payload;
  parseHeader(file, name, payload);
  if (payload.size() < file.size() / 2)
    log::warn("{}: {} of {} bytes are its header; --encoding packed has a short one", name,
              file.size() - payload.size(), file.size());
}

/// A goal that the file misses is a warning and an exit code of its own.
void reportGoal(CommandContext& context, const FittedFile& file, const FitGoal& goal, double pixels,
                const std::string& noRoom) {
  constexpr int kGoalMissed = 4;
  const double bitsPerPixel = 8.0 * double(file.saved.bytes.size()) / pixels;
  context.record.set("bpp", bitsPerPixel);
  if (!file.reaches(goal.psnr))
    log::warn("{}: expected {:g} dB, found {:.2f}{}: {}", context.output, goal.psnr,
              file.saved.model.psnr,
              file.saved.model.alpha
                  ? fmt::format(" and {:.2f} of alpha", file.saved.model.alpha->psnr)
                  : "",
              noRoom.empty() ? "more --steps or another --encoding may reach it"
                             : "with more components, " + noRoom);
  if (goal.bitsPerPixel > 0 && bitsPerPixel > goal.bitsPerPixel)
    log::warn("{}: expected {:g} bits per pixel, found {:.3f}: {} components take {} bytes",
              context.output, goal.bitsPerPixel, bitsPerPixel, allComponents(file.saved.model),
              file.saved.bytes.size());
  else if (file.reaches(goal.psnr))
    return;
  context.exitCode = kGoalMissed;
}

void fitOne(CommandContext& context) {
  if (context.given("add") && !context.given("continue"))
    throw UsageError("--add: expected --continue MODEL with it");
  const FitGoal goal = goalOf(context);
  const Settings& settings = context.as<SmoeEngine>().settingsStruct();
  warnOfIgnored(goal, settings);
  const SharedTraining training = readTrainingOf(context);
  FitRun run;
  run.checkpoint = checkpointBeside(context.output);
  context.timed("gpu", [&] { fit(context, run, goal, training); });
  Model model = run.fitter->model();
  model.alpha = run.alpha;
  const PhaseTimer timer(context.record, "write");
  const FitGoal reached{run.search.goal, goal.bitsPerPixel};
  const FittedFile file =
      fittedFile(context.gpu(), model, training, fileGoalOf(context, reached), context.output);
  reportFit(context, *run.fitter, *training, file);
  if (goal.bitsPerPixel > 0 && settings.encoding != Encoding::Packed)
    warnOfLongHeader(context.output, file.saved.bytes);
  writeFile(context.output, file.saved.bytes);
  // The model is there: what led to it has served.
  std::error_code ignored;
  if (run.written || (context.given("continue") &&
                      fs::equivalent(context.text("continue"), run.checkpoint, ignored)))
    fs::remove(run.checkpoint, ignored);
  reportGoal(context, file, reached, pixelsOf(*training), run.noRoom);
}

/// "models/%.smoe" with the name of the source for %.
std::string outputFor(const std::string& pattern, const std::string& source) {
  std::string output = pattern;
  const std::string stem = fs::path(source).stem().string();
  return output.replace(output.find('%'), 1, stem);
}

/// One after the other; the failure of one is said, and the others are fitted.
void fitAll(CommandContext& context) {
  const std::vector<std::string> sources = context.inputs;
  const std::string pattern = context.output;
  if (pattern.find('%') == std::string::npos)
    failUsage("--output: expected % for the names of {} sources, found \"{}\"", sources.size(),
              pattern);
  if (context.given("continue")) throw UsageError("--continue: expected one source, found several");
  std::map<std::string, std::string> outputs;
  for (const std::string& source : sources)
    if (const auto [at, isNew] = outputs.emplace(outputFor(pattern, source), source); !isNew)
      failUsage("--output: expected a file for each source, found {} for {} and {}", at->first,
                at->second, source);
  RunRecord all = context.record;
  std::vector<RunRecord::Row> rows;
  int code = 0;
  for (const std::string& source : sources) {
    context.inputs = {source}, context.output = outputFor(pattern, source);
    context.record = RunRecord();
    context.exitCode = 0;
    context.print(fmt::format("{}:", source));
    try {
      fitOne(context);
      rows.push_back({{"source", source}, {"output", context.output}});
      rows.back().insert(rows.back().end(), context.record.result.begin(),
                         context.record.result.end());
    } catch (const UsageError&) {
      throw;
    } catch (const Error& error) {
      log::line(log::Level::Quiet, fmt::format("fathom: {}", error.what()));
      context.exitCode = 1;
    }
    for (const auto& [phase, ms] : context.record.phasesMs) all.addPhase(phase, ms);
    code = code == 1 ? 1 : std::max(code, context.exitCode);
  }
  all.lists.emplace_back("files", std::move(rows));
  context.record = std::move(all);
  context.exitCode = code;
}

void runFit(CommandContext& context) {
  const std::clock_t start = std::clock();
  context.inputs.size() > 1 ? fitAll(context) : fitOne(context);
  context.record.set("cpu_s", double(std::clock() - start) / CLOCKS_PER_SEC);
}

// ---- convert

/// dB of one model's middle view beside another's.
double psnrBetween(CommandContext& context, const Model& after, const Model& before) {
  Decoder decoder(context.gpu());
  decoder.setModel(before);
  Image middle(before.width, before.height);
  middle.pixels = decoder.downloadRaw({{before.width, before.height}});
  decoder.setModel(after);
  const JudgedView view{ViewCoordinates(0), &middle};
  return judged(decoder, {&view, 1}).psnr;
}

std::string lossText(double dB) {
  return dB < kExactPsnr ? fmt::format("{:.2f} dB to the model as it was", dB) : "exact";
}

/// The picture that --source names, for experts to be fitted to it once gates are rounded; null:
/// none is named.
SharedTraining sourceOf(CommandContext& context, const Model& model) {
  const Settings& settings = context.as<SmoeEngine>().settingsStruct();
  const std::string& name = settings.source;
  if (name.empty()) return nullptr;
  if (settings.encoding != Encoding::Packed || model.dims != 2)
    throw UsageError("--source: expected --encoding packed of an image's model with it");
  const PhaseTimer timer(context.record, "read");
  auto source =
      std::make_shared<TrainingSet>(readTraining(name, sourceCoding(model), context.progress));
  if (source->dims != 2 || source->size != glm::ivec2(model.width, model.height))
    fail("{}: expected an image of {} x {} px as the model is, found {} x {}{}", name, model.width,
         model.height, source->size.x, source->size.y, source->dims != 2 ? ", several" : "");
  if (model.alpha && !source->alpha) fail("{}: expected alpha as the model has, found none", name);
  return source;
}

EncodedModel encodeFor(CommandContext& context, const Model& model, const SharedTraining& source) {
  const Settings& settings = context.as<SmoeEngine>().settingsStruct();
  const double packingLoss = double(settings.packingLoss);
  if (!source) return encode(model, settings.encoding, packingLoss, context.output);
  return context.timed("gpu", [&] {
    return encodePacked(Packer(model), packingLoss, context.output,
                        refitterFor(context.gpu(), source));
  });
}

/// The PSNR of what was converted: measured, or that of the model where nothing was lost.
void stateConverted(CommandContext& context, const Model& model, const TrainingSet* source,
                    bool exact, EncodedModel& saved) {
  double dB = exact ? model.psnr : 0, alphaPsnr = exact && model.alpha ? model.alpha->psnr : 0;
  if (source) {
    const ModelQuality quality = qualityOf(context.gpu(), saved.model, *source);
    dB = quality.fitted.psnr, alphaPsnr = quality.alphaPsnr;
    context.print(fmt::format("{:.2f} dB to {}", dB, source->name));
    context.record.set("psnr_to_source", dB);
  }
  statePsnr(saved, dB, alphaPsnr, context.output);
  if (dB > 0) context.record.set("psnr", dB);
}

void runConvert(CommandContext& context) {
  const Model model =
      context.timed("read", [&] { return readModel(context.inputs[0], context.progress); });
  const SharedTraining source = sourceOf(context, model);
  EncodedModel saved = encodeFor(context, model, source);
  double loss = 0, ofAlpha = std::numeric_limits<double>::infinity();
  context.timed("gpu", [&] {
    loss = psnrBetween(context, saved.model, model);
    if (model.alpha) ofAlpha = psnrBetween(context, *saved.model.alpha, *model.alpha);
  });
  stateConverted(context, model, source.get(), std::min(loss, ofAlpha) >= kExactPsnr, saved);
  context.timed("write", [&] { writeFile(context.output, saved.bytes); });
  const std::size_t count = model.components.size();
  const double bits = 8.0 * double(saved.bytes.size()) / double(allComponents(model));
  context.print(fmt::format("{} components, {} bytes, {:.0f} bits per component, {}", count,
                            saved.bytes.size(), bits, lossText(loss)));
  if (model.alpha) {
    const std::size_t alphaCount = model.alpha->components.size();
    context.print(fmt::format("alpha: {} components, {}", alphaCount, lossText(ofAlpha)));
    context.record.set("alpha_components", alphaCount);
    if (ofAlpha < kExactPsnr) context.record.set("alpha_psnr_to_original", ofAlpha);
  }
  context.record.size = {model.width, model.height};
  context.record.set("components", count);
  context.record.set("bytes", saved.bytes.size());
  context.record.set("bits_per_component", bits);
  if (loss < kExactPsnr) context.record.set("psnr_to_original", loss);
}

// ---- render

/// Half a step beyond the grid, where the views still are what was fitted; three where asked for.
void checkView(const Model& model, const Settings& settings, const std::string& name) {
  if (settings.view.empty()) return;
  const double margin = settings.beyond ? 3 : 0.5;
  const ViewCoordinates at = parseView(settings.view, model.leading());
  if (model.dims == 3 && !(at.x >= -margin && at.x <= model.frames - 1 + margin))
    failUsage("--view: expected a frame from 0 to {} of {}, found \"{}\"", model.frames - 1, name,
              settings.view);
  if (model.dims != 4) return;
  const glm::dvec2 low = -model.viewOrigin, high = glm::dvec2(model.views - 1) - model.viewOrigin;
  for (int k = 0; k < 2; ++k)
    if (!(at[k] >= low[k] - margin && at[k] <= high[k] + margin))
      failUsage(
          "--view: expected {:g} to {:g}, {:g} to {:g} (the views of {}), found "
          "\"{}\"; --beyond=on "
          "allows three steps more",
          low.x, high.x, low.y, high.y, name, settings.view);
}

/// What lies beyond the edges may be seen beside the picture, not instead of it.
ViewWindow checkedWindow(const Model& model, const Settings& settings, glm::ivec2 size,
                         const std::string& name) {
  const ViewWindow window = windowFor(model, settings, size);
  if (settings.window.empty()) return window;
  const glm::ivec2 whole(model.width, model.height);
  for (int k = 0; k < 2; ++k) {
    // The first pixel whose middle is not before the edge.
    const double first = std::max(0.0, std::ceil(-window.corner[k] / window.step - 0.5));
    if (first < window.size[k] && window.corner[k] + (first + 0.5) * window.step < whole[k])
      continue;
    failUsage("--window: expected a part with a pixel of {}, {} x {} px, found \"{}\"", name,
              whole.x, whole.y, settings.window);
  }
  return window;
}

SmoeEngine& openModel(CommandContext& context) {
  auto& technique = context.as<SmoeEngine>();
  // The window takes pictures too, to fit to; here a model is meant.
  context.readBesideGpu([&] { return readModelInput(context.inputs.at(0), context.progress); });
  if (context.size) technique.resize(*context.size);
  const Settings& settings = technique.settingsStruct();
  const Model& model = *technique.models();
  if (model.leading() == 0 && (!settings.view.empty() || settings.show == Show::Disparity))
    failUsage("--{}: expected a light field or a video, found {}",
              settings.view.empty() ? "show=disparity" : "view", context.inputs[0]);
  checkView(model, settings, context.inputs[0]);
  checkedWindow(model, settings, context.size.value_or(glm::ivec2(0)), context.inputs[0]);
  if (const glm::ivec2 size = context.size.value_or(glm::ivec2(model.width, model.height));
      settings.window.empty() &&
      std::abs(size.x * model.height - size.y * model.width) > std::max(model.width, model.height))
    log::warn(
        "{}: expected a size in proportion to {} x {}, found {} x {}: nothing was fitted beyond "
        "its edges",
        context.inputs[0], model.width, model.height, size.x, size.y);
  return technique;
}

void writeRendered(CommandContext& context, const std::string& file, const Image& picture,
                   const Model& model) {
  const PhaseTimer timer(context.record, "write");
  const bool isPng = endingOf(file) == ".png";
  const int bits = wordIndex("--bit-depth", context.text("bit-depth"), {"8", "16"}) == 1 ? 16 : 8;
  if (bits == 16 && !isPng)
    log::warn("{}: expected .png for --bit-depth 16, found {}", file, endingOf(file));
  if (isAsinh(model.colorSpace) && isPng)
    log::warn("{}: light above 1 is cut in a PNG, an EXR keeps it", file);
  const PngAlpha alpha = model.alpha ? PngAlpha::Straight : PngAlpha::OverBlack;
  const bool gray = isGray(model.colorSpace) && !hasOutputColor() &&
                    context.as<SmoeEngine>().settingsStruct().show == Show::Picture;
  if (isPng && (gray || bits == 16)) {
    std::vector<std::uint8_t> values = pictureValues(picture, bits / 8, alpha);
    std::size_t i = 0;  // of a byte; of gray one channel of three stays
    if (gray) std::erase_if(values, [&](std::uint8_t) { return i++ / (bits / 8) % 3 > 0; });
    writePngBytes(file, picture.width, picture.height,
                  gray          ? 1
                  : model.alpha ? 4
                                : 3,
                  values, bits);
  } else {
    writePicture(file, picture, {.asFloat = context.on("float")}, alpha);
  }
}

/// What `--json` says of every picture.
void reportRendered(CommandContext& context, glm::ivec2 size, const Model& model) {
  context.record.size = {size.x, size.y};
  context.record.set("components", model.components.size());
  context.record.set("dims", model.dims);
  context.record.set("psnr",
                     model.psnr > 0 ? model.psnr : std::numeric_limits<double>::quiet_NaN());
}

/// A small window of a large packed image is there before a GPU would be: decoded by the processor,
/// from the blocks of the file that matter there. False: this is not one.
bool renderPart(CommandContext& context) {
  constexpr double kSamples = 1 << 18;
  const Settings& settings = context.as<SmoeEngine>().settingsStruct();
  if (settings.window.empty() || !settings.view.empty() || settings.show != Show::Picture ||
      optionsOf(settings) != DecodeOptions{.bits = settings.bitCount()})
    return false;
  const std::string& name = context.inputs[0];
  const double tau = double(thresholdBits(settings.bitCount())) * std::numbers::ln2;
  ViewWindow window;
  const auto wanted = [&](const Model& frame) -> std::optional<ViewWindow> {
    window = checkedWindow(frame, settings, context.size.value_or(glm::ivec2(0)), name);
    const glm::dvec2 samples = glm::dvec2(window.size) * double(window.samples);
    return samples.x * samples.y <= kSamples ? std::optional(window) : std::nullopt;
  };
  const std::optional<Model> part =
      context.timed("read", [&] { return readPart(name, wanted, tau); });
  if (!part) return false;
  const Image picture = context.timed("decode", [&] { return decodedPart(*part, window, tau); });
  writeRendered(context, context.output, picture, *part);
  reportRendered(context, window.size, *part);
  for (const char* ofLists : {"kpb", "max_error_bound", "max_left_out_bound", "max_rounding_bound",
                              "evaluations", "longest_list", "empty_tiles"})
    context.record.set(ofLists, std::numeric_limits<double>::quiet_NaN());
  return true;
}

Image drawn(CommandContext& context, SmoeEngine& technique) {
  context.timed("gpu", [&] {
    while (technique.step(context.gpu(), kSliceMs).partial) context.progress.throwIfCancelled();
    context.gpu().finish();
  });
  const bool numbers =
      technique.settingsStruct().show == Show::Certificate && endingOf(context.output) == ".exr";
  return numbers ? technique.decoder()->certificates() : context.download();
}

/// The frames of a video; of a light field the views of an orbit.
void renderFilm(CommandContext& context, SmoeEngine& technique) {
  Settings& settings = technique.settingsStruct();
  const Model& model = *technique.models();
  const std::string& output = context.output;
  if (model.leading() == 0) failUsage("--output: expected one file for an image, found {}", output);
  if (!settings.view.empty())
    failUsage("--view: expected one file in --output with it, found {}", output);
  const double perSecond = context.real("fps", 1, 240);
  const bool isOrbit = model.leading() == 2;
  const int count = isOrbit ? int(std::lround(kOrbitSeconds * perSecond)) : model.frames;
  std::vector<int> frames(std::size_t(count), 0);
  std::iota(frames.begin(), frames.end(), 0);
  if (context.given("frames")) frames = parseFrames(context.text("frames"));
  for (const int frame : frames)
    if (frame < 0 || frame >= count)
      failUsage("--frames: expected frames from 0 to {}, found {}", count - 1, frame);
  const std::optional<FramePattern> pattern = FramePattern::of(output);
  std::optional<VideoFile> video;
  context.progress.begin("decoding", double(frames.size()));
  for (const int frame : frames) {
    settings.view = viewText(
        isOrbit ? orbitView(model, frame * kOrbitSeconds / count) : ViewCoordinates(frame, 0),
        model.leading());
    const Image picture = drawn(context, technique);
    const glm::ivec2 size(picture.width, picture.height);
    reportRendered(context, size, model);
    if (pattern) {
      writeRendered(context, pattern->at(frame), picture, model);
    } else {
      if (!video) video.emplace(output, size, perSecond);
      video->append(pictureValues(picture, 1, PngAlpha::OverBlack));
    }
    context.progress.advance(1);
  }
  if (video) video->commit();
  context.record.set("frames", frames.size());
}

void runRender(CommandContext& context) {
  const bool isFilm = FramePattern::of(context.output) || isVideo(context.output);
  for (const char* flag : {"fps", "frames"})
    if (context.given(flag) && !isFilm)
      failUsage("--{}: expected a film in --output, f.%04d.png or f.mp4, found {}", flag,
                context.output);
  if (!isFilm && renderPart(context)) return;
  SmoeEngine& technique = openModel(context);
  if (comparesWithSource(technique.settingsStruct().show))
    technique.source().readNow(context.gpu(), context.progress);
  if (isFilm) return renderFilm(context, technique);
  context.progress.begin("decoding", 0);
  const Image picture = drawn(context, technique);
  writeRendered(context, context.output, picture, *technique.models());
  reportRendered(context, {picture.width, picture.height}, *technique.models());
  const ListFacts& lists = technique.decoder()->facts();
  context.record.set("kpb", lists.kpb);
  context.record.set("max_error_bound", lists.maxErrorBound);
  context.record.set("max_left_out_bound", lists.maxLeftOut);
  context.record.set("max_rounding_bound", lists.maxRounding);
  context.record.set("evaluations", lists.evaluationsPerSample);
  context.record.set("longest_list", lists.longest);
  context.record.set("empty_tiles", lists.emptyTiles);
}

std::vector<CommandFlag> fitFlags() {
  std::vector<CommandFlag> flags{
      {"continue", "MODEL", "Continue from this model or checkpoint"},
      {"checkpoint-every", "S",
       "Seconds between checkpoints (OUTPUT.checkpoint.smoe), also at Ctrl+C; 0: off", "60"},
      {"add", "N", "With --continue: split N components where the error is largest", "0"},
      {"alpha", "WORD",
       "keep: fit alpha with components of its own; ignore: fit the image over black", "keep"},
      {"target-psnr", "DB", "Use as few components as reach this PSNR, instead of -k"},
      {"target-bpp", "B", "Use as many components as fit in this many bits per pixel"},
      {"max-time", "S", "End the fit after this many seconds"},
      {"effort", "N", "Time for quality, 1 to 9, instead of --steps; 5: 1000 steps"},
      {"hold-out", "N", "Keep every Nth view out of the fit and report PSNR there; 0: off", "0"}};
  flags.insert(flags.end(), captureFlags().begin(), captureFlags().end());
  return flags;
}

}  // namespace

glm::ivec2 parseGrid(const std::string& text) {
  const std::optional<glm::ivec2> grid = parsePair(text);
  if (!grid || std::min(grid->x, grid->y) < 1 || std::max(grid->x, grid->y) > 64)
    failUsage("--grid: expected AxB from 1x1 to 64x64, found \"{}\"", text);
  return *grid;
}

const std::vector<Command>& commands() {
  static const std::vector<Command> list{
      {"fit",
       "Fit a model to an image, a folder of views or frames, or a scene.",
       "fathom smoe fit photo.png -k 2000 -o photo.smoe",
       {"SOURCE", 1, -1,
        "An image, a folder of views or frames, or a scene (or several, with % in --output for "
        "their names).",
        true},
       {{".smoe"}},
       fitFlags(),
       runFit},
      {"render",
       "Decode a model at any size, crop and view.",
       "fathom smoe render garden.smoe --view 1.5,-2 --size 1024x768 -o view.png",
       {"MODEL", 1, 1, "A model in a .smoe file."},
       {{".png", ".exr", ".tif", ".tiff", ".dpx", ".mp4", ".mkv", ".webm", ".gif"}},
       withColor({{"float", "", "Write float instead of half to the EXR.", "off"},
                  {"bit-depth", "8|16", "Bits per channel of a PNG.", "8"},
                  {"fps", "N", "Frames per second of a video (needs ffmpeg).", "24"},
                  {"frames", "LIST",
                   "With %d in --output or a video: which frames, from 0; default: all of a video, "
                   "of a light field 8 s around its middle."}},
                 false),
       runRender},
      {"convert",
       "Convert a model to another encoding, and report the loss.",
       "fathom smoe convert garden.smoe --encoding packed -o small.smoe",
       {"MODEL", 1, 1, "A model in a .smoe file."},
       {{".smoe"}},
       {},
       runConvert},
      captureCommand(),
  };
  return list;
}

}  // namespace fathom::smoe
