// SPDX-License-Identifier: BSD-3-Clause
// The main loop: waits for events, brings the document up to date, draws the parts. Nothing is
// drawn while nothing happens.
#include "app/window/viewer.h"

#include "app/engine/core/progress.h"
#include "app/engine/gpu/slices.h"
#include "app/engine/io/flat_formats.h"
#include "app/window/document/flat_picture.h"
#include "app/window/frame_pacer.h"
#include "app/window/panels/panels.h"
#include "app/window/platform/window.h"
#include "app/window/session_keeper.h"
#include "app/window/start.h"
#include "app/window/ui/widgets.h"
#include "app/window/workspace/actions.h"
#include "app/window/workspace/file_sets.h"
#include "app/window/workspace/session_state.h"
#include "app/window/workspace/workspace.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace fathom::viewer {
using namespace ui;
namespace {

constexpr float kMinRequestZoom = 3;  // for a pixel that a page asks to show
constexpr int kContextTries = 20;     // after a device was lost
constexpr std::chrono::milliseconds kBetweenContexts{500};

// ---- Keys

constexpr int kMark = GLFW_KEY_PAUSE;

/// In a text field: keys that edit the text are its own, others are commands.
bool typesText(const KeyPress& press) {
  const bool ctrl = press.mods & GLFW_MOD_CONTROL, shift = press.mods & GLFW_MOD_SHIFT;
  if (!ctrl) return press.key < GLFW_KEY_F1 || press.key > GLFW_KEY_F25;
  const int key = press.key;
  const bool edits = key == GLFW_KEY_C || key == GLFW_KEY_V || key == GLFW_KEY_X ||
                     key == GLFW_KEY_A || key == GLFW_KEY_Z || key == GLFW_KEY_Y;
  return edits && !shift;
}

/// Keys that move the focus between controls while it is visible.
bool movesFocus(int key) {
  return key == GLFW_KEY_SPACE || key == GLFW_KEY_ENTER || key == GLFW_KEY_TAB ||
         (key >= GLFW_KEY_RIGHT && key <= GLFW_KEY_UP);
}

/// Decides who takes a key: a text field, what has popped up, the technique's shortcuts, the
/// window's.
class KeyRouting {
 public:
  /// Runs the shortcuts of the keys that were pressed since the last frame; within a frame of
  /// ImGui. Returns how many were the key that a script's test sends after other events.
  int route(Workspace& workspace, Window& window);
  /// At the end of a frame: what has popped up takes the next Escape.
  void popupOpen(bool open) { popupOpen_ = open; }

 private:
  bool taken(const Workspace& workspace, const KeyPress& press) const;

