// SPDX-License-Identifier: BSD-3-Clause
// The main loop: waits for events, brings the document up to date, draws the parts. Nothing is
// drawn while nothing happens.
#include "app/viewer/viewer.h"

#include "app/core/log.h"
#include "app/gpu/device_lost.h"
#include "app/io/config_paths.h"
#include "app/io/png.h"
#include "app/techniques/pixel_shape.h"
#include "app/ui/landmarks.h"
#include "app/ui/theme.h"
#include "app/viewer/continuation.h"
#include "app/viewer/frame_log.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/script.h"
#include "app/viewer/start.h"
#include "app/viewer/widgets/help.h"
#include "app/viewer/window/window.h"
#include "app/viewer/workspace/actions.h"
#include "app/viewer/workspace/samples.h"
#include "app/viewer/workspace/session_state.h"
#include "app/viewer/workspace/workspace.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <thread>

namespace fathom::viewer {
using namespace ui;
namespace {

constexpr float kMinRequestZoom = 3;                     // for a pixel that a page asks to show
constexpr int kFramesAfterEvent = 3;                     // hovering and layout settle within these
constexpr std::chrono::milliseconds kTimersArrive{400};  // after the last work of the GPU
constexpr std::chrono::milliseconds kTimersInterval{100}, kProgressInterval{33};
constexpr std::chrono::milliseconds kFadingInterval{250}, kScriptInterval{5};
constexpr std::chrono::seconds kBetweenSessions{2};
constexpr int kContextTries = 20;  // after a device was lost
constexpr std::chrono::milliseconds kBetweenContexts{500};
constexpr int kMarkKey = GLFW_KEY_PAUSE;  // counted among the landmarks

class Viewer {
 public:
  Viewer(const ViewOptions& options, const std::vector<TechniqueEntry>& available,
         gpu::Context& context, Session session, Clock::time_point started,
         std::optional<Continuation> continued = {})
      : options_(options),
        session_(std::move(session)),
        started_(started),
        whole_(!options.session.empty()),
        goesOn_(continued.has_value()),
        script_(continued ? std::move(continued->script) : Script(options)),
        pageToOpen_(continued ? "" : options.openPanel),
        window_(context, options.scale),
        w_(context, available,
           [this](const Info& info, Technique& technique) { prepare(info, technique); }),
        continued_(std::move(continued)) {
    w_.actions = makeShortcuts(w_);
    w_.picturesToRecord = options_.pictures;
    if (!script_.active() && !whole_) {
      w_.sets.keepIn(configFolder() / "files");
      w_.recovery.keepIn(configFolder() / "recovery");
      w_.recovered = w_.recovery.find();
    }
    w_.document.onLeave([this] { leave(); });
    w_.document.onAdopt([this](bool made) { adopted(made); });
    if (continued_) {
      goOn();
    } else {
      restoreSession(w_, session_, whole_);
      openPanel(w_, options_.openPanel);
    }
  }

  /// Throws DeviceLost: take what is left, and go on with another viewer.
  int run(const std::vector<std::string>& inputs) {
    if (!goesOn_) {
      w_.startPage |= inputs.empty();
      if (!inputs.empty()) openFirst(inputs);
    }
    while (!w_.quit) {
      gpu::throwIfLost();  // many errors become messages; this one is for all
      const auto until = std::min(nextFrame(), Clock::now() + FileWatch::kInterval);
      const double seconds = std::chrono::duration<double>(until - Clock::now()).count();
      if (window_.waitEvents(std::max(seconds, 0.0))) framesWanted_ = kFramesAfterEvent;
      if (window_.takeClose()) {
        framesWanted_ = kFramesAfterEvent;
        w_.confirmUnsaved([this] { w_.quit = true; });
        if (script_.active()) w_.quit = true;
      }
      if (Progress::interrupted()) w_.quit = true;  // edits stay in the recovery file
      if (w_.watch.changed()) reloadChanged();
      w_.gpu.timings().collect();
      if (Clock::now() >= nextFrame()) frame();
      keepSession();
    }
    w_.writer.finish(w_.messages);
    keepEdits(Progress::interrupted());
    if (!Progress::interrupted()) endRecovery();
    if (!script_.active()) saveSession();
    if (options_.frameTimes) *options_.frameTimes = frames_.times();
    return script_.active() && w_.messages.errorCount() > 0 ? 1 : 0;
  }

