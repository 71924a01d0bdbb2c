// SPDX-License-Identifier: BSD-3-Clause
#include "app/viewer/actions.h"

#include "app/io/image_file.h"
#include "app/viewer/remembered.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <filesystem>

namespace fathom::viewer {
namespace {

constexpr int kCtrl = GLFW_MOD_CONTROL, kShift = GLFW_MOD_SHIFT;
constexpr float kZoomStep = 1.25f, kExposureStep = 0.5f;

void toggleTab(Workspace& w, PanelLayout::Tab tab) {
  PanelLayout& layout = w.layout;
  const bool inFront = layout.bottom && layout.tab == tab && w.frontPage().empty();
  layout.showTab(tab);
  layout.bottom = !inFront;
}

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
  w.document.rebuild();
}

void copyValues(Workspace& w) {
  const glm::ivec2 origin =
      w.document.technique() ? w.document.technique()->origin() : glm::ivec2(0);
  const std::string text = w.inspector.text(w.display, origin);
  if (text.empty()) return w.messages.note("Nothing to copy: no pixel is under the cursor");
  ImGui::SetClipboardText(text.c_str());
  w.messages.note("Values of the pixel copied");
}

/// Esc takes back one thing at a time, the most passing first.
void escape(Workspace& w) {
  if (w.helpOpen)
    w.helpOpen = false;
  else if (w.pendingAction && !w.browser.isOpen())
    w.pendingAction = {};
  else if (w.browser.isOpen())
    w.browser.close();
  else if (w.document.loading())
    w.document.cancelLoading();
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
  w.document.cameraMoved();
}

void step(Workspace& w, bool again) {
  Editing* const editing = w.document.editing();
  if (!editing) return;
  if (again && editing->canRedo()) editing->redo();
  if (!again && editing->canUndo()) editing->undo();
}

void saveFile(Workspace& w, const std::string& file) {
  w.document.editing()->save(file);
  w.watch.watch(w.document.technique()->inputs());  // our own writing is no change from outside
  remember(w.recent, file);
  w.messages.note("Saved " + file);
}

void hideOrShowPanels(PanelLayout& layout) {
  const bool any = layout.side || layout.bottom;
  layout.side = layout.bottom = !any;
}

}  // namespace

std::vector<Shortcut> makeShortcuts(Workspace& w) {
  using Channel = DisplaySettings::Channel;
  using Purpose = FileBrowser::Purpose;
  const auto openFor = [&w](Purpose purpose, std::vector<std::string> endings, const char* name) {
    return [&w, purpose, endings, name] { w.browser.open(purpose, endings, name); };
  };
  return {
      {"Files", "Open files or a scene", GLFW_KEY_O, kCtrl, openFor(Purpose::Open, {}, "")},
      {"Files", "Add an input to those open", GLFW_KEY_O, kCtrl | kShift,
       openFor(Purpose::Add, {}, "")},
      {"Files", "Reload the inputs", GLFW_KEY_F5, 0,
       [&w] { w.confirmUnsaved([&w] { w.reportErrors([&] { w.document.reload(); }); }); }},
      {"Files", "Save what is edited, else the picture", GLFW_KEY_S, kCtrl,
       [&w] { askForFile(w); }},
      {"Files", "Save the picture as EXR or PNG", GLFW_KEY_E, kCtrl,
       openFor(Purpose::SavePicture, {".exr", ".png"}, "picture.exr")},
      {"Files", "Save the session", GLFW_KEY_S, kCtrl | kShift,
       openFor(Purpose::SaveSession, {".json"}, "session.json")},
      {"Files", "Screenshot of the window as PNG", GLFW_KEY_F12, 0, [&w] { w.captureAsked = true; }},
      {"Files", "Copy the values of the pixel", GLFW_KEY_C, kCtrl, [&w] { copyValues(w); }},
      {"Files", "Open files; with Shift: add them", 0, 0, {}, "Drag and drop"},

      {"Window", "This help", GLFW_KEY_H, 0, [&w] { w.helpOpen = !w.helpOpen; }},
      {"Window", "Settings", GLFW_KEY_P, 0, [&w] { w.layout.side = !w.layout.side; }},
      {"Window", "Inspector", GLFW_KEY_I, 0, [&w] { toggleTab(w, PanelLayout::Tab::Inspector); }},
      {"Window", "Timings", GLFW_KEY_T, 0, [&w] { toggleTab(w, PanelLayout::Tab::Timings); }},
      {"Window", "Memory", GLFW_KEY_M, 0, [&w] { toggleTab(w, PanelLayout::Tab::Memory); }},
      {"Window", "Only the picture, and back", GLFW_KEY_TAB, 0,
       [&w] { hideOrShowPanels(w.layout); }},
      {"Window", "Reload the shaders", GLFW_KEY_R, kCtrl, [&w] { reloadShaders(w); }},
      {"Window", "Cancel, close, unpin", GLFW_KEY_ESCAPE, 0, [&w] { escape(w); }},
      {"Window", "Quit", GLFW_KEY_Q, kCtrl, [&w] { w.confirmUnsaved([&w] { w.quit = true; }); }},

      {"Editing", "Undo", GLFW_KEY_Z, kCtrl, [&w] { step(w, false); }},
      {"Editing", "Redo", GLFW_KEY_Y, kCtrl, [&w] { step(w, true); }},
      {"Editing", "Redo", GLFW_KEY_Z, kCtrl | kShift, [&w] { step(w, true); }},

      {"Picture", "Fit in the window", GLFW_KEY_F, 0, [&w] { w.view.fit(); }},
      {"Picture", "Actual size (1:1)", GLFW_KEY_1, 0, [&w] { w.view.oneToOne(); }},
      {"Picture", "Zoom in", GLFW_KEY_EQUAL, 0,
       [&w] { w.view.zoomAt(w.view.area().center(), kZoomStep); }},
      {"Picture", "Zoom out", GLFW_KEY_MINUS, 0,
       [&w] { w.view.zoomAt(w.view.area().center(), 1 / kZoomStep); }},
      {"Picture", "Zoom at the cursor (pictures: Wheel)", 0, 0, {}, "Ctrl+Wheel"},
      {"Picture", "Pan the picture", 0, 0, {}, "Space+Drag"},
      {"Picture", "Pin the pixel, unpin it", 0, 0, {}, "Click, Esc"},
      {"Picture", "Half a stop brighter", GLFW_KEY_RIGHT_BRACKET, 0,
       [&w] { addExposure(w.display, kExposureStep); }},
      {"Picture", "Half a stop darker", GLFW_KEY_LEFT_BRACKET, 0,
       [&w] { addExposure(w.display, -kExposureStep); }},
      {"Picture", "Exposure 0", GLFW_KEY_0, 0, [&w] { w.display.exposureStops = 0; }},
      {"Picture", "Toggle red channel", GLFW_KEY_R, 0,
       [&w] { toggleChannel(w.display, Channel::R); }},
      {"Picture", "Toggle green channel", GLFW_KEY_G, 0,
       [&w] { toggleChannel(w.display, Channel::G); }},
      {"Picture", "Toggle blue channel", GLFW_KEY_B, 0,
       [&w] { toggleChannel(w.display, Channel::B); }},
      {"Picture", "Toggle alpha channel", GLFW_KEY_A, 0,
       [&w] { toggleChannel(w.display, Channel::A); }},
      {"Picture", "Toggle luminance", GLFW_KEY_L, 0,
       [&w] { toggleChannel(w.display, Channel::Luminance); }},
      {"Picture", "False color", GLFW_KEY_V, 0,
       [&w] { w.display.falseColor = !w.display.falseColor; }},

      {"Camera of a scene", "Orbit", 0, 0, {}, "Drag"},
      {"Camera of a scene", "Pan", 0, 0, {}, "Middle drag"},
      {"Camera of a scene", "Dolly in and out", 0, 0, {}, "Wheel"},
      {"Camera of a scene", "Look around; fly (Shift: faster)", 0, 0, {}, "Right+WASDQE"},
      {"Camera of a scene", "Orbit about this point", 0, 0, {}, "Double click"},
      {"Camera of a scene", "Home view", GLFW_KEY_HOME, 0, [&w] { resetCamera(w); }},

      {"Compare", "Store the current settings as B", GLFW_KEY_K, 0,
       [&w] { w.compare.keep(w.gpu, w.document); }},
      {"Compare", "Show B while held", 0, 0, {}, "C"},
      {"Compare", "Side by side; drag the line", GLFW_KEY_S, 0,
       [&w] { w.compare.split = !w.compare.split; }},
      {"Compare", "Swap A and B", GLFW_KEY_X, 0,
       [&w] { w.reportErrors([&] { w.compare.swap(w.gpu, w.document); }); }},
  };
}

