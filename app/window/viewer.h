// SPDX-License-Identifier: BSD-3-Clause
// The window, as commands and tests start it.
#pragma once

#include "app/engine/engine.h"
#include "app/engine/io/run_record.h"

namespace fathom::viewer {

/// How long the main thread worked on frames, waiting for the monitor left out.
struct FrameTimes {
  int frames = 0, above100Ms = 0;
  double longestMs = 0;
  std::string longestPart;        // what took most of that frame: "picture", "comparison", ...
  double longestCompilingMs = 0;  // of the frames in which programs were compiled; not in the above
  double longestCpuMs = 0;  // most that all threads of the process computed during a frame; these
                            // times do not grow when others use the machine
};

struct ViewOptions {
  std::vector<std::string>
      inputs;  // files or a scene; none: those of a named session, or the start page
  std::vector<std::pair<std::string, std::string>> settings;  // --set; of technique or display
  std::optional<glm::ivec2> size;                             // of the window
  std::string technique;  // by name; empty: the first that accepts the inputs

  // For scripts. With `frames` the user's own session is neither read nor written.
  int frames = 0;          // quit after this many frames that show the complete picture; 0: stay
  std::string screenshot;  // the whole window as PNG, written when quitting
  bool hidden = false;     // the window is never shown
  bool glDebug = false;    // the driver checks every call
  std::string openPanel;   // a name out of panelNames()
  std::string session;     // file restored completely and saved on exit, instead of the user's own
  std::optional<glm::ivec2> pixel;   // pinned in the inspector
  std::string record;                // bench file of what is shown, see recorder.h
  RecordingWriter writeRecording;    // who writes that file, and those that the user asks for
  int pictures = 60;                 // recorded in it
  std::string landmarks;             // file for the positions of controls, see landmarks.h
  float scale = 0;                   // of the controls; 0: the monitor's
  int listen = 0;                    // port where renderers may send images; 0: the user's own
  FrameTimes* frameTimes = nullptr;  // filled when the window ends
};

/// "inspector", "timings", ...: what --open-panel takes, besides the pages of the technique.
inline const std::vector<std::string>& panelNames() {
  static const std::vector<std::string> names = {"inspector", "timings",  "memory", "compare",
                                                 "histogram", "settings", "help",   "open",
                                                 "start",     "commands", "files",  "none"};
  return names;
}

/// Opens the window and returns when it is closed: 0, or 1 when a script's inputs could not be
/// shown. Throws UsageError (settings, panel), NoDeviceError, Error (session file, screenshot).
int run(const ViewOptions& options, const std::vector<TechniqueEntry>& available);
/// The same with all techniques that the window knows.
int run(const ViewOptions& options);

}  // namespace fathom::viewer