  Continuation takeContinuation(const gpu::DeviceLost& lost) {
    if (w_.document.technique()) captureUser(w_, session_);
    keepEdits(true);
    Continuation kept = continuationOf(w_, std::move(script_), lost.what());
    kept.user = std::move(session_);
    kept.windowSize = window_.outerSize();
    return kept;
  }

 private:
  /// As another viewer was, whose device was lost: the same inputs are read and uploaded again.
  void goOn() {
    w_.messages.note(continued_->why + "; everything is uploaded again");
    w_.recovery = std::move(continued_->recovery);
    w_.recovered = continued_->recovered;
    w_.recoveredOpen = continued_->recoveredOpen;
    w_.homeCamera = continued_->homeCamera;
    restoreSession(w_, continued_->state, true);
    lastInputs_ = continued_->inputs;
    firstTechnique_ = false;
    pixelToPin_.reset();
    const bool none = continued_->inputs.empty(), start = continued_->startPage || none;
    if (none)
      continued_.reset();
    else
      w_.open(continued_->inputs, false, continued_->technique);
    w_.startPage = start;
  }

  /// They are in the recovery file until they are open again.
  void keepEdits(bool now) {
    if (!continued_ || !continued_->edits)
      w_.reportErrors([&] { w_.recovery.update(w_.document, now); });
  }

  /// The inputs are open again: on with what was made of them. False: others are.
  bool adoptContinued(Technique& technique) {
    auto kept = std::exchange(continued_, std::nullopt);
    if (technique.inputs() != kept->inputs) return false;
    adoptedInputs_ = technique.inputs();
    viewFrom_ = std::move(kept->state);
    if (kept->edits && technique.editing()) technique.editing()->goOnFrom(std::move(kept->edits));
    return true;
  }

  void openFirst(const std::vector<std::string>& inputs) {
    const auto preferred = preferredTechniques(options_, session_, inputs, w_.document.available());
    w_.open(inputs, false, preferred[0]);
    // A message of what cannot be opened stands on the page.
    w_.startPage |= !w_.document.loader().loading() || options_.openPanel == "start";
  }

  /// The user has decided about all edits: what was given up or saved elsewhere is forgotten.
  void endRecovery() {
    if (w_.document.unsaved()) w_.recovery.discardOwn();
    const Technique* const technique = w_.document.technique();
    if (w_.recoveredOpen && technique && !w_.document.unsaved() && !technique->inputs().empty() &&
        technique->inputs()[0] != w_.recoveredOpen->file.string())
      w_.recovery.discard(*w_.recoveredOpen);
  }

  /// Keeps what belongs to the set that is open, and how its technique computes.
  void leave() {
    Technique* const technique = w_.document.technique();
    if (!technique) return;
    w_.compare.freeze();
    captureUser(w_, session_);
    w_.reportErrors([&] { w_.sets.save(technique->inputs(), captureSet(w_)); });
  }

  /// Other inputs, or another technique: what was kept for this set comes back.
  void adopted(bool made) {
    Technique& technique = *w_.document.technique();
    if (continued_ && adoptContinued(technique)) return;
    // In the coordinates of the file's windows, as the commands count.
    if (const auto pixel = std::exchange(pixelToPin_, std::nullopt))
      w_.inspector.pin(*pixel - technique.origin());
    const bool otherSet = technique.inputs() != adoptedInputs_;
    adoptedInputs_ = technique.inputs();
    if ((!otherSet && !made) || whole_) return;
    const Session set = w_.sets.load(technique.inputs());
    if (otherSet || made) {
      if (!setsGiven_)
        restoreSet(w_.document.info(), technique, w_.document.active().defaults(), set);
      setsGiven_ = false;
    }
    if (!otherSet) return;
    if (!std::exchange(w_.keepView, false)) w_.view.fit();
    restoreCamera(technique, set);
    restoreView(w_.view, set);
    viewToRestore_ = !w_.view.fitted();
    if (viewToRestore_) viewFrom_ = w_.sets.load(technique.inputs());
  }

