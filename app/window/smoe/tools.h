// SPDX-License-Identifier: BSD-3-Clause
// The mouse and keys over the picture, as edits of the settings: the wheel decodes closer or from
// farther away, a drag moves the window or the view, and views may orbit by the clock.
#pragma once

#include "app/window/parts.h"
#include "app/window/smoe/brush.h"
#include "app/window/smoe/navigation.h"
#include "app/engine/smoe/view_records.h"

#include <optional>
#include <vector>

namespace fathom::smoe {

class SmoeTools : public PictureTools, public Playing {
 public:
  SmoeTools(Settings& settings, const ModelStore& models, const Picture& picture,
            ViewRecords& records, FitBrush& brush)
      : settings_(settings),
        models_(models),
        picture_(picture),
        records_(records),
        brush_(brush) {}

  bool interact(const PictureInput& input) override;
  void drawOverlay(PictureOverlay& overlay) override;
  std::vector<TechniqueAction> actions() override;
  bool animated() const override;

  /// The view that the settings ask for, or the one that is shown while their text is none.
  ViewCoordinates view() const;
  void setView(ViewCoordinates at);
  /// Sets the view by the clock while it orbits and the last picture is complete.
  void orbit();
  Effect takeChange() { return std::exchange(change_, Effect::None); }

 private:
  std::optional<ModelRect> rect() const;
  PictureInput inPanel(PictureInput input) const;
  void drawPanelLabels(PictureOverlay& overlay) const;
  void zoom(const PictureInput& input);
  bool pan(const PictureInput& input);

  Settings& settings_;
  const ModelStore& models_;
  const Picture& picture_;
  ViewRecords& records_;
  FitBrush& brush_;
  Effect change_ = Effect::None;
};

}  // namespace fathom::smoe
