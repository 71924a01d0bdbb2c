// SPDX-License-Identifier: BSD-3-Clause
// The parts of the running window, side by side. Each panel, the shortcuts and the session take the
// workspace and use the parts they need; the parts do not know it.
#pragma once

#include "app/gpu/context.h"
#include "app/viewer/camera_control.h"
#include "app/viewer/compare_view.h"
#include "app/viewer/display.h"
#include "app/viewer/document.h"
#include "app/viewer/file_browser.h"
#include "app/viewer/file_watch.h"
#include "app/viewer/inspector.h"
#include "app/viewer/layout.h"
#include "app/viewer/messages.h"
#include "app/viewer/picture_view.h"
#include "app/viewer/recorder.h"
#include "app/viewer/timings_panel.h"
#include "app/viewer/viewport.h"

#include <functional>
#include <string>
#include <vector>

namespace fathom::viewer {

struct Workspace {
  Workspace(gpu::Context& context, const std::vector<TechniqueEntry>& available,
            Document::Prepare prepare)
      : gpu(context), document(context, available, std::move(prepare)), viewport(context) {}

  gpu::Context& gpu;
  Document document;
  PictureView view;
  DisplaySettings display;
  PanelLayout layout;
  Viewport viewport;
  CameraControl cameraControl;
  Inspector inspector;
  CompareView compare;
  TimingsPanel timings;
  Recorder recorder;
  int picturesToRecord = 60;
  FileBrowser browser;
  FileWatch watch;
  Messages messages;
  std::vector<std::string> recent;  // newest first
  std::optional<Camera> homeCamera;

  bool helpOpen = false, quit = false;
  bool captureAsked = false;        // write a picture of the window after this frame
  std::function<void()> pendingAction;  // what waits for the user's word about unsaved edits
  bool saveFirst = false;           // it waits for the file to be saved

  /// Does it now, or once the user has decided about edits that it would lose.
  void confirmUnsaved(std::function<void()> action);
  /// Opens or adds inputs; what is wrong with them becomes a message.
  void open(const std::vector<std::string>& inputs, bool add = false);
  /// The technique's page in front of the strip's tabs; empty: one of the tabs is.
  std::string frontPage() const;
  /// Runs something that may fail; the message of an Error is shown.
  template <class Do>
  void reportErrors(Do&& action) {
    try {
      action();
    } catch (const Error& e) {
      messages.error(e.what());
    }
  }
};

/// Adds an input at the front of the recent ones; each stands once.
void remember(std::vector<std::string>& recent, const std::string& input);

}  // namespace fathom::viewer
