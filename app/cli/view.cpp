// SPDX-License-Identifier: BSD-3-Clause
// fathom view: the window, with flags that let scripts open it, wait for the picture and take a
// screenshot.
#include "app/cli/command.h"
#include "app/cli/flags.h"
#include "app/cli/subcommands.h"
#include "app/engine/core/error.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/frame_sequence.h"
#include "app/engine/scene/load_scene.h"
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

/// Without a window a missing file is the nearer cause, and a command the next step.
int openOrExplain(const viewer::ViewOptions& options) {
  try {
    return openWindow(options);
  } catch (const NoDeviceError& error) {
    for (const std::string& input : options.inputs)
      if (!isSceneSpec(input) && !fs::exists(splitPart(input).first))
        fail("{}: {}", input,
             FramePattern::of(input) ? "expected one file, found the name of a sequence"
                                     : "no such file");
    throw NoDeviceError(std::string(error.what()) +
                        "; commands such as `fathom deep flatten` need no display");
  }
}

int runView(ViewFlags& flags, const CommonOptions& common) {
  if (!openWindow) throw NotBuiltError("view: expected a program with a window, found one without");
  if (!common.output.empty())
    throw UsageError("--output: expected --screenshot PATH for an image of the window");
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
      failUsage("--pixel: expected two whole numbers like 640,360, found \"{}\"", flags.pixel);
  }
  viewer::FrameTimes times;
  flags.options.frameTimes = &times;
  flags.options.writeRecording = bench::writeRecording;
  const int code = openOrExplain(flags.options);
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

Action declareView(FlagTable& table, const CommonOptions& common) {
  const auto flags = std::make_shared<ViewFlags>();
  viewer::ViewOptions& options = flags->options;
  table.operands(
      "FILE", options.inputs,
      "Files or a scene; default: the inputs of --session, else the start page (scripts: atrium)");
  table.add("--listen", options.listen, 1, 65535,
            "Show images that renderers of this machine send to this port (tev's is 14158)");
  table.under("Scripts");
  table.add("--frames", options.frames, 1, 1000000, "Quit after N frames with the complete image");
  table.add("--screenshot", options.screenshot, "PATH",
            "Write a screenshot of the window when quitting");
  table.add("--hidden", options.hidden, "Never show the window");
  table.add("--open-panel", options.openPanel, "NAME",
            fmt::format("Open this panel: {}, or a page of the technique",
                        fmt::join(viewer::panelNames(), ", ")));
  table.add("--scale", options.scale, 1, 3, "Scale of the controls; default: the monitor's");
  table.add("--technique", options.technique, "NAME", "Show the inputs with this technique");
  table.add("--session", options.session, "PATH", "Restore this session instead of the last one");
  table.add("--pixel", flags->pixel, "X,Y", "Pin this pixel in the inspector");
  table.add("--record", options.record, "PATH",
            "Render the image repeatedly and write a bench file");
  table.add("--pictures", options.pictures, 1, 100000, "Images that --record renders", "60");
  table.add("--landmarks", options.landmarks, "PATH", "Write the positions of controls, for tests");
  flags->settings.declareSet(table);
  return [flags, &common] { return runView(*flags, common); };
}

}  // namespace fathom::commands
