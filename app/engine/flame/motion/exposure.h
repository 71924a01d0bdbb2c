// SPDX-License-Identifier: BSD-3-Clause
// A frame of an animation: which genome is shown at each moment that the shutter is open, and
// how much that moment weighs. All moments get equally many samples; a temporal filter makes their
// colors and alphas count more or less, while density estimation counts all hits alike (flam3).
#pragma once

#include "app/engine/flame/genome/model.h"
#include "app/engine/flame/motion/keyframes.h"
#include "app/engine/flame/motion/motion.h"

namespace fathom::flame {

/// How long light falls in, and how much of it when.
struct Shutter {
  double width = 0;  // of the motion's time; 0: a still
  int moments = 1;   // both ends of the shutter included; at most 4096 are distinguished
  TemporalFilter filter = TemporalFilter::Box;
  double exponent = 0;  // of TemporalFilter::Exp
};
/// As a genome of flam3 asks for.
Shutter shutterOf(const Genome& genome);

/// A film as it is drawn while there is little time, or as a still at any moment: the same motion,
/// smaller, with few samples, or with the shutter open for no time.
struct PreviewQuality {
  double side = 0;     // pixels of the longer side, at most; 0: in full
  double quality = 0;  // samples per pixel, at most; 0: the genome's
  bool shutter = false;
};

/// While something is dragged.
inline constexpr PreviewQuality kGesturePreview{400, 6, false};

/// The genome as it is drawn in less time: smaller, with few samples.
Genome previewOf(Genome genome, const PreviewQuality& previewQuality);

class Exposure {
 public:
  /// `time`: of the middle. Without a shutter the genome there says what it does.
  Exposure(std::shared_ptr<const Motion> motion, double time,
           const std::optional<Shutter>& shutter = {},
           const std::optional<PreviewQuality>& preview = {});

  const Genome& middle() const { return middle_; }
  /// What a shader must hold for all moments (Motion::extent).
  const Genome& extent() const { return extent_; }
  /// False: the shutter is open for no time, the middle is all.
  bool moves() const { return moments_.size() > 1; }
  /// Moments that the filter knows; drawing more of them changes nothing.
  std::size_t momentCount() const { return moments_.size(); }

  /// The moment at a share, 0..1, of the samples.
  const ShutterMoment& momentAt(double share) const;
  double timeAt(double share) const { return time_ + momentAt(share).offset; }
  /// Some moments weigh less than others.
  bool weighs() const { return weighs_; }
  /// The mean weight of the moments between two shares, at most 1.
  double weightBetween(double first, double last) const;
  Genome shapeAt(double share) const { return seen(motion_->shapeAt(timeAt(share))); }
  /// The mean of the palettes of the moments between two shares.
  Palette paletteBetween(double first, double last) const;
  /// The motion while the shutter is open, as curves of time (Motion::curves). None for small
  /// pictures, which have few control points to pack.
  std::vector<MovingGenome> curves() const;

 private:
  Genome seen(Genome genome) const {
    return preview_ ? previewOf(std::move(genome), *preview_) : genome;
  }

  std::shared_ptr<const Motion> motion_;
  std::optional<PreviewQuality> preview_;
  double time_;
  Genome middle_, extent_;
  std::vector<ShutterMoment> moments_;
  std::vector<double> sums_;  // of the weights before each moment, and of all
  bool weighs_ = false;
};

/// Of what forRendering() returned: the flames that are drawn, one per layer, equally many final
/// xforms in each.
std::vector<Genome> layersOf(const Genome& genome);

/// The layers as moments, in turns: 16 to 31 for the whole picture, so that a half-drawn one has
/// all layers.
std::shared_ptr<const Exposure> exposureOf(const std::vector<Genome>& layers);

}  // namespace fathom::flame
