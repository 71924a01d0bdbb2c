// SPDX-License-Identifier: BSD-3-Clause
// What is drawn over the picture: labels of the box around the points, the region whose fragments
// are points, the display window; and the mouse that chooses a region, or an object by its ID.
#pragma once

#include "app/engine/deep/bands/inputs.h"
#include "app/engine/deep/bands/inspection.h"
#include "app/engine/deep/settings/settings.h"
#include "app/engine/deep/view/point_scene.h"
#include "app/window/parts.h"

namespace fathom::deep {

class RegionTool : public PictureTools {
 public:
  /// All must outlive this.
  RegionTool(Settings& settings, const Inputs& inputs, const PointScene& points,
             PixelInspection& inspection)
      : settings_(settings), inputs_(inputs), points_(points), inspection_(inspection) {}

  bool interact(const PictureInput& input) override;
  void drawOverlay(PictureOverlay& overlay) override;
  std::vector<TechniqueAction> actions() override;

  /// The next drag over the picture chooses a region, also without Shift.
  bool isArmed() const { return armed_; }
  void arm(bool armed) { armed_ = armed; }

 private:
  bool showsPoints() const { return settings_.show == Show::Points && inputs_.isOpen(); }
  void drawPointLabels(PictureOverlay& overlay) const;
  void drawFrame(PictureOverlay& overlay) const;
  void pickObject(glm::vec2 at);

  Settings& settings_;
  const Inputs& inputs_;
  const PointScene& points_;
  PixelInspection& inspection_;
  bool choosing_ = false, armed_ = false;
  glm::vec2 from_{0};
  Rect chosen_;
  std::string picked_, pickedIds_;  // the object that is shown alone, and what chooses it
  glm::vec2 pickedAt_{0};
};

}  // namespace fathom::deep
