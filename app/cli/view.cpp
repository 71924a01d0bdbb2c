// SPDX-License-Identifier: BSD-3-Clause
// fathom view: the window, with flags that let scripts open it, wait for the picture and take a
// screenshot.
#include "app/cli/command.h"
#include "app/cli/flags.h"
#include "app/cli/subcommands.h"
#include "app/engine/core/error.h"
#include "app/lab/bench_file.h"
#include "app/window/viewer.h"

namespace fathom::commands {
namespace {

int (*openWindow)(const viewer::ViewOptions& options) = nullptr;

struct ViewFlags {
  viewer::ViewOptions options;
  std::string pixel;
  CliFlags settings;
};

int runView(ViewFlags& flags, const CommonOptions& common) {
  if (!openWindow) throw NotBuiltError("view: expected a program with a window, found one without");
  if (!common.output.empty())
    throw UsageError("--output: expected --screenshot PATH for a picture of the window");
  if (common.contextBackend() == gpu::Backend::Egl)
    throw UsageError("--backend: expected auto or window for the window, found \"egl\"");
  Reporting reporting(common);
  checkOutput(flags.options.screenshot, {".png"});
  checkOutput(flags.options.landmarks, {});
  checkOutput(flags.options.record, {".json"});
  flags.options.settings = flags.settings.sets();
  flags.options.size = common.pictureSize();
  flags.options.glDebug = common.glDebug;
  if (!flags.pixel.empty()) {
    flags.options.pixel = parsePair(flags.pixel);
    if (!flags.options.pixel)
      throw UsageError(fmt::format("--pixel: expected two whole numbers like 640,360, found \"{}\"",
                                   flags.pixel));
  }
  viewer::FrameTimes times;
  flags.options.frameTimes = &times;
  flags.options.writeRecording = bench::writeRecording;
  const int code = openWindow(flags.options);
  RunRecord record;
  record.command = "view";
  record.set("frames", flags.options.frames);
  record.set("frames_drawn", times.frames);
  record.set("frames_above_100_ms", times.above100Ms);
  record.set("longest_frame_ms", times.longestMs);
  record.set("longest_compiling_frame_ms", times.longestCompilingMs);
  record.set("longest_frame_part", times.longestPart);
  record.set("longest_frame_cpu_ms", times.longestCpuMs);
  reporting.finish(record, nullptr);
  return code;
}

}  // namespace

void offerWindow(int (*open)(const viewer::ViewOptions& options)) { openWindow = open; }

Action declareView(CLI::App& app, const CommonOptions& common) {
  const auto flags = std::make_shared<ViewFlags>();
  viewer::ViewOptions& options = flags->options;
  app.add_option(
         "FILE", options.inputs,
         "Files or a scene; none: those of --session, else the start page (scripts: atrium)")
      ->type_name("")
      ->expected(0, -1);
  const std::string group = "Scripts";
  app.add_option("--frames", options.frames, "Quit after N frames of the complete picture")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000))
      ->group(group);
  app.add_option("--screenshot", options.screenshot,
                 "Write the window with its panels, when quitting")
      ->type_name("PATH")
      ->group(group);
  app.add_flag("--hidden", options.hidden, "Never show the window")->group(group);
  app.add_option("--open-panel", options.openPanel,
                 fmt::format("Open this panel: {}, or a page of the technique",
                             fmt::join(viewer::panelNames(), ", ")))
      ->type_name("NAME")
      ->group(group);
  app.add_option("--scale", options.scale, "Scale of the controls; default: the monitor's")
      ->type_name("X")
      ->check(CLI::Range(1.0, 3.0))
      ->group(group);
  app.add_option("--technique", options.technique, "Show the inputs with this technique")
      ->type_name("NAME")
      ->group(group);
  app.add_option("--session", options.session, "Restore this session instead of the last one")
      ->type_name("PATH")
      ->group(group);
  app.add_option("--pixel", flags->pixel, "Pin this pixel in the inspector")
      ->type_name("X,Y")
      ->group(group);
  app.add_option("--record", options.record,
                 "Record what the picture costs to a bench file, along the session's camera path")
      ->type_name("PATH")
      ->group(group);
  app.add_option("--pictures", options.pictures, "How many pictures --record makes")
      ->type_name("N")
      ->default_str("60")
      ->check(CLI::Range(1, 100000))
      ->group(group);
  app.add_option("--landmarks", options.landmarks, "Where the controls are, for tests that click")
      ->type_name("PATH")
      ->group(group);
  flags->settings.declareSet(app);
  return [flags, &common] { return runView(*flags, common); };
}

}  // namespace fathom::commands
