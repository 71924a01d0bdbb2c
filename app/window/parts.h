// SPDX-License-Identifier: BSD-3-Clause
// What the window shows of a technique besides its picture and its settings: the values that
// technique and window exchange (the mouse over the picture, handles and lines drawn over it,
// pages, keys, files to save), the interfaces of its parts, and WindowParts, which names those that
// a technique has.
#pragma once

#include "app/engine/engine.h"
#include "app/engine/io/export_choice.h"

#include <any>

struct ImDrawList;
struct ImVec2;

namespace fathom {

namespace viewer {
class PictureView;
}

/// The mouse over the picture in one frame. Positions are pixels of the picture, y downward, with
/// fractions; (0, 0) is the upper left corner of the first pixel.
struct PictureInput {
  enum Button { Left, Right, Middle };
  struct ButtonState {
    bool pressed = false, held = false, released = false;  // pressed and released: in this frame
    bool clicked = false, doubleClicked = false;           // without a drag between
  };
  glm::vec2 at{0};
  glm::vec2 drag{0};          // since the last frame, in picture pixels
  bool inside = false;        // the cursor is over the picture's part of the window
  float zoom = 1;             // window pixels per picture pixel
  float reach = 8;            // picture pixels within which a handle is meant
  glm::vec2 low{0}, high{0};  // what the window shows of the picture's plane, picture pixels
  std::array<ButtonState, 3> buttons;
  bool shift = false, ctrl = false, alt = false;
  float wheel = 0;  // notches, away from the user is positive
};

/// A color as displayed, not linear.
struct OverlayColor {
  float r = 1, g = 1, b = 1, a = 1;
  OverlayColor faded(float alpha) const { return {r, g, b, a * alpha}; }
};

/// Draws over the picture. Points are pixels of the picture; widths, sizes and radii are of the
/// window, so that handles keep their size under any zoom.
class PictureOverlay {
 public:
  PictureOverlay(ImDrawList& draw, const viewer::PictureView& view) : draw_(draw), view_(view) {}
  void line(glm::vec2 from, glm::vec2 to, OverlayColor color, float width = 1.5f);
  void dashed(glm::vec2 from, glm::vec2 to, OverlayColor color, float width = 1.5f);
  void dashed(const Rect& border, OverlayColor color);
  /// A closed line through these points, without the dark rim of line(): for very many.
  void outline(std::span<const glm::vec2> points, OverlayColor color, float width = 1);
  void polygon(std::span<const glm::vec2> convex, OverlayColor fill);
  void circle(glm::vec2 center, float radius, OverlayColor color, float width = 1.5f);
  void disc(glm::vec2 center, float radius, OverlayColor fill);
  /// A dot with a dark rim; `hot` shows it larger.
  void handle(glm::vec2 at, OverlayColor color, bool hot);
  /// Text beside a point; `plate` puts a dark ground under it.
  void label(glm::vec2 at, std::string_view text, OverlayColor color, bool plate = false);
  /// Notes where a handle is, for tests that drag it (ui/widgets.h).
  void landmark(glm::vec2 at, const std::string& name);
  float zoom() const;      // window pixels per picture pixel
  glm::vec2 size() const;  // of the picture