  /// Settings of a technique that was just made: the session's, then the command line's.
  void prepare(const Info& info, Technique& technique) {
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

  /// When what is still to be done needs a frame though no event comes; none: the window is idle.
  std::optional<Clock::time_point> pendingWork() const {
    const bool atOnce = framesWanted_ > 0 || window_.hasQueuedInput() ||
                        w_.cameraControl.flying() || w_.recorder.running() || background_ ||
                        w_.messages.settling() ||
                        w_.gpu.timings().finishedFrames() != drawnTimings_ ||
                        (w_.compare.stale(w_.document) && w_.document.complete());
    if (atOnce) return Clock::now();
    std::optional<Clock::time_point> due = w_.document.pictures().dueAt();
    if (w_.document.loader().loading() || w_.compare.working() || w_.statistics.working() ||
        w_.writer.working() || thumbnailsWork_) {
      const auto progress = lastFrame_ + kProgressInterval;
      due = due ? std::min(*due, progress) : progress;
    }
    return due;
  }

  /// When to draw next: for pending work, and for what changes on the screen by itself.
  Clock::time_point nextFrame() const {
    const auto now = Clock::now();
    auto next = pendingWork().value_or(now + std::chrono::hours(1));
    const auto every = [&](std::chrono::milliseconds interval) {
      next = std::min(next, lastFrame_ + interval);
    };
    if (script_.active()) every(kScriptInterval);
    if (w_.messages.fading()) every(kFadingInterval);
    if (now - lastWork_ < kTimersArrive) every(kTimersInterval);
    return next;
  }

  void reloadChanged() {
    framesWanted_ = kFramesAfterEvent;
    if (w_.document.unsaved())
      return w_.messages.note("The file has changed; F5 reloads it and discards unsaved changes");
    w_.messages.note("A file has changed: reloaded");
    w_.reportErrors([&] { w_.document.reload(); });
  }

  void handleEvents() {
    const ImGuiIO& io = ImGui::GetIO();
    const bool flying = ImGui::IsMouseDown(ImGuiMouseButton_Right);
    for (const KeyPress& press : window_.takeKeys()) {
      if (press.key == kMarkKey) script_.countMark();
      const bool escape = press.key == GLFW_KEY_ESCAPE;
      const bool always = escape || press.key == GLFW_KEY_F12;
      if (escape && popupOpen_) continue;  // it closes what has popped up
      if (!always && (flying || (io.WantTextInput && typesText(press)))) continue;
      if ((w_.pendingAction || w_.recovered) && !always) continue;  // first the answer
      const bool ctrl = press.mods & GLFW_MOD_CONTROL;
      if (io.NavVisible && movesFocus(press.key) && !ctrl) continue;
      if (press.key == GLFW_KEY_SPACE && press.mods == 0) {
        if (!press.repeat) spacePress_ = press;
        continue;
      }
      if (w_.startPage || !dispatch(w_.techniqueActions, press)) dispatch(w_.actions, press);
    }
    // Space is a key of its own only when nothing was dragged while it was held.
    if (ImGui::IsAnyMouseDown()) spacePress_.reset();
    if (spacePress_ && !window_.keyHeld(GLFW_KEY_SPACE))
      dispatch(w_.techniqueActions, *std::exchange(spacePress_, std::nullopt));
    w_.compare.held = !io.WantTextInput && window_.keyHeld(GLFW_KEY_C) && !io.KeyCtrl;
    for (const Drop& drop : window_.takeDrops()) w_.open(drop.files, drop.add);
  }

  /// In a text field: keys that edit the text are its own, others are commands.
  static bool typesText(const KeyPress& press) {
    const bool ctrl = press.mods & GLFW_MOD_CONTROL, shift = press.mods & GLFW_MOD_SHIFT;
    if (!ctrl) return press.key < GLFW_KEY_F1 || press.key > GLFW_KEY_F25;
    const int key = press.key;
    const bool edits = key == GLFW_KEY_C || key == GLFW_KEY_V || key == GLFW_KEY_X ||
                       key == GLFW_KEY_A || key == GLFW_KEY_Z || key == GLFW_KEY_Y;
    return edits && !shift;
  }
  /// Keys that move the focus between controls while it is visible.
  static bool movesFocus(int key) {
    return key == GLFW_KEY_SPACE || key == GLFW_KEY_ENTER || key == GLFW_KEY_TAB ||
           (key >= GLFW_KEY_RIGHT && key <= GLFW_KEY_UP);
  }

  /// Brings everything up to date that the frame will show.
  void work(const Areas& areas) {
    frames_.part("events");
    w_.writer.tell(w_.messages);
    w_.document.pictures().setViewSize({int(areas.picture.width), int(areas.picture.height)});
    if (w_.document.step()) {
      lastWork_ = Clock::now();
      framesWanted_ = std::max(framesWanted_, 2);
      if (firstPicture_ && w_.document.hasPicture()) {
        firstPicture_ = false;
        log::info("first picture after {:.0f} ms",
                  std::chrono::duration<double, std::milli>(lastWork_ - started_).count());
      }
    }
    frames_.part("picture");
    record();
    frames_.part("recorder");
    if (w_.document.inputGeneration() != seenInputs_) inputsChanged();
    const auto* shape = dynamic_cast<const PixelShape*>(w_.document.active().engine());
    w_.view.place(areas.picture, w_.document.pictures().size(), shape ? shape->pixelAspect() : 1);
    if (viewToRestore_ && w_.document.hasPicture()) {
      viewToRestore_ = false;
      restoreView(w_.view, whole_ && !goesOn_ ? session_ : viewFrom_);
    }
    frames_.part("view");
    w_.reportErrors([&] { w_.compare.update(w_.gpu, w_.document); });
    frames_.part("comparison");
    if (w_.display.normalize || (w_.layout.bottom && w_.inFront(PanelLayout::Tab::Histogram)))
      w_.statistics.update(w_.document);
    if (const auto problem = w_.color.update(w_.display)) w_.messages.error(*problem);
    keepThumbnail();
    thumbnailsWork_ = w_.thumbnails.update();
    keepEdits(false);
    {
      const gpu::Timings::Pause notThePicture(w_.gpu.timings());
      background_ = w_.document.backgroundStep();
    }
    frames_.part("background");
    for (const std::string& error : w_.document.takeErrors()) {
      w_.messages.error(error);
      if (!w_.document.technique()) w_.startPage = true, w_.startMessage = error;
    }
    for (const std::string& note : w_.document.takeNotes()) w_.messages.note(note);
    w_.gpu.timings().collect();
    w_.timings.update(w_.gpu.timings());
    drawnTimings_ = w_.gpu.timings().finishedFrames();
  }

  /// A small picture of what is open, for the start page, once its picture is complete.
  void keepThumbnail() {
    if (!w_.sets.keeps() || !w_.document.complete() || !w_.document.picture()) return;
    const std::uint64_t inputs = w_.document.inputGeneration();
    if (std::exchange(thumbnailOf_, inputs) == inputs) return;
    constexpr glm::ivec2 kSize = kThumbnailSize;
    const std::filesystem::path file = w_.sets.thumbnail(w_.document.technique()->inputs());
    std::error_code ignored;
    std::filesystem::create_directories(file.parent_path(), ignored);
    w_.reportErrors([&] {
      writePngBytes(file, kSize.x, kSize.y, 4,
                    w_.viewport.displayed(w_.gpu, *w_.document.picture(), kSize, w_.display,
                                          w_.valueRange(), w_.color));
    });
    w_.thumbnails.forget(file);
  }

  void record() {
    script_.startRecording(w_);
    const bool running = w_.recorder.running();
    w_.reportErrors([&] {
      if (const auto line = w_.recorder.step(w_.gpu, w_.document)) w_.messages.note(*line);
    });
    if (running) framesWanted_ = std::max(framesWanted_, 2);
  }

  void inputsChanged() {
    seenInputs_ = w_.document.inputGeneration();
    Technique& technique = *w_.document.technique();
    if (technique.inputs() != lastInputs_) {
      if (!lastInputs_.empty()) w_.inspector.unpin();
      if (const Camera* camera = technique.camera()) w_.homeCamera = *camera;
      lastInputs_ = technique.inputs();
    }
    w_.watch.watch(lastInputs_);
    addRecent(w_.recent, lastInputs_);
    w_.opened.note(lastInputs_, w_.document.info().name);
    w_.startMessage.clear();
    w_.techniqueActions = shortcutsOf(technique.tools());
    if (openPage(w_, pageToOpen_)) pageToOpen_.clear();
  }

  void setTitle() {
    const Technique* technique = w_.document.technique();
    if (!technique) return;
    std::string title =
        technique->inputs().empty() ? std::string() : titleOf(RecentSet{technique->inputs()});
    if (w_.document.unsaved()) title = "* " + title;
    window_.setTitle(title.empty() ? "Fathom" : title + " - Fathom");
  }

  void applyViewportEvents(const ViewportEvents& events) {
    hovered_ = events.hovered;
    Technique* technique = w_.document.technique();
    if (!technique) return;
    if (events.clicked) w_.inspector.pin(*events.clicked);
    Camera* camera = technique->camera();
    if (!camera) return;
    CameraInput input = events.camera;
    const auto axis = [&](int more, int less) {
      return float(window_.keyHeld(more)) - float(window_.keyHeld(less));
    };
    if (input.fly) {
      input.keys = {axis(GLFW_KEY_D, GLFW_KEY_A), axis(GLFW_KEY_E, GLFW_KEY_Q),
                    axis(GLFW_KEY_W, GLFW_KEY_S)};
      input.fast = window_.keyHeld(GLFW_KEY_LEFT_SHIFT);
    }
    bool moved = w_.cameraControl.apply(input, *camera);
    Inspection* const inspection = technique->inspection();
    if (events.doubleClicked && inspection && w_.document.complete())
      if (const auto point = inspection->pick(events.doubleClicked->x, events.doubleClicked->y)) {
        focusOn(*camera, *point);
        moved = true;
      }
    if (moved) w_.document.pictures().cameraMoved();
  }

  void frame() {
    // Events that had to wait come to this frame, not to the one after their arrival.
    if (window_.hasQueuedInput()) framesWanted_ = kFramesAfterEvent + 1;
    framesWanted_ = std::max(0, framesWanted_ - 1);
    lastFrame_ = Clock::now();
    window_.setScale(w_.layout.scale > 0 ? w_.layout.scale : options_.scale);
    window_.beginFrame();
    frames_.begin();
    Landmarks::beginFrame();
    handleEvents();
    const Areas areas = arrange(w_.layout, float(window_.width()), float(window_.height()),
                                uiScale(), w_.stripHeight());
    work(areas);
    const gpu::Timings::Pause notTheWindow(w_.gpu.timings());
    w_.reportErrors([&] { w_.inspector.update(w_.document, hovered_); });
    frames_.part("inspector");

    const bool space = window_.keyHeld(GLFW_KEY_SPACE) && !ImGui::GetIO().WantTextInput;
    if (w_.startPage) {
      hovered_.reset();
      drawStart(areas);
    } else {
      applyViewportEvents(w_.viewport.draw(w_.document, w_.compare, w_.inspector.pinned(),
                                           w_.display, w_.valueRange(), w_.color, w_.view, space));
      frames_.part("picture's tools");
      drawParts(areas);
    }
    frames_.part("panels");
    drawStatusLine(w_, areas.status, hovered_);
    drawProgress(w_, areas.picture);
    w_.messages.draw(areas.picture);
    drawUnsaved(w_);
    drawRecovery(w_);
    frames_.part("status");
    drawBrowser();
    frames_.part("files");
    drawPalette(w_);
    if (w_.helpOpen) {
      std::vector<Shortcut> all = w_.techniqueActions;
      all.insert(all.end(), w_.actions.begin(), w_.actions.end());
      drawHelp(all, w_.helpOpen);
    }
    popupOpen_ = ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup);
    setTitle();
    finishFrame();
  }

