// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/flame/sampler.h"

#include "app/core/error.h"
#include "app/core/jobs.h"
#include "app/techniques/flame/operations.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

namespace fathom::flame {
namespace {

// Rounds that each trajectory makes before it is plotted: slowly mixing flames need many.
constexpr std::uint32_t kFuse = 512;
constexpr double kLongestSliceMs = 100;       // no driver's watchdog wakes up
constexpr std::size_t kPalettes = 16;         // at least, while a shutter is open
constexpr std::size_t kWeights = 32;          // at least, where its moments weigh differently
constexpr std::size_t kControlPoints = 1024;  // of a frame, at least (Robertson 2011)
constexpr double kFirstRate = 1e6;            // samples per second, until it is measured

// Software runs a group from end to end before the next; a GPU wants to be filled.
struct Grid {
  int group, groups;
};
Grid gridFor(const gpu::Device& device, Selection selection) {
  if (selection == Selection::Shared) return {256, device.software ? 4 : 256};
  return device.software ? Grid{32, 32} : Grid{256, 256};
}

// How the histogram is cut so that each part fits a storage block.
struct Rows {
  std::int64_t words;  // of a row
  int perPart, partCount;
};
Rows rowsOf(gpu::Context& gpu, const HistogramShape& shape) {
  const glm::ivec2 buckets = shape.buckets();
  FATHOM_CHECK(buckets.x > 0 && buckets.y > 0);
  const std::int64_t words = std::int64_t(buckets.x) * shape.words();
  const std::int64_t blockBytes =
      std::min(gpu.limits().storageBlockBytes, gpu.memory().blockLimit());
  if (words * 4 > blockBytes)
    fail("histogram: a row of {} buckets takes {} bytes, this device allows {} in a storage block",
         buckets.x, words * 4, blockBytes);
  const int perPart = int(std::min<std::int64_t>(buckets.y, blockBytes / (words * 4)));
  return {words, perPart, (buckets.y + perPart - 1) / perPart};
}

/// How often all work groups get new control points while a shutter is open, at least `least`
/// times. One control point for each moment and then some, so that few moments get about as many
/// samples each; where it costs little, equally many.
std::size_t stretchesFor(std::size_t moments, std::size_t together, std::size_t least) {
  if (together == 1) return std::max(moments, least);  // one genome at a time
  const std::size_t points = std::max(moments, kControlPoints);
  const std::size_t wanted = std::max((points + together - 1) / together, least);
  // Few moments: no stretch of two of them, which would share a palette.
  const std::size_t period = moments <= wanted ? moments : moments / std::gcd(moments, together);
  const std::size_t even = (wanted + period - 1) / period * period;
  return even <= 2 * wanted ? even : wanted;
}

double seconds(std::chrono::steady_clock::duration d) {
  return std::chrono::duration<double>(d).count();
}

}  // namespace

gpu::PassKey iteratePass(const Structure& structure, int groupSize) {
  return {
      "iterate", "shaders/flame/iterate.comp", {{"FLAME_GROUP", groupSize}}, generate(structure)};
}

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

Sampler::Sampler(gpu::Context& gpu, const SamplerForms& forms)
    : gpu_(gpu),
      selection_(
          forms.selection.value_or(gpu.device().software ? Selection::Own : Selection::Shared)),
      log_(gpu),
      evaluator_(gpu),
      packOnHost_(forms.packOnHost),
      automatic_(forms.accumulate) {
  if (forms.replay) log_.setReplay(*forms.replay);
}

void Sampler::start(const Genome& genome, const HistogramShape& shape, const Settings& settings,
                    std::uint64_t seed) {
  exposure_.reset();
  moments_ = Moments::None;
  stretches_ = 1, stretch_ = 0, weight_ = 1;
  prepare(genome, shape, settings, seed);
  uploadGenome(genome);
  uploadPalette(genome.palette);
}

void Sampler::start(std::shared_ptr<const Exposure> exposure, const HistogramShape& shape,
                    const Settings& settings, std::uint64_t seed, double samples) {
  exposure_ = std::move(exposure);
  prepare(forRendering(exposure_->extent()), shape, settings, seed);
  stretches_ = std::min(stretchesFor(exposure_->momentCount(), structure_.moving ? groups() : 1,
                                     exposure_->weighs() ? kWeights : kPalettes),
                        std::size_t(std::max(1.0, samples / params_.invocations)));
  stretch_ = 0;
  chooseMoments();
  openShutter();
}

/// Of a moving structure: control points for the work groups of a stretch, evaluated or packed.
void Sampler::chooseMoments() {
  moments_ = exposure_->moves() ? Moments::Coarse : Moments::None;
  if (!structure_.moving) return;
  const std::size_t rows = controlPointRows(structure_);
  if (controlPoints_.count() != groups() * rows)
    controlPoints_ = gpu::Buffer<glm::vec4>(gpu_, "flame control points", groups() * rows);
  const std::vector<MovingGenome> pieces =
      packOnHost_ ? std::vector<MovingGenome>{} : exposure_->curves();
  moments_ = pieces.empty() ? Moments::Host : Moments::Gpu;
  if (pieces.empty()) return;
  std::vector<double> times;
  for (std::size_t stretch = 0; stretch < stretches_; ++stretch)
    for (std::size_t g = 0; g < groups(); ++g)
      times.push_back(exposure_->timeAt(shareOf(stretch, g)));
  evaluator_.start(pieces, structure_, histogram_.shape, times);
  controlPoints_.clear();
}

/// Where among the samples a work group stands.
double Sampler::shareOf(std::size_t stretch, std::size_t group) const {
  return (double(stretch) + (double(group) + 0.5) / double(groups())) / double(stretches_);
}

/// Prepares what the stretch draws that begins now.
void Sampler::openShutter() {
  const double share = double(stretch_) / double(stretches_);
  if (moments_ == Moments::Gpu)
    evaluator_.evaluate(stretch_ * groups(), groups(), controlPoints_);
  else if (moments_ == Moments::Host)
    packControlPoints();
  else
    uploadGenome(forRendering(exposure_->shapeAt(share + 0.5 / double(stretches_))));
  usePalette();
}

void Sampler::packControlPoints() {
  const std::size_t rows = controlPointRows(structure_);
  std::vector<glm::vec4> points(groups() * rows);
  parallelFor(groups(), 16, [&](std::size_t first, std::size_t last) {
    for (std::size_t g = first; g < last; ++g) {
      const Genome genome = forRendering(exposure_->shapeAt(shareOf(stretch_, g)));
      const std::vector<glm::vec4> point = packControlPoint(genome, structure_, histogram_.shape);
      std::copy(point.begin(), point.end(), points.begin() + std::ptrdiff_t(g * rows));
    }
  });
  controlPoints_.upload(points);
}

/// Stretches share palettes, so that a log needs few replays. Where moments weigh differently each
/// stretch has its own, which holds its weight: hits take their color and alpha from there.
void Sampler::usePalette() {
  if (stretch_ > 0 && stretch_ < paletteUntil_) return;
  const bool deferred = structure_.accumulate == Accumulate::Deferred;
  if (stretch_ > 0 && deferred) log_.replay(histogram_, palette_);
  // A palette stands for whole stretches, and for whole moments where these are few.
  const std::size_t moments = exposure_->momentCount();
  const std::size_t few = (kPalettes + moments - 1) / moments * moments;
  const std::size_t palettes = !deferred || exposure_->weighs() ? stretches_
                               : few <= 2 * kPalettes           ? few
                                                                : kPalettes;
  const std::size_t next = stretch_ * palettes / stretches_ + 1;
  paletteUntil_ = std::max((next * stretches_ + palettes - 1) / palettes, stretch_ + 1);
  const double first = double(stretch_) / double(stretches_);
  const double last = double(paletteUntil_) / double(stretches_);
  weight_ = exposure_->weightBetween(first, last);
  Palette palette = exposure_->paletteBetween(first, last);
  for (glm::vec4& entry : palette) entry *= float(weight_);
  uploadPalette(palette);
}

void Sampler::prepare(const Genome& genome, const HistogramShape& shape, const Settings& settings,
                      std::uint64_t seed) {
  chooseStructure(genome, shape, settings);
  makeHistogram(shape);
  const bool deferred = structure_.accumulate == Accumulate::Deferred;
  structure_.partCount = deferred ? 1 : int(histogram_.parts.size());
  structure_.wideLog = deferred && needsWideLog(shape, structure_);
  if (!made_ || !covers(*made_, structure_)) made_.reset();
  if (made_) structure_ = *made_;
  const Grid grid = gridFor(gpu_.device(), structure_.selection);
  gpu::PassKey key = iteratePass(structure_, grid.group);
  if (gpu_.device().software) key.defines.emplace_back("FLAME_POLYNOMIAL_SINES", 1);
  pass_ = &gpu_.pass(key);
  made_ = structure_;
  const auto invocations = std::size_t(grid.group) * std::size_t(grid.groups);
  if (points_.count() != invocations)
    points_ = gpu::Buffer<shared::IteratePoint>(gpu_, "flame points", invocations);
  if (deferred) log_.start(shape, structure_, settings.sortBits, invocations);
  params_.seed = {std::uint32_t(seed), std::uint32_t(seed >> 32)};
  params_.invocations = std::uint32_t(invocations);
  params_.rowsPerPart = std::uint32_t(histogram_.rowsPerPart);
  params_.origin = glm::vec2(shape.size * shape.supersample) / 2.0f + float(shape.gutter);
  params_.size = glm::vec2(shape.buckets());
  rounds_ = 0;
}

void Sampler::chooseStructure(const Genome& genome, const HistogramShape& shape,
                              const Settings& settings) {
  Settings resolved = settings;
  // In software, integer atomics cost more than a log and its replay by the processor.
  const bool bySoftware = gpu_.device().software;
  if (resolved.accumulate == Accumulate::Auto)
    resolved.accumulate =
        rowsOf(gpu_, shape).partCount > FLAME_MAX_PARTS
            ? Accumulate::Deferred
            : automatic_.value_or(bySoftware ? Accumulate::Deferred : Accumulate::Atomic);
  structure_ = structureOf(genome, shape, resolved, selection_);
  structure_.moving = exposure_ && exposure_->moves() && canMove(structure_);
  if (structure_.moving) structure_.tables = false;
}

void Sampler::makeHistogram(const HistogramShape& shape) {
  const Rows rows = rowsOf(gpu_, shape);
  if (rows.partCount > FLAME_MAX_PARTS && structure_.accumulate != Accumulate::Deferred)
    fail(
        "histogram: {} x {} buckets take {} storage blocks, only deferred accumulation can use "
        "more than {}",
        shape.buckets().x, shape.buckets().y, rows.partCount, FLAME_MAX_PARTS);
  if (histogram_.parts.empty() || histogram_.shape != shape ||
      histogram_.rowsPerPart != rows.perPart) {
    histogram_ = {};
    histogram_.shape = shape;
    histogram_.rowsPerPart = rows.perPart;
    for (int row = 0; row < shape.buckets().y; row += rows.perPart) {
      const int count = std::min(rows.perPart, shape.buckets().y - row);
      histogram_.parts.emplace_back(gpu_, "flame histogram", std::size_t(rows.words * count));
    }
  }
  for (gpu::Buffer<std::uint32_t>& part : histogram_.parts) part.clear();
  histogram_.samples = histogram_.lost = 0;
  histogram_.weight = 1, weightsDrawn_ = 0;
}

void Sampler::uploadGenome(const Genome& genome) {
  const PackedGenome packed = pack(genome, structure_);
  const auto parameterBytes = std::int64_t(packed.parameters.size() * sizeof(glm::vec4));
  const auto thresholdBytes = std::int64_t(packed.thresholds.size() * 4);
  if (xforms_.bytes() != parameterBytes + thresholdBytes)
    xforms_ = gpu::RawBuffer(gpu_, "flame xforms", parameterBytes + thresholdBytes);
  xforms_.write(packed.parameters.data(), parameterBytes);
  xforms_.write(packed.thresholds.data(), thresholdBytes, parameterBytes);
  const CameraRows camera = cameraOf(genome, histogram_.shape);
  params_.turn = camera.turn;
  params_.center = camera.center;
  params_.jitter = camera.jitter;
  params_.finalChance = camera.finalChance;
}

void Sampler::uploadPalette(const Palette& palette) {
  if (!palette_) palette_ = gpu::Buffer<glm::vec4>(gpu_, "flame palette", 256);
  palette_.upload(packedPalette(palette));
}

bool Sampler::step(double budgetMs, double samplesWanted) {
  FATHOM_CHECK(pass_);
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const double invocations = params_.invocations;
  const double before = histogram_.samples;
  if (rounds_ < kFuse) dispatch(std::uint32_t(kFuse - rounds_), false);
  while (histogram_.samples < samplesWanted) {
    const double stretchEnd = moveOn(samplesWanted);
    const double leftMs = budgetMs - 1e3 * seconds(Clock::now() - start);
    const double sliceMs = std::clamp(leftMs, 0.5, kLongestSliceMs);
    const double affordable = sliceMs * 1e-3 * (rate_ > 0 ? rate_ : kFirstRate) / invocations;
    const double needed = std::ceil((stretchEnd - histogram_.samples) / invocations);
    const auto sliceStart = Clock::now();
    // llvmpipe ends an invocation's loops after 65,535 rounds in all.
    const double most = std::min(16384.0, double(roomInLog()) / invocations);
    const auto rounds = std::uint32_t(std::clamp(std::min(affordable, needed), 1.0, most));
    dispatch(rounds, true);
    gpu_.finish();
    rate_ = rounds * invocations / std::max(1e-6, seconds(Clock::now() - sliceStart));
    if (1e3 * seconds(Clock::now() - start) >= budgetMs) break;
  }
  if (structure_.accumulate == Accumulate::Direct) countLost();
  if (structure_.accumulate == Accumulate::Deferred) {
    log_.replay(histogram_, palette_);
    gpu_.finish();
    const double drawn = histogram_.samples - before;
    if (drawn > 0) rate_ = drawn / std::max(1e-6, seconds(Clock::now() - start));
  }
  return histogram_.samples >= samplesWanted;
}

/// The samples at which the stretch of now ends, which may be a new one.
double Sampler::moveOn(double samplesWanted) {
  if (stretches_ == 1) return samplesWanted;
  const auto now = std::min(stretches_ - 1,
                            std::size_t(histogram_.samples / samplesWanted * double(stretches_)));
  if (now != stretch_) {
    stretch_ = now;
    openShutter();
  }
  return samplesWanted * double(now + 1) / double(stretches_);
}

void Sampler::dispatch(std::uint32_t rounds, bool plotting) {
  params_.firstRound = std::uint32_t(rounds_);
  params_.target = std::uint32_t(rounds_ + rounds);
  params_.plotting = plotting;
  params_.restart = rounds_ == 0;
  params_.firstEntry = log_.firstEntry();
  pass_->params(FLAME_BIND_ITERATE, params_)
      .uniform(FLAME_BIND_PALETTE, palette_)
      .storage(FLAME_BIND_POINTS, points_);
  if (structure_.moving)
    pass_->storage(FLAME_BIND_TABLES, controlPoints_);
  else if (structure_.tables)
    pass_->storage(FLAME_BIND_TABLES, xforms_);
  else
    pass_->uniform(FLAME_BIND_XFORMS, xforms_);
  const bool deferred = structure_.accumulate == Accumulate::Deferred;
  if (deferred) log_.bind(*pass_);
  for (std::size_t i = 0; i < histogram_.parts.size() && !deferred; ++i)
    pass_->storage(FLAME_BIND_HISTOGRAM + unsigned(i), histogram_.parts[i]);
  pass_->dispatch(params_.invocations);
  // The next slice goes on from the points; the image passes read the histogram.
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Transfer);
  rounds_ += rounds;
  if (!plotting) return;
  if (deferred) log_.append(std::size_t(rounds) * params_.invocations);
  const double samples = double(rounds) * params_.invocations;
  histogram_.samples += samples, weightsDrawn_ += samples * weight_;
  histogram_.weight = weightsDrawn_ / histogram_.samples;
}

