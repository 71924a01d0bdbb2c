// SPDX-License-Identifier: BSD-3-Clause
// A frame of an animation: which genome is to be seen at each moment that the shutter is open. A
// temporal filter becomes moments that lie closer together where it weighs more, so that all
// samples weigh alike and histograms keep counting whole hits.
#pragma once

#include "app/techniques/flame/keyframes.h"
#include "app/techniques/flame/model.h"

#include <memory>
#include <vector>

namespace fathom::flame {

class Exposure {
 public:
  /// `time`: of the middle, in frames. The genome there says filter and width of the shutter and
  /// how many moments flam3 would draw.
  Exposure(std::shared_ptr<const Keyframes> keyframes, double time);

  const Genome& middle() const { return middle_; }
  /// What a shader must hold for all moments (Keyframes::extent).
  const Genome& extent() const { return extent_; }
  /// False: the shutter is open for no time, the middle is all.
  bool moves() const { return moments_.size() > 1; }
  /// Moments that the filter knows; drawing more of them changes nothing.
  std::size_t momentCount() const { return moments_.size(); }

  /// Time at a share, 0..1, of the light that falls in.
  double timeAt(double share) const;
  Genome shapeAt(double share) const { return keyframes_->shapeAt(timeAt(share)); }
  /// The mean of the palettes of the moments between two shares.
  Palette paletteBetween(double first, double last) const;

 private:
  std::shared_ptr<const Keyframes> keyframes_;
  double time_;
  Genome middle_, extent_;
  std::vector<ShutterMoment> moments_;
  std::vector<double> shares_;  // of the light up to and with each moment
};

}  // namespace fathom::flame
