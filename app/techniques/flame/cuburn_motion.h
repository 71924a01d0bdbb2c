// SPDX-License-Identifier: BSD-3-Clause
// Films of cuburn as motions: their times are the numbers of frames, and the shutter of each is
// open around its middle. The curves of a film are the curves of the motion.
#pragma once

#include "app/techniques/flame/cuburn_film.h"
#include "app/techniques/flame/cuburn_profile.h"
#include "app/techniques/flame/moving.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace fathom::flame {

class CuburnAnimation : public Motion {
 public:
  /// Throws Error, naming the film, when its first frame cannot be drawn (io.h's limits).
  CuburnAnimation(cuburn::Film film, const cuburn::FilmProfile& profile);

  Genome at(double time) const override;
  Genome shapeAt(double time) const override;
  Palette paletteAt(double time) const override;
  Genome extent(double first, double last) const override;
  double firstTime() const override { return 0; }
  /// The number of frames: that of the frame after the last one.
  double lastTime() const override { return frames_; }
  bool moves() const override { return moves_; }
  std::vector<MovingGenome> curves(double first, double last) const override;

  const cuburn::Film& film() const { return film_; }
  /// The motion's time at which the film begins: the first frame's shutter opens there.
  static constexpr double kOpening = -0.5;

 private:
  Genome rawAt(double time) const;
  cuburn::Film film_;
  int frames_;
  bool moves_;
  MovingGenome moving_;  // of all times
  // What moves besides camera and xforms.
  Curve brightness_, gamma_, gammaThreshold_, highlightPower_, vibrancy_;
  Curve radius_, minimum_, curve_, frameWidth_;
  Curve quality_;  // times samplesPerPixel_
  double samplesPerPixel_;
};

/// What a file of cuburn shows, with the profile's defaults.
struct CuburnFile {
  std::shared_ptr<const CuburnAnimation> animation;
  std::vector<std::string> warnings;
};
/// `profile`: a file, or empty for cuburn's defaults. Throws Error.
CuburnFile readCuburn(const std::filesystem::path& file, const std::filesystem::path& profile = {});

}  // namespace fathom::flame
