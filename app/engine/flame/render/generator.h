// SPDX-License-Identifier: BSD-3-Clause
// The chaos game's shader for one genome: GLSL that holds only what the genome uses. What the text
// depends on is the Structure (which variations, post or not, ...); numbers never enter it, they
// are packed beside it, so that changing a number compiles nothing.
//
//   parameters: a record per xform, Structure::capacity of them, then those of final xforms
//   record: rows of vec4
//     0  a b c keep      x' = a x + b y + c;  color' = keep * color + add
//     1  d e f add
//     2, 3               likewise post, when any xform has one
//     then floats: visibility (when any differs from 1), then weight and packed values of each
//     variation in Structure::variations
//   thresholds: xform j is chosen by r in [thresholds[j - 1], thresholds[j]), r = 0..16383; with
//     xaos a row of `capacity` of them for the first choice and for each last xform
#pragma once

#include "app/engine/gpu/pass.h"
#include "app/engine/flame/genome/model.h"
#include "app/engine/flame/render/histogram.h"
#include "app/engine/flame/render/settings.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <glm/vec4.hpp>

namespace fathom::flame {

/// How invocations share the work of choosing and applying xforms.
enum class Selection {
  Own,     // each invocation chooses; xforms share code, which differs by record only
  Shared,  // 32 invocations take the same xform and pass their points on (cuburn, R5)
};

/// What the text depends on.
struct Structure {
  Selection selection = Selection::Own;
  int capacity = 0;             // xforms that fit
  std::vector<int> variations;  // of any xform or the final one, ascending
  /// Those of each xform alone, for Selection::Shared; else one list for all.
  std::vector<std::vector<int>> perXform;
  std::vector<bool> postPerXform;
  std::vector<int> finalVariations;
  bool finalXform = false, finalPost = false, finalSometimes = false;
  std::vector<std::vector<int>> furtherFinals;  // the variations of each
  bool depth = false;                           // points have a z
  bool preservesZ = false;                      // which flat variations pass on
  bool lens = false;  // the camera looks at points of space (projection.h)
  bool lensClips = false;
  int lensBlur = -1;      // DepthBlur; negative: none
  bool restarts = false;  // trajectories begin anew now and then
  bool post = false, xaos = false;
  bool alpha = false;       // the histogram's (HistogramShape::hasAlpha)
  bool visibility = false;  // some xforms are less visible; only with alpha
  bool linearPalette = false, jitter = false;
  bool strays = false;  // some hits are moved, as JWildfire does against steps
  bool tables = false;  // records and thresholds lie in a storage block, too many for a uniform one
  /// Each work group has a genome of its own, a control point: FLAME_CAMERA_ROWS of its camera,
  /// then records and thresholds (as floats), one after the other in a storage block.
  bool moving = false;
  Accumulate accumulate = Accumulate::Atomic;
  int partCount = 1;     // of the histogram, if iterations write to it
  bool wideLog = false;  // deferred: two words per hit (hit_log.h)
  bool operator==(const Structure&) const = default;
};

/// Settings::accumulate must not be Auto. Throws Error for a genome that cannot be iterated (no
/// xform with a weight, negative or not finite weights, a row of chaos that leaves no choice).
Structure structureOf(const Genome& genome, const HistogramShape& shape, const Settings& settings,
                      Selection selection);
/// True when a shader made for `made` draws what `wanted` asks for: a variation that is no longer
/// in use has weight 0 and is passed over. So a weight may be dragged through 0.
bool covers(const Structure& made, const Structure& wanted);

/// "generated/xforms.glsl" and "generated/accumulate.glsl", as iterate.comp includes them.
std::vector<gpu::GeneratedText> generate(const Structure& structure);

/// The numbers that go with it.
struct PackedGenome {
  std::vector<glm::vec4> parameters;
  std::vector<std::uint32_t> thresholds;
};
PackedGenome pack(const Genome& genome, const Structure& structure);

/// The same as a control point of a moving structure, the camera of a histogram of `shape` first.
std::vector<glm::vec4> packControlPoint(const Genome& genome, const Structure& structure,
                                        const HistogramShape& shape);
/// Rows of a control point.
std::size_t controlPointRows(const Structure& structure);
/// True when work groups can keep a control point of this structure in shared memory.
bool canMove(const Structure& structure);

/// bucket = turn * (point - center) + the middle of the histogram.
struct CameraRows {   // Structure::lens has more: LensRows
  glm::vec4 turn;     // x of x, x of y, y of x, y of y
  glm::vec2 center;   // in the plane
  float jitter;       // standard deviation, in buckets
  float finalChance;  // of the final xform being applied
};
CameraRows cameraOf(const Genome& genome, const HistogramShape& shape);

/// What IterateParams::lens holds (shaders/flame/shared.h).
std::array<glm::vec4, 6> lensOf(const Genome& genome);

/// Records beyond Structure::capacity: those of final xforms, one at least.
inline int finalRecords(const Structure& structure) {
  return 1 + int(structure.furtherFinals.size());
}

/// Cumulative selection in units of 1 / 16384, as flam3's table has it: entry i of the table is the
/// first xform whose cumulative weight exceeds i / 16384 of the total; the result holds, for each
/// xform, the number of entries up to it.
std::vector<std::uint32_t> selectionThresholds(const std::vector<double>& weights);

/// The palette as the shader takes it: 0..255 per channel.
std::array<glm::vec4, 256> packedPalette(const Palette& palette);

}  // namespace fathom::flame