  void drawStart(const Areas& areas) {
    drawTopBar(w_, areas.top);
    drawStartPage(w_, {0, areas.top.height, areas.top.width, areas.status.y - areas.top.height});
  }

  void drawParts(const Areas& areas) {
    drawTopBar(w_, areas.top);
    drawToolbar(w_, areas.toolbar);
    if (w_.layout.side) drawSidePanel(w_, areas.side);
    if (areas.strip.height > 0 && w_.stripShown()) drawTechniqueStrip(w_, areas.strip);
    handleRequest();
    if (w_.layout.bottom) drawBottomStrip(w_, areas.bottom);
    dragBorders(w_.layout, areas);
  }

  /// Does what widgets of the technique have asked for.
  void handleRequest() {
    Panels* const panels = w_.document.active().panels();
    const TechniqueRequest request = panels ? panels->takeRequest() : TechniqueRequest{};
    if (request.pixel) {
      w_.inspector.pin(*request.pixel);
      w_.view.show(std::max(w_.view.zoom(), kMinRequestZoom), glm::vec2(*request.pixel) + 0.5f);
      w_.layout.showTab(PanelLayout::Tab::Inspector);
      framesWanted_ = kFramesAfterEvent;
    }
    if (!request.inputs.empty()) w_.open(request.inputs);
  }