  bool popupOpen_ = false;
  std::optional<KeyPress> spacePress_;  // Space acts when it is released, unless something was
                                        // dragged while it was held
};

/// By a control or a question: no shortcut.
bool KeyRouting::taken(const Workspace& w, const KeyPress& press) const {
  const ImGuiIO& io = ImGui::GetIO();
  const bool escape = press.key == GLFW_KEY_ESCAPE;
  if (escape && popupOpen_) return true;  // it closes what has popped up
  if (escape || press.key == GLFW_KEY_F12) return false;
  if (ImGui::IsMouseDown(ImGuiMouseButton_Right)) return true;  // the camera flies
  if (io.WantTextInput && typesText(press)) return true;
  const bool asks = w.unsavedEdits.state() != Question::State::None || w.recovery.left ||
                    w.runningExport.state() == Question::State::Asked;
  if (asks) return true;  // first the answer
  return (io.NavVisible || inDialog()) && movesFocus(press.key) &&
         !(press.mods & (GLFW_MOD_CONTROL | GLFW_MOD_ALT));
}

int KeyRouting::route(Workspace& w, Window& window) {
  int marks = 0;
  for (const KeyPress& press : window.takeKeys()) {
    marks += press.key == kMark;
    if (taken(w, press)) continue;
    if (press.key == GLFW_KEY_SPACE && press.mods == 0) {
      if (!press.repeat) spacePress_ = press;
      continue;
    }
    if (w.start.open || !dispatch(w.techniqueActions, press)) dispatch(w.actions, press);
  }
  // Space is a key of its own only when nothing was dragged while it was held.
  if (ImGui::IsAnyMouseDown()) spacePress_.reset();
  if (spacePress_ && !window.keyHeld(GLFW_KEY_SPACE))
    dispatch(w.techniqueActions, *std::exchange(spacePress_, std::nullopt));
  return marks;
}

// ---- The loop

class Viewer {
 public:
  Viewer(const ViewOptions& options, const std::vector<TechniqueEntry>& available,
         gpu::Context& context, Session session, Clock::time_point started,
         std::optional<Continuation> continued = {})
      : options_(options),
        started_(started),
        script_(continued ? std::move(continued->script) : Script(options)),
        window_(context, options.scale),
        w_(context, available,
           [this](const Info& info, Engine& technique) { keeper_.prepare(info, technique); }),
        pacer_(w_, window_, script_.active()),
        lastInputs_(continued ? continued->inputs : std::vector<std::string>()),
        keeper_(options, w_, std::move(session), std::move(continued)) {
    w_.actions = makeShortcuts(w_);
    w_.recorder.pictures = options_.pictures;
    w_.recorder.writeWith(options_.writeRecording);
    w_.document.onLeave([this] { keeper_.leave(); });
    w_.document.onAdopt([this](bool made) { keeper_.adopted(made); });
    keeper_.restore();
    w_.listenAt = options_.listen > 0 ? options_.listen : w_.layout.listen;
    if (keeper_.goesOn()) return;
    pageToOpen_ = options_.openPanel;
    openPanel(w_, options_.openPanel);
  }

  /// Throws DeviceLost: take what is left, and go on with another viewer.
  int run(const std::vector<std::string>& inputs) {
    if (!keeper_.goesOn()) {
      w_.start.open |= inputs.empty();
      if (!inputs.empty()) openFirst(inputs);
    }
    while (!w_.quit) {
      gpu::throwIfLost();  // many errors become messages; this one is for all
      const auto due = pacer_.next();
      const auto until = std::min(due, Clock::now() + FileWatch::kInterval);
      const double seconds = std::chrono::duration<double>(until - Clock::now()).count();
      if (window_.waitEvents(std::max(seconds, 0.0))) pacer_.event();
      if (window_.takeClose()) {
        pacer_.event();
        w_.confirmLeaving([this] { w_.quit = true; });
        if (script_.active()) w_.quit = true;
      }
      if (Progress::interrupted()) w_.quit = true;  // edits stay in the recovery file
      if (w_.watch.changed()) reloadChanged();
      if (w_.receiveImages()) pacer_.event();
      w_.gpu.timings().collect();
      // What plays says when the frame after now is due: the one waited for has come.
      if (Clock::now() >= std::min(due, pacer_.next())) frame();
      keeper_.keepUser(pacer_.lastFrame(), window_.outerSize());
    }
    w_.writer.finish(w_.messages);
    setTitle();  // what was being saved is saved
    keeper_.keepEdits(Progress::interrupted());
    if (!Progress::interrupted()) keeper_.endRecovery();
    keeper_.save(window_.outerSize());
    if (options_.frameTimes) *options_.frameTimes = frames_.times();
    return script_.active() && w_.messages.errorCount() > 0 ? 1 : 0;
  }

  Continuation takeContinuation(const gpu::DeviceLost& lost) {
    return keeper_.take(std::move(script_), lost.what(), window_.outerSize());
  }

