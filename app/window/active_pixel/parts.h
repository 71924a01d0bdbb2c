// SPDX-License-Identifier: BSD-3-Clause
// What the window adds to the engine of active pixels: a page of the parts in numbers, and a scene
// that turns by itself.
#pragma once

#include "app/engine/active_pixel/engine.h"
#include "app/window/parts.h"

namespace fathom::active_pixel {

class ActivePixelWindowParts : public WindowParts, private Panels, private Playing {
 public:
  /// How far a scene turns from one picture to the next (Lipinski et al. 2021, sec. 4).
  static constexpr float kStepDeg = 2;
  /// The engine must outlive this.
  explicit ActivePixelWindowParts(ActivePixelEngine& engine) : engine_(engine) {
    panels = this;
    playing = this;
  }

  /// Turns the scene when its picture is there and old enough.
  void advance() override;

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kBetweenTurns{33};

  std::vector<TechniquePage> pages() const override;
  /// Triangles, region, active pixels, runs and bytes of each part, with the lengths of its runs.
  void drawPage(const std::string& name) override;
  bool animated() const override { return engine_.view().turning(); }
  std::optional<Clock::time_point> dueAt() const override;

  ActivePixelEngine& engine_;
  Clock::time_point nextTurn_{};
};

}  // namespace fathom::active_pixel
