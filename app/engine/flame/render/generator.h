// SPDX-License-Identifier: BSD-3-Clause
// The shader that is generated for a genome: its structure (which variations, post or not, xaos)
// decides the text, its numbers are packed beside it. So dragging a value compiles nothing.
#pragma once

#include "app/engine/flame/genome/model.h"
#include "app/engine/flame/render/histogram.h"
#include "app/engine/flame/render/settings.h"
#include "app/engine/gpu/pass.h"
#include "shaders/flame/shared.h"

namespace fathom::flame {

/// How invocations share the work of choosing and applying xforms.
enum class Selection {
  Own,     // each invocation chooses; xforms share code, which differs by record only
  Shared,  // 32 invocations take the same xform and pass their points on (cuburn, R5)
  Turns,   // each invocation has many points, and xforms take their shares of them in turn
};

/// What the text depends on.
struct Structure {
  Selection selection = Selection::Own;
  int capacity = 0;             // xforms that fit
  std::vector<int> variations;  // of any xform or the final one, ascending
  std::vector<int> order;       // in which they act, if a file of JWildfire says so; else empty
  /// The variations of each xform alone; for Selection::Own one list for all.
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
  bool goesFar = false;   // coefs take points where the spacing of floats shows
  bool post = false, xaos = false;
  bool alpha = false;       // the histogram's (HistogramShape::hasAlpha)
  bool visibility = false;  // some xforms are less visible; only with alpha
  bool linearPalette = false, jitter = false;
  bool jwildfire = false;           // its palette, and what it does with bad points
  bool jitterAntialiasing = false;  // some hits are moved, as JWildfire does against steps
  bool tables = false;  // records and thresholds lie in a storage block, too many for a uniform one
  /// Each work group has records and thresholds in shared memory: with xaos on a GPU, whose
  /// invocations have no registers for those of all xforms.
  bool sharedRecords = false;
  /// Each work group has a genome of its own, a control point: FLAME_CAMERA_ROWS of its camera,
  /// then records and thresholds (as floats), one after the other in a storage block.
  bool moving = false;
  Accumulate accumulate = Accumulate::Atomic;
  int partCount = 1;     // of the histogram, if iterations write to it
  bool wideLog = false;  // deferred: two words per hit (hit_log.h)
  bool operator==(const Structure&) const = default;
  /// Points of an invocation; and rounds by which bad ones may make a dispatch longer.
  unsigned held() const { return selection == Selection::Turns ? FLAME_HELD : 1; }
  unsigned spareRounds() const { return held() > 1 ? held() : 0; }
};

/// Some factor differs from 1.
bool usesChaos(const Genome& genome);

/// Settings::accumulate must not be Auto. Throws Error for a genome that cannot be iterated (no
/// xform with a weight, negative or not finite weights, a row of chaos that leaves no choice).
Structure structureOf(const Genome& genome, const HistogramShape& shape, const Settings& settings,
                      Selection selection);
/// True when a shader made for `made` draws what `wanted` asks for: a variation that is no longer
/// in use has weight 0 and is passed over. So a weight may be dragged through 0.
bool covers(const Structure& made, const Structure& wanted);

/// "generated/xforms.glsl" and "generated/accumulate.glsl", as iterate.comp includes them.
std::vector<gpu::GeneratedText> generate(const Structure& structure);

// ---- Records

/// Up to this many xforms are counted exactly and compared one by one; more of them are found by
/// bisection, so their capacity is a power of two.
constexpr int kMaxCompared = 16;

/// Floats that a variation takes after its weight.
int packedCount(int variation);
bool showsFullColors(const Structure& structure);
bool hasLoops(const Structure& structure);  // within variations

struct RecordLayout {
  int rows = 0;  // of vec4
  bool hasPost = false;
  int visibilityOffset = -1;                          // in floats; negative: not in the record
  std::vector<std::pair<int, int>> variationOffsets;  // variation, offset of its weight in floats
  int offsetOf(int variation) const;
};
RecordLayout layoutOf(const Structure& structure);

/// Words of a control point's thresholds, or a genome's: with xaos a row for the first choice and
/// one for each last xform; whole vec4.
std::size_t thresholdWords(const Structure& structure);

/// Of plotted points: opacity to the power log2(10); 0 for those that soloXform mutes.
double visibilityOf(const Genome& genome, std::size_t xform);

/// The numbers that go with it.
struct PackedGenome {
  std::vector<glm::vec4> parameters;
  std::vector<std::uint32_t> thresholds;
};
PackedGenome pack(const Genome& genome, const Structure& structure);

/// The numbers as a control point of a moving structure, the camera of a histogram of `shape`
/// first.
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