 private:
  void openFirst(const std::vector<std::string>& inputs) {
    const auto preferred =
        preferredTechniques(options_, keeper_.session(), inputs, w_.document.available());
    w_.open(inputs, false, preferred[0], options_.inputs.empty() ? options_.session : "");
    // A message of what cannot be opened stands on the page.
    w_.start.open |= !w_.document.loader().loading() || options_.openPanel == "start";
  }

  void reloadChanged() {
    pacer_.event();
    if (w_.document.unsaved())
      return w_.messages.note("The file has changed; F5 reloads it and discards unsaved changes");
    w_.messages.note("A file has changed: reloaded");
    w_.reportErrors([&] { w_.document.reload(); });
  }

  void handleEvents() {
    for (int marks = keys_.route(w_, window_); marks > 0; --marks) script_.countMark();
    w_.compare.held =
        !ImGui::GetIO().WantTextInput && window_.keyHeld(GLFW_KEY_C) && !ImGui::GetIO().KeyCtrl;
    for (const Drop& drop : window_.takeDrops()) w_.open(drop.files, drop.add);
  }

  /// Brings everything up to date that the frame will show.
  void work(const Areas& areas) {
    frames_.part("events");
    w_.writer.tell(w_.messages);
    w_.document.pictures().setViewSize({int(areas.picture.width), int(areas.picture.height)});
    if (w_.document.step()) {
      pacer_.worked();
      if (firstPicture_ && w_.document.hasPicture()) {
        firstPicture_ = false;
        log::info("first image after {:.0f} ms",
                  std::chrono::duration<double, std::milli>(Clock::now() - started_).count());
      }
    }
    frames_.part("picture");
    record();
    frames_.part("recorder");
    const gpu::Timings::Pause notThePicture(w_.gpu.timings());
    if (w_.document.inputGeneration() != seenInputs_) inputsChanged();
    w_.view.place(areas.picture, w_.document.pictures().size(),
                  w_.document.technique() ? w_.document.technique()->frame().pixelAspect : 1);
    keeper_.restoreViewOnce();
    keepSteps();
    frames_.part("view");
    w_.reportErrors([&] { w_.compare.update(w_.gpu, w_.document); });
    frames_.part("comparison");
    if (w_.statistics.working() || w_.display.normalize || w_.inFront(PanelLayout::Tab::Histogram))
      w_.statistics.update(w_.document);
    if (const auto problem = w_.color.update(w_.display)) w_.messages.error(*problem);
    keepThumbnail();
    const bool thumbnails = w_.thumbnails.update();
    keeper_.keepEdits(false);
    w_.reportErrors([&] { w_.inspector.update(w_.document, hovered_); });
    frames_.part("inspector");
    // The technique has more to do besides the picture.
    const bool background = w_.document.backgroundStep();
    frames_.part("background");
    for (const std::string& error : w_.document.takeErrors()) w_.openingFailed(error);
    for (const std::string& note : w_.document.takeNotes()) w_.messages.note(note);
    w_.gpu.timings().collect();
    w_.timings.update(w_.gpu.timings(), w_.document.pictures().timesGeneration());
    pacer_.drawn(background, thumbnails);
  }

  /// What was set or looked at for a while is a step back.
  void keepSteps() {
    if (!w_.document.technique() || w_.recorder.running()) return;
    const bool held =
        ImGui::IsAnyMouseDown() || ImGui::IsAnyItemActive() || w_.cameraControl.flying();
    w_.steps.update(w_.document, held);
    if (!w_.document.hasPicture()) return;
    const ViewPoint view = viewPointOf(w_.view, w_.document);
    if (std::exchange(resetViews_, false)) return w_.views.reset(view);
    w_.views.update(view, held);
  }

  /// A small picture of what is open, for the start page, once its picture is complete.
  void keepThumbnail() {
    if (!w_.sets.keeps() || !w_.document.complete() || !w_.document.picture()) return;
    const std::uint64_t inputs = w_.document.inputGeneration();
    if (std::exchange(thumbnailOf_, inputs) == inputs) return;
    constexpr glm::ivec2 kSize = kThumbnailSize;
    const fs::path file = w_.sets.thumbnail(w_.document.technique()->inputs());
    std::error_code ignored;
    fs::create_directories(file.parent_path(), ignored);
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
    if (running) pacer_.another();
  }

