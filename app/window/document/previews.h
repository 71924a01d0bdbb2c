// SPDX-License-Identifier: BSD-3-Clause
// Previews of a scene that moves: at which resolution they are rendered, as measured times demand,
// and the one that is being made.
#pragma once

#include "app/engine/gpu/slices.h"
#include "app/window/document/active_technique.h"

namespace fathom::viewer {

/// The resolution at which a scene is rendered: full while it is at rest, reduced while it moves,
/// by as much as the measured times demand.
class Resolution {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// `slowDevice`: start low (software rendering) instead of in full.
  explicit Resolution(bool slowDevice)
      : step_(slowDevice ? kFirstSlow : kFull), maxMs_(slowDevice ? kSlowMs : kFastMs) {}

  /// Something moves: the reduced scale holds until it has been at rest for a moment.
  void moved(Time now);
  /// True while the last movement is less than the pause ago.
  bool moving(Time now) const { return restAt_ && now < *restAt_; }
  /// When to render at full resolution; none if that is done.
  std::optional<Time> restAt() const { return restAt_; }
  /// The picture is now rendered at full resolution.
  void rest() { restAt_.reset(), scale_ = 1.0; }
  /// The scale for the next preview; call once per preview.
  double next();
  /// The step of the preview that next() was called for last.
  std::size_t step() const { return previewStep_; }
  /// How long a preview of this step took, from the start until the device was done. Devices work
  /// behind: it may be an earlier one. One that compiled programs says nothing and is left out.
  void measured(std::size_t step, double ms);

  double scale() const { return scale_; }  // of the latest picture; 1: full

 private:
  static constexpr std::array kScales = {0.125, 0.1875, 0.25, 0.375, 0.5, 0.75, 1.0};
  static constexpr std::size_t kFirstSlow = 2, kFull = kScales.size() - 1;
  // Five pictures per second, with time left for the window itself; half of the refreshes of a
  // display, with time left for other pictures on the device.
  static constexpr double kSlowMs = 165, kFastMs = 28;
  std::optional<Time> restAt_;
  std::size_t step_;  // into kScales, for the next preview
  std::size_t previewStep_ = kFull;
  double maxMs_;
  int stayed_ = 0;  // pictures since the step changed
  double scale_ = 1.0;
  std::array<double, kScales.size()> ms_{};  // recent measurements, by step; 0: none
};

/// The preview that is being made, and how long previews take.
class Previews {
 public:
  explicit Previews(gpu::Context& gpu);

  Resolution& resolution() { return resolution_; }
  const Resolution& resolution() const { return resolution_; }

  /// One is begun, of what the engine has now.
  void begin(Engine& engine);
  bool making() const { return made_.has_value(); }
  /// What it was begun with; null: none is being made.
  const EngineState* state() const { return made_ ? &made_->state : nullptr; }
  /// The processor has worked on it.
  void spent(double ms);
  void giveUp() { made_.reset(); }
  /// It is complete; `whole`: without an error, so that its time counts.
  void finish(bool whole, glm::ivec2 size);
  /// Times that have arrived from the device since.
  void collect();

 private:
  struct Preview {
    EngineState state;
    std::uint64_t compiles = 0;
    double ms = 0;
  };
  gpu::Context& gpu_;
  Resolution resolution_;
  gpu::SliceTimer timer_;
  std::optional<Preview> made_;
};

}  // namespace fathom::viewer
