// SPDX-License-Identifier: BSD-3-Clause
// When a picture is made while samples are drawn, and what a changed genome costs.
#include "app/engine/flame/render/rendering.h"

#include "app/engine/core/progress.h"
#include "app/engine/core/stages.h"
#include "app/engine/flame/genome/fields.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/motion/exposure.h"
#include "app/engine/gpu/memory_account.h"
#include "shaders/flame/tone/show_shared.h"

namespace fathom::flame {
namespace {

constexpr double kSlowMs = 60;    // a picture that takes longer is preceded by a quick one
constexpr double kQuickMs = 400;  // for how long a quick one is shown at least
constexpr std::int64_t kLargeHistogram = 256 << 20;  // is given back as soon as possible
constexpr double kSliceMs = 200;                     // of the command line, between looks at Ctrl+C

constexpr double kModestBytes = 2.6e9;      // what takes more is drawn in bands
constexpr double kBesideBytes = 256 << 20;  // the program, its shaders, the log and what sorts it

/// Refuses what the device cannot hold before any of it is allocated. Returns the need as text.
std::string checkMemory(const gpu::MemoryAccount& account, const HistogramShape& shape,
                        double need) {
  const glm::ivec2 buckets = shape.buckets();
  if (need > double(account.budget()))
    fail("{} x {} pixels with {} x {} bins need {}, this GPU allows {} in all", shape.size.x,
         shape.size.y, buckets.x, buckets.y, gpu::bytesText(std::int64_t(need)),
         gpu::bytesText(account.budget()));
  return gpu::bytesText(std::int64_t(need));
}

/// The genome with what only the tone map looks at taken from another.
Genome tonedAs(Genome genome, const Genome& other) {
  setNumbers(genome, kTone, numbersOf(other, kTone));
  genome.curves = other.curves;
  return genome;
}

}  // namespace

double samplesFor(const Genome& genome, const Settings& settings) {
  const double perPixel =
      settings.quality > 0 ? settings.quality : genome.quality * std::pow(4, genome.zoom);
  return perPixel * genome.size.x * genome.size.y * postCopies(genome).plotted;
}

bool drawsNothing(const Genome& genome) {
  if (!(genome.scale > 0)) return true;
  bool chosen = false, seen = false;
  for (std::size_t i = 0; i < genome.xforms.size(); ++i) {
    const Xform& xform = genome.xforms[i];
    chosen = chosen || xform.weight > 0;
    const bool silenced = genome.soloXform >= 0 && int(i) != genome.soloXform;
    seen = seen || (xform.weight > 0 && xform.opacity > 0 && !silenced);
  }
  return !chosen || !seen;
}

Redo redoFor(const Genome& before, const Genome& after) {
  const Genome same = labeledAs(after, before);
  if (same == before) return Redo::Nothing;
  return tonedAs(same, before) == before ? Redo::Tones : Redo::Samples;
}

/// False when there is nothing to draw.
bool Rendering::begin(const Genome& genome, const Settings& settings) {
  genome_ = forRendering(genome);
  settings_ = settings;
  wanted_ = samplesFor(genome_, settings);
  empty_ = drawsNothing(genome_);
  sampled_ = empty_;
  bands_ = {}, band_ = 0, rows_ = {};
  stale_ = true, shown_ = false, last_ = false;
  sinceStart_.restart();
  sincePicture_.restart();
  return !empty_;
}

Rendering::Bands Rendering::bandsFor(const HistogramShape& shape, const Genome& genome,
                                     const Settings& settings, Pictures pictures) const {
  const double row = 4.0 * shape.buckets().x * shape.words(), whole = row * shape.buckets().y;
  const double picture = 16.0 * shape.size.x * shape.size.y, height = shape.size.y;
  Bands bands{.bytes = whole + 3 * picture};  // filtered, displayed, as light
  const EstimatorClasses classes =
      estimatorClasses(filterFor(genome, settings), estimatorFor(genome, settings),
                       shape.supersample, settings.estimator == Estimator::Exact);
  const bool byHost = gpu_.device().software && settings.accumulate != Accumulate::Atomic &&
                      settings.accumulate != Accumulate::Direct && !settings.edgeClamp &&
                      !radialFilterFor(genome, settings);
  if (pictures == Pictures::Many || !byHost) return bands;
  // The histogram is gone when the picture is there displayed, as light and twice for its file.
  const double last = 4 * picture, beside = kBesideBytes + picture;
  const double budget = double(gpu_.memory().budget());
  const double limit = std::min(std::max({kModestBytes, last, budget / 8}), budget);
  bands.bytes = std::max(last, beside + whole);
  if (beside + whole <= limit) return bands;
  const int cell = classes.largestCell;
  bands.around = 3 * classes.margin + (classes.blocks / cell + 4) * cell;  // all blurs end there
  const double perRow = row * shape.supersample;
  const double most = (0.85 * limit - beside) / perRow - 2 * bands.around;  // and wide classes
  bands.rows = (int(height / std::ceil(height / std::max(most, height / 16))) / cell + 1) * cell;
  bands.count = (shape.size.y + bands.rows - 1) / bands.rows;
  bands.bytes = std::max(last, beside + perRow * (bands.rows + 2 * bands.around));
  return bands;
}

std::string Rendering::memoryFor(const Genome& genome, const Settings& settings) const {
  const Genome drawn = forRendering(genome);
  const HistogramShape shape = shapeFor(drawn, settings);
  return checkMemory(gpu_.memory(), shape, bandsFor(shape, drawn, settings, Pictures::Last).bytes);
}

void Rendering::startSampler(Pictures pictures, std::function<void()> start) {
  bands_ = bandsFor(shape_, genome_, settings_, pictures);
  const std::string need = checkMemory(gpu_.memory(), shape_, bands_.bytes);
  if (pictures == Pictures::Last)
    log::line(bands_.bytes < 4.0 * kLargeHistogram ? log::Level::Verbose : log::Level::Normal,
              fmt::format("fathom: an image of {} x {} takes {} of memory", shape_.size.x,
                          shape_.size.y, need));
  startSampler_ = std::move(start);
  beginBand();
}

void Rendering::beginBand() {
  const int first = band_ * bands_.rows;
  rows_ = {.from = std::max(0, first - bands_.around), .first = first, .end = shape_.size.y};
  if (band_ + 1 < bands_.count) rows_.end = first + bands_.rows;
  rows_.to = std::min(shape_.size.y, rows_.end + bands_.around);
  sampler_.openRows(rows_.from * shape_.supersample,
                    (rows_.to - rows_.from) * shape_.supersample + 2 * shape_.gutter);
  startSampler_();
}

void Rendering::start(const Genome& genome, const Settings& settings, std::uint64_t seed,
                      Pictures pictures) {
  if (!begin(genome, settings)) return;
  shape_ = shapeFor(genome_, settings);
  startSampler(pictures, [this, seed] {
    if (genome_.layers.empty()) return sampler_.start(genome_, shape_, settings_, seed, wanted_);
    sampler_.start(exposureOf(layersOf(genome_)), shape_, settings_, seed, wanted_, true);
  });
}

void Rendering::start(std::shared_ptr<const Exposure> exposure, const Settings& settings,
                      std::uint64_t seed, Pictures pictures) {
  if (!begin(exposure->middle(), settings)) return;
  // As in flam3: density is estimated as at the first moment; brightness, threshold and the area of
  // a bucket are those of the last one.
  const Genome first = exposure->shapeAt(0), last = exposure->shapeAt(1);
  genome_.estimatorRadius = first.estimatorRadius;
  genome_.estimatorMinimum = first.estimatorMinimum;
  genome_.estimatorCurve = first.estimatorCurve;
  genome_.brightness = last.brightness;
  genome_.gammaThreshold = last.gammaThreshold;
  genome_.scale = pixelsPerUnit(last) / (std::exp2(genome_.zoom) * genome_.cameraZoom);
  shape_ = shapeFor(genome_, settings);
  shape_.hasAlpha |=
      exposure->weighs() || shapeFor(forRendering(exposure->extent()), settings).hasAlpha;
  startSampler(pictures, [this, exposure, seed] {
    sampler_.start(exposure, shape_, settings_, seed, wanted_);
  });
}

void Rendering::change(const Genome& genome, const Settings& settings, std::uint64_t seed) {
  const Genome next = forRendering(genome);
  // The turns of layers are shares of all samples.
  const bool inTurns = !next.layers.empty() && samplesFor(next, settings) != wanted_;
  const bool same = !last_ && !inTurns && (empty_ || sampler_.suits(samplesFor(next, settings))) &&
                    redoFor(genome_, next) != Redo::Samples && drawsNothing(next) == empty_ &&
                    (empty_ || shapeFor(next, settings) == shape_);
  if (!same) return start(genome, settings, seed);
  genome_ = next;
  settings_ = settings;
  wanted_ = samplesFor(genome_, settings);
  sampled_ = empty_ || samples() >= wanted_;
  stale_ = true, shown_ = false;
}

bool Rendering::sample(double budgetMs) {
  if (sampled_) return true;
  sampled_ = sampler_.step(std::min(budgetMs, kSliceMs), wanted_);
  stale_ = true;
  if (sampled_ && band_ + 1 < bands_.count) {
    toneMapper_.toneMap(histogram(), genome_, settings_, displayed_, &sampler_.releaseHistogram(),
                        rows_);
    ++band_;
    beginBand();
    sampled_ = false;
  }
  return sampled_;
}

/// The first picture as soon as there is a sample per pixel; later ones when samples took several
/// times as long as making the picture does.
bool Rendering::timeForPicture() {
  // The intervals follow from what a picture costs.
  while (const auto finished = toneTimer_.take())
    if (finished->work > 0) toneMapMs_ = finished->ms;
  if (sampled_) return stale_;
  if (!shown_) return quality() >= 1 || sinceStart_.ms() > 100;
  if (quick_) return sincePicture_.ms() > kQuickMs;
  return sincePicture_.ms() > 6 * toneMapMs_ + 0.2 * sinceStart_.ms();
}

Rendering::Care Rendering::careForNext() const {
  const bool estimates = settings_.estimator != Estimator::Off && genome_.estimatorRadius > 0;
  const bool slow = toneMapMs_ > kSlowMs || (toneMapMs_ == 0 && gpu_.device().software);
  return slow && estimates && !shown_ && !empty_ ? Care::Quick : Care::Full;
}

bool Rendering::step(double budgetMs) {
  const TimeBudget budget(budgetMs);
  const bool all = !budget.limited();
  do {
    if (!sampled_) sample(budget.leftMs());
    if (all ? sampled_ && stale_ : timeForPicture()) toneMap(all ? Care::Full : careForNext());
  } while (!complete() && !budget.spent());
  return complete();
}

void Rendering::toneMapLast() {
  std::int64_t bytes = 0;
  for (const gpu::Words& part : histogram().parts) bytes += part.bytes();
  last_ = !empty_ && (bytes >= kLargeHistogram || bands_.count > 1);
  toneMap(Care::Full);
}

void Rendering::toneMap(Care care) {
  toneTimer_.begin();
  Genome genome = genome_;
  if (settings_.transparent) genome.background = glm::dvec3(0);
  Settings settings = settings_;
  if (care == Care::Quick) settings.estimator = Estimator::Off;
  if (empty_) {
    gpu::ensure(gpu_, displayed_, "displayed flame", gpu::TextureFormat::Rgba32f, genome.size);
    const glm::dvec3 color = glm::clamp(genome.background * 256.0, 0.0, 255.0);
    displayed_.clear(glm::vec4(color, 0));
  } else {
    Histogram* const released = last_ ? &sampler_.releaseHistogram() : nullptr;
    toneMapper_.toneMap(sampler_.histogram(), genome, settings, displayed_, released, rows_);
  }
  gpu::ensure(gpu_, light_, "flame", gpu::TextureFormat::Rgba32f, genome.size);
  shared::ShowParams params{};
  params.size = genome.size;
  params.transparent = settings_.transparent ? 1u : 0u;
  gpu::Pass& pass = gpu_.pass({"show flame", "shaders/flame/tone/show.comp", {}});
  gpu::barrier(gpu::Access::Storage);  // displayed_, read by this pass
  pass.image(FLAME_SHOW_IMAGE_DISPLAYED, displayed_)
      .image(FLAME_SHOW_IMAGE_LIGHT, light_)
      .params(FLAME_SHOW_BIND_PARAMS, params);
  pass.dispatch(std::uint64_t(genome.size.x) * std::uint64_t(genome.size.y), gpu::Each{60});
  gpu::barrier(gpu::Access::Texture | gpu::Access::Transfer);  // light_, by whoever shows it
  toneTimer_.end(care == Care::Full ? 1 : 0);
  gpu_.pace();
  quick_ = care == Care::Quick;
  stale_ = quick_, shown_ = true;
  sincePicture_.restart();
}

PixelHits Rendering::hitsAt(glm::ivec2 pixel) const {
  PixelHits hits;
  const Histogram& h = histogram();
  if (empty_ || h.parts.empty()) return hits;
  const int words = h.shape.words(), width = h.shape.buckets().x, side = h.shape.supersample;
  const double perHit = h.shape.hasAlpha ? 255 : 1;
  for (int j = 0; j < side; ++j) {
    const int row = pixel.y * side + h.shape.gutter + j;
    const auto& part = h.parts[std::size_t(row / h.rowsPerPart)];
    const int column = pixel.x * side + h.shape.gutter;
    const std::size_t first =
        (std::size_t(row % h.rowsPerPart) * std::size_t(width) + std::size_t(column)) *
        std::size_t(words);
    const std::vector<std::uint32_t> sums =
        part.download(first, std::size_t(side) * std::size_t(words));
    for (std::size_t i = 0; i < sums.size(); i += std::size_t(words)) {
      hits.buckets.emplace_back(sums[i], sums[i + 1], sums[i + 2], sums[i + 3] / perHit);
      hits.count += hits.buckets.back().w;
    }
  }
  return hits;
}

}  // namespace fathom::flame
