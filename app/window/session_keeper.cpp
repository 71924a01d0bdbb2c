// SPDX-License-Identifier: BSD-3-Clause
// Who comes first: a window that continues, then a session named by the user, then what belongs to
// the set of files, then the user's own.
#include "app/window/session_keeper.h"

#include "app/engine/core/progress.h"
#include "app/system/machine.h"

namespace fathom::viewer {
namespace {

constexpr std::chrono::seconds kBetweenSessions{2};

void write(Session& session, const fs::path& file, glm::ivec2 windowSize) {
  session.set("window", "width", double(windowSize.x));
  session.set("window", "height", double(windowSize.y));
  session.save(file);
}

}  // namespace

SessionKeeper::SessionKeeper(const ViewOptions& options, Workspace& workspace, Session session,
                             std::optional<Continuation> continued)
    : options_(options),
      w_(workspace),
      session_(std::move(session)),
      scripted_(options.frames > 0),
      whole_(!options.session.empty()),
      goesOn_(continued.has_value()),
      continued_(std::move(continued)) {
  if (scripted_ || whole_) return;
  w_.sets.keepIn(system::configFolder() / "files");
  w_.recovery.keepIn(system::configFolder() / "recovery");
  w_.recovery.left = w_.recovery.find();
}

void SessionKeeper::restore() {
  if (goesOn_) return goOn();
  restoreSession(w_, session_, whole_);
}

/// The same inputs are read and uploaded again.
void SessionKeeper::goOn() {
  w_.messages.note(continued_->why + "; everything is uploaded again");
  w_.recovery = std::move(continued_->recovery);
  w_.homeCamera = continued_->homeCamera;
  restoreSession(w_, continued_->state, true);
  firstTechnique_ = false;
  pixelToPin_.reset();
  const bool none = continued_->inputs.empty(), start = continued_->startPage || none;
  if (none)
    continued_.reset();
  else
    w_.open(continued_->inputs, false, continued_->technique);
  w_.start.open = start;
}

void SessionKeeper::prepare(const Info& info, Engine& technique) {
  if (continued_) {
    restoreSettings(info, technique, continued_->state, true);
    return restoreCamera(technique, continued_->state);
  }
  restoreSettings(info, technique, session_, whole_);
  if (std::exchange(firstTechnique_, false)) {
    setsGiven_ = !options_.settings.empty();
    for (const auto& [name, text] : options_.settings)
      assignSetting(technique.settings(), w_.display, name, text);
    if (whole_) restoreCamera(technique, session_);
  }
}

/// The inputs are open again: on with what was made of them. False: others are.
bool SessionKeeper::adoptContinued(Engine& technique) {
  auto kept = std::exchange(continued_, std::nullopt);
  if (technique.inputs() != kept->inputs) return false;
  adoptedInputs_ = technique.inputs();
  viewFrom_ = std::move(kept->state);
  Editing* const editing = w_.document.active().parts().editing;
  if (kept->edits.has_value() && editing) editing->restore(std::move(kept->edits));
  return true;
}

/// What was edited before a crash is open: now with the edits, which are this run's from now on.
void SessionKeeper::recover() {
  Editing* const editing = w_.document.active().parts().editing;
  const std::optional<Recovery::Found> found = w_.recovery.opened;
  if (!editing || !found || w_.document.technique()->inputs() != found->inputs) return;
  w_.recovery.opened.reset();
  w_.reportErrors([&] {
    editing->recover(found->file.string());
    w_.recovery.update(w_.document, true);
    w_.recovery.discard(*found);
  });
}

void SessionKeeper::adopted(bool made) {
  Engine& technique = *w_.document.technique();
  if (continued_ && adoptContinued(technique)) return;
  recover();
  // In the coordinates of the file's windows, as the commands count.
  if (const auto pixel = std::exchange(pixelToPin_, std::nullopt))
    w_.inspector.pin(*pixel - technique.frame().origin);
  const bool otherSet = technique.inputs() != adoptedInputs_;
  adoptedInputs_ = technique.inputs();
  if ((!otherSet && !made) || whole_) return;
  Session set = w_.sets.load(technique.inputs());
  if (!std::exchange(setsGiven_, false))
    restoreSet(w_.document.info(), technique, w_.document.active().defaults(), set);
  if (!otherSet) return;
  if (!std::exchange(w_.keepView, false)) w_.view.fit();
  restoreCamera(technique, set);
  restoreView(w_.view, set);
  viewToRestore_ = !w_.view.fitted();
  if (viewToRestore_) viewFrom_ = std::move(set);
}

void SessionKeeper::leave() {
  Engine* const technique = w_.document.technique();
  if (!technique) return;
  w_.compare.freeze();
  captureUser(w_, session_);
  w_.reportErrors([&] { w_.sets.save(technique->inputs(), captureSet(w_)); });
}

void SessionKeeper::restoreViewOnce() {
  if (!viewToRestore_ || !w_.document.hasPicture()) return;
  viewToRestore_ = false;
  restoreView(w_.view, whole_ && !goesOn_ ? session_ : viewFrom_);
}

/// Those of a window that is gone are in its recovery file until they are open again.
void SessionKeeper::keepEdits(bool now) {
  if (!continued_ || !continued_->edits.has_value())
    w_.reportErrors([&] { w_.recovery.update(w_.document, now); });
}

void SessionKeeper::endRecovery() {
  if (w_.document.unsaved()) w_.recovery.remove();
}

void SessionKeeper::keepUser(Clock::time_point lastFrame, glm::ivec2 windowSize) {
  const auto now = Clock::now();
  if (scripted_ || whole_ || lastFrame <= keptAt_ || now - keptAt_ < kBetweenSessions) return;
  keptAt_ = now;
  captureUser(w_, session_);
  std::string text = session_.json();
  if (text == kept_) return;
  kept_ = std::move(text);
  save(windowSize);
}

void SessionKeeper::save(glm::ivec2 windowSize) {
  if (scripted_) return;
  try {
    if (whole_) {
      Session session = captureSession(w_);
      return write(session, options_.session, windowSize);
    }
    captureUser(w_, session_);
    if (w_.document.technique()) w_.sets.save(w_.document.technique()->inputs(), captureSet(w_));
    write(session_, system::configFolder() / "session.json", windowSize);
  } catch (const Error& e) {
    log::warn("{}", e.what());
  }
}

Continuation SessionKeeper::take(Script script, std::string why, glm::ivec2 windowSize) {
  if (w_.document.technique()) captureUser(w_, session_);
  keepEdits(true);
  Continuation kept(std::move(script));
  kept.why = std::move(why);
  kept.state = captureSession(w_);
  kept.homeCamera = w_.homeCamera;
  kept.recovery = std::move(w_.recovery);
  kept.startPage = w_.start.open;
  Engine* const technique = w_.document.technique();
  const bool reading = w_.document.loader().loading();
  if (technique) {
    kept.inputs = technique->inputs();
    kept.technique = w_.document.info().name;
    if (Editing* const editing = w_.document.active().parts().editing; editing && !reading)
      kept.edits = editing->keep();
  }
  if (reading) kept.inputs = w_.document.loader().inputs();
  kept.worked = kept.inputs.empty() || w_.document.hasPicture();
  kept.user = std::move(session_);
  kept.windowSize = windowSize;
  return kept;
}

}  // namespace fathom::viewer