  void drawBrowser() {
    if (!w_.browser.isOpen()) return;
    const auto preview = [this](const std::filesystem::path& file) {
      return w_.thumbnails.ofFile(w_.gpu, w_.sets.thumbnail({file.string()}), file);
    };
    const std::vector<std::string> chosen = w_.browser.draw(placesOf(w_.recent), preview);
    if (!chosen.empty()) w_.reportErrors([&] { fileChosen(w_, chosen); });
  }

  void finishFrame() {
    const bool idle = !pendingWork();
    const bool rested = idle && Clock::now() - lastWork_ > kTimersArrive;
    const bool last = script_.countFrame(w_.document, rested);
    const bool screenshot = std::exchange(w_.screenshotRequested, false);
    frames_.part("dialogs");
    frames_.end();
    const auto capture = window_.endFrame(screenshot || (last && script_.wantsScreenshot()));
    if (screenshot) saveScreenshot(*capture);
    if (last && script_.wantsScreenshot()) script_.saveScreenshot(*capture);
    if (last) w_.quit = true;
    script_.writeLandmarks(idle);
  }

  void saveScreenshot(const Capture& capture) {
    w_.reportErrors([&] {
      const std::string name = freeScreenshotName();
      const auto shot = std::make_shared<const Capture>(capture);
      w_.writer.write(
          [name, shot] { writePngBytes(name, shot->width, shot->height, 4, shot->rgba); },
          "Screenshot saved as " + name);
      framesWanted_ = kFramesAfterEvent;
    });
  }

