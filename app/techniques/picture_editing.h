// SPDX-License-Identifier: BSD-3-Clause
// What a technique and the window say to each other about editing in the picture: the mouse as the
// technique sees it, lines and handles that it draws over the picture, pages of its own, actions
// with their keys, and what it can save. All of it is optional; nothing here knows the interface
// library.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <glm/vec2.hpp>

namespace fathom {

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
  virtual ~PictureOverlay() = default;
  virtual void line(glm::vec2 from, glm::vec2 to, OverlayColor color, float width = 1.5f) = 0;
  virtual void dashed(glm::vec2 from, glm::vec2 to, OverlayColor color, float width = 1.5f) = 0;
  /// A closed line through these points, without the dark rim of line(): for very many.
  virtual void outline(std::span<const glm::vec2> points, OverlayColor color, float width = 1) = 0;
  virtual void polygon(std::span<const glm::vec2> convex, OverlayColor fill) = 0;
  virtual void circle(glm::vec2 center, float radius, OverlayColor color, float width = 1.5f) = 0;
  virtual void disc(glm::vec2 center, float radius, OverlayColor fill) = 0;
  /// A dot with a dark rim; `hot` shows it larger.
  virtual void handle(glm::vec2 at, OverlayColor color, bool hot) = 0;
  /// Text beside a point; `plate` puts a dark ground under it.
  virtual void label(glm::vec2 at, std::string_view text, OverlayColor color,
                     bool plate = false) = 0;
  /// Notes where a handle is, for tests that drag it (ui/landmarks.h).
  virtual void landmark(glm::vec2 at, const std::string& name) = 0;
  virtual float zoom() const = 0;  // window pixels per picture pixel
  virtual glm::vec2 size() const = 0;  // of the picture
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
  bool wanted = false;  // there is use for it unless the user says otherwise
};

/// Something that a technique does on a key, listed in the help; without `run` it only explains a
/// gesture of the mouse.
struct TechniqueAction {
  std::string group;  // "Xforms"
  std::string text;   // "Duplicate the xform"
  std::string keys;   // "Ctrl+D", or a gesture, "Shift+Drag"
  std::function<void()> run;
};

/// What widgets of a technique ask of the window.
struct TechniqueRequest {
  std::optional<glm::ivec2> pixel;  // to be shown and pinned
  std::vector<std::string> inputs;  // to be opened in place of those that are open
};

/// What a technique can write besides its picture.
struct TechniqueFile {
  std::string what;                  // "genome"
  std::vector<std::string> endings;  // ".flame"
  std::string suggestion;            // a path, or a name in the folder of now
};

}  // namespace fathom
