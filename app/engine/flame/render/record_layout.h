// SPDX-License-Identifier: BSD-3-Clause
// Where the values of an xform lie within its record (drawn in generator.h): what the generator
// writes into the text and packing fills in.
#pragma once

#include "app/engine/flame/render/generator.h"

#include <utility>
#include <vector>

namespace fathom::flame {

/// Up to this many xforms are counted exactly and compared one by one; more of them are found by
/// bisection, so their capacity is a power of two.
constexpr int kMaxCompared = 16;

/// Floats that a variation takes after its weight.
int packedCount(int variation);

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

}  // namespace fathom::flame
