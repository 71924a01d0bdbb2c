// SPDX-License-Identifier: BSD-3-Clause
// All keys and gestures as one table, and the actions that buttons share with them.
#include "app/window/workspace/actions.h"

#include "app/window/ui/widgets.h"
#include "app/window/workspace/session_state.h"

#include <imgui.h>

namespace fathom::viewer {
namespace {

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
  const auto neighbor = [&](const char* text, const char* key, int by) {
    return when(alone, {group, text, key, [&w, by] { w.openNeighbor(by); }});
  };
  const auto opened = [&](const char* text, const char* key, int by) {
    return when(several, {group, text, key, [&w, by] { w.showOpened(by); }});
  };
  return {
      {group, "New: start page", "Ctrl+N",
       [&w] { w.start.open = !w.start.open || !w.document.technique(); }},
      {group, "Open files or a scene", "Ctrl+O", openFor(Purpose::Open, {}, "")},
      {group, "Add an input", "Ctrl+Shift+O", openFor(Purpose::Add, {}, "")},
      neighbor("Next file of the folder", "PgDn", 1),
      neighbor("Previous file of the folder", "PgUp", -1),
      opened("Next open file", "Ctrl+Tab", 1),
      opened("Previous open file", "Ctrl+Shift+Tab", -1),
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
      when(picture, {group, "Reload inputs", "F5", [&w, reload] { w.confirmUnsaved(reload); }}),
      when(picture,
           {group, "Save the edited file, or the image", "Ctrl+S", [&w] { askForFile(w); }}),
      when(picture, {group, "Export image or animation...", "Ctrl+E", [&w] { openExport(w); }}),
      turning([&w] { return w.listenAt > 0; },
              {group, "Show images that renderers send", "Ctrl+L", listen}),
      {group, "Save the session", "Ctrl+Shift+S",
       [&w] { w.browser.open(FileBrowser::Purpose::SaveSession, {".json"}, "session.json"); }},
      {group, "Screenshot of the window (PNG)", "F12", [&w] { w.screenshotRequested = true; }},
      {group, "Open files (Shift: add them)", "Drag and drop", {}},
      {group, "Quit", "Ctrl+Q", [&w] { w.confirmLeaving([&w] { w.quit = true; }); }},
  };
}

std::vector<Shortcut> editActions(Workspace& w) {
  const char* const group = "Editing";
  const Condition canUndo = [&w] { return w.steps.canUndo(w.document); };
  const Condition canRedo = [&w] { return w.steps.canRedo(w.document); };
  const auto undo = [&w] { w.reportErrors([&] { w.steps.undo(w.document); }); };
  const auto redo = [&w] { w.reportErrors([&] { w.steps.redo(w.document); }); };
  return {
      when(canUndo, {group, "Undo", "Ctrl+Z", undo}),
      when(canRedo, {group, "Redo", "Ctrl+Y", redo}),
      when(canRedo, {group, "Redo", "Ctrl+Shift+Z", redo}),
      {group, "Copy pixel values", "Ctrl+C", [&w] { copyValues(w); }},
      when(hasPicture(w), {group, "Copy image", "Ctrl+Shift+C", [&w] { copyImage(w); }}),
      {group, "Paste image", "Ctrl+Shift+V", [&w] { pasteImage(w); }},
      {group, "Find a setting", "Ctrl+F",
       [&w] { w.layout.side = w.settingSearch.focus = true, w.layout.sidePage = "settings"; }},
  };
}

std::vector<Shortcut> panelActions(Workspace& w) {
  using Tab = PanelLayout::Tab;
  const char* const group = "Panels";
  const auto tab = [&](const char* text, const char* key, Tab which) {
    return turning([&w, which] { return w.inFront(which); },
                   {group, text, key, [&w, which] { w.toggle(which); }});
  };
  return {
      turning([&w] { return w.layout.side; },
              {group, "Settings", "P", [&w] { w.layout.side = !w.layout.side; }}),
      tab("Inspector", "I", Tab::Inspector),
      tab("Histogram", "Y", Tab::Histogram),
      tab("Timings", "T", Tab::Timings),
      tab("Memory", "M", Tab::Memory),
      tab("Compare", "J", Tab::Compare),
      tab("Files of the folder", "F3", Tab::Files),
      {group, "Show or hide all panels", "Tab", [&w] { hideOrShowPanels(w.layout); }},
      {group, "Larger controls", "Ctrl++", [&w] { scaleControls(w.layout, 0.25f); }},
      {group, "Smaller controls", "Ctrl+-", [&w] { scaleControls(w.layout, -0.25f); }},
      {group, "Controls in the monitor's scale", "Ctrl+0", [&w] { w.layout.scale = 0; }},
      {group, "Next panel for the keyboard", "F6", [&w] { focusNextPanel(w.start.open); }},
      {group, "Reload shaders", "Ctrl+R", [&w] { reloadShaders(w); }},
      {group, "Cancel, close, unpin", "Esc", [&w] { escape(w); }},
  };
}

std::vector<Shortcut> pictureActions(Workspace& w) {
  using Channel = DisplaySettings::Channel;
  const char* const group = "Image";
  const auto channel = [&](const char* text, const char* key, Channel which) {
    return turning([&w, which] { return w.display.channel == which; },
                   {group, text, key, [&channel = w.display.channel, which] {
                      channel = channel == which ? DisplaySettings::Channel::Rgba : which;
                    }});
  };
  const auto flag = [&](const char* text, const char* key, bool DisplaySettings::*on) {
    return turning([&w, on] { return w.display.*on; },
                   {group, text, key, [&w, on] { w.display.*on = !(w.display.*on); }});
  };
  const auto pin = [&](const char* text, const char* key, glm::ivec2 by) {
    return when(hasPicture(w), {group, text, key, [&w, by] { movePin(w, by); }});
  };
  return {
      turning([&w] { return w.view.fitted(); },
              {group, "Zoom to fit", "F", [&w] { w.view.fit(); }}),
      turning([&w] { return w.view.zoom() == 1 && !w.view.fitted(); },
              {group, "Actual size (1:1)", "1", [&w] { w.view.oneToOne(); }}),
      {group, "Zoom in", "+", [&w] { w.view.zoomAt(w.view.area().center(), kZoomStep); }},
      {group, "Zoom out", "-", [&w] { w.view.zoomAt(w.view.area().center(), 1 / kZoomStep); }},
      {group, "Zoom to cursor (images: Wheel)", "Ctrl+Wheel", {}},
      {group, "Pan", "Space+Drag", {}},
      {group, "Pin pixel, unpin", "Click, Esc", {}},
      pin("Pin a pixel, move the pin left", "Shift+Left", {-1, 0}),
      pin("Move the pin right", "Shift+Right", {1, 0}),
      pin("Move the pin up", "Shift+Up", {0, -1}),
      pin("Move the pin down", "Shift+Down", {0, 1}),
      {group, "Exposure +0.5 stops", "]", [&w] { addExposure(w.display, kExposureStep); }},
      {group, "Exposure -0.5 stops", "[", [&w] { addExposure(w.display, -kExposureStep); }},
      {group, "Reset exposure", "0", [&w] { w.display.exposureStops = 0; }},
      flag("Normalize", "N", &DisplaySettings::normalize),
      channel("Toggle red channel", "R", Channel::R),
      channel("Toggle green channel", "G", Channel::G),
      channel("Toggle blue channel", "B", Channel::B),
      channel("Toggle alpha channel", "A", Channel::A),
      channel("Toggle luminance", "L", Channel::Luminance),
      flag("Toggle false color", "V", &DisplaySettings::falseColor),
  };
}

std::vector<Shortcut> cameraActions(Workspace& w) {
  const char* const group = "Camera of a scene";
  return {
      {group, "Orbit", "Drag", {}},
      {group, "Pan", "Middle drag", {}},
      {group, "Dolly in, out", "Wheel", {}},
      {group, "Look around, fly (Shift: faster)", "Right+WASDQE", {}},
      {group, "Orbit around this point", "Double click", {}},
      when([&w] { return w.document.hasCamera(); },
           {group, "Home view", "Home", [&w] { resetCamera(w); }}),
  };
}

/// Where the picture was seen from.
std::vector<Shortcut> viewActions(Workspace& w) {
  const char* const group = "Views";
  const auto show = [&w](const ViewPoint& point) { showViewPoint(point, w.view, w.document); };
  return {when([&w] { return w.views.backTime().has_value(); },
               {group, "Back", "Alt+Left", [&w, show] { show(w.views.back()); }}),
          when([&w] { return w.views.forwardTime().has_value(); },
               {group, "Forward", "Alt+Right", [&w, show] { show(w.views.forward()); }})};
}

std::vector<Shortcut> compareActions(Workspace& w) {
  using Show = Comparison::Show;
  const char* const group = "Compare";
  const Condition picture = hasPicture(w), hasB = [&w] { return w.compare.has(); };
  const auto show = [&](const char* text, const char* key, Show which) {
    return when(hasB, turning([&w, which] { return w.compare.show == which; },
                              {group, text, key, [&w, which] { w.compare.toggle(which); }}));
  };
  return {
      when([&w] { return w.document.technique() != nullptr; },
           {group, "Set as reference (B)", "K", [&w] { setReference(w); }}),
      when(picture, {group, "Reference from an image file", "Ctrl+K",
                     [&w] { w.browser.open(FileBrowser::Purpose::Reference, {}); }}),
      {group, "Show B while held", "C", {}},
      show("Split view; drag the line", "S", Show::Split),
      show("Difference of A and B", "Q", Show::Difference),
      show("Flip between A and B", "Z", Show::B),
      when([&w] { return w.compare.canSwap(); },
           {group, "Swap A and B", "X",
            [&w] { w.reportErrors([&] { w.compare.swap(w.gpu, w.document); }); }}),
      when(hasB, {group, "Clear reference", "Shift+K", [&w] { w.compare.clear(); }}),
  };
}

std::vector<Shortcut> helpActions(Workspace& w) {
  return {
      {"Help", "Keys and mouse", "H", [&w] { w.helpOpen = !w.helpOpen; }},
      {"Help", "Command palette", "Ctrl+Shift+P", [&w] { w.paletteOpen = !w.paletteOpen; }},
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
