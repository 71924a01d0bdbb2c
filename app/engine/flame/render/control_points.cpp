// SPDX-License-Identifier: BSD-3-Clause
// Uploads the tables of curves and runs the passes that evaluate them.
#include "app/engine/flame/render/control_points.h"

#include "app/engine/core/error.h"
#include "app/engine/gpu/dispatch_cost.h"
#include "shaders/flame/control_points/evaluate_shared.h"

#include <algorithm>

namespace fathom::flame {
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
      gpu::dispatchGroups(*passes_[kind], std::uint64_t(params.jobCount) * params.groupsPerJob,
                          gpu::Each{1000.0 * double(params.curvesPerJob), 100});
    }
    params.firstJob += params.jobCount;
  }
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Transfer);  // the iteration shader's tables
}

}  // namespace fathom::flame
