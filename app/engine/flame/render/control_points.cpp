// SPDX-License-Identifier: BSD-3-Clause
// Tables of curves, the passes that evaluate them, and the moments of an open shutter.
#include "app/engine/flame/render/control_points.h"

#include "app/engine/core/error.h"
#include "app/engine/core/jobs.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/genome/variations.h"
#include "shaders/flame/control_points/evaluate_shared.h"
#include "shaders/flame/shared.h"

namespace fathom::flame {
namespace {

constexpr std::size_t kFirstRecord = FLAME_CAMERA_ROWS * 4;  // in floats
constexpr int kWaves = 15;

/// waves, popcorn, rings and fan: for parameters they have c and f of the xform's matrix.
bool takesMatrix(int variation) {
  return variation == kWaves || variation == 17 || variation == 21 || variation == 22;
}

std::uint32_t flagsOf(const Curve& curve) {
  std::uint32_t flags = 0;
  if (curve.domain == CurveDomain::Logarithm) flags |= FLAME_CURVE_LOGARITHM;
  if (curve.domain == CurveDomain::Magnitude) flags |= FLAME_CURVE_MAGNITUDE;
  if (curve.limit == CurveLimit::NotNegative) flags |= FLAME_CURVE_NOT_NEGATIVE;
  if (curve.limit == CurveLimit::ZeroToOne) flags |= FLAME_CURVE_ZERO_TO_ONE;
  return flags;
}

Curve negated(Curve curve) {
  FATHOM_CHECK(curve.domain != CurveDomain::Logarithm && curve.limit == CurveLimit::None);
  for (Knot& knot : curve.knots) knot.value = -knot.value;
  return curve;
}

/// Collects curves of a piece in the order of the jobs, which is that of every piece.
class TableWriter {
 public:
  TableWriter(CurveTables& out, const Structure& structure)
      : out_(out), layout_(layoutOf(structure)) {}

  void beginPiece() { pieceStart_ = out_.curves.size(); }
  std::uint32_t position() const { return std::uint32_t(out_.curves.size() - pieceStart_); }

  void add(const Curve& curve, std::uint32_t flags = 0) {
    if (!curve.moves()) return addConstant(curve.at(0), flags);
    const std::vector<Knot>& knots = curve.knots;
    FATHOM_CHECK(knots.size() >= 4 && knots.size() <= kMaxKnots);
    const auto lastStart = std::uint32_t(knots.size() - 3);
    out_.searchStep = std::max(out_.searchStep, std::bit_floor(lastStart - 1));
    out_.magnitudes |= curve.domain == CurveDomain::Magnitude;
    out_.curves.emplace_back(std::uint32_t(out_.knots.size()), lastStart, flags | flagsOf(curve),
                             0);
    for (const Knot& knot : knots) out_.knots.emplace_back(knot.time, knot.value);
  }

  const RecordLayout& layout() const { return layout_; }

 private:
  /// Four knots of one value, so that no shader has to tell them apart.
  void addConstant(double value, std::uint32_t flags) {
    const auto [at, isNew] = constants_.try_emplace(std::bit_cast<std::uint64_t>(value),
                                                    std::uint32_t(out_.knots.size()));
    out_.curves.emplace_back(at->second, 1, flags, 0);
    for (int i = -1; isNew && i < 3; ++i) out_.knots.emplace_back(i, value);
  }

