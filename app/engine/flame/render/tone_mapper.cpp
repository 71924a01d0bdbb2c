// SPDX-License-Identifier: BSD-3-Clause
// Curves as tables of 256 entries, which the shader mixes.
#include "app/engine/flame/render/tone_mapper.h"

#include "app/engine/flame/render/host_estimator.h"
#include "app/engine/gpu/memory_account.h"
#include "app/engine/gpu/slices.h"

namespace fathom::flame {
namespace {

/// A rational cubic Bezier curve; x grows with t where points are in order.
glm::dvec2 bezierAt(const ToneCurve& curve, double t) {
  const double s = 1 - t;
  const double basis[4] = {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
  glm::dvec2 sum(0);
  double weights = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const double w = basis[i] * curve.points[i].z;
    sum += w * glm::dvec2(curve.points[i]);
    weights += w;
  }
  return weights != 0 ? sum / weights : sum;
}

double bezier(const ToneCurve& curve, double x) {
  double low = 0, high = 1;
  for (int i = 0; i < 40; ++i) {
    const double middle = 0.5 * (low + high);
    (bezierAt(curve, middle).x < x ? low : high) = middle;
  }
  return bezierAt(curve, 0.5 * (low + high)).y;
}

/// Second derivatives of the natural cubic spline (tridiagonal system, Thomas' algorithm).
std::vector<double> bends(const std::vector<glm::dvec2>& p) {
  const std::size_t n = p.size();
  std::vector<double> second(n, 0), rest(n, 0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double share = (p[i].x - p[i - 1].x) / (p[i + 1].x - p[i - 1].x);
    const double divisor = share * second[i - 1] + 2;
    const double slopes = (p[i + 1].y - p[i].y) / (p[i + 1].x - p[i].x) -
                          (p[i].y - p[i - 1].y) / (p[i].x - p[i - 1].x);
    rest[i] = (6 * slopes / (p[i + 1].x - p[i - 1].x) - share * rest[i - 1]) / divisor;
    second[i] = (share - 1) / divisor;
  }
  second[n - 1] = 0;
  for (std::size_t i = n - 1; i-- > 0;) second[i] = second[i] * second[i + 1] + rest[i];
  return second;
}

double spline(const std::vector<glm::dvec2>& p, double x) {
  if (x <= p.front().x) return p.front().y;
  if (x >= p.back().x) return p.back().y;
  const std::vector<double> second = bends(p);
  std::size_t i = 0;
  while (p[i + 1].x < x) ++i;
  const double h = p[i + 1].x - p[i].x, b = (x - p[i].x) / h, a = 1 - b;
  return a * p[i].y + b * p[i + 1].y +
         ((a * a * a - a) * second[i] + (b * b * b - b) * second[i + 1]) * h * h / 6;
}

}  // namespace

double evaluate(const ToneCurve& curve, double x) {
  return curve.spline.size() >= 2 ? spline(curve.spline, x) : bezier(curve, x);
}

std::optional<shared::ToneFinish> toneFinishOf(const Genome& genome) {
  const bool straight = std::ranges::all_of(genome.curves, &ToneCurve::isStraight);
  if (straight && genome.saturation == 1 && genome.balance == glm::dvec3(1)) return std::nullopt;
  shared::ToneFinish finish{};
  finish.balance = glm::vec4(glm::vec3(genome.balance), genome.saturation);
  for (int i = 0; i < FLAME_TONE_CURVE_ENTRIES; ++i) {
    const double x = double(i) / (FLAME_TONE_CURVE_ENTRIES - 1);
    const auto at = [&](std::size_t curve, double v) {
      return genome.curves[curve].isStraight()
                 ? v
                 : std::clamp(evaluate(genome.curves[curve], v), 0.0, 1.0);
    };
    const double all = at(0, x);
    finish.curves[i] = glm::vec4(at(1, all), at(2, all), at(3, all), 0);
  }
  return finish;
}

glm::dvec3 finished(const shared::ToneFinish& finish, glm::dvec3 color) {
  glm::dvec3 v = color / 255.0 * glm::dvec3(finish.balance);
  const double grey = 0.299 * v.r + 0.587 * v.g + 0.114 * v.b;
  v = glm::clamp(grey + double(finish.balance.w) * (v - grey), 0.0, 1.0);
  glm::dvec3 out;
  for (int c = 0; c < 3; ++c) {
    const double at = v[c] * (FLAME_TONE_CURVE_ENTRIES - 1);
    const int low = std::min(int(at), FLAME_TONE_CURVE_ENTRIES - 2);
    out[c] =
        255 * glm::mix(double(finish.curves[low][c]), double(finish.curves[low + 1][c]), at - low);
  }
  return out;
}

// ---- The tone mapper

namespace {

/// Bands stay small enough to leave memory to the histogram: a few buffers have this size. The
/// largest take 20 ms by estimate at four samples along a pixel's side, and passes over them are
/// not cut.
std::int64_t bandBytes(gpu::Context& gpu) {
  constexpr std::int64_t kFewest = 64 << 20, kMost = 512 << 20;
  const std::int64_t share = gpu.device().software ? 0 : gpu.memory().budget() / 32;
  return std::min(std::clamp(share, kFewest, kMost), gpu.memory().blockLimit());
}

// Taps of a band: some 50 ms on an ordinary GPU, far from any watchdog.
constexpr std::int64_t kBandTaps = std::int64_t(4) << 30;

std::uint32_t bits(double value) { return std::bit_cast<std::uint32_t>(float(value)); }

gpu::PassKey blurKey(const std::string& way, int coarser, bool vertical) {
  return {"blur cells " + way,
          "shaders/flame/tone/blur_cells.comp",
          {{"COARSER", coarser}, {"VERTICAL", vertical ? 1 : 0}}};
}

int cellCount(int pixels, int margin, int scale) {
  return (pixels + 2 * margin + scale - 1) / scale;
}

}  // namespace

ToneMapper::ToneMapper(gpu::Context& gpu) : gpu_(gpu), byHost_(gpu.device().software) {}

void ToneMapper::setByHost(bool byHost) { byHost_ = byHost && gpu_.device().software; }

void ToneMapper::ensureWords(gpu::Words& buffer, const std::string& name, std::int64_t bytes) {
  gpu::ensure(gpu_, buffer, name, std::uint64_t(bytes / 4));
}

void ToneMapper::ensurePicture(gpu::Texture& texture, const std::string& name, glm::ivec2 size) {
  gpu::ensure(gpu_, texture, name, gpu::TextureFormat::Rgba32f, size);
}

ToneMapper::Plan ToneMapper::planOf(const Histogram& histogram, const Genome& genome,
                                    const Settings& settings) const {
  const HistogramShape& shape = histogram.shape;
  FATHOM_CHECK(!histogram.parts.empty() && histogram.rowsPerPart > 0);
  Plan plan{&histogram,
            nullptr,
            {},
            estimatorFor(genome, settings),
            filterFor(genome, settings),
            radialFilterFor(genome, settings),
            {},
            false,
            {}};
  plan.edgeClamp = settings.edgeClamp && !plan.table.empty();
  if (!plan.radial)
    plan.classes = estimatorClasses(plan.filter, plan.table, shape.supersample,
                                    settings.estimator == Estimator::Exact);
  if (plan.classes && plan.classes->exact && (!byHost_ || plan.edgeClamp)) plan.classes.reset();

  shared::ToneParams& p = plan.params;
  p.buckets = shape.buckets();
  p.pixels = shape.size;
  p.supersample = shape.supersample;
  p.gutter = shape.gutter;
  p.pitch = (p.buckets.x + 3) / 4 * 2;
  p.lastKernel = std::max(0, int(plan.table.widths.size()) - 1);
  p.windowScale = float(countWindow(shape.supersample).scale / (shape.hasAlpha ? 255 : 1));
  p.curve = float(plan.table.curve);
  p.maxCount = float(plan.table.maxCount);
  const LogScale scale = logScale(genome, shape.supersample, histogram.samples * histogram.weight);
  p.k1 = float(scale.k1);
  p.k2 = float(scale.k2);
  p.glow = float(scale.glow);
  p.colorShare = float(scale.colorShare);
  p.edgeRadius = float(genome.estimatorRadius / 3);
  p.edgeLimit = float(std::max(genome.estimatorMinimum / 3, 0.233));
  p.edgeKernel = plan.table.empty() ? 0 : plan.table.kernelOfWidth(shape.supersample);
  p.tapCount = int(plan.filter.taps.size());
  p.filterGutter = plan.filter.gutter;
  if (plan.radial) {
    p.tapCount = plan.radial->side;
    p.filterGutter = plan.radial->gutter();
    p.filterFirst = plan.radial->first();
    p.thinBelow = float(plan.radial->thinBelow);
    p.edgeFrom = float(plan.radial->edgeFrom);
  }
  p.inverseGamma = float(1 / genome.gamma);
  p.threshold = float(genome.gammaThreshold);
  p.vibrancy = float(genome.vibrancy);
  p.highlightPower = float(genome.highlightPower);
  p.background = glm::vec4(glm::vec3(genome.background), coverFactor(genome));
  return plan;
}

/// All programs between the histogram and the picture; `byHost`: density is estimated there.
void ToneMapper::request(Plan& plan, bool byHost, bool hasFinish) const {
  const gpu::Define words("WORDS", plan.histogram->shape.words());
  const bool hasKernels = !plan.table.empty();
  const int wide = plan.classes && !byHost ? int(plan.classes->wide.size()) : 0;
  const auto add = [&](const std::string& name, std::vector<gpu::Define> defines = {}) {
    plan.programs.push_back(gpu::keyIn("shaders/flame/tone/", name, std::move(defines)));
  };
  add("tone map", {{"WIDE", wide > 0 ? 1 : 0}, {"FINISH", hasFinish ? 1 : 0}});
  if (!byHost && hasKernels)
    add("measure density", {{"REACH", countWindow(plan.params.supersample).reach},
                            words,
                            {"COUNTS", plan.edgeClamp ? 1 : 0}});
  if (plan.edgeClamp) add("clamp edges");
  if (!byHost && plan.classes) {
    std::vector<gpu::Define> lines{{"SUPERSAMPLE", plan.params.supersample},
                                   {"NARROW", int(plan.classes->narrow.size())},
                                   {"BLOCKS", plan.classes->blocks}};
    add("filter columns", lines);
    lines.insert(lines.end(), {{"WIDE", wide}, words});
    add("spread rows", lines);
    add("gather cells");
    if (wide > 0) plan.programs.push_back(blurKey("down", 0, true));
    for (int coarser = 0; coarser < std::min(3, 2 * wide - 1); ++coarser)
      plan.programs.push_back(blurKey("across", coarser, false));
  } else if (!byHost) {
    add("scale buckets", {{"KERNELS", hasKernels ? 1 : 0}, words});
    if (hasKernels) add("spread exactly", {{"UNROLLED", gpu_.device().software ? 0 : 1}});
    if (plan.radial)
      add("filter radially", {{"ADAPTS", plan.radial->adapts ? 1 : 0}, words});
    else
      add("filter exactly");
  }
  gpu_.request(plan.programs);
}

void ToneMapper::toneMap(const Histogram& histogram, const Genome& genome, const Settings& settings,
                         gpu::Texture& displayed, Histogram* released, const HistogramBand& band) {
  Plan plan = planOf(histogram, genome, settings);
  plan.released = released;
  plan.band = band;
  wasExact_ = !plan.classes || plan.classes->exact;
  const bool byHost = plan.classes && byHost_ && !plan.edgeClamp;
  const std::optional<shared::ToneFinish> finish = toneFinishOf(genome);
  request(plan, byHost, finish.has_value());
  if (!byHost) ensurePicture(filtered_, "flame filtered", histogram.shape.size);
  if (byHost)
    estimateOnHost(
        plan, logScale(genome, histogram.shape.supersample, histogram.samples * histogram.weight));
  else if (plan.classes)
    estimateFast(plan);
  else
    estimateExactly(plan);

  if (band.end < histogram.shape.size.y) return released->parts.clear();
  ensurePicture(displayed, "flame image", histogram.shape.size);
  const bool hasWide = plan.classes && !byHost && !plan.classes->wide.empty();
  gpu::Pass& tone = gpu_.pass(plan.programs, "tone map");
  if (finish) tone.params(FLAME_TONE_BIND_FINISH, *finish);
  tone.texture(FLAME_TONE_TEXTURE_A, filtered_);
  if (hasWide) {
    plan.params.cellMargin = plan.classes->margin;
    tone.texture(FLAME_TONE_TEXTURE_B, cells_.front().result);
  }
  tone.image(FLAME_TONE_IMAGE, displayed).params(FLAME_TONE_BIND_PARAMS, plan.params);
  tone.dispatch(std::uint64_t(plan.params.pixels.x) * std::uint64_t(plan.params.pixels.y),
                gpu::Each{300});
  gpu::barrier(gpu::Access::Texture | gpu::Access::Transfer);  // whoever shows or saves it
  if (released) released->parts.clear(), filtered_ = {};
}

/// Binds bucket rows [firstRow, lastRow): where they lie, or a copy when they lie in several parts.
const gpu::RawBuffer& ToneMapper::bindWords(Plan& plan, int firstRow, int lastRow) {
  const Histogram& h = *plan.histogram;
  const int firstPart = firstRow / h.rowsPerPart, lastPart = (lastRow - 1) / h.rowsPerPart;
  if (firstPart == lastPart) {
    plan.params.wordsFirst = firstPart * h.rowsPerPart;
    plan.params.wordsCount =
        std::min(h.rowsPerPart, plan.params.buckets.y - plan.params.wordsFirst);
    return h.parts[std::size_t(firstPart)];
  }
  const std::int64_t rowBytes = std::int64_t(plan.params.buckets.x) * h.shape.words() * 4;
  ensureWords(words_, "flame band words", (lastRow - firstRow) * rowBytes);
  for (int part = firstPart; part <= lastPart; ++part) {
    const int from = std::max(firstRow, part * h.rowsPerPart);
    const int to = std::min(lastRow, (part + 1) * h.rowsPerPart);
    words_.copyFrom(h.parts[std::size_t(part)], (to - from) * rowBytes,
                    (from - part * h.rowsPerPart) * rowBytes, (from - firstRow) * rowBytes);
  }
  gpu::barrier(gpu::Access::Storage);  // the band's passes
  plan.params.wordsFirst = firstRow;
  plan.params.wordsCount = lastRow - firstRow;
  return words_;
}

/// Kernels of the rows [kernelsFirst, + kernelsCount), from the table that is uploaded.
void ToneMapper::measure(Plan& plan, const gpu::RawBuffer& words) {
  shared::ToneParams& p = plan.params;
  p.stripRows = gpu_.device().software ? 256 : 64;
  ensureWords(kernels_, "flame kernels", std::int64_t(p.pitch) * p.kernelsCount * 4);
  if (plan.edgeClamp)
    ensureWords(counts_, "flame counts", std::int64_t(p.buckets.x) * p.kernelsCount * 4);

  gpu::Pass& density = gpu_.pass(plan.programs, "measure density");
  density.storage(FLAME_TONE_BIND_WORDS, words)
      .storage(FLAME_TONE_BIND_TABLE, table_)
      .storage(plan.edgeClamp ? FLAME_TONE_BIND_COUNTS : FLAME_TONE_BIND_KERNELS,
               plan.edgeClamp ? counts_ : kernels_)
      .params(FLAME_TONE_BIND_PARAMS, p);
  // Of a bucket: the window's width in its row, and its place in the table.
  const double each = 40 + 6.0 * countWindow(p.supersample).reach;
  density.dispatchGrid({p.pitch / 2, (p.kernelsCount + p.stripRows - 1) / p.stripRows},
                       gpu::Each{each * 4 * p.stripRows});
  gpu::barrier(gpu::Access::Storage);  // clamp edges, spread rows, scale buckets
  if (!plan.edgeClamp) return;

  gpu::Pass& clamp = gpu_.pass(plan.programs, "clamp edges");
  clamp.storage(FLAME_TONE_BIND_COUNTS, counts_)
      .storage(FLAME_TONE_BIND_TABLE, table_)
      .storage(FLAME_TONE_BIND_KERNELS, kernels_)
      .params(FLAME_TONE_BIND_PARAMS, p);
  clamp.dispatchGrid({p.pitch, p.kernelsCount}, gpu::Each{120});
  gpu::barrier(gpu::Access::Storage);  // spread rows, scale buckets
}

// ---- Fast density estimation

void ToneMapper::uploadClasses(const Plan& plan) {
  std::vector<std::uint32_t> coordinates{0};
  if (!plan.table.empty()) coordinates.clear();
  for (const double c : plan.classes->coordinates)
    coordinates.push_back(std::uint32_t(std::lround(c * 1024)));
  ensureWords(table_, "flame kernel table", std::int64_t(coordinates.size()) * 4);
  table_.upload(coordinates);
  std::size_t at = 0;
  for (const std::vector<double>& taps : plan.classes->narrow)
    for (const double tap : taps) {
      taps_.values[at / 4][int(at % 4)] = float(tap);
      ++at;
    }
}

/// As many pixel rows as fit the blocks; whole cells.
int ToneMapper::fastBandRows(const Plan& plan) const {
  const shared::ToneParams& p = plan.params;
  const std::int64_t maxBytes = bandBytes(gpu_);
  const auto classes =
      std::int64_t(std::max(plan.classes->narrow.size(), plan.classes->wide.size()));
  const std::int64_t perRow =
      std::max(16 * classes * p.buckets.x,
               std::int64_t(p.supersample) * p.buckets.x * plan.histogram->shape.words() * 4);
  const std::int64_t halo = std::int64_t(plan.classes->blocks) + 2;
  const std::int64_t rows = std::max<std::int64_t>(1, maxBytes / perRow - halo);
  const int cell = plan.classes->largestCell;
  const int wanted = int(std::min<std::int64_t>(bandRows_ > 0 ? bandRows_ : rows, rows));
  return std::max(1, wanted / cell) * cell;
}

void ToneMapper::estimateFast(Plan& plan) {
  uploadClasses(plan);
  plan.params.narrowestSum = float(plan.classes->narrowestSum);
  const EstimatorClasses& classes = *plan.classes;
  const int last = plan.params.pixels.y + classes.margin;
  cells_.resize(classes.wide.size());
  for (std::size_t i = 0; i < classes.wide.size(); ++i) {
    const int scale = classes.wide[i].cellScale;
    const glm::ivec2 size(cellCount(plan.params.pixels.x, classes.margin, scale),
                          cellCount(plan.params.pixels.y, classes.margin, scale));
    ensurePicture(cells_[i].sums, "flame cells", size);
    ensurePicture(cells_[i].result, "flame blurred cells", size);
  }
  const int rows = fastBandRows(plan);
  for (int row = -classes.margin; row < last; row += rows)
    spreadBand(plan, row, std::min(rows, last - row));
  blurWide(plan);
}

/// Into filtered_, wide classes included.
void ToneMapper::estimateOnHost(const Plan& plan, const LogScale& scale) {
  const Histogram& histogram = *plan.histogram;
  const HistogramBand& band = plan.band;
  gpu_.finish();
  const gpu::Timings::Scope scope(gpu_.timings(), "estimate density",
                                  gpu::Timings::Scope::Work::Compute);
  std::vector<std::unique_ptr<gpu::HostView>> views;
  HistogramRows rows{histogram.shape, histogram.rowsPerPart, {}};
  rows.shape.size.y = std::min(band.to, rows.shape.size.y) - band.from;
  for (const gpu::Words& part : histogram.parts) {
    // Views could write; this does not.
    views.push_back(std::make_unique<gpu::HostView>(gpu_, const_cast<gpu::Words&>(part)));
    rows.parts.push_back(views.back()->as<std::uint32_t>());
  }
  RowsRead release;
  if (plan.released)
    release = [&](int row) {
      for (std::size_t i = 0; i < views.size() && int(i + 1) * rows.rowsPerPart <= row; ++i) {
        views[i].reset();
        plan.released->parts[i] = {};
      }
    };
  const auto estimate = [&] {
    return estimatedByHost(rows, plan.table, *plan.classes, scale, release);
  };
  // Buffers are given back by the thread that has the context.
  const ZeroedSums picture = release ? estimate() : gpu::runAsync(estimate);
  // Only now: a renderer in software fills its textures with zeros.
  ensurePicture(filtered_, "flame filtered", histogram.shape.size);
  constexpr int kRows = 64;
  const auto width = std::size_t(filtered_.width());
  gpu::Words lines(gpu_, "flame filtered rows", 4 * width * kRows);
  for (int row = band.first, end = std::min(band.end, filtered_.height()); row < end;
       row += kRows) {
    const int count = std::min(kRows, end - row);
    lines.write(picture.data() + std::size_t(row - band.from) * width,
                std::int64_t(width * std::size_t(count) * sizeof(Float4)));
    filtered_.copyRows(lines, row, count);
  }
}

/// The bucket rows that reach into a band of pixel rows. Returns their words.
const gpu::RawBuffer& ToneMapper::openFastBand(Plan& plan, int rowFirst, int rowCount) {
  shared::ToneParams& p = plan.params;
  const int os = p.supersample, half = plan.classes->blocks / 2, reach = countWindow(os).reach;
  const auto bucketRow = [&](int pixelRow) {
    return std::clamp(os * pixelRow + p.gutter, 0, p.buckets.y);
  };
  p.rowFirst = rowFirst;
  p.rowCount = rowCount;
  p.narrowFirst = std::clamp(rowFirst, 0, p.pixels.y);
  p.narrowCount = std::clamp(rowFirst + rowCount, 0, p.pixels.y) - p.narrowFirst;
  p.kernelsFirst = std::min(bucketRow(rowFirst - half), p.buckets.y - 1);
  p.kernelsCount = std::max(1, bucketRow(rowFirst + rowCount + half) - p.kernelsFirst);
  return bindWords(plan, std::max(0, p.kernelsFirst - reach),
                   std::min(p.buckets.y, p.kernelsFirst + p.kernelsCount + reach));
}

void ToneMapper::spreadBand(Plan& plan, int rowFirst, int rowCount) {
  const gpu::RawBuffer& words = openFastBand(plan, rowFirst, rowCount);
  if (!plan.table.empty()) measure(plan, words);
  shared::ToneParams& p = plan.params;
  const EstimatorClasses& classes = *plan.classes;

  // Down the columns: narrow classes into pixel rows, wide ones into the sum of their own row.
  const std::int64_t column = 16 * std::int64_t(p.buckets.x);
  ensureWords(narrow_, "flame narrow classes",
              column * std::int64_t(classes.narrow.size()) * std::max(1, p.narrowCount));
  ensureWords(wide_, "flame wide classes",
              column * std::int64_t(std::max<std::size_t>(1, classes.wide.size())) * rowCount);
  gpu::Pass& spread = gpu_.pass(plan.programs, "spread rows");
  p.stripRows = gpu_.device().software ? 128 : 16;
  spread.storage(FLAME_TONE_BIND_WORDS, words)
      .storage(FLAME_TONE_BIND_KERNELS, plan.table.empty() ? table_ : kernels_)
      .storage(FLAME_TONE_BIND_NARROW, narrow_)
      .storage(FLAME_TONE_BIND_WIDE, wide_)
      .params(FLAME_TONE_BIND_PARAMS, p)
      .params(FLAME_TONE_BIND_TAPS, taps_);
  const double taps = double(classes.blocks) * double(classes.narrow.size());  // of a bucket
  spread.dispatchGrid({p.buckets.x, (rowCount + p.stripRows - 1) / p.stripRows},
                      gpu::Each{(60 + 8 * taps + 8 * double(classes.wide.size())) * p.supersample *
                                (p.stripRows + classes.blocks)});
  gpu::barrier(gpu::Access::Storage);  // filter columns, gather cells

  if (p.narrowCount > 0) filterNarrow(plan);
  gatherCells(plan);
  gpu::barrier(gpu::Access::Texture);  // blur cells, tone map
}

/// Across the rows: narrow classes into pixels.
void ToneMapper::filterNarrow(Plan& plan) {
  shared::ToneParams& p = plan.params;
  gpu::Pass& columns = gpu_.pass(plan.programs, "filter columns");
  p.stripRows = gpu_.device().software ? 256 : 16;
  columns.storage(FLAME_TONE_BIND_NARROW, narrow_)
      .image(FLAME_TONE_IMAGE, filtered_)
      .params(FLAME_TONE_BIND_PARAMS, p)
      .params(FLAME_TONE_BIND_TAPS, taps_);
  const double taps = double(plan.classes->blocks) * double(plan.classes->narrow.size());
  columns.dispatchGrid(
      {p.narrowCount, (p.pixels.x + p.stripRows - 1) / p.stripRows},
      gpu::Each{(20 + 8 * taps) * p.supersample * (p.stripRows + plan.classes->blocks)});
}

/// Across the rows: each wide class into its cells.
void ToneMapper::gatherCells(Plan& plan) {
  shared::ToneParams& p = plan.params;
  const EstimatorClasses& classes = *plan.classes;
  gpu::Pass& gather = gpu_.pass(plan.programs, "gather cells");
  for (std::size_t i = 0; i < classes.wide.size(); ++i) {
    p.classIndex = int(i);
    p.cellScale = classes.wide[i].cellScale;
    p.cellMargin = classes.margin / p.cellScale;
    p.cellFirst = (p.rowFirst + classes.margin) / p.cellScale;
    const int cellRows = (p.rowCount + p.cellScale - 1) / p.cellScale;
    gather.storage(FLAME_TONE_BIND_WIDE, wide_)
        .image(FLAME_TONE_IMAGE, cells_[i].sums)
        .params(FLAME_TONE_BIND_PARAMS, p);
    const double buckets = double(p.cellScale) * p.cellScale * p.supersample;  // of a cell
    gather.dispatchGrid({cellRows, cells_[i].sums.width()}, gpu::Each{20 + 8 * buckets});
  }
}

/// From the widest class to the narrowest: result[i] = blur(sums[i]) + result[i + 1].
void ToneMapper::blurWide(Plan& plan) {
  shared::ToneParams& p = plan.params;
  const EstimatorClasses& classes = *plan.classes;
  for (std::size_t i = classes.wide.size(); i-- > 0;) {
    Cells& cells = cells_[i];
    const bool hasWider = i + 1 < classes.wide.size();
    const int scale = classes.wide[i].cellScale;
    const int coarser = !hasWider ? 0 : classes.wide[i + 1].cellScale == scale ? 1 : 2;
    const SplineBlur blur = blurOf(classes.wide[i].blur);
    p.blurReach = blur.reach;
    p.inverseWidth = float(blur.inverseWidth);
    p.blurScale = float(blur.scale);
    p.cellMargin = classes.margin / scale;
    p.coarserMargin = hasWider ? classes.margin / classes.wide[i + 1].cellScale : 0;
    const glm::ivec2 size(cells.sums.width(), cells.sums.height());
    const std::uint64_t count = std::uint64_t(size.x) * std::uint64_t(size.y);
    ensurePicture(scratch_, "flame cell scratch", size);

    gpu::Pass& down = gpu_.pass(blurKey("down", 0, true));
    down.texture(FLAME_TONE_TEXTURE_A, cells.sums);
    down.image(FLAME_TONE_IMAGE, scratch_).params(FLAME_TONE_BIND_PARAMS, p);
    const gpu::Each cell{60 + 16.0 * p.blurReach};
    down.dispatch(count, cell);
    gpu::barrier(gpu::Access::Texture);  // blur cells across

    gpu::Pass& across = gpu_.pass(blurKey("across", coarser, false));
    across.texture(FLAME_TONE_TEXTURE_A, scratch_);
    if (hasWider) across.texture(FLAME_TONE_TEXTURE_B, cells_[i + 1].result);
    across.image(FLAME_TONE_IMAGE, cells.result).params(FLAME_TONE_BIND_PARAMS, p);
    across.dispatch(count, cell);
    // The next class reads the result, and writes over the scratch that this one has read.
    gpu::barrier(gpu::Access::Texture | gpu::Access::Storage);
  }
}

// ---- Exact density estimation

/// Two tables, one after the other in use: kernel numbers for measure_density.comp, then what
/// scale_buckets.comp needs of each.
void ToneMapper::uploadKernels(const Plan& plan) {
  std::vector<std::uint32_t> numbers(std::max<std::size_t>(1, plan.table.widths.size()));
  std::iota(numbers.begin(), numbers.end(), 0u);
  ensureWords(table_, "flame kernel table", std::int64_t(numbers.size()) * 4);
  table_.upload(numbers);

  std::vector<std::uint32_t> entries;
  for (const double width : plan.table.widths) {
    const double exponent = -4.5 * std::numbers::log2e / (width * width);
    const std::vector<double> kernel = estimatorKernel(width, plan.table.widths.front());
    const double middle = kernel[kernel.size() / 2];  // its weight before it was divided is 1
    entries.insert(entries.end(), {bits(exponent), bits(middle), bits(width * width), 0u});
  }
  entries.resize(std::max<std::size_t>(4, entries.size()));
  ensureWords(wide_, "flame kernel shapes", std::int64_t(entries.size()) * 4);
  wide_.upload(entries);

  std::vector<std::uint32_t> weights;
  for (const double tap : plan.filter.taps) weights.push_back(bits(tap));
  if (plan.radial) {
    weights.clear();
    for (const glm::dvec2& weight : plan.radial->weights)
      weights.insert(weights.end(), {bits(weight.x), bits(weight.y)});
  }
  ensureWords(weights_, "flame filter taps", std::int64_t(weights.size()) * 4);
  weights_.upload(weights);
}

int ToneMapper::exactBandRows(const Plan& plan) const {
  const shared::ToneParams& p = plan.params;
  const std::int64_t maxBytes = bandBytes(gpu_);
  const std::int64_t bucketRows =
      maxBytes / (std::int64_t(p.buckets.x) * std::max(16, plan.histogram->shape.words() * 4));
  const int halo = 2 * (plan.table.reach() + p.filterGutter + p.supersample + FLAME_TONE_TILE);
  const std::int64_t side = 2 * plan.table.reach() + FLAME_TONE_TILE;
  const std::int64_t square = plan.radial ? std::int64_t(p.tapCount) * p.tapCount : 0;
  const std::int64_t taps = (side * side * p.supersample + square) * p.buckets.x;
  const std::int64_t rows = std::max<std::int64_t>(
      1,
      std::min((bucketRows - halo) / p.supersample, std::max<std::int64_t>(64, kBandTaps / taps)));
  return int(bandRows_ > 0 ? std::min<std::int64_t>(bandRows_, rows) : rows);
}

void ToneMapper::estimateExactly(Plan& plan) {
  uploadKernels(plan);
  const int rows = exactBandRows(plan);
  for (int row = 0; row < plan.params.pixels.y; row += rows)
    exactBand(plan, row, std::min(rows, plan.params.pixels.y - row));
}

/// The bucket rows that reach into a band of pixel rows. Returns their words.
const gpu::RawBuffer& ToneMapper::openExactBand(Plan& plan, int rowFirst, int rowCount) {
  shared::ToneParams& p = plan.params;
  const int os = p.supersample, reach = plan.table.reach() + p.filterGutter;
  const int window = countWindow(os).reach;
  p.rowFirst = rowFirst;
  p.rowCount = rowCount;
  // Whole tiles, so that sums have one order in every band.
  p.kernelsFirst =
      std::max(0, os * rowFirst + p.gutter - reach) / FLAME_TONE_TILE * FLAME_TONE_TILE;
  p.kernelsCount =
      std::min(p.buckets.y, os * (rowFirst + rowCount) + p.gutter + reach) - p.kernelsFirst;
  return bindWords(plan, std::max(0, p.kernelsFirst - window),
                   std::min(p.buckets.y, p.kernelsFirst + p.kernelsCount + window));
}

void ToneMapper::exactBand(Plan& plan, int rowFirst, int rowCount) {
  const gpu::RawBuffer& words = openExactBand(plan, rowFirst, rowCount);
  shared::ToneParams& p = plan.params;
  const bool hasKernels = !plan.table.empty();
  if (hasKernels) measure(plan, words);
  const glm::ivec2 tiles =
      (glm::ivec2(p.buckets.x, p.kernelsCount) + FLAME_TONE_TILE - 1) / FLAME_TONE_TILE;
  scaleBuckets(plan, words, tiles);
  if (hasKernels) spreadExactly(plan, tiles);
  filterBand(plan, words);
  gpu::barrier(gpu::Access::Texture | gpu::Access::Storage);  // tone map; the next band
}

/// From buckets to a band of pixels. The filter of JWildfire is radial, and has no density
/// estimation.
void ToneMapper::filterBand(Plan& plan, const gpu::RawBuffer& words) {
  const shared::ToneParams& p = plan.params;
  gpu::Pass& filter = gpu_.pass(plan.programs, plan.radial ? "filter radially" : "filter exactly");
  filter.storage(FLAME_TONE_BIND_SPREAD, plan.table.empty() ? scaled_ : spread_)
      .storage(FLAME_TONE_BIND_WEIGHTS, weights_)
      .image(FLAME_TONE_IMAGE, filtered_)
      .params(FLAME_TONE_BIND_PARAMS, p);
  if (plan.radial && plan.radial->adapts) filter.storage(FLAME_TONE_BIND_WORDS, words);
  const double taps = double(p.tapCount) * p.tapCount;
  filter.dispatch(std::uint64_t(p.pixels.x) * std::uint64_t(p.rowCount),
                  plan.radial ? gpu::Each{60 + 8 * taps} : gpu::Each{20 + 6 * taps});
}

/// Log scaling, and what each bucket's kernel is.
void ToneMapper::scaleBuckets(Plan& plan, const gpu::RawBuffer& words, glm::ivec2 tiles) {
  shared::ToneParams& p = plan.params;
  const bool hasKernels = !plan.table.empty();
  const std::int64_t buckets = std::int64_t(p.buckets.x) * p.kernelsCount;
  ensureWords(scaled_, "flame scaled buckets", 16 * buckets);
  gpu::Pass& scale = gpu_.pass(plan.programs, "scale buckets");
  scale.storage(FLAME_TONE_BIND_WORDS, words).storage(FLAME_TONE_BIND_SCALED, scaled_);
  if (hasKernels) {
    ensureWords(exponents_, "flame exponents", 4 * buckets);
    ensureWords(reaches_, "flame tile reaches", 4 * std::int64_t(tiles.x) * tiles.y);
    scale.storage(FLAME_TONE_BIND_KERNELS, kernels_)
        .storage(FLAME_TONE_BIND_TABLE, wide_)
        .storage(FLAME_TONE_BIND_EXPONENTS, exponents_)
        .storage(FLAME_TONE_BIND_REACHES, reaches_);
  }
  scale.params(FLAME_TONE_BIND_PARAMS, p);
  scale.dispatchGrid(tiles * FLAME_TONE_TILE, gpu::Each{80});
  gpu::barrier(gpu::Access::Storage);  // spread exactly, filter exactly
}

/// Each bucket gathers what the kernels around it give.
void ToneMapper::spreadExactly(Plan& plan, glm::ivec2 tiles) {
  shared::ToneParams& p = plan.params;
  ensureWords(spread_, "flame spread buckets", 16 * std::int64_t(p.buckets.x) * p.kernelsCount);
  p.reachTiles = (plan.table.reach() + FLAME_TONE_TILE - 1) / FLAME_TONE_TILE;
  p.tileSide = FLAME_TONE_TILE;
  gpu::Pass& spread = gpu_.pass(plan.programs, "spread exactly");
  spread.storage(FLAME_TONE_BIND_SCALED, scaled_)
      .storage(FLAME_TONE_BIND_EXPONENTS, exponents_)
      .storage(FLAME_TONE_BIND_REACHES, reaches_)
      .storage(FLAME_TONE_BIND_SPREAD, spread_)
      .params(FLAME_TONE_BIND_PARAMS, p);
  const int stacks = (tiles.y + FLAME_TONE_STACK - 1) / FLAME_TONE_STACK;
  // Every bucket of the tiles around, for each bucket of the stack.
  const double side = FLAME_TONE_TILE * (2.0 * p.reachTiles + 1);
  spread.dispatchGrid(glm::ivec2(tiles.x, stacks) * FLAME_TONE_TILE,
                      gpu::Each{12.0 * FLAME_TONE_STACK * side * side});
  gpu::barrier(gpu::Access::Storage);  // filter exactly
}

}  // namespace fathom::flame
