// SPDX-License-Identifier: BSD-3-Clause
// What a window keeps and restores: the user's session, the state of each set of files, unsaved
// edits, and all of it when another window continues after the GPU was lost.
#pragma once

#include "app/engine/io/session.h"
#include "app/engine/scene/camera.h"
#include "app/window/parts.h"
#include "app/window/start.h"
#include "app/window/viewer.h"
#include "app/window/workspace/session_state.h"
#include "app/window/workspace/workspace.h"

namespace fathom::viewer {

/// What of a window outlives its GPU: which inputs were open and how they were seen, the edits with
/// their history, where a script stands. Values only, for a window on a new context, which reads
/// and uploads everything again.
struct Continuation {
  explicit Continuation(Script running) : script(std::move(running)) {}

  std::string why;  // as it is told to the user
  glm::ivec2 windowSize{0};
  Session user;                     // as Viewer keeps it
  Session state;                    // of everything: settings, camera, zoom, layout, comparison
  std::vector<std::string> inputs;  // open, or about to be; none: the start page
  std::string technique;
  std::any edits;  // empty: the inputs tell everything
  std::optional<Camera> homeCamera;
  Script script;
  Recovery recovery;
  bool startPage = false;
  bool worked = false;  // since it was made: there was a picture, or none to be made
};

class SessionKeeper {
 public:
  /// Both references must outlive the keeper. `continued`: of the window whose place this one
  /// takes.
  SessionKeeper(const ViewOptions& options, Workspace& workspace, Session session,
                std::optional<Continuation> continued);

  /// Before the first frame: layout and display as they were left; after a lost GPU the inputs are
  /// opened again, too.
  void restore();
  /// In place of a window whose GPU was lost: restore() has opened what there is to open.
  bool goesOn() const { return goesOn_; }
  /// The user's session, as it was last brought up to date.
  const Session& session() const { return session_; }

  /// Settings of a technique that was just made: the session's, then the command line's.
  void prepare(const Info& info, Engine& technique);
  /// Other inputs, or another technique (`made`): what was kept for this set comes back.
  void adopted(bool made);
  /// Before that: keeps what belongs to the set that is open, and how its technique computes.
  void leave();
  /// Once the size of the first picture of these inputs is known: zoom and place.
  void restoreViewOnce();

  /// Unsaved edits, for the next start; every other second at most, unless `now`.
  void keepEdits(bool now);
  /// The user has decided about all edits: what was given up or saved elsewhere is forgotten.
  void endRecovery();

  /// Writes the user's settings if they have changed since, but not often: a crash loses none.
  void keepUser(Clock::time_point lastFrame, glm::ivec2 windowSize);
  /// Writes all that is kept, at the end. Problems are logged.
  void save(glm::ivec2 windowSize);
  /// Everything, for the window that comes after this one; without a call of GL, as the context is
  /// dead.
  Continuation take(Script script, std::string why, glm::ivec2 windowSize);

 private:
  void goOn();
  bool adoptContinued(Engine& technique);
  void recover();

  const ViewOptions& options_;
  Workspace& w_;
  Session session_;      // the user's, brought up to date when a technique or set is left
  const bool scripted_;  // nothing of the user's is read or written
  const bool whole_;     // a named session: inputs, camera and view are restored as well
  const bool goesOn_;
  std::optional<Continuation> continued_;  // until its inputs are open again
  std::vector<std::string> adoptedInputs_;
  std::optional<glm::ivec2> pixelToPin_ = options_.pixel;
  bool firstTechnique_ = true;
  bool setsGiven_ = false;     // the command line's settings come before those of the set
  Session viewFrom_;           // what the view is restored from
  bool viewToRestore_ = true;  // also of whole_
  Clock::time_point keptAt_{};
  std::string kept_;  // as last written
};

}  // namespace fathom::viewer
