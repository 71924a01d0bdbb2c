// SPDX-License-Identifier: BSD-3-Clause
// Which curves a control point needs, in the order in which the passes read them.
#include "app/engine/flame/render/curve_tables.h"

#include "app/engine/core/error.h"
#include "app/engine/flame/genome/variations.h"
#include "app/engine/flame/render/record_layout.h"
#include "shaders/flame/control_points/evaluate_shared.h"
#include "shaders/flame/shared.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>

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
      : structure_(structure),
        shape_(shape),
        writer_(tables_, structure),
        xforms_(xformJobs(pieces, structure, writer_.layout())) {
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
  TableWriter writer_;
  std::vector<XformJobs> xforms_;
  bool jobsKnown_ = false;
};

}  // namespace

CurveTables curveTables(std::span<const MovingGenome> pieces, const Structure& structure,
                        const HistogramShape& shape) {
  FATHOM_CHECK(!pieces.empty());
  return Plan(pieces, structure, shape).tables();
}

}  // namespace fathom::flame
