// SPDX-License-Identifier: BSD-3-Clause
// The right answer, on the CPU in double precision: the chaos game as flam3 plays it, density
// estimation and tone map, and both together.
#pragma once

#include "app/engine/core/image.h"
#include "app/engine/core/random.h"
#include "app/engine/flame/genome/model.h"
#include "app/engine/flame/genome/variations.h"
#include "app/engine/flame/motion/keyframes.h"
#include "app/engine/flame/render/filters.h"
#include "app/engine/flame/render/settings.h"
#include "app/engine/flame/render/tone_mapper.h"

namespace fathom::flame::reference {

/// Draws that choose xforms, too.
class GameDraws : public Draws {
 public:
  virtual std::uint32_t word() = 0;  // all of at least its low 14 bits random
};

class RandomDraws : public GameDraws {
 public:
  RandomDraws(std::uint64_t seed, std::uint64_t stream) : random_(seed, stream) {}
  double unit() override { return random_.next() * 0x1p-32; }
  int bit() override { return int(random_.next() >> 31); }
  std::uint32_t word() override { return random_.next(); }

 private:
  Random random_;
};

/// What travels: `position` in the plane, `color` along the palette, `visibility` of a hit.
struct Particle {
  glm::dvec2 position{0};
  double color = 0;
  double visibility = 1;
  double z = 0;
  double shown = -1;  // in place of `color` where it is plotted; negative: that one
  bool hidden = false;
  std::optional<glm::dvec4> full{};  // Draws::takeFullColor(), of the last xform
};

/// Sums over hits; rows of buckets, top row first, gutter included.
struct Histogram {
  HistogramShape shape;
  std::vector<glm::dvec4> color;  // weight * visibility * 255 * (r, g, b, a)
  std::vector<double> hits;       // visibility
  double samples = 0;             // drawn, those beyond the picture included
  double weight = 1;              // their mean

  explicit Histogram(const HistogramShape& s)
      : shape(s),
        color(std::size_t(s.buckets().x) * std::size_t(s.buckets().y)),
        hits(color.size()) {}
  std::size_t index(int x, int y) const {
    return std::size_t(y) * std::size_t(shape.buckets().x) + std::size_t(x);
  }
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
/// `keepsBad`: bad ones stay as they are, as in JWildfire, which replaces them now and then
/// (play()).
bool apply(const Xform& xform, Particle& particle, Draws& draws, bool preservesZ = false,
           bool keepsBad = false);

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
          const std::function<void(const Particle&)>& plot);

/// Adds up hits, on one thread, in the order of these draws.
Histogram iterate(const Genome& genome, const HistogramShape& shape, double samples,
                  const Trajectories& trajectories, GameDraws& draws);

/// Iterates on all cores: equal seeds give equal histograms, however many cores there are.
Histogram iterate(const Genome& genome, const HistogramShape& shape, double samples,
                  std::uint64_t seed, const Trajectories& trajectories = {});

/// The words of histogram.h, all parts one after the other, as sums.
Histogram fromWords(const HistogramShape& shape, std::span<const std::uint32_t> words,
                    double samples);

/// The curve that every filtered (R, G, B, A) goes through, and what it is put on.
struct ToneMap {
  double gamma = 4, threshold = 0.01, vibrancy = 1, highlightPower = -1;
  glm::dvec3 background{0};  // 0..1
  double cover = 1;          // coverFactor()
  std::optional<shared::ToneFinish> finish;
  explicit ToneMap(const Genome& genome);
  /// R, G, B as displayed in 0..255, before they are cut to whole levels; alpha in 0..1.
  glm::dvec4 operator()(const glm::dvec4& filtered) const;
};

/// Hits per pixel around each bucket, 0 at the buckets that flam3 leaves out.
std::vector<double> hitsPerPixel(const Histogram& histogram);
/// Index into the table's widths per bucket; -1: leaves nothing.
std::vector<int> chooseKernels(const Histogram& histogram, const EstimatorTable& table,
                               const Genome& genome, bool edgeClamp);

/// The picture: what ToneMap gives, per pixel. Estimator::Fast is answered like Exact.
Image toneMap(const Histogram& histogram, const Genome& genome, const Settings& settings);

/// As displayed (0..255, alpha 0..1), of all the genome's samples; black where it draws nothing.
Image displayed(const Genome& genome, const Settings& settings, std::uint64_t seed);

/// Linear and premultiplied, as Rendering::light(), with no more samples than take seconds.
Image lightOf(const Genome& genome, const Settings& settings, std::uint64_t seed);

}  // namespace fathom::flame::reference
