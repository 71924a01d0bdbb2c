// SPDX-License-Identifier: BSD-3-Clause
// The chaos game in double precision, written to be read beside the description of flam3: which
// xform is chosen, what it does to a point and its color, what happens to bad values, where a point
// lands. The GPU's histogram is held against this one.
#pragma once

#include "app/engine/flame/genome/variations.h"
#include "app/engine/flame/motion/keyframes.h"
#include "app/engine/flame/render/reference_image.h"

#include <array>
#include <functional>
#include <optional>
#include <span>

namespace fathom::flame::reference {

/// Draws that choose xforms, too.
class GameDraws : public Draws {
 public:
  virtual std::uint32_t word() = 0;  // all of at least its low 14 bits random
};

/// What travels: `position` in the plane, `color` along the palette, `visibility` of a hit.
struct Traveler {
  glm::dvec2 position{0};
  double color = 0;
  double visibility = 1;
  double z = 0;
  double shown = -1;  // in place of `color` where it is plotted; negative: that one
  bool hidden = false;
};

/// opacity^(log2 10): half the opacity is a tenth of the hits.
double visibilityOf(double opacity);

/// Which xform comes next. Probabilities are multiples of 1/16384; with xaos there is a row for
/// each xform that was applied last, and one (by plain weights) for the first choice.
class XformTable {
 public:
  static constexpr std::uint32_t kEntries = 16384;
  /// Throws Error when a row has only zeros, or something is negative or not a number.
  explicit XformTable(const Genome& genome);
  /// `last`: -1 at the first choice of a trajectory.
  int choose(int last, std::uint32_t word) const {
    return rows_[hasXaos_ ? std::size_t(last + 1) : 0][word % kEntries];
  }
  bool hasXaos() const { return hasXaos_; }

 private:
  std::vector<std::array<int, kEntries>> rows_;
  bool hasXaos_ = false;
};

/// Applies one xform, its color update included. False: the result was bad (NaN or beyond 1e10) and
/// the position is a random point of [-1, 1]^2 instead. `preservesZ`: Genome::preservesZ.
bool apply(const Xform& xform, Traveler& traveler, Draws& draws, bool preservesZ = false);

/// From the plane to buckets, gutter included.
class BucketMap {
 public:
  BucketMap(const Genome& genome, const HistogramShape& shape);
  /// `astray`: buckets from there. None: outside of the histogram.
  std::optional<glm::ivec2> bucketAt(glm::dvec2 position, glm::dvec2 astray = {0, 0}) const;

 private:
  glm::dvec2 center_, offset_, buckets_;
  double bucketsPerUnit_, cos_, sin_;
};

/// The palette's entry (Step) or mixture of two (Linear) at a color coordinate, not clamped before.
glm::dvec4 paletteColor(const Palette& palette, PaletteMode mode, double color);

/// A trajectory starts at a random point, takes `fuse` steps that are not plotted, then up to
/// `length` that are; then the next one starts. flam3's own: 15 and 10000.
struct Trajectories {
  int fuse = 1024;
  double length = 1e6;
};

/// Plots `count` points, the final xform applied.
void play(const Genome& genome, double count, const Trajectories& trajectories, GameDraws& draws,
          const std::function<void(const Traveler&)>& plot);

/// Adds up hits, on one thread, in the order of these draws.
Histogram iterate(const Genome& genome, const HistogramShape& shape, double samples,
                  const Trajectories& trajectories, GameDraws& draws);

/// The same on all cores: equal seeds give equal histograms, however many cores there are.
Histogram iterate(const Genome& genome, const HistogramShape& shape, double samples,
                  std::uint64_t seed, const Trajectories& trajectories = {});

/// A frame while the shutter is open: all moments get equally many of the samples. What a hit adds
/// to the colors is multiplied by its moment's weight, what it adds to the hits is not.
Histogram iterate(const Motion& motion, double time, std::span<const ShutterMoment> moments,
                  const HistogramShape& shape, double samples, std::uint64_t seed,
                  const Trajectories& trajectories = {});

}  // namespace fathom::flame::reference
