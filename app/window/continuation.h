// SPDX-License-Identifier: BSD-3-Clause
// What of a window outlives its GPU: which inputs were open and how they were seen, the edits with
// their history, where a script stands. Values only, for a window on a new context, which reads and
// uploads everything again.
#pragma once

#include "app/engine/io/session.h"
#include "app/engine/scene/camera.h"
#include "app/window/parts.h"
#include "app/window/script.h"
#include "app/window/workspace/recovery.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <glm/vec2.hpp>

namespace fathom::viewer {

struct Continuation {
  explicit Continuation(Script running) : script(std::move(running)) {}

  std::string why;  // as it is told to the user
  glm::ivec2 windowSize{0};
  Session user;                     // as Viewer keeps it
  Session state;                    // of everything: settings, camera, zoom, layout, comparison
  std::vector<std::string> inputs;  // open, or about to be; none: the start page
  std::string technique;
  std::unique_ptr<EditSnapshot> edits;  // null: the inputs tell everything
  std::optional<Camera> homeCamera;
  Script script;
  Recovery recovery;
  std::optional<Recovery::Found> recovered, recoveredOpen;
  bool startPage = false;
  bool worked = false;  // since it was made: there was a picture, or none to be made
};

/// Takes it out of a workspace whose context is dead, without a call of GL.
Continuation continuationOf(Workspace& workspace, Script script, std::string why);

}  // namespace fathom::viewer