  void inputsChanged() {
    seenInputs_ = w_.document.inputGeneration();
    Engine& technique = *w_.document.technique();
    if (technique.inputs() != lastInputs_ || stepsOf_ != w_.document.info().name) {
      stepsOf_ = w_.document.info().name;
      w_.steps.reset(w_.document);
    }
    if (technique.inputs() != lastInputs_) {
      if (!lastInputs_.empty()) w_.inspector.unpin(), w_.settingSearch.filter.clear();
      w_.exportSheet.choice.file.clear(), w_.exportSheet.choice.size = {0, 0};
      resetViews_ = true;
      if (const Camera* camera = technique.camera()) w_.homeCamera = *camera;
      lastInputs_ = technique.inputs();
    }
    w_.watch.watch(lastInputs_);
    if (!sent_images::isSent(lastInputs_)) addRecent(w_.recent, lastInputs_);
    w_.opened.note(lastInputs_, w_.document.info().name);
    w_.start.message.clear();
    PictureTools* const tools = w_.document.active().parts().tools;
    w_.techniqueActions = tools ? tools->actions() : std::vector<Shortcut>();
    if (openPage(w_, pageToOpen_)) pageToOpen_.clear();
  }

  void setTitle() {
    const Engine* technique = w_.document.technique();
    if (!technique) return;
    std::string title = technique->inputs().empty() ? std::string() : titleOf(technique->inputs());
    if (w_.document.unsaved()) title = "* " + title;
    window_.setTitle(title.empty() ? "Fathom" : title + " - Fathom");
  }

  void applyViewportEvents(const ViewportEvents& events) {
    hovered_ = events.hovered;
    Engine* technique = w_.document.technique();
    if (!technique) return;
    if (events.clicked && w_.document.active().parts().ofPixels) w_.inspector.pin(*events.clicked);
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
    if (events.doubleClicked && w_.document.complete())
      if (const auto point = technique->pick(events.doubleClicked->x, events.doubleClicked->y)) {
        focusOn(*camera, *point);
        moved = true;
      }
    if (moved) w_.document.pictures().cameraMoved();
  }

  void frame() {
    pacer_.begin();
    window_.setScale(w_.layout.scale > 0 ? w_.layout.scale : options_.scale);
    window_.beginFrame();
    frames_.begin();
    Landmarks::beginFrame();
    handleEvents();
    const glm::vec2 size(window_.size());
    const Areas areas = arrange(w_.layout, size.x, size.y, uiScale(), w_.stripHeight());
    work(areas);
    const gpu::Timings::Pause notTheWindow(w_.gpu.timings());

    const bool space = window_.keyHeld(GLFW_KEY_SPACE) && !ImGui::GetIO().WantTextInput;
    if (w_.start.open) {
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
    w_.messages.draw(w_.start.open ? startArea(areas) : areas.picture);
    drawLeaving(w_);
    drawUnsaved(w_);
    drawRecovery(w_);
    frames_.part("status");
    drawExport(w_);
    drawBrowser();
    frames_.part("files");
    drawPalette(w_);
    drawHelp(w_);
    keys_.popupOpen(ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup));
    setTitle();
    finishFrame();
  }

  static Area startArea(const Areas& areas) {
    return {0, areas.top.height, areas.top.width, areas.status.y - areas.top.height};
  }