  /// The user's settings are written soon after they change: a crash loses none.
  void keepSession() {
    const auto now = Clock::now();
    if (script_.active() || whole_ || lastFrame_ <= sessionKeptAt_ ||
        now - sessionKeptAt_ < kBetweenSessions)
      return;
    sessionKeptAt_ = now;
    captureUser(w_, session_);
    if (std::string text = session_.json(); text != sessionKept_) {
      sessionKept_ = std::move(text);
      saveSession();
    }
  }

  void saveSession() {
    try {
      const auto save = [&](Session& session, const std::filesystem::path& file) {
        const glm::ivec2 size = window_.outerSize();
        session.set("window", "width", size.x);
        session.set("window", "height", size.y);
        session.save(file);
      };
      if (whole_) {
        Session session = captureSession(w_);
        return save(session, options_.session);
      }
      captureUser(w_, session_);
      if (w_.document.technique()) w_.sets.save(w_.document.technique()->inputs(), captureSet(w_));
      save(session_, configFolder() / "session.json");
    } catch (const Error& e) {
      log::warn("{}", e.what());
    }
  }

  const ViewOptions& options_;
  Session session_;  // the user's, brought up to date when a technique or set is left
  const Clock::time_point started_;
  const bool whole_;   // a named session: inputs, camera and view are restored as well
  const bool goesOn_;  // in place of a viewer whose device was lost
  Script script_;
  std::string pageToOpen_;  // --open-panel, until a technique has such a page
  Window window_;
  Workspace w_;
  std::optional<Continuation> continued_;  // until its inputs are open again
  Session viewFrom_;                       // what the view is restored from
  std::optional<glm::ivec2> pixelToPin_ = options_.pixel;
  std::vector<std::string> adoptedInputs_;
  bool setsGiven_ = false;  // the command line's settings come before those of the set
  bool popupOpen_ = false;
  std::uint64_t thumbnailOf_ = 0;  // input generation
  bool thumbnailsWork_ = false;    // a worker makes some
  bool background_ = false;        // the technique has more to do besides the picture
  std::optional<KeyPress> spacePress_;
  std::optional<glm::ivec2> hovered_;
  std::vector<std::string> lastInputs_;
  std::uint64_t seenInputs_ = 0, drawnTimings_ = 0;
  int framesWanted_ = kFramesAfterEvent;  // to be drawn even if nothing else is pending
  bool firstTechnique_ = true, firstPicture_ = true, viewToRestore_ = true;  // also of whole_
  Clock::time_point lastWork_{}, lastFrame_{}, sessionKeptAt_{};
  std::string sessionKept_;  // as last written
  FrameLog frames_;
};

gpu::ContextOptions windowContext(const ViewOptions& options, glm::ivec2 size) {
  gpu::ContextOptions wanted;
  wanted.backend = gpu::Backend::Window;
  wanted.window = true;
  wanted.debug = options.glDebug;
  wanted.visible = !options.hidden;
  wanted.width = size.x;
  wanted.height = size.y;
  return wanted;
}

/// A driver that is replaced, or comes back from a reset, may take some seconds. Throws
/// NoDeviceError.
std::unique_ptr<gpu::Context> makeContext(const gpu::ContextOptions& wanted, int tries) {
  for (;;) {
    try {
      return std::make_unique<gpu::Context>(wanted);
    } catch (const NoDeviceError&) {
      if (--tries <= 0) throw;
      std::this_thread::sleep_for(kBetweenContexts);
    }
  }
}

}  // namespace

int run(const ViewOptions& options, const std::vector<TechniqueEntry>& available) {
  const auto started = Clock::now();
  checkNames(options, available);
  Session session = initialSession(options);
  const std::vector<std::string> inputs = initialInputs(options, session, available);
  checkSettings(options, session, inputs, available);

  std::optional<Continuation> continued;
  for (;;) {
    const glm::ivec2 size = continued      ? continued->windowSize
                            : options.size ? *options.size
                                           : windowSizeOf(session).value_or(glm::ivec2(1280, 720));
    const std::unique_ptr<gpu::Context> context =
        makeContext(windowContext(options, size), continued ? kContextTries : 1);
    const bool again = continued.has_value();
    if (again) session = std::exchange(continued->user, {});
    Viewer viewer(options, available, *context, std::move(session), started, std::move(continued));
    try {
      return viewer.run(inputs);
    } catch (const gpu::DeviceLost& lost) {
      continued.emplace(viewer.takeContinuation(lost));
      log::warn("{}", lost.what());
      if (again && !continued->worked) throw;  // it would go on forever
    }
  }
}

}  // namespace fathom::viewer
