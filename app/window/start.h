// SPDX-License-Identifier: BSD-3-Clause
// What the options of a window ask for: checked before it opens, the session to restore, the inputs
// to show first, and the script that runs it (--frames, --screenshot, --record, --landmarks).
#pragma once

#include "app/engine/engine.h"
#include "app/engine/io/session.h"
#include "app/window/picture/display.h"
#include "app/window/viewer.h"

namespace fathom::viewer {

class Document;
struct Workspace;

/// --technique and --open-panel. Throws UsageError.
void checkNames(const ViewOptions& options, const std::vector<TechniqueEntry>& available);

/// Names of the techniques to try first, best first: --technique, else the first that knows all
/// settings of --set, else that of a named session.
std::vector<std::string> preferredTechniques(const ViewOptions& options, const Session& session,
                                             const std::vector<std::string>& inputs,
                                             const std::vector<TechniqueEntry>& available);

/// --set, against the technique that will show these inputs. Throws UsageError, Error.
void checkSettings(const ViewOptions& options, const Session& session,
                   const std::vector<std::string>& inputs,
                   const std::vector<TechniqueEntry>& available);

/// The file that the options name, or the user's own unless this is a script. Throws Error when the
/// named one cannot be read.
Session initialSession(const ViewOptions& options);

/// Those of the options, else of a named session, else for a script the default scene. None: the
/// start page.
std::vector<std::string> initialInputs(const ViewOptions& options, const Session& session,
                                       const std::vector<TechniqueEntry>& available);

/// Assigns to the display settings if one has this name, else to the settings of a technique.
void assignSetting(const Describe& settings, DisplaySettings& display, const std::string& name,
                   const std::string& text);

/// The window run by a script: counts frames of the complete picture, writes the requested files,
/// and records the positions of controls for tests.
class Script {
 public:
  /// `options` must outlive the script.
  explicit Script(const ViewOptions& options) : options_(options) {}

  /// The window quits by itself, and the user's own session is neither read nor written.
  bool active() const { return options_.frames > 0; }

  /// Starts the recording that --record asks for, once, when the picture is complete.
  void startRecording(Workspace& workspace);

  /// Counts this frame if it shows the complete picture at rest, or a new picture of an animation;
  /// true when it is the last one to be shown.
  bool countFrame(const Document& document, bool rested);
  bool wantsScreenshot() const { return !options_.screenshot.empty(); }

  /// The mark key was taken from the queue. A test sends it after other events; once it is counted,
  /// those have been handled, too.
  void countMark() { ++marks_; }
  /// Writes the landmarks of this frame, the count of marks, and whether the window is idle; only
  /// when any of it has changed. Throws Error.
  void writeLandmarks(bool idle);

 private:
  const ViewOptions& options_;
  bool recordingStarted_ = false;
  int countedFrames_ = 0, marks_ = 0;
  std::uint64_t countedPicture_ = 0;  // generation; only for animations
  std::string landmarks_;             // as last written
};

}  // namespace fathom::viewer
