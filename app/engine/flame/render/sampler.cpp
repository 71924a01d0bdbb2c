// SPDX-License-Identifier: BSD-3-Clause
// The host's side of the chaos game: it chooses the shader and lays out the histogram, uploads the
// genome, and dispatches slices as long as a time budget allows.
#include "app/engine/flame/render/sampler.h"

#include "app/engine/core/error.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/flame/genome/operations.h"

namespace fathom::flame {
namespace {

// Rounds that each trajectory makes before it is plotted, as slowly mixing flames need; and those
// between two layers.
constexpr std::uint32_t kFuse = 512, kShortFuse = 64;
/// Longer where an xform is rare: six times as long as it takes until it is chosen, on the average.
std::uint32_t fuseFor(const Genome& genome) {
  double total = 0, least = INFINITY;
  for (const Xform& xform : genome.xforms) {
    total += xform.weight;
    if (xform.weight > 0) least = std::min(least, xform.weight);
  }
  return std::uint32_t(std::clamp(6 * total / least, double(kFuse), 4096.0));
}

constexpr std::uint32_t kLead = 15;  // the same of one that begins anew, as in flam3
/// flam3 draws each moment of a shutter by trajectories of its own, all but the last one of them
/// `longest` long; the mean of their lengths is what counts.
std::uint32_t lengthFor(double samplesOfMoment, int longest) {
  const double most = std::max(1, longest), samples = std::max(1.0, samplesOfMoment);
  return std::uint32_t(std::isfinite(samples) ? samples / std::ceil(samples / most) : most);
}

constexpr double kMaxSliceMs = 100;  // no driver's watchdog wakes up
constexpr double kFirstRate = 1e6;   // samples per second, until it is measured
// Operations of an iteration: 841 with six xforms, more where many variations are added up.
constexpr double kIteration = 1500;
constexpr double kFewSamples = 1 << 22;   // in which 32 neighbors would rarely choose rare xforms
constexpr double kManySamples = 1 << 24;  // of which thousands of points draw enough rounds each

// Software runs a group from end to end before the next; a GPU wants to be filled.
struct Grid {
  int group, groups;
};
Grid gridFor(const gpu::Device& device, Selection selection) {
  if (selection == Selection::Shared) return {256, device.software ? 4 : 256};
  if (selection == Selection::Turns) return {8, 16};
  return device.software ? Grid{32, 32} : Grid{256, 256};
}

/// The grid for so many samples: as few trajectories as it takes for each to run long. On a slowly
/// mixing attractor they are where flam3's are after thousands of rounds only, and those of many
/// moments draw whole rounds of each. What many samples ask for fills the largest GPU.
Grid gridFor(const gpu::Device& device, const Structure& structure, double samples) {
  Grid grid = gridFor(device, structure.selection);
  if (!std::isfinite(samples)) return grid;
  const double most = device.software ? grid.groups : 1024;
  const double points = grid.group * structure.held();
  const double least = structure.moving ? std::min(4.0, most) : 256.0 / points;
  grid.groups = int(std::clamp(samples / 8192 / points, least, most));
  return grid;
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
    fail("histogram: a row of {} bins takes {} bytes, this device allows {} in a storage block",
         buckets.x, words * 4, blockBytes);
  const int perPart = int(std::min<std::int64_t>(buckets.y, blockBytes / (words * 4)));
  return {words, perPart, (buckets.y + perPart - 1) / perPart};
}

}  // namespace

gpu::PassKey iteratePass(const Structure& structure, int groupSize) {
  gpu::PassKey key{"iterate",
                   "shaders/flame/chaos/iterate.comp",
                   {{"FLAME_GROUP", groupSize}, {"FLAME_SHARED_PALETTE", groupSize >= 256 ? 1 : 0}},
                   generate(structure)};
  if (structure.goesFar) key.defines.emplace_back("FLAME_FAR", 1);
  return key;
}

Sampler::Sampler(gpu::Context& gpu, const SamplerForms& forms)
    : gpu_(gpu),
      forms_(forms),
      // Buffers lie in the processor's reach on software renderers alone.
      log_(gpu, gpu.device().software ? forms.replay.value_or(Replay::Host) : Replay::Groups) {
  // Most of Intel's devices have no doubles, and emulated ones compile for minutes; nouveau gives
  // up.
  for (const char* maker : {"Intel", "nouveau"})
    if (gpu.device().vendor.find(maker) != std::string::npos) forms_.packOnHost = true;
}

void Sampler::start(const Genome& genome, const HistogramShape& shape, const Settings& settings,
                    std::uint64_t seed, double samples) {
  shutter_.close();
  weight_ = 1;
  chooseStructure(genome, shape, settings, samples);
  prepare(shape, settings, seed, samples);
  placeOrbits(genome);
  uploadGenome(genome);
  uploadPalette(genome.palette);
}

void Sampler::start(std::shared_ptr<const Exposure> exposure, const HistogramShape& shape,
                    const Settings& settings, std::uint64_t seed, double samples, bool apart) {
  apart_ = apart;
  const Genome extent = forRendering(exposure->extent());
  chooseStructure(extent, shape, settings, 0);
  structure_.moving = exposure->moves() && !apart_ && canMove(structure_);
  if (structure_.moving) structure_.tables = false;
  prepare(shape, settings, seed, samples);
  placeOrbits(extent);
  const OpenShutter::Grid grid{params_.invocations / std::size_t(pass_->groupSize()),
                               params_.invocations, samples};
  shutter_.start(std::move(exposure), structure_, shape, grid, forms_.packOnHost);
  openStretch();
}

/// Prepares what the current stretch of an exposure draws.
void Sampler::openStretch() {
  if (shutter_.hasControlPoints())
    shutter_.fillControlPoints();
  else
    uploadGenome(shutter_.shape());
  if (shutter_.needsPalette()) {
    // Hits take their color and alpha from the palette with which they are replayed.
    if (histogram_.samples > 0 && deferred()) log_.replay(histogram_, palette_);
    const OpenShutter::WeightedPalette palette = shutter_.nextPalette();
    weight_ = palette.weight;
    uploadPalette(palette.colors);
  }
  if (apart_ && rounds_ > 0) lead();
}

/// Rounds that are not plotted, in the room that the log has.
void Sampler::lead() {
  const double room = double(roomInLog()) / params_.invocations;
  warmUp(std::uint32_t(std::min(double(kShortFuse), room)));
}

/// llvmpipe ends an invocation's loops after 65,535 rounds in all, those of variations included.
std::uint32_t Sampler::mostRounds() const {
  return gpu_.device().software && hasLoops(structure_) ? 32 : 16384;
}

void Sampler::warmUp(std::uint32_t rounds) {
  for (std::uint32_t left = rounds, part = 0; left > 0; left -= part) {
    part = std::min({left, mostRounds(), kFuse * std::uint32_t(structure_.held())});
    dispatch(part, false);
  }
}

void Sampler::prepare(const HistogramShape& shape, const Settings& settings, std::uint64_t seed,
                      double samples) {
  makeHistogram(shape);
  structure_.partCount = deferred() ? 1 : int(histogram_.parts.size());
  structure_.wideLog = deferred() && needsWideLog(shape, structure_);
  if (!made_ || !covers(*made_, structure_)) made_.reset();
  if (made_) structure_ = *made_;
  Grid grid = gridFor(gpu_.device(), structure_, samples);
  grid.groups = std::min(grid.groups, forms_.groups.value_or(grid.groups));
  gpu::PassKey key = iteratePass(structure_, grid.group);
  if (const gpu::Capabilities& can = gpu_.capabilities();
      can.int64 && can.int64Atomics && structure_.accumulate == Accumulate::Atomic)
    key.defines.emplace_back("FLAME_ATOMICS_64", 1);
  pass_ = &gpu_.pass(key);
  made_ = structure_;
  const auto invocations = std::size_t(grid.group) * std::size_t(grid.groups);
  params_.invocations = std::uint32_t(invocations);
  if (const auto points = std::size_t(structure_.held()) * invocations; points_.count() != points)
    points_ = gpu::Buffer<shared::IteratePoint>(gpu_, "flame points", points);
  if (deferred())
    log_.start(shape, structure_, settings.sortBits, entriesOf(structure_.held()), samples);
  params_.seed = {std::uint32_t(seed), std::uint32_t(seed >> 32)};
  params_.alikeBits = forms_.selection || samples > kFewSamples ? 5 : 0;
  params_.rowsPerPart = std::uint32_t(histogram_.rowsPerPart);
  params_.origin = glm::vec2(shape.size * shape.supersample) / 2.0f + float(shape.gutter);
  params_.size = glm::vec2(shape.buckets());
  restart_ = settings.restart;
  params_.length = lengthFor(INFINITY, restart_);
  params_.lead = kLead;
  rounds_ = 0;
}

/// Trajectories begin anew in the shader, but for this.
void Sampler::placeOrbits(const Genome& genome) {
  const std::vector<glm::vec2> places = orbitPlaces(genome, points_.count());
  if (places.empty()) return;
  std::vector<shared::IteratePoint> points(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) points[i].orbit = places[i];
  points_.upload(points);
}

void Sampler::chooseStructure(const Genome& genome, const HistogramShape& shape,
                              const Settings& settings, double samples) {
  Settings resolved = settings;
  // In software, integer atomics cost more than a log and its replay by the processor.
  const bool bySoftware = gpu_.device().software;
  if (resolved.accumulate == Accumulate::Auto)
    resolved.accumulate =
        rowsOf(gpu_, shape).partCount > FLAME_MAX_PARTS
            ? Accumulate::Deferred
            : forms_.accumulate.value_or(bySoftware ? Accumulate::Deferred : Accumulate::Atomic);
  Selection selection = forms_.selection.value_or(bySoftware ? Selection::Own : Selection::Shared);
  if (selection == Selection::Turns && samples == 0) selection = Selection::Own;
  structure_ = structureOf(genome, shape, resolved, selection);
  fuse_ = fuseFor(genome);
  // One or two variations are sooner calculated for all points than those are put in order.
  if (bySoftware && !forms_.selection && structure_.variations.size() > 2 &&
      samples >= kManySamples && samples < INFINITY)
    structure_ = structureOf(genome, shape, resolved, Selection::Turns);
  batches_ = std::max(1.0, double(genome.passes) * genome.temporalSamples);
}

void Sampler::makeHistogram(const HistogramShape& shape) {
  const Rows rows = rowsOf(gpu_, shape);
  if (rows.partCount > FLAME_MAX_PARTS && !deferred())
    fail(
        "histogram: {} x {} bins take {} storage blocks, only deferred accumulation can use "
        "more than {}",
        shape.buckets().x, shape.buckets().y, rows.partCount, FLAME_MAX_PARTS);
  const int rowCount = std::min(rowCount_, shape.buckets().y - firstRow_);
  if (histogram_.parts.empty() || histogram_.shape != shape || histogram_.firstRow != firstRow_ ||
      histogram_.rows != rowCount || histogram_.rowsPerPart != rows.perPart) {
    histogram_ = {};
    histogram_.shape = shape;
    histogram_.firstRow = firstRow_, histogram_.rows = rowCount;
    histogram_.rowsPerPart = rows.perPart;
    for (int row = 0; row < rowCount; row += rows.perPart) {
      const int count = std::min(rows.perPart, rowCount - row);
      histogram_.parts.emplace_back(gpu_, "flame histogram", std::size_t(rows.words * count));
    }
  }
  for (gpu::Words& part : histogram_.parts) part.clear();
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
  const std::array<glm::vec4, 6> lens = lensOf(genome);
  std::copy(lens.begin(), lens.end(), params_.lens);
}

void Sampler::uploadPalette(const Palette& palette) {
  if (!palette_) palette_ = gpu::Buffer<glm::vec4>(gpu_, "flame palette", 256);
  palette_.upload(packedPalette(palette));
}

bool Sampler::suits(double samples) const {
  const Grid grid = gridFor(gpu_.device(), structure_, samples);
  return grid.group * grid.groups <= 4 * int(params_.invocations);
}

bool Sampler::step(double budgetMs, double samplesWanted) {
  FATHOM_CHECK(pass_);
  const Stopwatch total;
  const double before = histogram_.samples;
  if (deferred()) timer_.begin();
  if (rounds_ == 0) {
    params_.length = lengthFor(samplesWanted / batches_, restart_);
    warmUp(fuse_ * structure_.held());
  }
  while (histogram_.samples < samplesWanted) {
    const double until = samplesUntilNextStretch(samplesWanted);
    const std::uint32_t rounds = roundsFor(budgetMs - total.ms(), until - histogram_.samples);
    if (!deferred()) timer_.begin();
    dispatch(rounds, true);
    if (!deferred()) endSlice(rounds * double(params_.invocations));
    if (total.ms() >= budgetMs) break;
  }
  if (structure_.accumulate == Accumulate::Direct) countLost();
  if (deferred()) {
    log_.replay(histogram_, palette_);
    endSlice(histogram_.samples - before);
  }
  return histogram_.samples >= samplesWanted;
}

/// Lets the device be two slices behind. The rate is that of the newest that it has finished.
void Sampler::endSlice(double samples) {
  timer_.end(samples);
  gpu_.pace();
  if (const double perMs = timer_.rate(); perMs > 0) rate_ = perMs * 1e3;
}

/// Rounds of the next dispatch: what the budget allows by the rate measured so far, no more than
/// `samples` need, and at least one.
std::uint32_t Sampler::roundsFor(double budgetMs, double samples) {
  const double invocations = params_.invocations;
  const double sliceMs = std::clamp(budgetMs, 0.5, kMaxSliceMs);
  const double affordable = sliceMs * 1e-3 * (rate_ > 0 ? rate_ : kFirstRate) / invocations;
  // Where some lead in it takes another dispatch: no more rounds in any slices than these need.
  const double needed = std::ceil(samples / invocations);
  const double limit =
      std::min(double(mostRounds()), double(roomInLog()) / invocations - structure_.spareRounds());
  const double turns =
      std::min(std::floor(affordable / structure_.held()), std::ceil(needed / structure_.held()));
  return structure_.held() *
         std::uint32_t(std::clamp(turns, 1.0, std::floor(limit / structure_.held())));
}

/// The samples at which the current stretch ends, which may be a new one.
double Sampler::samplesUntilNextStretch(double samplesWanted) {
  if (!shutter_.isOpen()) return samplesWanted;
  if (shutter_.goTo(histogram_.samples / samplesWanted)) openStretch();
  return shutter_.samplesAtEnd(samplesWanted);
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
    pass_->storage(FLAME_BIND_TABLES, shutter_.controlPoints());
  else if (structure_.tables)
    pass_->storage(FLAME_BIND_TABLES, xforms_);
  else
    pass_->uniform(FLAME_BIND_XFORMS, xforms_);
  if (deferred()) log_.bind(*pass_);
  for (std::size_t i = 0; i < histogram_.parts.size() && !deferred(); ++i)
    pass_->storage(FLAME_BIND_HISTOGRAM + unsigned(i), histogram_.parts[i]);
  // Rounds that follow from the measured rate are not cut: parts of the grid leave a GPU idle.
  const double operations = plotting && rate_ > 0 ? 0 : kIteration * rounds * params_.invocations;
  pass_->dispatch(params_.invocations, gpu::DispatchCost{operations, 3.0 * rounds});
  // The next slice continues from the points; the image passes read the histogram.
  gpu::barrier(gpu::Access::Storage | gpu::Access::Transfer);
  rounds_ += rounds;
  if (!plotting) return;
  if (deferred()) log_.append(entriesOf(rounds));
  const double samples = double(plottedUpTo(rounds_) - plottedUpTo(rounds_ - rounds));
  histogram_.samples += samples, weightsDrawn_ += samples * weight_;
  histogram_.weight = weightsDrawn_ / histogram_.samples;
}

/// Of all trajectories together, rounds before this one that are plotted or would be: all, but for
/// those that lead in. Ages as the shader has them.
std::uint64_t Sampler::plottedUpTo(std::uint64_t rounds) const {
  if (!structure_.restarts) return rounds * params_.invocations;
  const std::uint64_t period = params_.length + params_.lead;
  const auto upTo = [&](std::uint64_t age) {
    const std::uint64_t rest = age % period;
    return age / period * params_.length + (rest > params_.lead ? rest - params_.lead : 0);
  };
  const bool together = structure_.selection == Selection::Shared;
  const auto ages = std::uint32_t(together ? params_.invocations / unsigned(pass_->groupSize()) * 32
                                           : params_.invocations);
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < ages; ++i) {
    const std::uint64_t age = (std::uint64_t(UINT32_MAX / ages * i) * period) >> 32;
    sum += upTo(age + rounds) - upTo(age);
  }
  return sum * (params_.invocations / ages);
}

