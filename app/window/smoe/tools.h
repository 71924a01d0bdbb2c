// SPDX-License-Identifier: BSD-3-Clause
// The mouse and keys over the picture, as edits of the settings: the wheel decodes closer or from
// farther away, a drag moves the window or the view, views may orbit by the clock. Components can
// be drawn over the picture as ellipses.
#pragma once

#include "app/engine/smoe/engine.h"
#include "app/window/parts.h"

namespace fathom::smoe {

// ---- Views

/// The coordinates that views may be asked for; videos: only x counts.
struct ViewRange {
  ViewCoordinates low{0}, high{0};
  ViewCoordinates clamped(ViewCoordinates at) const;
};

/// The grid and half a step around it; `beyond`: three steps around it, where quality falls.
/// Videos: the frames, and no others.
ViewRange viewRangeOf(const Model& model, bool beyond);

/// The view after a drag by this share of the picture's width and height; all of it is the whole
/// grid, or all frames. The camera moves against the mouse, so that what is in front of the focus
/// follows it; dragging a video to the right plays it forward.
ViewCoordinates draggedView(const Model& model, ViewCoordinates from, glm::dvec2 share,
                            const ViewRange& range);

// ---- Over the picture

class SmoeTools : public PictureTools, public Playing {
 public:
  explicit SmoeTools(SmoeEngine& engine)
      : engine_(engine), settings_(engine.settingsStruct()), models_(engine.models()) {}

  bool interact(const PictureInput& input) override;
  void drawOverlay(PictureOverlay& overlay) override;
  std::vector<Shortcut> actions() override;
  bool animated() const override;

  /// The view that the settings ask for, or the one that is shown while their text is none.
  ViewCoordinates view() const;
  void setView(ViewCoordinates at);
  /// Sets the view by the clock while it orbits and the last picture is complete.
  void orbit();

 private:
  std::optional<ModelRect> rect() const;
  PictureInput inPanel(PictureInput input) const;
  void drawPanelLabels(PictureOverlay& overlay) const;
  void zoom(const PictureInput& input);
  bool pan(const PictureInput& input);
  const std::vector<OverlayColor>& colors();

  SmoeEngine& engine_;
  Settings& settings_;
  const ModelStore& models_;
  std::vector<OverlayColor> colors_;  // of the components; empty: not asked for yet
  std::uint64_t colorsOf_ = 0;        // generation and view of the colors
  ViewCoordinates colorsAt_{0};
};

}  // namespace fathom::smoe