  CurveTables& out_;
  RecordLayout layout_;
  std::size_t pieceStart_ = 0;
  std::map<std::uint64_t, std::uint32_t> constants_;  // value's bits, first knot
};

/// Xform i, or the final one for i = capacity; null: this piece has none.
const MovingXform* xformOf(const MovingGenome& piece, std::size_t i, const Structure& structure) {
  if (i == std::size_t(structure.capacity)) return piece.finalXform ? &*piece.finalXform : nullptr;
  return i < piece.xforms.size() ? &piece.xforms[i] : nullptr;
}

const MovingVariation* variationOf(const MovingXform* xform, int index) {
  if (!xform) return nullptr;
  for (const MovingVariation& variation : xform->variations)
    if (variation.index == index && (variation.weight.moves() || variation.weight.at(0) != 0))
      return &variation;
  return nullptr;
}

void addCamera(TableWriter& writer, const MovingGenome& piece, const HistogramShape& shape) {
  const double side = shape.supersample;
  for (const Curve* curve :
       {&piece.centerX, &piece.centerY, &piece.scale, &piece.zoom, &piece.rotate, &piece.filter})
    writer.add(*curve);
  writer.add(piece.finalXform ? piece.finalXform->opacity : Curve(0));
  writer.add(side * double(shape.size.x) / std::max(1, piece.fixed.size.x));
  writer.add(side / 3);
}

std::uint32_t formOf(const MovingAffine& affine) {
  if (affine.form == MovingAffine::Form::Columns) return FLAME_CURVE_COLUMNS;
  return affine.form == MovingAffine::Form::Spread ? FLAME_CURVE_SPREAD : 0u;
}

/// `affine` null: all of it is 0.
void addMatrix(TableWriter& writer, const MovingAffine* affine, const Curve& colorSpeed,
               const Curve& color, const Curve& opacity) {
  for (std::size_t i = 0; i < 6; ++i)
    writer.add(affine ? affine->curves[i] : Curve(0), i == 0 && affine ? formOf(*affine) : 0);
  writer.add(colorSpeed), writer.add(color), writer.add(opacity);
}

/// What one xform adds, over all pieces.
struct XformJobs {
  bool isThere = false, isFinal = false;
  std::uint32_t record = 0;  // its first float
  std::vector<int> variations;
};

std::vector<XformJobs> xformJobs(std::span<const MovingGenome> pieces, const Structure& structure,
                                 const RecordLayout& layout) {
  std::vector<XformJobs> list(std::size_t(structure.capacity) + 1);
  for (std::size_t i = 0; i < list.size(); ++i) {
    list[i].record = std::uint32_t(kFirstRecord + i * std::size_t(layout.rows) * 4);
    list[i].isFinal = i + 1 == list.size();
    for (const MovingGenome& piece : pieces)
      list[i].isThere |= xformOf(piece, i, structure) != nullptr;
    for (const int variation : structure.variations)
      if (std::any_of(pieces.begin(), pieces.end(), [&](const MovingGenome& piece) {
            return variationOf(xformOf(piece, i, structure), variation);
          }))
        list[i].variations.push_back(variation);
  }
  return list;
}

class Plan {
 public:
  Plan(std::span<const MovingGenome> pieces, const Structure& structure,
       const HistogramShape& shape)
      : structure_(structure), shape_(shape) {
    xforms_ = xformJobs(pieces, structure, writer_.layout());
    for (const MovingGenome& piece : pieces) addPiece(piece);
  }
  CurveTables tables() && { return std::move(tables_); }

 private:
  void addPiece(const MovingGenome& piece) {
    FATHOM_CHECK_OP(piece.xforms.size(), <=, std::size_t(structure_.capacity));
    writer_.beginPiece();
    jobsKnown_ = tables_.curvesPerPiece > 0;
    addJob(CurveTables::Camera, 0, 0, 0);
    addCamera(writer_, piece, shape_);
    for (std::size_t i = 0; i < xforms_.size(); ++i)
      if (xforms_[i].isThere) addXform(piece, i);
    addThresholds(piece);
    if (jobsKnown_) FATHOM_CHECK_OP(writer_.position(), ==, tables_.curvesPerPiece);
    tables_.curvesPerPiece = writer_.position();
  }

  /// The job's curves are those added next.
  void addJob(CurveTables::Kind kind, std::uint32_t target, std::uint32_t z, std::uint32_t w) {
    if (!jobsKnown_) tables_.jobs[kind].emplace_back(writer_.position(), target, z, w);
  }

  void addXform(const MovingGenome& piece, std::size_t i) {
    const MovingXform* xform = xformOf(piece, i, structure_);
    const XformJobs& jobs = xforms_[i];
    const RecordLayout& layout = writer_.layout();
    const bool muted =
        !jobs.isFinal && piece.fixed.soloXform >= 0 && std::size_t(piece.fixed.soloXform) != i;
    const bool waves = std::count(jobs.variations.begin(), jobs.variations.end(), kWaves) > 0;
    addJob(CurveTables::Matrices, jobs.record,
           layout.visibilityOffset < 0 ? FLAME_NOWHERE
                                       : jobs.record + std::uint32_t(layout.visibilityOffset),
           waves ? jobs.record + std::uint32_t(layout.offsetOf(kWaves)) + 1 : FLAME_NOWHERE);
    addMatrix(writer_, xform ? &xform->coefs : nullptr, xform ? xform->colorSpeed : Curve(1),
              xform ? xform->color : Curve(0),
              !xform || muted ? Curve(0)
              : jobs.isFinal  ? Curve(1)
                              : xform->opacity);
    if (layout.hasPost) {
      addJob(CurveTables::Matrices, jobs.record + 8, FLAME_NOWHERE, FLAME_NOWHERE);
      addMatrix(writer_, xform ? &xform->post : nullptr, 1, 0, 1);
    }
    for (const int variation : jobs.variations)
      addVariation(variation, xform, jobs.record + std::uint32_t(layout.offsetOf(variation)));
  }

