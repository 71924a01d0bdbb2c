// SPDX-License-Identifier: BSD-3-Clause
// How large a scene is rendered: in full while it rests, reduced while it moves, by as much as the
// measured times call for.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>

namespace fathom::viewer {

class Resolution {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// `slowDevice`: start low (software rendering) instead of in full.
  explicit Resolution(bool slowDevice) : step_(slowDevice ? kFirstSlow : kFull) {}

  /// Something moves: until rest has been long enough, the reduced scale holds.
  void moved(Time now);
  /// True while the last movement is less than the pause ago.
  bool moving(Time now) const { return restAt_ && now < *restAt_; }
  /// When the picture is to be made in full; none while it is.
  std::optional<Time> restAt() const { return restAt_; }
  /// The picture is being made in full now.
  void rest() { restAt_.reset(), scale_ = 1.0; }
  /// The scale for a picture in movement; call once per picture.
  double next();
  /// How long a picture at scale() took, from start to the device being done.
  void measured(double ms);

  double scale() const { return scale_; }  // of the picture that was made last; 1: full

 private:
  static constexpr std::array kScales = {0.125, 0.1875, 0.25, 0.375, 0.5, 0.75, 1.0};
  static constexpr std::size_t kFirstSlow = 2, kFull = kScales.size() - 1;
  std::optional<Time> restAt_;
  std::size_t step_;  // into kScales, for the next picture in movement
  int stayed_ = 0;    // pictures since the step changed
  bool first_ = true;
  double scale_ = 1.0;
  std::array<double, kScales.size()> ms_{};  // measured lately, by step; 0: never
};

}  // namespace fathom::viewer
