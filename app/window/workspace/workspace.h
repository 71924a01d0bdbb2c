// SPDX-License-Identifier: BSD-3-Clause
// The parts of the running window, side by side. Panels, shortcuts and the session take the
// workspace and use the parts they need; the parts do not know it.
#pragma once

#include "app/system/clipboard.h"
#include "app/window/document/document.h"
#include "app/window/document/sent_images.h"
#include "app/window/picture/comparison.h"
#include "app/window/picture/display.h"
#include "app/window/picture/picture_view.h"
#include "app/window/picture/statistics.h"
#include "app/window/picture/viewport.h"
#include "app/window/platform/shortcuts.h"
#include "app/window/ui/layout.h"
#include "app/window/widgets/file_browser.h"
#include "app/window/widgets/inspector.h"
#include "app/window/widgets/messages.h"
#include "app/window/widgets/timings_panel.h"
#include "app/window/workspace/file_sets.h"
#include "app/window/workspace/recorder.h"
#include "app/window/workspace/session_state.h"
#include "app/window/workspace/thumbnails.h"
#include "app/window/workspace/undo.h"

namespace fathom::viewer {

/// An action that stands behind a question: asked first, and if the user says so, run once
/// something has ended.
class Question {
 public:
  enum class State { None, Asked, Waiting };
  State state() const { return state_; }
  void ask(std::function<void()> action) { action_ = std::move(action), state_ = State::Asked; }
  void wait() { state_ = State::Waiting; }
  void drop() { state_ = State::None, action_ = {}; }
  /// Drops the question and returns its action.
  std::function<void()> answer() {
    state_ = State::None;
    return std::exchange(action_, {});
  }

 private:
  State state_ = State::None;
  std::function<void()> action_;
};

struct Workspace {
  Workspace(gpu::Context& context, const std::vector<TechniqueEntry>& available,
            Document::Prepare prepare)
      : gpu(context),
        document(context, available, std::move(prepare)),
        viewport(context),
        color(context) {}

  gpu::Context& gpu;
  Document document;
  bool quit = false;

  // The picture: how it is seen, measured and compared.
  PictureView view;
  DisplaySettings display;
  Viewport viewport;
  ColorView color;
  CameraControl cameraControl;
  std::optional<Camera> homeCamera;
  Inspector inspector;
  Comparison compare;
  Statistics statistics;
  TimingsPanel timings;
  Recorder recorder;

  // Files: what was opened before, what belongs to it, and what is read and written beside frames.
  std::vector<FileSet> recent;  // newest first
  FileSets sets;                // what belongs to each set of files
  Opened opened;
  UndoSteps steps;
  Trail<ViewPoint> views;
  bool keepView = false;  // the next set is seen as this one: files of a folder side by side
  FileWatch watch;
  Thumbnails thumbnails;
  FileWriter writer;
  int listenAt = 0;                         // port where renderers may send images; 0: none
  std::unique_ptr<ImageReceiver> receiver;  // there, while it is free
  Recovery recovery;

  // Panels around the picture, and what lies over it.
  PanelLayout layout;
  std::vector<Shortcut> actions, techniqueActions;  // of the window, and of the technique
  Messages messages;
  FileBrowser browser;
  bool helpOpen = false, paletteOpen = false;
  bool screenshotRequested = false;  // write the window as a picture after this frame
  struct StartPage {
    bool open = false;    // over whatever is open
    std::string message;  // why it is there, if something went wrong
  };
  StartPage start;
  std::string openedBy;  // the session that named the files being opened; empty: the user did
  struct SettingSearch {
    std::string filter;
    bool focus = false;  // the filter field wants the keyboard
  };
  SettingSearch settingSearch;
  /// What the page of files lists.
  struct FolderFiles {
    std::string folder, filter;
    std::vector<std::string> names;
    Clock::time_point readAt{};
  };
  FolderFiles folderFiles;
  struct ExportSheet {
    bool open = false, appears = false, asks = false;  // asks: whether a file is to be replaced
    bool selectStem = false;
    ExportChoice choice;
    std::string ending;     // of the last one
    std::string rendering;  // the file of a picture that is made for it now; empty: none
  };
  ExportSheet exportSheet;
  system::PictureClipboard clipboard;
  Question unsavedEdits;   // waits until the file is saved
  Question runningExport;  // waits until it is written

  /// Runs the action now, or after the user has decided about unsaved edits.
  void confirmUnsaved(std::function<void()> action);
  /// The same for what ends the engine, after the user has decided about a file that it is writing.
  void confirmLeaving(std::function<void()> action);
  /// That file; empty: none.
  std::string exporting() const;
  /// Opens or adds inputs; errors become messages. `technique`: to be tried first; empty: the one
  /// that showed this set last, else the current one. `session`: the file that names them, if any;
  /// it is named with what is wrong with them.
  void open(const std::vector<std::string>& inputs, bool add = false,
            const std::string& technique = {}, const std::string& session = {});
  /// A message; while nothing is open, on the start page instead.
  void openingFailed(const std::string& error);
  /// The file after the open one in its folder, of those that can be shown; `by` -1: before it.
  void openNeighbor(int by);
  /// Begins or ends listening; what renderers have begun is shown, unless edits would be lost. True
  /// when a frame is to show something of it.
  bool receiveImages();
  /// What was opened after the set that is shown, or before it, in this session.
  void showOpened(int by);
  /// Runs the action and shows the message of an Error that it throws.
  template <class Do>
  void reportErrors(Do&& action) {
    try {
      action();
    } catch (const Error& e) {
      messages.error(e.what());
    }
  }

  /// The technique's page in front of the strip's tabs; empty: one of the tabs is.
  std::string frontPage() const;
  /// True when this tab, or this page of the technique, is visible.
  bool inFront(PanelLayout::Tab tab) const;
  bool inFront(const std::string& page) const;
  /// Brings it to the front; when it is there already, hides the strip.
  void toggle(PanelLayout::Tab tab);
  void toggle(const std::string& page);
  /// The range that the display normalizes to.
  ValueRange valueRange() const;
  /// Whether the technique's own strip is visible, and its height in units of the design.
  bool stripShown() const;
  float stripHeight() const;
};

}  // namespace fathom::viewer
