// SPDX-License-Identifier: BSD-3-Clause
// Values from a window whose context is dead.
#include "app/window/continuation.h"

#include "app/window/workspace/session_state.h"
#include "app/window/workspace/workspace.h"

#include <utility>

namespace fathom::viewer {

Continuation continuationOf(Workspace& w, Script script, std::string why) {
  Continuation kept(std::move(script));
  kept.why = std::move(why);
  kept.state = captureSession(w);
  kept.homeCamera = w.homeCamera;
  kept.recovery = std::move(w.recovery);
  kept.recovered = w.recovered;
  kept.recoveredOpen = w.recoveredOpen;
  kept.startPage = w.startPage;
  Engine* const technique = w.document.technique();
  const bool reading = w.document.loader().loading();
  if (technique) {
    kept.inputs = technique->inputs();
    kept.technique = w.document.info().name;
    if (Editing* const editing = w.document.active().editing(); editing && !reading)
      kept.edits = editing->keep();
  }
  if (reading) kept.inputs = w.document.loader().inputs();
  kept.worked = kept.inputs.empty() || w.document.hasPicture();
  return kept;
}

}  // namespace fathom::viewer
