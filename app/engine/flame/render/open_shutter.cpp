// SPDX-License-Identifier: BSD-3-Clause
// How many stretches and palettes an exposure is cut into, and the control points of each stretch,
// evaluated on the GPU or packed here by all cores.
#include "app/engine/flame/render/open_shutter.h"

#include "app/engine/core/jobs.h"
#include "app/engine/flame/genome/operations.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace fathom::flame {
namespace {

constexpr std::size_t kMinPalettes = 16;         // while a shutter is open
constexpr std::size_t kMinWeights = 32;          // where its moments weigh differently
constexpr std::size_t kMinControlPoints = 1024;  // of a frame (Robertson 2011)

/// How often all work groups get new control points while a shutter is open, at least `atLeast`
/// times. One control point for each moment and then some, so that few moments get about as many
/// samples each; where it costs little, equally many.
std::size_t stretchesFor(std::size_t moments, std::size_t together, std::size_t atLeast) {
  if (together == 1) return std::max(moments, atLeast);  // one genome at a time
  const std::size_t points = std::max(moments, kMinControlPoints);
  const std::size_t wanted = std::max((points + together - 1) / together, atLeast);
  // Few moments: no stretch of two of them, which would share a palette.
  const std::size_t period = moments <= wanted ? moments : moments / std::gcd(moments, together);
  const std::size_t even = (wanted + period - 1) / period * period;
  return even <= 2 * wanted ? even : wanted;
}

}  // namespace

const char* nameOf(Moments moments) {
  switch (moments) {
    case Moments::Gpu:
      return "evaluated on the GPU";
    case Moments::Host:
      return "packed on the processor";
    case Moments::Coarse:
      return "one at a time for all";
    default:
      return "one";
  }
}

void OpenShutter::close() {
  exposure_.reset();
  moments_ = Moments::None;
  stretches_ = 1, stretch_ = 0;
}

void OpenShutter::start(std::shared_ptr<const Exposure> exposure, const Structure& structure,
                        const HistogramShape& shape, const Grid& grid, bool packOnHost) {
  exposure_ = std::move(exposure);
  structure_ = structure;
  shape_ = shape;
  groups_ = grid.groups;
  const std::size_t wanted = stretchesFor(exposure_->momentCount(), structure_.moving ? groups_ : 1,
                                          exposure_->weighs() ? kMinWeights : kMinPalettes);
  const auto affordable = std::size_t(std::max(1.0, grid.samples / double(grid.invocations)));
  stretches_ = std::min(wanted, affordable);
  stretch_ = 0;
  chooseMoments(grid, packOnHost);
}

void OpenShutter::chooseMoments(const Grid& grid, bool packOnHost) {
  moments_ = exposure_->moves() ? Moments::Coarse : Moments::None;
  if (!structure_.moving) return;
  const std::size_t rows = controlPointRows(structure_);
  if (controlPoints_.count() != grid.groups * rows)
    controlPoints_ = gpu::Buffer<glm::vec4>(gpu_, "flame control points", grid.groups * rows);
  const std::vector<MovingGenome> pieces =
      packOnHost ? std::vector<MovingGenome>{} : exposure_->curves();
  moments_ = pieces.empty() ? Moments::Host : Moments::Gpu;
  if (pieces.empty()) return;
  std::vector<double> times;
  for (std::size_t stretch = 0; stretch < stretches_; ++stretch)
    for (std::size_t g = 0; g < grid.groups; ++g)
      times.push_back(exposure_->timeAt(shareOf(stretch, g)));
  evaluator_.start(pieces, structure_, shape_, times);
  controlPoints_.clear();
}

/// Where among the samples a work group stands.
double OpenShutter::shareOf(std::size_t stretch, std::size_t group) const {
  return (double(stretch) + (double(group) + 0.5) / double(groups_)) / double(stretches_);
}

Genome OpenShutter::shape() const {
  const double share = double(stretch_) / double(stretches_);
  return forRendering(exposure_->shapeAt(share + 0.5 / double(stretches_)));
}

bool OpenShutter::goTo(double share) {
  const auto next = std::min(stretches_ - 1, std::size_t(share * double(stretches_)));
  return std::exchange(stretch_, next) != next;
}

void OpenShutter::fillControlPoints() {
  if (moments_ == Moments::Gpu)
    evaluator_.evaluate(stretch_ * groups_, groups_, controlPoints_);
  else
    packControlPoints();
}

void OpenShutter::packControlPoints() {
  const std::size_t rows = controlPointRows(structure_);
  std::vector<glm::vec4> points(groups_ * rows);
  parallelFor(groups_, 16, [&](std::size_t first, std::size_t last) {
    for (std::size_t g = first; g < last; ++g) {
      const Genome genome = forRendering(exposure_->shapeAt(shareOf(stretch_, g)));
      const std::vector<glm::vec4> point = packControlPoint(genome, structure_, shape_);
      std::copy(point.begin(), point.end(), points.begin() + std::ptrdiff_t(g * rows));
    }
  });
  controlPoints_.upload(points);
}

/// Each palette costs a replay of the log; hits that are added at once take one for free. Where
/// moments weigh differently each stretch has its own, which holds its weight.
std::size_t OpenShutter::paletteCount() const {
  const bool deferred = structure_.accumulate == Accumulate::Deferred;
  if (!deferred || exposure_->weighs()) return stretches_;
  // Whole moments, where these are few.
  const std::size_t moments = exposure_->momentCount();
  const std::size_t few = (kMinPalettes + moments - 1) / moments * moments;
  return few <= 2 * kMinPalettes ? few : kMinPalettes;
}

OpenShutter::WeightedPalette OpenShutter::nextPalette() {
  const std::size_t palettes = paletteCount();
  const std::size_t next = stretch_ * palettes / stretches_ + 1;
  paletteUntil_ = std::max((next * stretches_ + palettes - 1) / palettes, stretch_ + 1);
  const double first = double(stretch_) / double(stretches_);
  const double last = double(paletteUntil_) / double(stretches_);
  WeightedPalette palette{exposure_->paletteBetween(first, last),
                          exposure_->weightBetween(first, last)};
  for (glm::vec4& entry : palette.colors) entry *= float(palette.weight);
  return palette;
}

}  // namespace fathom::flame
