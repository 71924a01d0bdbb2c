// SPDX-License-Identifier: BSD-3-Clause
// A frame of an animation: which genome is to be seen at each moment that the shutter is open. A
// temporal filter becomes moments that lie closer together where it weighs more, so that all
// samples weigh alike and histograms keep counting whole hits.
#pragma once

#include "app/techniques/flame/keyframes.h"
#include "app/techniques/flame/model.h"
#include "app/techniques/flame/moving.h"

#include <memory>
#include <vector>

namespace fathom::flame {

/// How long light falls in, and how much of it when.
struct Shutter {
  double width = 0;  // of the motion's time; 0: a still
  int moments = 1;   // both ends of the shutter included; at most 4096 are told apart
  TemporalFilter filter = TemporalFilter::Box;
  double exponent = 0;  // of TemporalFilter::Exp
};
/// As a genome of flam3 asks for.
Shutter shutterOf(const Genome& genome);

class Exposure {
 public:
  /// `time`: of the middle. The genome there says what the shutter does.
  Exposure(std::shared_ptr<const Motion> motion, double time);
  Exposure(std::shared_ptr<const Motion> motion, double time, const Shutter& shutter);

  const Genome& middle() const { return middle_; }
  /// What a shader must hold for all moments (Motion::extent).
  const Genome& extent() const { return extent_; }
  /// False: the shutter is open for no time, the middle is all.
  bool moves() const { return moments_.size() > 1; }
  /// Moments that the filter knows; drawing more of them changes nothing.
  std::size_t momentCount() const { return moments_.size(); }

  /// Time at a share, 0..1, of the light that falls in.
  double timeAt(double share) const;
  Genome shapeAt(double share) const { return motion_->shapeAt(timeAt(share)); }
  /// The mean of the palettes of the moments between two shares.
  Palette paletteBetween(double first, double last) const;
  /// The motion while the shutter is open, as curves of time (Motion::curves).
  std::vector<MovingGenome> curves() const;

 private:
  Exposure(std::shared_ptr<const Motion> motion, double time, const Shutter* shutter);

  std::shared_ptr<const Motion> motion_;
  double time_;
  Genome middle_, extent_;
  std::vector<ShutterMoment> moments_;
  std::vector<double> shares_;  // of the light up to and with each moment
};

}  // namespace fathom::flame
