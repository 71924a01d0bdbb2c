// SPDX-License-Identifier: BSD-3-Clause
// The window run by a script (--frames, --screenshot, --record, --landmarks): counts frames of the
// complete picture, writes the requested files, and records the positions of controls for tests.
#pragma once

#include "app/window/viewer.h"

namespace fathom::viewer {

class Document;
struct Capture;
struct Workspace;

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
  /// Throws Error.
  void saveScreenshot(const Capture& capture) const;

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
