// SPDX-License-Identifier: BSD-3-Clause
// All keys and gestures as one table, and the actions that buttons share with them.
#include "app/window/workspace/actions.h"

#include "app/engine/io/flat_formats.h"
#include "app/engine/io/picture.h"
#include "app/system/clipboard.h"
#include "app/system/machine.h"
#include "app/window/ui/theme.h"
#include "app/window/workspace/session_state.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

namespace fathom::viewer {
namespace {

constexpr int kCtrl = GLFW_MOD_CONTROL, kShift = GLFW_MOD_SHIFT;
constexpr float kZoomStep = 1.25f, kExposureStep = 0.5f;

void toggleChannel(DisplaySettings& display, DisplaySettings::Channel channel) {
  display.channel = display.channel == channel ? DisplaySettings::Channel::Rgba : channel;
}

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
  else if (w.browser.isOpen())
    w.browser.escape();
  else if (w.start.open && w.document.technique())
    w.start.open = false;
  else if (w.document.loader().loading())
    w.document.loader().cancel();
  else if (w.recorder.running())
    w.recorder.cancel(w.document);
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

void undo(Workspace& w) {
  if (Editing* const editing = w.document.active().editing(); editing && editing->canUndo())
    editing->undo();
}

void redo(Workspace& w) {
  if (Editing* const editing = w.document.active().editing(); editing && editing->canRedo())
    editing->redo();
}

void saveFile(Workspace& w, const std::string& file) {
  w.document.active().editing()->save(file);
  w.watch.watch(w.document.technique()->inputs());  // our own writing is not a change to reload
  addRecent(w.recent, {file});
  w.messages.note("Saved " + file);
}

void hideOrShowPanels(PanelLayout& layout) {
  const bool any = layout.side || layout.bottom;
  layout.side = layout.bottom = !any;
}

void scaleControls(PanelLayout& layout, float by) {
  layout.scale = std::clamp(std::round((ui::uiScale() + by) * 4) / 4, 1.0f, 3.0f);
}

/// The keyboard goes from one part of the window to the next.
void focusNextPanel() {
  static const char* const names[] = {"##side", "##top", "##toolbar", "##bottom", "##status"};
  static std::size_t next = 0;
  ImGui::SetWindowFocus(names[next++ % std::size(names)]);
}

/// Whether there is a picture, and what asks for one.
auto withPicture(Workspace& w) {
  return [&w] { return w.document.hasPicture(); };
}

std::vector<Shortcut> fileActions(Workspace& w) {
  using Purpose = FileBrowser::Purpose;
  const auto openFor = [&w](Purpose purpose, std::vector<std::string> endings, const char* name) {
    return [&w, purpose, endings, name] { w.browser.open(purpose, endings, name); };
  };
  const auto alone = [&w] {
    return w.document.technique() && w.document.technique()->inputs().size() == 1;
  };
  return {
      {"Files", "New: start page", GLFW_KEY_N, kCtrl,
       [&w] { w.start.open = !w.start.open || !w.document.technique(); }},
      {"Files", "Open files or a scene", GLFW_KEY_O, kCtrl, openFor(Purpose::Open, {}, "")},
      {"Files", "Add an input", GLFW_KEY_O, kCtrl | kShift, openFor(Purpose::Add, {}, "")},
      {"Files",
       "Next file of the folder",
       GLFW_KEY_PAGE_DOWN,
       0,
       [&w] { w.openNeighbor(1); },
       {},
       {},
       alone},
      {"Files",
       "Previous file of the folder",
       GLFW_KEY_PAGE_UP,
       0,
       [&w] { w.openNeighbor(-1); },
       {},
       {},
       alone},
  };
}

std::vector<Shortcut> openedActions(Workspace& w) {
  const auto several = [&w] { return w.opened.entries().size() > 1; };
  return {
      {"Files",
       "Next of what is opened",
       GLFW_KEY_TAB,
       kCtrl,
       [&w] { w.showOpened(1); },
       {},
       {},
       several},
      {"Files",
       "Previous of what is opened",
       GLFW_KEY_TAB,
       kCtrl | kShift,
       [&w] { w.showOpened(-1); },
       {},
       {},
       several},
  };
}

std::vector<Shortcut> savingActions(Workspace& w) {
  return {
      {"Files",
       "Reload inputs",
       GLFW_KEY_F5,
       0,
       [&w] { w.confirmUnsaved([&w] { w.reportErrors([&] { w.document.reload(); }); }); },
       {},
       {},
       withPicture(w)},
      {"Files",
       "Save the edited file, or the picture",
       GLFW_KEY_S,
       kCtrl,
       [&w] { askForFile(w); },
       {},
       {},
       withPicture(w)},
      {"Files",
       "Export image (EXR or PNG)",
       GLFW_KEY_E,
       kCtrl,
       [&w] { exportImage(w); },
       {},
       {},
       withPicture(w)},
      {"Files", "Save the session", GLFW_KEY_S, kCtrl | kShift,
       [&w] { w.browser.open(FileBrowser::Purpose::SaveSession, {".json"}, "session.json"); }},
      {"Files", "Screenshot of the window (PNG)", GLFW_KEY_F12, 0,
       [&w] { w.screenshotRequested = true; }},
      {"Files", "Open files (Shift: add them)", 0, 0, {}, "Drag and drop"},
      {"Files", "Quit", GLFW_KEY_Q, kCtrl, [&w] { w.confirmLeaving([&w] { w.quit = true; }); }},
  };
}

std::vector<Shortcut> editActions(Workspace& w) {
  const auto editing = [&w] { return w.document.active().editing(); };
  const auto canUndo = [editing] { return editing() && editing()->canUndo(); };
  const auto canRedo = [editing] { return editing() && editing()->canRedo(); };
  return {
      {"Editing", "Undo", GLFW_KEY_Z, kCtrl, [&w] { undo(w); }, {}, {}, canUndo},
      {"Editing", "Redo", GLFW_KEY_Y, kCtrl, [&w] { redo(w); }, {}, {}, canRedo},
      {"Editing", "Redo", GLFW_KEY_Z, kCtrl | kShift, [&w] { redo(w); }, {}, {}, canRedo},
      {"Editing", "Copy pixel values", GLFW_KEY_C, kCtrl, [&w] { copyValues(w); }},
      {"Editing",
       "Copy image",
       GLFW_KEY_C,
       kCtrl | kShift,
       [&w] { w.reportErrors([&] { copyImage(w); }); },
       {},
       {},
       withPicture(w)},
      {"Editing", "Paste image", GLFW_KEY_V, kCtrl | kShift,
       [&w] { w.reportErrors([&] { pasteImage(w); }); }},
      {"Editing", "Find a setting", GLFW_KEY_F, kCtrl,
       [&w] { w.layout.side = w.settingSearch.focus = true, w.layout.sidePage = "settings"; }},
  };
}

std::vector<Shortcut> panelActions(Workspace& w) {
  using Tab = PanelLayout::Tab;
  const auto tab = [&w](const char* text, int key, Tab which) {
    return Shortcut{"Panels",
                    text,
                    key,
                    0,
                    [&w, which] { w.toggle(which); },
                    {},
                    [&w, which] { return w.inFront(which); }};
  };
  return {
      {"Panels",
       "Settings",
       GLFW_KEY_P,
       0,
       [&w] { w.layout.side = !w.layout.side; },
       {},
       [&w] { return w.layout.side; }},
      tab("Inspector", GLFW_KEY_I, Tab::Inspector),
      tab("Histogram", GLFW_KEY_Y, Tab::Histogram),
      tab("Timings", GLFW_KEY_T, Tab::Timings),
      tab("Memory", GLFW_KEY_M, Tab::Memory),
      tab("Compare", GLFW_KEY_J, Tab::Compare),
      tab("Files of the folder", GLFW_KEY_F3, Tab::Files),
      {"Panels", "Show or hide all panels", GLFW_KEY_TAB, 0, [&w] { hideOrShowPanels(w.layout); }},
      {"Panels", "Larger controls", GLFW_KEY_EQUAL, kCtrl,
       [&w] { scaleControls(w.layout, 0.25f); }},
      {"Panels", "Smaller controls", GLFW_KEY_MINUS, kCtrl,
       [&w] { scaleControls(w.layout, -0.25f); }},
      {"Panels", "Controls in the monitor's scale", GLFW_KEY_0, kCtrl,
       [&w] { w.layout.scale = 0; }},
      {"Panels", "Next panel for the keyboard", GLFW_KEY_F6, 0, [] { focusNextPanel(); }},
      {"Panels", "Reload shaders", GLFW_KEY_R, kCtrl, [&w] { reloadShaders(w); }},
      {"Panels", "Cancel, close, unpin", GLFW_KEY_ESCAPE, 0, [&w] { escape(w); }},
  };
}

std::vector<Shortcut> pictureActions(Workspace& w) {
  using Channel = DisplaySettings::Channel;
  const auto channel = [&w](const char* text, int key, Channel which) {
    return Shortcut{"Picture",
                    text,
                    key,
                    0,
                    [&w, which] { toggleChannel(w.display, which); },
                    {},
                    [&w, which] { return w.display.channel == which; }};
  };
  return {
      {"Picture",
       "Fit in window",
       GLFW_KEY_F,
       0,
       [&w] { w.view.fit(); },
       {},
       [&w] { return w.view.fitted(); }},
      {"Picture",
       "Actual size (1:1)",
       GLFW_KEY_1,
       0,
       [&w] { w.view.oneToOne(); },
       {},
       [&w] { return w.view.zoom() == 1 && !w.view.fitted(); }},
      {"Picture", "Zoom in", GLFW_KEY_EQUAL, 0,
       [&w] { w.view.zoomAt(w.view.area().center(), kZoomStep); }},
      {"Picture", "Zoom out", GLFW_KEY_MINUS, 0,
       [&w] { w.view.zoomAt(w.view.area().center(), 1 / kZoomStep); }},
      {"Picture", "Zoom to cursor (pictures: Wheel)", 0, 0, {}, "Ctrl+Wheel"},
      {"Picture", "Pan", 0, 0, {}, "Space+Drag"},
      {"Picture", "Pin pixel, unpin", 0, 0, {}, "Click, Esc"},
      {"Picture", "Exposure +0.5 stops", GLFW_KEY_RIGHT_BRACKET, 0,
       [&w] { addExposure(w.display, kExposureStep); }},
      {"Picture", "Exposure -0.5 stops", GLFW_KEY_LEFT_BRACKET, 0,
       [&w] { addExposure(w.display, -kExposureStep); }},
      {"Picture", "Reset exposure", GLFW_KEY_0, 0, [&w] { w.display.exposureStops = 0; }},
      {"Picture",
       "Normalize",
       GLFW_KEY_N,
       0,
       [&w] { w.display.normalize = !w.display.normalize; },
       {},
       [&w] { return w.display.normalize; }},
      channel("Toggle red channel", GLFW_KEY_R, Channel::R),
      channel("Toggle green channel", GLFW_KEY_G, Channel::G),
      channel("Toggle blue channel", GLFW_KEY_B, Channel::B),
      channel("Toggle alpha channel", GLFW_KEY_A, Channel::A),
      channel("Toggle luminance", GLFW_KEY_L, Channel::Luminance),
      {"Picture",
       "Toggle false color",
       GLFW_KEY_V,
       0,
       [&w] { w.display.falseColor = !w.display.falseColor; },
       {},
       [&w] { return w.display.falseColor; }},
  };
}

std::vector<Shortcut> cameraActions(Workspace& w) {
  return {
      {"Camera of a scene", "Orbit", 0, 0, {}, "Drag"},
      {"Camera of a scene", "Pan", 0, 0, {}, "Middle drag"},
      {"Camera of a scene", "Dolly in, out", 0, 0, {}, "Wheel"},
      {"Camera of a scene", "Look around, fly (Shift: faster)", 0, 0, {}, "Right+WASDQE"},
      {"Camera of a scene", "Orbit around this point", 0, 0, {}, "Double click"},
      {"Camera of a scene",
       "Home view",
       GLFW_KEY_HOME,
       0,
       [&w] { resetCamera(w); },
       {},
       {},
       [&w] { return w.document.hasCamera(); }},
  };
}

std::vector<Shortcut> compareActions(Workspace& w) {
  using Show = Comparison::Show;
  const auto hasB = [&w] { return w.compare.has(); };
  const auto show = [&w, hasB](const char* text, int key, Show which) {
    return Shortcut{"Compare",
                    text,
                    key,
                    0,
                    [&w, which] { w.compare.toggle(which); },
                    {},
                    [&w, which] { return w.compare.show == which; },
                    hasB};
  };
  return {
      {"Compare",
       "Set as reference (B)",
       GLFW_KEY_K,
       0,
       [&w] { w.compare.store(w.gpu, w.document); },
       {},
       {},
       withPicture(w)},
      {"Compare",
       "Reference from a picture file",
       GLFW_KEY_K,
       kCtrl,
       [&w] { w.browser.open(FileBrowser::Purpose::Reference, {}); },
       {},
       {},
       withPicture(w)},
      {"Compare", "Show B while held", 0, 0, {}, "C"},
      show("Split view; drag the line", GLFW_KEY_S, Show::Split),
      show("Difference of A and B", GLFW_KEY_Q, Show::Difference),
      show("Flip between A and B", GLFW_KEY_Z, Show::B),
      {"Compare",
       "Swap A and B",
       GLFW_KEY_X,
       0,
       [&w] { w.reportErrors([&] { w.compare.swap(w.gpu, w.document); }); },
       {},
       {},
       [&w] { return w.compare.canSwap(); }},
      {"Compare", "Clear reference", GLFW_KEY_K, kShift, [&w] { w.compare.clear(); }, {}, {}, hasB},
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
  for (auto make : {fileActions, openedActions, savingActions, editActions, panelActions,
                    pictureActions, cameraActions, compareActions, helpActions})
    for (Shortcut& shortcut : make(w)) all.push_back(std::move(shortcut));
  return all;
}

std::vector<const Shortcut*> allActions(const Workspace& w) {
  std::vector<const Shortcut*> all;
  for (const auto* list : {&w.techniqueActions, &w.actions})
    for (const Shortcut& shortcut : *list) all.push_back(&shortcut);
  return all;
}

void exportImage(Workspace& w) {
  w.browser.open(FileBrowser::Purpose::SavePicture, {".exr", ".png"}, "picture.exr");
}

void askForFile(Workspace& w) {
  const Editing* const editing = w.document.active().editing();
  if (const auto file = editing ? editing->savable() : std::nullopt)
    w.browser.open(FileBrowser::Purpose::SaveFile, file->endings, file->suggestion);
  else
    exportImage(w);
}

void useTechnique(Workspace& w, const TechniqueEntry& entry) {
  w.confirmLeaving([&w, &entry] { w.reportErrors([&] { w.document.use(entry); }); });
}

void savePicture(Workspace& w, const std::string& file) {
  if (!w.document.hasPicture()) fail("{}: expected a picture to save, found none", file);
  if (!w.document.complete()) fail("{}: expected a complete picture, found one in progress", file);
  checkPictureEnding(file);
  const glm::ivec2 origin = w.document.technique()->frame().origin;
  const auto image = std::make_shared<const Image>(w.document.picture()->downloadImage());
  FlatExrOptions options;
  options.asFloat = w.document.picture()->format() == gpu::TextureFormat::Rgba32f;
  options.dataWindow = options.displayWindow = {origin.x, origin.y, image->width, image->height};
  w.writer.write([file, image, options] { writePicture(file, *image, options); }, "Saved " + file);
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
    case Purpose::SavePicture:
      savePicture(w, paths.front());
      break;
    case Purpose::Reference:
      w.compare.read(paths.front());
      break;
    case Purpose::SaveTimings:
      w.recorder.start(w.document, paths.front(), w.picturesToRecord);
      break;
    case Purpose::SaveSession:
      captureSession(w).save(paths.front());
      w.messages.note("Saved " + paths.front());
      break;
  }
}

void openPanel(Workspace& w, const std::string& name) {
  using Tab = PanelLayout::Tab;
  if (name == "inspector") w.layout.showTab(Tab::Inspector);
  if (name == "timings") w.layout.showTab(Tab::Timings);
  if (name == "memory") w.layout.showTab(Tab::Memory);
  if (name == "compare") w.layout.showTab(Tab::Compare);
  if (name == "histogram") w.layout.showTab(Tab::Histogram);
  if (name == "files") w.layout.showTab(Tab::Files);
  if (name == "start") w.start.open = true;
  if (name == "commands") w.paletteOpen = true;
  if (name == "settings") w.layout.side = true, w.layout.sidePage = name;
  if (name == "help") w.helpOpen = true;
  if (name == "open") w.browser.open(FileBrowser::Purpose::Open, {});
  if (name == "none") w.layout.side = w.layout.bottom = false;
}

bool openPage(Workspace& w, const std::string& name) {
  const Panels* const panels = w.document.active().panels();
  if (!panels) return false;
  if (const auto strip = panels->strip(); strip && strip->name == name) {
    w.layout.strip = PanelLayout::Strip::Shown;
    return true;
  }
  for (const TechniquePage& page : panels->pages()) {
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
    if (!std::filesystem::exists(name, error)) return name;
  }
}

// Pictures on the clipboard -----------------------------------------------------------------------

// GLFW has only text, so the system's helper holds and fetches them: xclip under X11 (and
// XWayland), wl-copy and wl-paste under Wayland.
namespace {

std::string pictureFile(const char* name) {
  std::error_code ignored;
  std::filesystem::create_directories(system::configFolder(), ignored);
  return (system::configFolder() / name).string();
}

}  // namespace

void copyImage(Workspace& w) {
  if (!w.document.hasPicture()) return;
  const gpu::Texture& picture = *w.document.picture();
  const std::string file = pictureFile("copied.png");
  writePngBytes(
      file, picture.width(), picture.height(), 4,
      w.viewport.displayed(w.gpu, picture, picture.size(), w.display, w.valueRange(), w.color));
  const bool done = system::copyPng(file);
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  if (!done) fail("the clipboard: expected {}, found none that works", system::clipboardHelper());
  w.messages.note("Image copied");
}

void pasteImage(Workspace& w) {
  const std::string file = pictureFile("pasted.png");
  const bool done = system::pastePng(file);
  std::error_code ignored;
  if (!done || std::filesystem::file_size(file, ignored) == 0)
    return w.messages.note("There is no image on the clipboard");
  w.open({file});
}

}  // namespace fathom::viewer