Histogram& Sampler::releaseHistogram() {
  if (deferred()) log_.release();
  return histogram_;
}

const HitLog& Sampler::fillLog(double samples) {
  FATHOM_CHECK(deferred());
  constexpr std::uint32_t kRounds = 64;  // of a dispatch that no watchdog minds
  if (rounds_ == 0) warmUp(kFuse);
  while (double(log_.used()) < samples && log_.room() >= params_.invocations)
    dispatch(std::min({kRounds, mostRounds(), std::uint32_t(log_.room() / params_.invocations)}),
             true);
  return log_;
}

// Entries that the next dispatch may write, enough for a round.
std::size_t Sampler::roomInLog() {
  if (!deferred()) return SIZE_MAX;
  if (log_.room() < entriesOf(structure_.held())) log_.replay(histogram_, palette_);
  return log_.room();
}

void Sampler::countLost() {
  double meant = 0, found = 0;
  for (const shared::IteratePoint& point : points_.download()) meant += point.hits;
  constexpr std::uint32_t kSums = 4096;
  gpu::Words sums(gpu_, "flame sums", kSums);
  gpu::Pass& pass = gpu_.pass({"sum hits", "shaders/flame/chaos/sum_hits.comp", {}});
  const auto words = std::uint32_t(histogram_.shape.words());
  for (const gpu::Words& part : histogram_.parts) {
    const shared::SumParams params{std::uint32_t(part.count()) / words, words, kSums, 0};
    pass.params(FLAME_BIND_ITERATE, params)
        .storage(FLAME_BIND_POINTS, sums)
        .storage(FLAME_BIND_HISTOGRAM, part);
    pass.dispatch(kSums, gpu::DispatchCost{3.0 * double(part.count() / words)});
    gpu::barrier(gpu::Access::Transfer);
    for (const std::uint32_t sum : sums.download()) found += sum;
  }
  histogram_.lost = meant > 0 ? 1 - found / meant : 0;
}

}  // namespace fathom::flame