 private:
  ImVec2 place(glm::vec2 picture) const;
  ImDrawList& draw_;
  const viewer::PictureView& view_;
};

/// A page of widgets that belongs to a technique: at the side, before the settings, or in the strip
/// at the bottom.
struct TechniquePage {
  enum class Place { Side, Strip };
  std::string name;   // "xforms": session key, --open-panel, landmark
  std::string title;  // "Xforms"
  std::string about;
  Place place = Place::Side;
};

/// Widgets that stay right below the picture, whatever page is open (a timeline).
struct TechniqueStrip {
  std::string name;   // "timeline": --open-panel, landmark
  std::string title;  // "Timeline"
  std::string about;
  float height = 100;   // in units of the design (ui/theme.h)
  bool wanted = false;  // shown unless the user hides it
};

/// Something that is done on a key, listed in menus, palette and help; without `action` it only
/// explains a gesture of the mouse.
struct Shortcut {
  std::string group;  // "Xforms"
  std::string text;   // "Duplicate the xform"
  std::string keys;   // "Ctrl+Shift+D", "F12", "Space"; or a gesture, "Shift+Drag"
  std::function<void()> action;
  std::function<bool()> on = {};        // a switch: whether it is on now
  std::function<bool()> possible = {};  // null: always
  std::string more = {};                // the palette finds it by this, too: choices of a setting
};

/// What the widgets of a technique ask the window to do.
struct TechniqueRequest {
  std::optional<glm::ivec2> pixel;  // to be shown and pinned
  std::vector<std::string> inputs;  // to be opened in place of those that are open
  std::function<void()> replace;    // replaces what is edited: the user is asked first
};

/// What a technique can write besides its picture.
struct TechniqueFile {
  std::string what;                  // "genome"
  std::vector<std::string> endings;  // ".flame"
  std::string suggestion;            // a path, or a name in the current folder
};

/// What is edited and can be written to a file.
class Editing {
 public:
  virtual ~Editing() = default;
  /// When the step was made that undo() takes back, or that redo() makes again; none: there is
  /// none. One step per gesture.
  using Time = std::optional<std::chrono::steady_clock::time_point>;
  virtual Time undoTime() const { return std::nullopt; }
  virtual Time redoTime() const { return std::nullopt; }
  virtual void undo() {}
  virtual void redo() {}
  /// None while there is nothing to save.
  virtual std::optional<TechniqueFile> savable() const = 0;
  /// Throws Error.
  virtual void save(const std::string& file) = 0;
  /// Writes the file on another thread, where that takes long; empty: save() does it. Throws Error.
  virtual std::function<void()> writer(const std::string& /*file*/) { return {}; }
  /// Closing would lose edits.
  virtual bool unsaved() const = 0;
  /// What save() would write now, for recovery after a crash; empty: not known. Changes nothing.
  virtual std::string content() const { return {}; }
  /// Takes from a file what content() was before the crash, as an edit of what is open. Throws
  /// Error.
  virtual void recover(const std::string& file) = 0;
  /// Takes the edits out, with all that can be undone, for an engine on another device; empty:
  /// there are none, and the inputs tell everything.
  virtual std::any keep() { return {}; }
  /// Puts the edits of keep() back; called when the same inputs have been opened again.
  virtual void restore(std::any /*kept*/) {}
};

/// What moves by itself: a film, a view that orbits.
class Playing {
 public:
  virtual ~Playing() = default;
  /// True while it moves and never comes to rest.
  virtual bool animated() const = 0;
  /// Whether a setting follows what moves, so that no undo brings back an earlier value.
  virtual bool moves(const std::string& /*setting*/) const { return false; }
  /// When WindowParts::advance() has something new without any event (the next frame of a film).
  virtual std::optional<std::chrono::steady_clock::time_point> dueAt() const {
    return std::nullopt;
  }
};

/// Widgets that the settings table cannot express.
class Panels {
 public:
  virtual ~Panels() = default;
  virtual std::vector<TechniquePage> pages() const = 0;
  /// Called inside the page's ImGui window.
  virtual void drawPage(const std::string& name) = 0;
  virtual std::optional<TechniqueStrip> strip() const { return std::nullopt; }
  virtual void drawStrip() {}
  /// What widgets have asked for since the last call; taken once per frame.
  virtual TechniqueRequest takeRequest() { return {}; }
};

/// The mouse and keys over the picture, and what is drawn over it.
class PictureTools {
 public:
  virtual ~PictureTools() = default;
  /// Once per frame. True: the technique uses the mouse, and the window leaves it alone (no camera,
  /// pan, zoom or pinned pixel).
  virtual bool interact(const PictureInput& input) = 0;
  virtual void drawOverlay(PictureOverlay& overlay) = 0;
  virtual std::vector<Shortcut> actions() { return {}; }
};

/// Draws and writes by itself, beside the picture: in other qualities, and films.
class Exporting {
 public:
  virtual ~Exporting() = default;
  virtual bool hasFilm() const = 0;
  /// What stands for 0 in a choice. A film may have a size of its own (fixed).
  virtual glm::ivec2 size() const = 0;
  virtual double samples() const = 0;
  virtual bool sizeIsFixed(const ExportChoice& choice) const = 0;
  /// How much memory it takes, or why it does not fit.
  virtual std::string memory(const ExportChoice& choice) const = 0;
  /// The first file that start() would write.
  virtual std::string firstFile(const ExportChoice& choice) const = 0;
  /// After those that were asked for before. What is wrong with it comes out of takeEnd().
  virtual void start(const ExportChoice& choice) = 0;
  virtual void cancel() = 0;  // the one that is written
  /// What is being written; empty: nothing.
  virtual std::string file() const = 0;
  virtual bool goesOn() const = 0;  // in the next window, if this one is left
  /// How the last one ended, once.
  virtual std::optional<ExportEnd> takeEnd() = 0;
};

/// Work beside the picture (thumbnails, sweeps, fits).
class Background {
 public:
  virtual ~Background() = default;
  /// One slice; true while more is waiting. Called once per frame. Throws Error.
  virtual bool backgroundStep(gpu::Context& gpu, double budgetMs) = 0;
};

/// The parts of one technique, made for one engine, which outlives them. A null part means that the
/// technique has none; a derived class owns what these point to.
struct WindowParts {
  virtual ~WindowParts() = default;
  Editing* editing = nullptr;
  Playing* playing = nullptr;
  Panels* panels = nullptr;
  PictureTools* tools = nullptr;
  Background* background = nullptr;
  Exporting* exporting = nullptr;
  double previewScale = 1;  // of the engine's picture; below 1 it is a preview
  bool anySize = false;     // Engine::setSize() decides how large the picture is, as for scenes
  bool ofPixels = true;     // the picture's pixels are those of the inputs, not a view of points