  void addVariation(int index, const MovingXform* xform, std::uint32_t target) {
    const std::size_t parameters =
        takesMatrix(index) ? 2 : variations()[std::size_t(index)].parameters.size();
    addJob(CurveTables::Variations, target,
           std::uint32_t(index) | std::uint32_t(packedCount(index)) << 8,
           std::uint32_t(1 + parameters));
    const MovingVariation* variation = variationOf(xform, index);
    writer_.add(variation ? variation->weight : Curve(0));
    if (takesMatrix(index)) {
      const MovingAffine coefs = xform ? xform->coefs : MovingAffine{};
      writer_.add(coefs.curves[4]);
      writer_.add(coefs.form == MovingAffine::Form::Spread ? negated(coefs.curves[5])
                                                           : coefs.curves[5]);
    } else {
      for (std::size_t p = 0; p < parameters; ++p)
        writer_.add(variation ? variation->parameters[p] : Curve(1));
    }
  }

  void addThresholds(const MovingGenome& piece) {
    const auto capacity = std::uint32_t(structure_.capacity);
    const std::uint32_t weights = writer_.position();
    std::uint32_t target = std::uint32_t(kFirstRecord + (std::size_t(capacity) + 1) *
                                                            std::size_t(writer_.layout().rows) * 4);
    std::uint32_t left = std::uint32_t(thresholdWords(structure_));
    for (std::uint32_t row = 0; row < (structure_.xaos ? capacity + 1 : 1); ++row) {
      const bool last = !structure_.xaos || row == capacity;  // with what fills up its vec4
      const std::uint32_t words = last ? left : capacity;
      const std::uint32_t factors = weights + row * capacity;
      if (!jobsKnown_)
        tables_.jobs[CurveTables::Thresholds].emplace_back(weights, target, words,
                                                           row == 0 ? FLAME_NOWHERE : factors);
      addThresholdCurves(piece, row);
      target += words, left -= words;
    }
  }

  /// Weights for row 0; factors of chaos after xform `row` - 1.
  void addThresholdCurves(const MovingGenome& piece, std::size_t row) {
    for (std::size_t to = 0; to < std::size_t(structure_.capacity); ++to) {
      if (row == 0) {
        writer_.add(to < piece.xforms.size() ? piece.xforms[to].weight : Curve(0));
      } else {
        const MovingXform* from = row <= piece.xforms.size() ? &piece.xforms[row - 1] : nullptr;
        writer_.add(from && to < from->chaos.size() ? from->chaos[to] : Curve(1));
      }
    }
  }

  const Structure& structure_;
  const HistogramShape& shape_;
  CurveTables tables_;
  TableWriter writer_{tables_, structure_};
  std::vector<XformJobs> xforms_;
  bool jobsKnown_ = false;
};

}  // namespace

CurveTables curveTables(std::span<const MovingGenome> pieces, const Structure& structure,
                        const HistogramShape& shape) {
  FATHOM_CHECK(!pieces.empty());
  return Plan(pieces, structure, shape).tables();
}

// ---- Control points

namespace {

struct Kind {
  const char *name, *shader;
  std::uint32_t curves;  // of a job, where all have as many
};
constexpr std::array<Kind, CurveTables::kKinds> kKinds{{
    {"evaluate cameras", "shaders/flame/control_points/evaluate_cameras.comp", FLAME_CAMERA_CURVES},
    {"evaluate matrices", "shaders/flame/control_points/evaluate_matrices.comp",
     FLAME_MATRIX_CURVES},
    {"evaluate variations", "shaders/flame/control_points/evaluate_variations.comp",
     FLAME_VARIATION_CURVES},
    {"evaluate thresholds", "shaders/flame/control_points/evaluate_thresholds.comp", 0},
}};

/// Buffers are kept while they are large enough.
template <class T>
void upload(gpu::Context& gpu, gpu::RawBuffer& buffer, const char* name,
            std::span<const T> values) {
  const auto bytes = std::int64_t(values.size_bytes());
  if (buffer.bytes() < bytes) buffer = gpu::RawBuffer(gpu, name, bytes + bytes / 2);
  if (bytes > 0) buffer.write(values.data(), bytes);
}

/// The piece of each moment: the first one that does not end before it.
std::vector<glm::dvec2> momentsIn(std::span<const MovingGenome> pieces,
                                  std::span<const double> moments) {
  std::vector<glm::dvec2> list;
  for (const double time : moments) {
    std::size_t piece = 0;
    while (piece + 1 < pieces.size() && pieces[piece].end < time) ++piece;
    list.emplace_back(time, double(piece));
  }
  return list;
}

}  // namespace

void ControlPoints::start(std::span<const MovingGenome> pieces, const Structure& structure,
                          const HistogramShape& shape, std::span<const double> moments) {
  const CurveTables tables = curveTables(pieces, structure, shape);
  uploadTables(tables);
  upload(gpu_, moments_, "flame moments", std::span<const glm::dvec2>(momentsIn(pieces, moments)));
  floatsPerPoint_ = controlPointRows(structure) * 4;
  capacity_ = std::size_t(structure.capacity);
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind)
    passes_[kind] = &gpu_.pass(
        {kKinds[kind].name, kKinds[kind].shader, {{"FLAME_MAGNITUDES", int(tables.magnitudes)}}});
}

