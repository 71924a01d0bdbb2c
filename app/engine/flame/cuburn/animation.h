// SPDX-License-Identifier: BSD-3-Clause
// Films of cuburn as motions: their times are the numbers of frames, and the shutter of each is
// open around its middle. The curves of a film are the curves of the motion.
#pragma once

#include "app/engine/flame/cuburn/document.h"
#include "app/engine/flame/cuburn/film.h"
#include "app/engine/flame/motion/motion.h"

namespace fathom::flame {

class CuburnAnimation : public Motion {
 public:
  /// Throws Error, naming the film, when its first frame cannot be drawn (io.h's limits).
  CuburnAnimation(cuburn::Film film, const cuburn::FilmProfile& profile);

  Genome at(double time) const override;
  Genome shapeAt(double time) const override;
  Palette paletteAt(double time) const override;
  Genome extent(double first, double last) const override;
  /// Where the shutter of the first frame opens and that of the last one closes. The profile may
  /// leave out frames before and after.
  double firstTime() const override { return begin_ + kOpening; }
  double lastTime() const override { return end_ + kOpening; }
  bool moves() const override { return moves_; }
  std::vector<MovingGenome> curves(double first, double last) const override;

  /// The genome at which the film begins: a node as it is in its file.
  Genome still() const;
  const cuburn::Film& film() const { return film_; }
  /// Of the whole film.
  int frameCount() const { return frames_; }
  /// From one frame that is drawn to the next.
  int step() const { return step_; }

 private:
  Genome rawAt(double time) const;
  static constexpr double kOpening = -0.5;  // of a shutter, from the frame's middle
  cuburn::Film film_;
  int frames_, begin_, end_, step_;
  bool moves_, estimates_;
  MovingGenome moving_;  // of all times
  double samplesPerPixel_;
  std::vector<Curve> tones_;  // what moves besides camera and xforms
};

/// A film, and warnings about it.
struct CuburnFile {
  std::shared_ptr<const CuburnAnimation> animation;
  std::vector<std::string> warnings;
};
/// `profile`: a file, or empty for cuburn's defaults. `size`: of the picture in place of the
/// profile's, unless 0. Throws Error.
CuburnFile readCuburn(const std::filesystem::path& file, const std::filesystem::path& profile = {},
                      glm::ivec2 size = glm::ivec2(0));

}  // namespace fathom::flame