const HitLog& Sampler::fillLog(double samples) {
  FATHOM_CHECK(structure_.accumulate == Accumulate::Deferred);
  constexpr std::uint32_t kRounds = 64;  // of a dispatch that no watchdog minds
  if (rounds_ < kFuse) dispatch(std::uint32_t(kFuse - rounds_), false);
  while (double(log_.used()) < samples && log_.room() >= params_.invocations)
    dispatch(std::min(kRounds, std::uint32_t(log_.room() / params_.invocations)), true);
  return log_;
}

// Entries that the next dispatch may write, enough for a round.
std::size_t Sampler::roomInLog() {
  if (structure_.accumulate != Accumulate::Deferred) return SIZE_MAX;
  if (log_.room() < params_.invocations) log_.replay(histogram_, palette_);
  return log_.room();
}

void Sampler::countLost() {
  double meant = 0, found = 0;
  for (const shared::IteratePoint& point : points_.download()) meant += point.hits;
  constexpr std::uint32_t kSums = 4096;
  gpu::Buffer<std::uint32_t> sums(gpu_, "flame sums", kSums);
  gpu::Pass& pass = gpu_.pass({"sum hits", "shaders/flame/sum_hits.comp", {}});
  const auto words = std::uint32_t(histogram_.shape.words());
  for (const gpu::Buffer<std::uint32_t>& part : histogram_.parts) {
    const shared::SumParams params{std::uint32_t(part.count()) / words, words, kSums, 0};
    pass.params(FLAME_BIND_ITERATE, params)
        .storage(FLAME_BIND_POINTS, sums)
        .storage(FLAME_BIND_HISTOGRAM, part);
    pass.dispatch(kSums);
    gpu::barrier(gpu::Reader::Transfer);
    for (const std::uint32_t sum : sums.download()) found += sum;
  }
  histogram_.lost = meant > 0 ? 1 - found / meant : 0;
}

}  // namespace fathom::flame
