// SPDX-License-Identifier: BSD-3-Clause
// What the window writes to be restored later: sessions, and unsaved edits for recovery after a
// crash.
#pragma once

#include "app/engine/io/session.h"
#include "app/window/document/document.h"
#include "app/window/picture/picture_view.h"

namespace fathom::viewer {

struct Workspace;

/// Edits outlive a signal, a crash or a lost GPU: while there are unsaved ones, what save() would
/// write lies in the configuration folder, and the next start offers it.
class Recovery {
 public:
  /// The folder that holds the files; none: nothing is kept (scripts).
  void keepIn(fs::path folder);

  /// Writes the edits when they have changed, at most every other second unless `now`; removes them
  /// once they are saved. Throws Error.
  void update(const Document& document, bool now = false);

  /// The user gave the edits up, or they are saved.
  void remove();

  /// What a program that is gone has left.
  struct Found {
    fs::path file;  // the newest edits, under their own name
    std::string technique;
    std::vector<std::string> inputs;  // that were open
  };
  std::optional<Found> find() const;
  /// Forgets what was found.
  void discard(const Found& found) const;

  std::optional<Found> left;    // by a program that is gone; waits for the user's answer
  std::optional<Found> opened;  // what was left, until it is an edit of its inputs

 private:
  fs::path folder_, own_;  // own_: of this process
  fs::path file_;          // written last
  std::string written_;
  Clock::time_point last_{};
};

/// The complete current state.
Session captureSession(Workspace& workspace);
/// Brings the user's session up to date; sections of other techniques stay as they are.
void captureUser(Workspace& workspace, Session& session);
/// What belongs to the open files: their technique, its settings of inputs, camera, zoom, pixel.
Session captureSet(Workspace& workspace);
/// Settings that belong to inputs take their defaults, then what `set` says.
void restoreSet(const Info& info, Engine& technique, const std::vector<FieldValue>& defaults,
                const Session& set);
/// Display, layout and recent files; with `whole` also pinned pixel and comparison.
/// Sections that do not fit are reported as messages and skipped.
void restoreSession(Workspace& workspace, const Session& session, bool whole);
/// The settings of one technique; called when it is made. `whole`: also those that belong to
/// inputs.
void restoreSettings(const Info& info, Engine& technique, const Session& session, bool whole);
/// The camera, once the scene is there.
void restoreCamera(Engine& technique, const Session& session);
/// Zoom and position, once the picture's size is known.
void restoreView(PictureView& view, const Session& session);
/// The technique that showed the inputs; empty when the session does not say.
std::string techniqueOf(const Session& session);
std::vector<std::string> inputsOf(const Session& session);
std::optional<glm::ivec2> windowSizeOf(const Session& session);

}  // namespace fathom::viewer
