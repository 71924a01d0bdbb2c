// SPDX-License-Identifier: BSD-3-Clause
// fathom active-pixel composite: over MPI under mpirun, in parts inside this process otherwise; and
// overlays of those parts.
#include "app/cli/active_pixel/command.h"

#include "app/engine/active_pixel/distribute/distributed.h"
#include "app/engine/active_pixel/engine.h"
#include "app/engine/active_pixel/image/picture.h"
#include "app/engine/core/error.h"
#include "app/engine/core/launch.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/picture.h"

namespace fathom::active_pixel {
namespace {

constexpr int kMaxFrames = 100000;

bool writesExr(const CommandContext& context) {
  return std::filesystem::path(context.output).extension() == ".exr";
}

/// What the technique shows of the parts inside one process, beyond the picture.
bool isOverlay(const Settings& settings) {
  return settings.show != Show::Picture && settings.show != Show::Parts;
}

void writeOverlay(CommandContext& context, const CompositeRequest& request) {
  auto& technique = context.as<ActivePixelEngine>();
  context.readBesideGpu([&] { return read(context.inputs, context.progress); });
  technique.setSize(request.size.x, request.size.y);
  technique.step(context.gpu(), INFINITY);
  if (!context.output.empty())
    writePicture(context.output, technique.frame().picture->downloadImage(), FlatExrOptions{});
}

CompositeRequest requestOf(CommandContext& context) {
  CompositeRequest request;
  request.input = context.inputs.front();
  request.settings = context.as<ActivePixelEngine>().settingsStruct();
  if (isOverlay(request.settings) && (startedByMpirun() || context.given("figures")))
    throw UsageError("--show: expected picture or parts under mpirun and with figures");
  request.size = context.size.value_or(glm::ivec2(1280, 720));
  request.frames = context.number("frames", 1, kMaxFrames);
  request.depthToo = writesExr(context);
  request.gpu = [&context]() -> gpu::Context& { return context.gpu(); };
  request.progress = &context.progress;
  frameFormat(request.settings);  // wrong settings are refused before any work
  return request;
}

/// The mean over frames of the slowest rank's time (as in the paper's table 1).
double meanOfSlowest(const Composited& done, double FrameFigures::*field) {
  double sum = 0;
  const std::size_t ranks = std::size_t(done.ranks), frames = done.figures.size() / ranks;
  for (std::size_t frame = 0; frame < frames; ++frame) {
    double slowest = 0;
    for (std::size_t rank = 0; rank < ranks; ++rank)
      slowest = std::max(slowest, done.figures[frame * ranks + rank].*field);
    sum += slowest;
  }
  return sum / double(frames);
}

double sumOf(const Composited& done, double FrameFigures::*field) {
  double sum = 0;
  for (const FrameFigures& figures : done.figures) sum += figures.*field;
  return sum;
}

void reportFigures(RunRecord& record, const CompositeRequest& request, const Composited& done) {
  record.size = {request.size.x, request.size.y};
  record.set("ranks", done.ranks);
  record.set("over_mpi", startedByMpirun());
  record.set("frames", request.frames);
  record.set("frames_per_second", 1000.0 * request.frames / done.wallMs);
  record.set("render_ms", meanOfSlowest(done, &FrameFigures::render));
  record.set("read_ms", meanOfSlowest(done, &FrameFigures::read));
  record.set("compress_ms", meanOfSlowest(done, &FrameFigures::compress));
  record.set("compose_ms", meanOfSlowest(done, &FrameFigures::compose));
  record.set("collect_ms", meanOfSlowest(done, &FrameFigures::collect));
  double phases = 0;
  for (const FrameFigures& figures : done.figures) phases += figures.phases();
  // Of all processes; parts in turn are one.
  record.set("overlap", phases / done.wallMs / (startedByMpirun() ? done.ranks : 1));
  const auto perFrame = [&](double FrameFigures::*field) {
    return std::int64_t(sumOf(done, field) / request.frames);
  };
  record.set("raw_bytes", perFrame(&FrameFigures::rawBytes));
  record.set("region_bytes", perFrame(&FrameFigures::regionBytes));
  record.set("sparse_bytes", perFrame(&FrameFigures::sparseBytes));
}

void writeResults(CommandContext& context, const CompositeRequest& request,
                  const Composited& done) {
  const PhaseTimer timer(context.record, "write");
  if (context.given("figures")) writeFile(context.text("figures"), figuresCsv(request, done));
  if (context.output.empty()) return;
  FlatExrOptions options;
  options.asFloat = request.settings.color == ColorDepth::Rgba32f;
  const std::vector<float> depth = depthOf(done.picture);
  if (writesExr(context)) options.depth = depth;
  writePicture(context.output, imageOf(done.picture), options);
}

void runComposite(CommandContext& context) {
  const CompositeRequest request = requestOf(context);
  if (isOverlay(request.settings)) return writeOverlay(context, request);
  if (!startedByMpirun()) {
    const Composited done = compositeParts(request);
    writeResults(context, request, done);
    reportFigures(context.record, request, done);
    return;
  }
  bool first = true;
  Job::run([&](Job& job) {
    first = job.rank() == 0;
    const Composited done = compositeOverMpi(job, request);
    job.collective([&] {
      if (first) writeResults(context, request, done);
    });
    reportFigures(context.record, request, done);
  });
  if (!first) throw PeerFailed(0);
}

}  // namespace

Command compositeCommand() {
  return {
      "composite",
      "Composites what many ranks draw, each its share of a scene; under mpirun with IceT, else "
      "in parts inside one process.",
      "fathom active-pixel composite station --parts 4 --mode gpu -o station.png",
      {"SCENE", 1, 1, "A scene, or a folder of OBJ files."},
      {".exr", ".png"},
      true,
      {{"frames", "N", "Frames, the scene turning 2 degrees from one to the next", "1", false},
       {"figures", "FILE.csv", "Times and bytes of each frame and rank", "", false}},
      runComposite};
}

}  // namespace fathom::active_pixel
