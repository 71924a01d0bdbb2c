// SPDX-License-Identifier: BSD-3-Clause
// Genomes in time, by the rules of flam3 3.1: keyframes are brought into one shape, then mixed;
// before the first and after the last one the motion continues as it was. Besides, the loops and
// edges that sheep are made of.
#pragma once

#include "app/engine/flame/genome/model.h"
#include "app/engine/flame/motion/motion.h"

namespace fathom::flame {

/// Genomes of one shape: as many xforms each, all with a final xform or none. What is missing is
/// padded with xforms of weight 0 that change as little as possible where their partners are strong
/// (matrix interpolation old and older: with linear ones), and variations that only a neighbor uses
/// get its parameters.
std::vector<Genome> aligned(std::span<const Genome> genomes);

/// Sum of weights[k] * genomes[k], each quantity in its own way: matrices by angle and logarithm of
/// the magnitude (Log; all others as they are), colors by hue. The genomes are aligned(); the
/// weights add up to 1 and may be negative. What cannot be mixed comes from the first, and so does
/// the palette, which costs more than all else together.
Genome blendShapes(std::span<const Genome> genomes, std::span<const double> weights);
Palette blendPalettes(std::span<const Genome> genomes, std::span<const double> weights);

/// Turns the 2x2 part; the translation stays.
Affine turned(const Affine& m, double radians);

/// How an xform behaves on the edge between two sheep.
struct EdgeXform {
  bool firstTurns = false, secondTurns = false;  // by 360 degrees * phase
  double weight = 0;                             // of the second genome's xform
};
/// The blend of two genomes on an edge. Where only one of a pair turns, angles are chosen so that
/// the sum never turns back. All but xforms is mixed by `weight` (of the second genome), the final
/// xform too.
Genome blendEdge(std::span<const Genome> pair, double phase, std::span<const EdgeXform> xforms,
                 double weight);

/// Genomes at given times and all between.
class Keyframes : public Motion {
 public:
  /// One genome stands for all times. Throws Error, naming the flame, unless times ascend strictly.
  explicit Keyframes(std::vector<Genome> genomes);

  Genome shapeAt(double time) const override;
  Palette paletteAt(double time) const override;
  Genome extent(double first, double last) const override;
  double firstTime() const override { return genomes_.front().time; }
  double lastTime() const override { return genomes_.back().time; }
  bool moves() const override { return genomes_.size() > 1; }
  /// Empty when sizes differ, which change in whole pixels.
  std::vector<MovingGenome> curves(double first, double last) const override;
  const std::vector<Genome>& genomes() const { return genomes_; }

 private:
  /// The keyframes around a time, aligned, and their weights.
  struct Mix {
    std::size_t first = 0, count = 0;  // into genomes_
    std::array<double, 4> weights{};
    std::span<const double> used() const { return {weights.data(), count}; }
  };
  /// The keyframe that begins the segment of a time; the first and the last one go on beyond their
  /// ends.
  std::size_t segmentAt(double time) const;
  Mix mixOf(std::size_t segment) const;  // without the weights of several
  Mix mixAt(double time) const;
  using Aligned = std::shared_ptr<const std::vector<Genome>>;
  Aligned alignedFor(const Mix& mix) const;

  std::vector<Genome> genomes_;  // rotation within half a turn of the keyframe before
  // Of the mix asked for last: times come close together, from several threads.
  mutable std::mutex mutex_;
  mutable std::size_t cachedFirst_ = 0;
  mutable Aligned cached_;
};

/// The genome with its <motion> elements at work: each adds to fields of its xform, `phase` 0..1 of
/// its period.
Genome moved(const Genome& genome, double phase);

/// A frame of a sheep's loop: xforms that animate turn by 360 degrees * phase; phase is 0..1.
Genome loopFrame(const Genome& genome, double phase);
/// A frame of the edge between two sheep: both turn while one becomes the other, slowly at first
/// and at last. `stagger` 0..1 delays xforms, one after the other.
Genome edgeFrame(const Genome& from, const Genome& to, double phase, double stagger = 0);
/// Loops and edges of all genomes in turn as keyframes at the times 0, 1, ...: each loop and each
/// edge has `frames` of them, and the last genome stands at the end once more.
std::vector<Genome> sheepSequence(std::span<const Genome> genomes, int frames, int loops = 1,
                                  double stagger = 0);

/// A moment of an open shutter.
struct ShutterMoment {
  double offset;  // frames from the middle
  double weight;  // at most 1
};
/// Moments of a frame, both ends of the shutter included; `count` >= 1.
std::vector<ShutterMoment> shutterMoments(TemporalFilter filter, double width, double exponent,
                                          int count);

}  // namespace fathom::flame
