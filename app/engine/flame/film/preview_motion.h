// SPDX-License-Identifier: BSD-3-Clause
// A film as it is drawn while there is little time, or as a still at any moment: the same motion,
// smaller, with few samples, or with the shutter open for no time.
#pragma once

#include "app/engine/flame/motion/motion.h"

#include <memory>
#include <vector>

namespace fathom::flame {

struct PreviewQuality {
  double side = 0;     // pixels of the longer side, at most; 0: in full
  double quality = 0;  // samples per pixel, at most; 0: the genome's
  bool shutter = false;
};

/// While something is dragged.
inline constexpr PreviewQuality kGesturePreview{400, 6, false};

/// The genome as it is drawn in less time: smaller, with few samples.
Genome previewOf(Genome genome, const PreviewQuality& previewQuality);

class PreviewMotion : public Motion {
 public:
  PreviewMotion(std::shared_ptr<const Motion> motion, const PreviewQuality& previewQuality)
      : motion_(std::move(motion)), quality_(previewQuality) {}
  Genome at(double time) const override { return changed(motion_->at(time)); }
  Genome shapeAt(double time) const override { return changed(motion_->shapeAt(time)); }
  Palette paletteAt(double time) const override { return motion_->paletteAt(time); }
  Genome extent(double first, double last) const override { return motion_->extent(first, last); }
  double firstTime() const override { return motion_->firstTime(); }
  double lastTime() const override { return motion_->lastTime(); }
  bool moves() const override { return motion_->moves(); }
  /// None when sizes differ: a still and a small picture have few control points to pack.
  std::vector<MovingGenome> curves(double first, double last) const override {
    return quality_.side > 0 ? std::vector<MovingGenome>{} : motion_->curves(first, last);
  }

 private:
  Genome changed(Genome genome) const;
  std::shared_ptr<const Motion> motion_;
  PreviewQuality quality_;
};

}  // namespace fathom::flame