void ControlPoints::uploadTables(const CurveTables& tables) {
  upload(gpu_, curves_, "flame curves", std::span<const glm::uvec4>(tables.curves));
  upload(gpu_, knots_, "flame knots", std::span<const glm::dvec2>(tables.knots));
  std::vector<glm::uvec4> jobs;
  for (std::size_t kind = 0; kind < tables.jobs.size(); ++kind) {
    jobs.insert(jobs.end(), tables.jobs[kind].begin(), tables.jobs[kind].end());
    jobCounts_[kind] = tables.jobs[kind].size();
  }
  upload(gpu_, jobs_, "flame jobs", std::span<const glm::uvec4>(jobs));
  curvesPerPiece_ = tables.curvesPerPiece;
  searchStep_ = tables.searchStep;
}

void ControlPoints::evaluate(std::size_t first, std::size_t count, const gpu::RawBuffer& target) {
  FATHOM_CHECK(passes_[0] && count > 0);
  FATHOM_CHECK_OP(target.bytes(), >=, std::int64_t(count * floatsPerPoint_ * sizeof(float)));
  shared::EvaluateParams params{};
  params.firstMoment = std::uint32_t(first), params.momentCount = std::uint32_t(count);
  params.groupsPerJob = std::uint32_t((count + FLAME_EVALUATE_GROUP - 1) / FLAME_EVALUATE_GROUP);
  params.curvesPerPiece = std::uint32_t(curvesPerPiece_);
  params.floatsPerPoint = std::uint32_t(floatsPerPoint_);
  params.searchStep = searchStep_;
  params.capacity = std::uint32_t(capacity_);
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
    params.jobCount = std::uint32_t(jobCounts_[kind]);
    params.curvesPerJob = kKinds[kind].curves;
    if (params.jobCount > 0) {
      passes_[kind]
          ->params(FLAME_BIND_EVALUATE, params)
          .storage(FLAME_BIND_CURVES, curves_)
          .storage(FLAME_BIND_KNOTS, knots_)
          .storage(FLAME_BIND_JOBS, jobs_)
          .storage(FLAME_BIND_MOMENTS, moments_)
          .storage(FLAME_BIND_CONTROL_POINTS, target);
      // Of each curve: a search for its piece, and a spline or an angle in doubles.
      passes_[kind]->dispatchGroups(std::uint64_t(params.jobCount) * params.groupsPerJob,
                                    gpu::Each{1000.0 * double(params.curvesPerJob), 100});
    }
    params.firstJob += params.jobCount;
  }
  gpu::barrier(gpu::Access::Storage | gpu::Access::Transfer);  // the iteration shader's tables
}

// ---- The open shutter

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
  constexpr const char* names[] = {"one", "evaluated on the GPU", "packed on the processor",
                                   "one at a time for all"};
  return names[int(moments)];
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
  parallelForEach(groups_, 16, [&](std::size_t g) {
    const Genome genome = forRendering(exposure_->shapeAt(shareOf(stretch_, g)));
    const std::vector<glm::vec4> point = packControlPoint(genome, structure_, shape_);
    std::copy(point.begin(), point.end(), points.begin() + std::ptrdiff_t(g * rows));
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
