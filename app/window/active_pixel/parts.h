// SPDX-License-Identifier: BSD-3-Clause
// What the window adds to the engine of active pixels: the pages of parts and modes, and a scene
// that turns by itself.
#pragma once

#include "app/window/active_pixel/mode_meter.h"

namespace fathom::active_pixel {

class ActivePixelWindowParts : public WindowParts, private Panels, private Playing {
 public:
  /// How far a scene turns from one picture to the next (Lipinski et al. 2021, sec. 4).
  static constexpr float kStepDeg = 2;
  /// The engine must outlive this.
  explicit ActivePixelWindowParts(ActivePixelEngine& engine);

  /// Turns the scene when its picture is there, measured and old enough.
  void advance() override;

 private:
  std::vector<TechniquePage> pages() const override;
  void drawPage(const std::string& name) override;
  bool animated() const override { return engine_.view().turning(); }

  ActivePixelEngine& engine_;
  ModeMeter meter_;
  std::optional<Stopwatch> turned_;
};

/// For WindowEntry::make.
std::unique_ptr<WindowParts> makeWindowParts(Engine& engine);

}  // namespace fathom::active_pixel
