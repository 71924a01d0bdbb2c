// SPDX-License-Identifier: BSD-3-Clause
// The window with the test techniques, as its own program: the tests start it, press keys and look
// at the screen. Takes the flags of `fathom view`, each with its value behind it. SIGUSR1: the
// device is lost. --walk lists: with the program's techniques, opens everything; --walk
// SEED,INPUTS: at random (walk.h). --plant FIGURES: they become stale (figures.h).
#include "app/engine/core/progress.h"
#include "app/engine/flame/engine.h"
#include "app/engine/gpu/slices.h"
#include "app/lab/bench_file.h"
#include "app/window/viewer.h"
#include "app/window/workspace/thumbnails.h"
#include "tests/techniques/tiny/entry.h"
#include "tests/window/fake_technique.h"
#include "tests/window/figures.h"
#include "tests/window/walk.h"

#include <csignal>

int main(int argc, char** argv) {
  using namespace fathom;
  if (const auto code = viewer::answerThumbnail(argc, argv)) return *code;
  viewer::ViewOptions options;
  std::string walked;
  try {
    for (int i = 1; i < argc; ++i) {
      const std::string flag = argv[i];
      if (!flag.starts_with("--")) {
        options.inputs.push_back(flag);
        continue;
      }
      if (flag == "--verbose") {
        log::setLevel(log::Level::Verbose);
        continue;
      }
      const std::string value = ++i < argc ? argv[i] : "";
      const auto pair = [&](const char* format) {
        glm::ivec2 read(0);
        if (std::sscanf(value.c_str(), format, &read.x, &read.y) != 2)
          throw UsageError(flag + ": expected two numbers, found \"" + value + "\"");
        return read;
      };
      if (flag == "--frames")
        options.frames = std::stoi(value);
      else if (flag == "--technique")
        options.technique = value;
      else if (flag == "--walk")
        walked = value;
      else if (flag == "--plant")
        viewer::plantStale(value);
      else if (flag == "--screenshot")
        options.screenshot = value;
      else if (flag == "--open-panel")
        options.openPanel = value;
      else if (flag == "--session")
        options.session = value;
      else if (flag == "--landmarks")
        options.landmarks = value;
      else if (flag == "--size")
        options.size = pair("%dx%d");
      else if (flag == "--pixel")
        options.pixel = pair("%d,%d");
      else if (flag == "--set")
        options.settings.emplace_back(value.substr(0, value.find('=')),
                                      value.substr(value.find('=') + 1));
      else
        throw UsageError("expected a flag, found " + flag);
    }
#ifdef SIGUSR1  // not on Windows
    std::signal(SIGUSR1, [](int) { gpu::simulateDeviceLoss(); });
#endif
    addWindowEntry(viewer::fakeWindowEntry());
    const std::vector<TechniqueEntry> available = {viewer::fakeEntry(), tiny::entry(),
                                                   flame::entry()};
    options.writeRecording = bench::writeRecording;
    if (walked.empty()) return viewer::run(options, available);
    glm::ivec2 chance(0);
    if (std::sscanf(walked.c_str(), "%d,%d", &chance.x, &chance.y) == 2) {
      viewer::walkAtRandom(std::uint32_t(chance.x), chance.y, options.inputs);
    } else {
      options.frames = std::numeric_limits<int>::max();
      options.size = {720, 480};
      viewer::walk({{1280, 720}, {1920, 1080}, {2560, 1440}},
                   walked == "equal-ids" ? viewer::Planted::EqualIds
                   : walked == "push"    ? viewer::Planted::UnbalancedPush
                                         : viewer::Planted::Nothing);
    }
    const int code = viewer::run(options);
    std::printf("opened %d, %s\n", viewer::openedByWalk(),
                viewer::windowTitle().starts_with("* ") ? "unsaved" : "saved");
    return viewer::faultsFound() ? 1 : code;
  } catch (const NoDeviceError& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 77;
  } catch (const UsageError& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