  void drawStart(const Areas& areas) {
    drawTopBar(w_, areas.top);
    drawStartPage(w_, startArea(areas));
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
    Panels* const panels = w_.document.active().parts().panels;
    const TechniqueRequest request = panels ? panels->takeRequest() : TechniqueRequest{};
    if (request.pixel) {
      w_.inspector.pin(*request.pixel);
      w_.view.show(std::max(w_.view.zoom(), kMinRequestZoom), glm::vec2(*request.pixel) + 0.5f);
      w_.layout.showTab(PanelLayout::Tab::Inspector);
      pacer_.event();
    }
    if (!request.inputs.empty()) w_.open(request.inputs);
    if (request.replace) w_.confirmUnsaved(request.replace);
  }

  void drawBrowser() {
    if (!w_.browser.isOpen()) return;
    const auto preview = [this](const fs::path& file) {
      return w_.thumbnails.ofFile(w_.gpu, w_.sets.thumbnail({file.string()}), file);
    };
    const std::vector<std::string> chosen = w_.browser.draw(placesOf(w_.recent), preview);
    if (!chosen.empty()) w_.reportErrors([&] { fileChosen(w_, chosen); });
  }

  void finishFrame() {
    const bool idle = pacer_.idle();
    const bool last = script_.countFrame(w_.document, pacer_.rested());
    const bool screenshot = std::exchange(w_.screenshotRequested, false);
    frames_.part("dialogs");
    frames_.end();
    const auto capture = window_.endFrame(screenshot || (last && script_.wantsScreenshot()));
    if (screenshot) saveScreenshot(*capture);
    if (last && script_.wantsScreenshot())
      writePngBytes(options_.screenshot, capture->width, capture->height, 4, capture->rgba);
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
      pacer_.event();
    });
  }

  const ViewOptions& options_;
  const Clock::time_point started_;
  Script script_;
  std::string pageToOpen_;  // --open-panel, until a technique has such a page
  Window window_;
  Workspace w_;
  FramePacer pacer_;
  KeyRouting keys_;
  std::vector<std::string> lastInputs_;
  std::string stepsOf_;      // the technique that what can be taken back is of
  bool resetViews_ = false;  // once the first picture of other inputs is placed
  SessionKeeper keeper_;
  std::uint64_t seenInputs_ = 0, thumbnailOf_ = 0;  // generations of inputs
  std::optional<glm::ivec2> hovered_;
  bool firstPicture_ = true;
  FrameLog frames_;
};

/// Throws NoDeviceError. A driver that is replaced, or comes back from a reset, may take some
/// seconds: `tries` is how often it is asked.
std::unique_ptr<gpu::Context> makeContext(const ViewOptions& options, glm::ivec2 size, int tries) {
  gpu::ContextOptions wanted;
  wanted.debug = options.glDebug || std::getenv("FATHOM_GL_DEBUG") != nullptr;
  for (;;) {
    std::vector<std::string> tried;
    auto surface =
        makeWindowSurface({.size = size, .visible = !options.hidden, .debug = wanted.debug}, tried);
    if (surface) return std::make_unique<gpu::Context>(std::move(surface), wanted);
    if (--tries <= 0) throw NoDeviceError("no OpenGL 4.5 core context; tried " + tried.front());
    std::this_thread::sleep_for(kBetweenContexts);
  }
}

}  // namespace

int run(const ViewOptions& options) { return run(options, windowTechniques()); }

int run(const ViewOptions& options, const std::vector<TechniqueEntry>& available) {
  const auto started = Clock::now();
  checkNames(options, available);
  Session session = initialSession(options);
  const std::vector<std::string> inputs = initialInputs(options, session, available);
  checkSettings(options, session, inputs, available);

  const glm::ivec2 firstSize = options.frames > 0 ? glm::ivec2(1280, 720) : glm::ivec2(0);
  std::optional<Continuation> continued;
  for (;;) {
    const glm::ivec2 size = continued      ? continued->windowSize
                            : options.size ? *options.size
                                           : windowSizeOf(session).value_or(firstSize);
    const std::unique_ptr<gpu::Context> context =
        makeContext(options, size, continued ? kContextTries : 1);
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
