// SPDX-License-Identifier: BSD-3-Clause
// Bindings and structs that control_points.cpp shares with evaluate_*.comp: curves of time become
// control points (generator.h draws what one holds), each evaluated for all moments.
#ifndef SHADERS_FLAME_EVALUATE_SHARED_H
#define SHADERS_FLAME_EVALUATE_SHARED_H

#define FLAME_BIND_EVALUATE 0        // uniform  EvaluateParams                                host
#define FLAME_BIND_CURVES 0          // storage  uvec4[piece][curve], see below                host
#define FLAME_BIND_KNOTS 1           // storage  double[knot][time, value]                     host
#define FLAME_BIND_JOBS 2            // storage  uvec4[], see below                            host
#define FLAME_BIND_MOMENTS 3         // storage  double[moment][time, piece]                   host
#define FLAME_BIND_CONTROL_POINTS 4  // storage  float[moment][row][4]                         evaluate_*
#define FLAME_EVALUATE_GROUP 32      // moments, of one job

// A curve: its first knot; the last knot that begins a segment, counted from the first; flags.
#define FLAME_CURVE_LOGARITHM 1u
#define FLAME_CURVE_MAGNITUDE 2u
#define FLAME_CURVE_NOT_NEGATIVE 4u
#define FLAME_CURVE_ZERO_TO_ONE 8u
// Of the first curve of a matrix: what its six curves are.
#define FLAME_CURVE_COLUMNS 16u
#define FLAME_CURVE_SPREAD 32u

// Jobs are first curve within a piece, first float within a control point, and two words more.
//   camera: center x, y, scale, zoom, rotate, filter, chance of the final xform, factor of scale,
//     factor of filter; -, -
//   matrix: six of the matrix, color speed, color, opacity; where visibility goes, and b and e again
//     for the variation waves (FLAME_NOWHERE: not)
//   variation: weight, parameters; the variation and its packed values (number | count << 8), curves
//   thresholds: weights, FLAME_NOWHERE or factors of chaos; words, first curve of the factors
#define FLAME_NOWHERE 0xffffffffu
#define FLAME_CAMERA_CURVES 9
#define FLAME_MATRIX_CURVES 9
#define FLAME_VARIATION_CURVES 9  // at most

#ifdef __cplusplus
#include <cstdint>
namespace fathom::flame::shared {
using uint = std::uint32_t;
#endif

struct EvaluateParams {
  uint firstMoment, momentCount;
  uint firstJob, jobCount;
  uint groupsPerJob;
  uint curvesPerPiece;
  uint floatsPerPoint;
  uint searchStep;   // of the search among a curve's knots: a power of two, 0 when none has more than 4
  uint curvesPerJob; // a bound of loops
  uint capacity;     // xforms that fit
  uint spare0, spare1;
};

#ifdef __cplusplus
static_assert(sizeof(EvaluateParams) == 48);
}  // namespace fathom::flame::shared
#endif
#endif