  bool animated() const { return playing && playing->animated(); }
  std::vector<TechniquePage> pages() const {
    return panels ? panels->pages() : std::vector<TechniquePage>();
  }
  std::optional<TechniqueStrip> strip() const { return panels ? panels->strip() : std::nullopt; }

  /// The engine has adopted other inputs than `before`, the names of those that were open.
  virtual void adopted(const std::vector<std::string>& /*before*/) {}
  /// Once per frame, before the engine works: brings into it what has moved by itself since the
  /// last call (a film's next frame, a view that turns).
  virtual void advance() {}
  /// Long work of the parts, shown in place of the engine's.
  virtual std::optional<Engine::Working> working() { return std::nullopt; }
  /// Opening these inputs edits what is open (a palette dropped on a flame): no edit is lost.
  virtual bool keepsEdits(const std::vector<std::string>& /*inputs*/) const { return false; }
};

/// What the window adds to a TechniqueEntry of the same name.
struct WindowEntry {
  std::string name;
  std::vector<std::string> panelNames;  // what --open-panel may name
  std::unique_ptr<WindowParts> (*make)(Engine& engine);
};

/// WindowEntry::make of these parts, which take their own engine.
template <class Parts, class OwnEngine>
std::unique_ptr<WindowParts> makeParts(Engine& engine) {
  return std::make_unique<Parts>(dynamic_cast<OwnEngine&>(engine));
}

/// Null for a technique that has no parts (registry.cpp).
const WindowEntry* windowEntry(const std::string& technique);
/// For a technique that is not of the program's own.
void addWindowEntry(const WindowEntry& entry);

}  // namespace fathom