void askForFile(Workspace& w) {
  const Editing* const editing = w.document.editing();
  if (const auto file = editing ? editing->savable() : std::nullopt)
    w.browser.open(FileBrowser::Purpose::SaveFile, file->endings, file->suggestion);
  else
    w.browser.open(FileBrowser::Purpose::SavePicture, {".exr", ".png"}, "picture.exr");
}

void useTechnique(Workspace& w, const TechniqueEntry& entry) {
  w.confirmUnsaved([&w, &entry] { w.reportErrors([&] { w.document.use(entry); }); });
}

void savePicture(Workspace& w, const std::string& file) {
  if (!w.document.hasPicture()) fail("{}: expected a picture to save, found none", file);
  if (!w.document.complete()) fail("{}: expected a complete picture, found one in progress", file);
  checkPictureEnding(file);
  const glm::ivec2 origin = w.document.technique()->origin();
  const Image image = w.document.picture()->downloadImage();
  FlatExrOptions options;
  options.asFloat = w.document.picture()->format() == gpu::TextureFormat::Rgba32f;
  options.dataWindow = options.displayWindow = {origin.x, origin.y, image.width, image.height};
  writePicture(file, image, options);
  w.messages.note("Saved " + file);
}

void fileChosen(Workspace& w, const std::vector<std::string>& paths) {
  switch (w.browser.purpose()) {
    case FileBrowser::Purpose::Open:
      w.open(paths);
      break;
    case FileBrowser::Purpose::Add:
      w.open(paths, true);
      break;
    case FileBrowser::Purpose::SaveFile:
      saveFile(w, paths.front());
      break;
    case FileBrowser::Purpose::SavePicture:
      savePicture(w, paths.front());
      break;
    case FileBrowser::Purpose::SaveTimings:
      w.recorder.start(w.document, paths.front(), w.picturesToRecord);
      break;
    case FileBrowser::Purpose::SaveSession:
      remembered(w).save(paths.front());
      w.messages.note("Saved " + paths.front());
      break;
  }
}

std::string freeScreenshotName() {
  for (int i = 1;; ++i) {
    const std::string name = fmt::format("fathom-window-{}.png", i);
    std::error_code error;
    if (!std::filesystem::exists(name, error)) return name;
  }
}

}  // namespace fathom::viewer
