// SPDX-License-Identifier: BSD-3-Clause
// All keys and gestures as one table, and the actions that buttons share with them.
#include "app/window/workspace/actions.h"

#include "app/window/ui/widgets.h"
#include "app/window/workspace/session_state.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

namespace fathom::viewer {
namespace {

constexpr int kCtrl = GLFW_MOD_CONTROL, kShift = GLFW_MOD_SHIFT, kAlt = GLFW_MOD_ALT;
constexpr float kZoomStep = 1.25f, kExposureStep = 0.5f;

void addExposure(DisplaySettings& display, float stops) {
  display.exposureStops = std::clamp(display.exposureStops + stops, -12.0f, 12.0f);
}

void reloadShaders(Workspace& w) {
  const std::vector<std::string> problems = w.gpu.reloadShaders();
  for (const std::string& problem : problems) w.messages.error(problem);
  if (problems.empty()) w.messages.note("Shaders reloaded");
  w.document.restart();
}

void copyValues(Workspace& w) {
  const glm::ivec2 origin =
      w.document.technique() ? w.document.technique()->frame().origin : glm::ivec2(0);
  const std::string text = w.inspector.text(w.display, origin);
  if (text.empty()) return w.messages.note("Nothing to copy: there is no pixel under the cursor");
  ImGui::SetClipboardText(text.c_str());
  w.messages.note("Pixel values copied");
}

/// Esc closes or cancels one thing at a time, the most transient first.
void escape(Workspace& w) {
  if (w.paletteOpen)
    w.paletteOpen = false;
  else if (w.helpOpen)
    w.helpOpen = false;
  else if (w.unsavedEdits.state() != Question::State::None && !w.browser.isOpen())
    w.unsavedEdits.drop();
  else if (w.runningExport.state() == Question::State::Asked)
    w.runningExport.drop();
  else if (w.browser.isOpen())
    w.browser.escape();
  else if (w.exportSheet.open)
    w.exportSheet.open = std::exchange(w.exportSheet.asks, false);
  else if (w.recovery.left)
    w.recovery.left.reset();
  else if (w.start.open && w.document.technique())
    w.start.open = false;
  else if (w.document.loader().loading())
    w.document.loader().cancel();
  else if (w.recorder.running())
    cancelRecording(w);
  else if (!w.messages.empty())
    w.messages.closeAll();
  else
    w.inspector.unpin();
}

void resetCamera(Workspace& w) {
  Camera* camera = w.document.technique() ? w.document.technique()->camera() : nullptr;
  if (!camera) return;
  const auto home = w.document.technique()->homeCamera();
  if (!home && !w.homeCamera) return;
  *camera = home ? *home : *w.homeCamera;
  w.document.pictures().cameraMoved();
}

void saveFile(Workspace& w, const std::string& file) {
  Editing& editing = *w.document.active().parts().editing;
  const auto saved = [&w, file] {
    addRecent(w.recent, {file});
    w.messages.note("Saved " + file);
  };
  if (auto write = editing.writer(file)) return w.writer.run(std::move(write), saved);
  editing.save(file);
  w.watch.watch(w.document.technique()->inputs());  // our own writing is not a change to reload
  saved();
}

/// Those that were hidden together come back together.
void hideOrShowPanels(PanelLayout& layout) {
  static std::pair<bool, bool> hidden{true, false};
  const std::pair<bool, bool> now{layout.side, layout.bottom};
  const bool any = now.first || now.second;
  std::tie(layout.side, layout.bottom) = any ? std::pair(false, false) : hidden;
  if (any) hidden = now;
}

void scaleControls(PanelLayout& layout, float by) {
  layout.scale = std::clamp(std::round((ui::uiScale() + by) * 4) / 4, 1.0f, 3.0f);
}

/// The keyboard goes from one part of the window to the next.
void focusNextPanel(bool startPage) {
  using Names = std::vector<const char*>;
  static const Names page = {"##start", "##top", "##status"};
  static const Names parts = {"##side", "##top", "##toolbar", "##bottom", "##status"};
  static std::size_t next = 0;
  const Names& names = startPage ? page : parts;
  ui::moveKeyboardTo(names[next++ % names.size()]);
}

/// The first press pins the pixel in the middle of the view.
void movePin(Workspace& w, glm::ivec2 by) {
  const auto pinned = w.inspector.pinned();
  const glm::ivec2 to = pinned ? *pinned + by : w.view.pixelAt(w.view.area().center());
  w.inspector.pin(glm::clamp(to, glm::ivec2(0), w.view.pictureSize() - 1));
}

/// While something holds, and what is on then.
using Condition = std::function<bool()>;

/// An action that is possible while `condition` holds.
Shortcut when(Condition condition, Shortcut shortcut) {
  shortcut.possible = std::move(condition);
  return shortcut;
}

/// An action that turns something on and off.
Shortcut turning(Condition on, Shortcut shortcut) {
  shortcut.on = std::move(on);
  return shortcut;
}

/// Something to do with the mouse, listed only.
Shortcut gesture(const char* group, const char* text, const char* how) {
  return {group, text, 0, 0, {}, how};
}

Condition hasPicture(Workspace& w) {
  return [&w] { return w.document.hasPicture(); };
}

std::vector<Shortcut> fileActions(Workspace& w) {
  using Purpose = FileBrowser::Purpose;
  const char* const group = "Files";
  const auto openFor = [&w](Purpose purpose, std::vector<std::string> endings, const char* name) {
    return [&w, purpose, endings, name] { w.browser.open(purpose, endings, name); };
  };
  const Condition alone = [&w] {
    return w.document.technique() && w.document.technique()->inputs().size() == 1;
  };
  const Condition several = [&w] { return w.opened.entries().size() > 1; };
  const auto neighbor = [&](const char* text, int key, int by) {
    return when(alone, {group, text, key, 0, [&w, by] { w.openNeighbor(by); }});
  };
  const auto opened = [&](const char* text, int mods, int by) {
    return when(several, {group, text, GLFW_KEY_TAB, mods, [&w, by] { w.showOpened(by); }});
  };
  return {
      {group, "New: start page", GLFW_KEY_N, kCtrl,
       [&w] { w.start.open = !w.start.open || !w.document.technique(); }},
      {group, "Open files or a scene", GLFW_KEY_O, kCtrl, openFor(Purpose::Open, {}, "")},
      {group, "Add an input", GLFW_KEY_O, kCtrl | kShift, openFor(Purpose::Add, {}, "")},
      neighbor("Next file of the folder", GLFW_KEY_PAGE_DOWN, 1),
      neighbor("Previous file of the folder", GLFW_KEY_PAGE_UP, -1),
      opened("Next open file", kCtrl, 1),
      opened("Previous open file", kCtrl | kShift, -1),
  };
}

std::vector<Shortcut> savingActions(Workspace& w) {
  const char* const group = "Files";
  const Condition picture = hasPicture(w);
  const auto reload = [&w] { w.reportErrors([&] { w.document.reload(); }); };
  const auto listen = [&w] {
    w.layout.listen = w.listenAt = w.listenAt > 0 ? 0 : kSentImagesPort;
    if (w.listenAt > 0) w.messages.note(fmt::format("Renderers send to 127.0.0.1:{}", w.listenAt));
  };
  return {
      when(picture,
           {group, "Reload inputs", GLFW_KEY_F5, 0, [&w, reload] { w.confirmUnsaved(reload); }}),
      when(picture, {group, "Save the edited file, or the image", GLFW_KEY_S, kCtrl,
                     [&w] { askForFile(w); }}),
      when(picture,
           {group, "Export image or animation...", GLFW_KEY_E, kCtrl, [&w] { openExport(w); }}),
      turning([&w] { return w.listenAt > 0; },
              {group, "Show images that renderers send", GLFW_KEY_L, kCtrl, listen}),
      {group, "Save the session", GLFW_KEY_S, kCtrl | kShift,
       [&w] { w.browser.open(FileBrowser::Purpose::SaveSession, {".json"}, "session.json"); }},
      {group, "Screenshot of the window (PNG)", GLFW_KEY_F12, 0,
       [&w] { w.screenshotRequested = true; }},
      gesture(group, "Open files (Shift: add them)", "Drag and drop"),
      {group, "Quit", GLFW_KEY_Q, kCtrl, [&w] { w.confirmLeaving([&w] { w.quit = true; }); }},
  };
}

std::vector<Shortcut> editActions(Workspace& w) {
  const char* const group = "Editing";
  const Condition canUndo = [&w] { return w.steps.canUndo(w.document); };
  const Condition canRedo = [&w] { return w.steps.canRedo(w.document); };
  const auto undo = [&w] { w.reportErrors([&] { w.steps.undo(w.document); }); };
  const auto redo = [&w] { w.reportErrors([&] { w.steps.redo(w.document); }); };
  return {
      when(canUndo, {group, "Undo", GLFW_KEY_Z, kCtrl, undo}),
      when(canRedo, {group, "Redo", GLFW_KEY_Y, kCtrl, redo}),
      when(canRedo, {group, "Redo", GLFW_KEY_Z, kCtrl | kShift, redo}),
      {group, "Copy pixel values", GLFW_KEY_C, kCtrl, [&w] { copyValues(w); }},
      when(hasPicture(w),
           {group, "Copy image", GLFW_KEY_C, kCtrl | kShift, [&w] { copyImage(w); }}),
      {group, "Paste image", GLFW_KEY_V, kCtrl | kShift, [&w] { pasteImage(w); }},
      {group, "Find a setting", GLFW_KEY_F, kCtrl,
       [&w] { w.layout.side = w.settingSearch.focus = true, w.layout.sidePage = "settings"; }},
  };
}

std::vector<Shortcut> panelActions(Workspace& w) {
  using Tab = PanelLayout::Tab;
  const char* const group = "Panels";
  const auto tab = [&](const char* text, int key, Tab which) {
    return turning([&w, which] { return w.inFront(which); },
                   {group, text, key, 0, [&w, which] { w.toggle(which); }});
  };
  return {
      turning([&w] { return w.layout.side; },
              {group, "Settings", GLFW_KEY_P, 0, [&w] { w.layout.side = !w.layout.side; }}),
      tab("Inspector", GLFW_KEY_I, Tab::Inspector),
      tab("Histogram", GLFW_KEY_Y, Tab::Histogram),
      tab("Timings", GLFW_KEY_T, Tab::Timings),
      tab("Memory", GLFW_KEY_M, Tab::Memory),
      tab("Compare", GLFW_KEY_J, Tab::Compare),
      tab("Files of the folder", GLFW_KEY_F3, Tab::Files),
      {group, "Show or hide all panels", GLFW_KEY_TAB, 0, [&w] { hideOrShowPanels(w.layout); }},
      {group, "Larger controls", GLFW_KEY_EQUAL, kCtrl, [&w] { scaleControls(w.layout, 0.25f); }},
      {group, "Smaller controls", GLFW_KEY_MINUS, kCtrl, [&w] { scaleControls(w.layout, -0.25f); }},
      {group, "Controls in the monitor's scale", GLFW_KEY_0, kCtrl, [&w] { w.layout.scale = 0; }},
      {group, "Next panel for the keyboard", GLFW_KEY_F6, 0,
       [&w] { focusNextPanel(w.start.open); }},
      {group, "Reload shaders", GLFW_KEY_R, kCtrl, [&w] { reloadShaders(w); }},
      {group, "Cancel, close, unpin", GLFW_KEY_ESCAPE, 0, [&w] { escape(w); }},
  };
}

std::vector<Shortcut> pictureActions(Workspace& w) {
  using Channel = DisplaySettings::Channel;
  const char* const group = "Image";
  const auto channel = [&](const char* text, int key, Channel which) {
    return turning([&w, which] { return w.display.channel == which; },
                   {group, text, key, 0, [&channel = w.display.channel, which] {
                      channel = channel == which ? DisplaySettings::Channel::Rgba : which;
                    }});
  };
  const auto flag = [&](const char* text, int key, bool DisplaySettings::*on) {
    return turning([&w, on] { return w.display.*on; },
                   {group, text, key, 0, [&w, on] { w.display.*on = !(w.display.*on); }});
  };
  const auto pin = [&](const char* text, int key, glm::ivec2 by) {
    return when(hasPicture(w), {group, text, key, kShift, [&w, by] { movePin(w, by); }});
  };
  return {
      turning([&w] { return w.view.fitted(); },
              {group, "Zoom to fit", GLFW_KEY_F, 0, [&w] { w.view.fit(); }}),
      turning([&w] { return w.view.zoom() == 1 && !w.view.fitted(); },
              {group, "Actual size (1:1)", GLFW_KEY_1, 0, [&w] { w.view.oneToOne(); }}),
      {group, "Zoom in", GLFW_KEY_EQUAL, 0,
       [&w] { w.view.zoomAt(w.view.area().center(), kZoomStep); }},
      {group, "Zoom out", GLFW_KEY_MINUS, 0,
       [&w] { w.view.zoomAt(w.view.area().center(), 1 / kZoomStep); }},
      gesture(group, "Zoom to cursor (images: Wheel)", "Ctrl+Wheel"),
      gesture(group, "Pan", "Space+Drag"),
      gesture(group, "Pin pixel, unpin", "Click, Esc"),
      pin("Pin a pixel, move the pin left", GLFW_KEY_LEFT, {-1, 0}),
      pin("Move the pin right", GLFW_KEY_RIGHT, {1, 0}),
      pin("Move the pin up", GLFW_KEY_UP, {0, -1}),
      pin("Move the pin down", GLFW_KEY_DOWN, {0, 1}),
      {group, "Exposure +0.5 stops", GLFW_KEY_RIGHT_BRACKET, 0,
       [&w] { addExposure(w.display, kExposureStep); }},
      {group, "Exposure -0.5 stops", GLFW_KEY_LEFT_BRACKET, 0,
       [&w] { addExposure(w.display, -kExposureStep); }},
      {group, "Reset exposure", GLFW_KEY_0, 0, [&w] { w.display.exposureStops = 0; }},
      flag("Normalize", GLFW_KEY_N, &DisplaySettings::normalize),
      channel("Toggle red channel", GLFW_KEY_R, Channel::R),
      channel("Toggle green channel", GLFW_KEY_G, Channel::G),
      channel("Toggle blue channel", GLFW_KEY_B, Channel::B),
      channel("Toggle alpha channel", GLFW_KEY_A, Channel::A),
      channel("Toggle luminance", GLFW_KEY_L, Channel::Luminance),
      flag("Toggle false color", GLFW_KEY_V, &DisplaySettings::falseColor),
  };
}

std::vector<Shortcut> cameraActions(Workspace& w) {
  const char* const group = "Camera of a scene";
  return {
      gesture(group, "Orbit", "Drag"),
      gesture(group, "Pan", "Middle drag"),
      gesture(group, "Dolly in, out", "Wheel"),
      gesture(group, "Look around, fly (Shift: faster)", "Right+WASDQE"),
      gesture(group, "Orbit around this point", "Double click"),
      when([&w] { return w.document.hasCamera(); },
           {group, "Home view", GLFW_KEY_HOME, 0, [&w] { resetCamera(w); }}),
  };
}

/// Where the picture was seen from.
std::vector<Shortcut> viewActions(Workspace& w) {
  const char* const group = "Views";
  const auto show = [&w](const ViewPoint& point) { showViewPoint(point, w.view, w.document); };
  return {when([&w] { return w.views.backTime().has_value(); },
               {group, "Back", GLFW_KEY_LEFT, kAlt, [&w, show] { show(w.views.back()); }}),
          when([&w] { return w.views.forwardTime().has_value(); },
               {group, "Forward", GLFW_KEY_RIGHT, kAlt, [&w, show] { show(w.views.forward()); }})};
}

std::vector<Shortcut> compareActions(Workspace& w) {
  using Show = Comparison::Show;
  const char* const group = "Compare";
  const Condition picture = hasPicture(w), hasB = [&w] { return w.compare.has(); };
  const auto show = [&](const char* text, int key, Show which) {
    return when(hasB, turning([&w, which] { return w.compare.show == which; },
                              {group, text, key, 0, [&w, which] { w.compare.toggle(which); }}));
  };
  return {
      when([&w] { return w.document.technique() != nullptr; },
           {group, "Set as reference (B)", GLFW_KEY_K, 0, [&w] { setReference(w); }}),
      when(picture, {group, "Reference from an image file", GLFW_KEY_K, kCtrl,
                     [&w] { w.browser.open(FileBrowser::Purpose::Reference, {}); }}),
      gesture(group, "Show B while held", "C"),
      show("Split view; drag the line", GLFW_KEY_S, Show::Split),
      show("Difference of A and B", GLFW_KEY_Q, Show::Difference),
      show("Flip between A and B", GLFW_KEY_Z, Show::B),
      when([&w] { return w.compare.canSwap(); },
           {group, "Swap A and B", GLFW_KEY_X, 0,
            [&w] { w.reportErrors([&] { w.compare.swap(w.gpu, w.document); }); }}),
      when(hasB, {group, "Clear reference", GLFW_KEY_K, kShift, [&w] { w.compare.clear(); }}),
  };
}

std::vector<Shortcut> helpActions(Workspace& w) {
  return {
      {"Help", "Keys and mouse", GLFW_KEY_H, 0, [&w] { w.helpOpen = !w.helpOpen; }},
      {"Help", "Command palette", GLFW_KEY_P, kCtrl | kShift,
       [&w] { w.paletteOpen = !w.paletteOpen; }},
  };
}

}  // namespace

std::vector<Shortcut> makeShortcuts(Workspace& w) {
  std::vector<Shortcut> all;
  for (auto make : {fileActions, savingActions, editActions, panelActions, pictureActions,
                    cameraActions, viewActions, compareActions, helpActions})
    for (Shortcut& shortcut : make(w)) all.push_back(std::move(shortcut));
  return all;
}

std::vector<Shortcut> allActions(const Workspace& w) {
  std::vector<Shortcut> all = w.techniqueActions;
  all.insert(all.end(), w.actions.begin(), w.actions.end());
  return all;
}

void askForFile(Workspace& w) {
  const Editing* const editing = w.document.active().parts().editing;
  if (const auto file = editing ? editing->savable() : std::nullopt)
    w.browser.open(FileBrowser::Purpose::SaveFile, file->endings, file->suggestion);
  else
    openExport(w);
}

void setReference(Workspace& w) {
  if (!w.document.complete())
    return w.messages.note("The image is still being made; it can be the reference when complete");
  w.compare.store(w.gpu, w.document);
}

void useTechnique(Workspace& w, const TechniqueEntry& entry) {
  w.confirmLeaving([&w, &entry] { w.reportErrors([&] { w.document.use(entry); }); });
}

void fileChosen(Workspace& w, const std::vector<std::string>& paths) {
  using Purpose = FileBrowser::Purpose;
  switch (w.browser.purpose()) {
    case Purpose::Open:
      w.open(paths);
      break;
    case Purpose::Add:
      w.open(paths, true);
      break;
    case Purpose::Setting:
      if (Engine* technique = w.document.technique())
        assign(technique->settings(), w.browser.setting(), paths.front());
      break;
    case Purpose::SaveFile:
      saveFile(w, paths.front());
      break;
    case Purpose::SavePlace:
      w.exportSheet.choice.file = paths.front();
      w.exportSheet.open = w.exportSheet.appears = true;
      break;
    case Purpose::Reference:
      w.compare.read(paths.front());
      break;
    case Purpose::SaveTimings:
      w.recorder.start(w.document, paths.front());
      break;
    case Purpose::SaveSession:
      captureSession(w).save(paths.front());
      w.messages.note("Saved " + paths.front());
      break;
  }
}

void openPanel(Workspace& w, const std::string& name) {
  for (std::size_t i = 0; i < PanelLayout::tabNames.size(); ++i)
    if (name == PanelLayout::tabNames[i]) w.layout.showTab(PanelLayout::Tab(i));
  if (name == "start") w.start.open = true;
  if (name == "commands") w.paletteOpen = true;
  if (name == "settings") w.layout.side = true, w.layout.sidePage = name;
  if (name == "help") w.helpOpen = true;
  if (name == "open") w.browser.open(FileBrowser::Purpose::Open, {});
  if (name == "none") w.layout.side = w.layout.bottom = false;
}

bool openPage(Workspace& w, const std::string& name) {
  const WindowParts& parts = w.document.active().parts();
  if (const auto strip = parts.strip(); strip && strip->name == name) {
    w.layout.strip = PanelLayout::Strip::Shown;
    return true;
  }
  for (const TechniquePage& page : parts.pages()) {
    if (page.name != name) continue;
    if (page.place == TechniquePage::Place::Side)
      w.layout.side = true, w.layout.sidePage = name;
    else
      w.layout.showPage(name);
    return true;
  }
  return false;
}

std::string freeScreenshotName() {
  for (int i = 1;; ++i) {
    const std::string name = fmt::format("fathom-window-{}.png", i);
    std::error_code error;
    if (!fs::exists(name, error)) return name;
  }
}

}  // namespace fathom::viewer
