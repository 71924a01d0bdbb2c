// SPDX-License-Identifier: BSD-3-Clause
// A scene that turns by itself, and the three modes measured on each of its pictures while their
// page is open: the turn waits for the measurement.
#pragma once

#include "app/engine/core/fields.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/active_pixel/distribute/mode_times.h"
#include "app/engine/active_pixel/local_composite.h"
#include "app/window/parts.h"

#include <cstdint>
#include <optional>

namespace fathom::active_pixel {

/// Measures all modes on the current picture.
class ModeMeter : public Background {
 public:
  /// Both must outlive this.
  ModeMeter(const View& view, LocalComposite& composite) : view_(view), composite_(composite) {}
  /// The page of modes is being drawn; it counts as open for a while.
  void pageDrawn() { page_.emplace(); }
  /// The page is open, and the newest picture has not been measured yet.
  bool behind() const;
  const ModeHistory& history() const { return history_; }

  bool backgroundStep(gpu::Context& gpu, double budgetMs) override;

 private:
  bool pageOpen() const;
  void followShares();

  const View& view_;
  LocalComposite& composite_;
  ModeHistory history_;
  std::uint64_t deals_ = 0;  // of the shares that the history is of
  glm::ivec2 size_{0};       // likewise
  std::optional<Stopwatch> page_;
};

class Turntable : public Playing {
 public:
  /// How far a scene turns from one picture to the next (Lipinski et al. 2021, sec. 4).
  static constexpr float kStepDeg = 2;
  /// All must outlive this; the camera of the view is what turns.
  Turntable(View& view, const LocalComposite& composite, const ModeMeter& meter)
      : view_(view), composite_(composite), meter_(meter) {}
  /// Rebuild when the camera was moved: once the picture is there, measured and old enough.
  Effect advance();

  bool animated() const override { return view_.turning(); }

 private:
  View& view_;
  const LocalComposite& composite_;
  const ModeMeter& meter_;
  std::optional<Stopwatch> turned_;
};

}  // namespace fathom::active_pixel
