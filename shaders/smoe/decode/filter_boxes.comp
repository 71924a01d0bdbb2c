// SPDX-License-Identifier: BSD-3-Clause
// Which components of a box matter to the boxes inside it: districts of the picture, supertiles of a
// district, tiles of a supertile. One work group per (segment of 256 entries of the parent's list,
// parent); an invocation holds one component and tests it against up to 64 children. Writes a bit per
// test and a count per child (segments.glsl says where); scanned, those are where place_entries.comp
// puts the entries, in ascending order.
//
// Bounded rule: kept when its largest log weight on the child is at least the child's bar - tau. What
// is dropped adds a_j exp2(U - bar) to the child's lost error, on top of the parent's (SMoE
// certificate: E_B = sum over dropped of a_j exp(U_jB - bar_B)). Integer sums: deterministic.
// Window rule (SMOE_WINDOW): kept when its center lies in the child enlarged by the border; no bars.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/decode/shared.h"
layout(local_size_x = SMOE_FILTER_SIZE) in;

#ifndef SMOE_WINDOW
#define SMOE_WINDOW 0
#endif

layout(std430, binding = SMOE_BIND_CULL) restrict readonly buffer Cull { uvec4 cull[]; };
layout(std430, binding = SMOE_BIND_REACH) restrict readonly buffer Reach { float reach[]; };
layout(std430, binding = SMOE_BIND_AXES) restrict readonly buffer Axes { uvec2 axes[]; };
layout(std430, binding = SMOE_BIND_PARENT_RANGES) restrict readonly buffer ParentRanges {
  uvec2 parentRanges[];
};
layout(std430, binding = SMOE_BIND_WORKS) restrict readonly buffer Works { uint works[]; };
layout(std430, binding = SMOE_BIND_PARENT_LIST) restrict readonly buffer ParentList {
  uint parentList[];
};
layout(std430, binding = SMOE_BIND_COUNTS) restrict writeonly buffer Counts { uint counts[]; };
layout(std430, binding = SMOE_BIND_BITS) restrict writeonly buffer Bits { uint bits[]; };
layout(std430, binding = SMOE_BIND_PARENT_LOST) restrict readonly buffer ParentLost {
  uint parentLost[];
};
layout(std430, binding = SMOE_BIND_LOST) restrict buffer Lost { uint lost[]; };
layout(std430, binding = SMOE_BIND_BOX_BARS) restrict readonly buffer BoxBars { float boxBars[]; };
layout(std140, binding = SMOE_BIND_PARAMS) uniform Params { SmoeParams params; };
layout(std140, binding = SMOE_BIND_LEVEL) uniform Level { SmoeFilter level; };
#include "shaders/smoe/decode/grid.glsl"
#define SMOE_OPEN_SEGMENTS
#include "shaders/smoe/decode/segments.glsl"

shared uint passed[SMOE_CHILDREN * SMOE_FILTER_WORDS];
shared uint dropped[2 * SMOE_CHILDREN];

void main() {
  openGrid();
  const uint lane = gl_LocalInvocationIndex;
  passed[lane] = 0u;
  passed[lane + SMOE_FILTER_SIZE] = 0u;
  if (lane < 2 * SMOE_CHILDREN) dropped[lane] = 0u;
  const uint group = groupIndex();
  if (group >= level.groups) return;
  const Segment segment = openSegment(group);
  barrier();

  const float tau = level.tau + SMOE_SLACK, limit = 2.0 * params.limit;
  const uint columns = uint(level.children.x), firstIndex = level.firstChild;
  const int childPixels = int(level.childPixels), parentPixels = int(level.parentPixels);
  const ivec2 corner = segment.parent * parentPixels;
  const int block = int(level.childBlock);
  const ivec2 firstChild = segment.parent * block;  // a whole number of children per parent
  if (lane < segment.count) {
    const uint entry = segment.first + lane;
    const uint j = level.hasParents == 0u ? entry : parentList[entry];
    vec2 rest;
    const ivec2 origin = originOf(corner, rest);
    const Gate gate = gateOf(j, origin, rest);
    const float amount = reach[j];
#if SMOE_WINDOW
    const float margin = params.border + 0.5 * gridStep;
#endif
    const ivec2 some = clamp(level.children - firstChild, ivec2(0), ivec2(block));
    for (int y = 0; y < some.y; ++y) {
      for (int x = 0; x < some.x; ++x) {
        const ivec2 child = firstChild + ivec2(x, y);
        const int i = y * block + x;
        const Box box = boxOf(child * childPixels, (child + 1) * childPixels, corner);
#if SMOE_WINDOW
        // Whole pixels: half a sample before the first to half a sample after the last.
        const bool passes = all(greaterThanEqual(gate.center, box.low - margin)) &&
                            all(lessThan(gate.center, box.high + margin));
#else
        const float square = nearest(gate, box);
        const uint index = uint(child.y) * columns + uint(child.x) - firstIndex;
        const float above = gate.c - square - boxBars[index];
        const bool passes = above >= -tau;
        if (!passes) {
          const float share = amplitude(gate, amount, square) * exp2(above + SMOE_SLACK);
          const uvec2 parts = errorParts(share / limit);
          ADD_ERROR(dropped, uint(i), parts);
        }
#endif
        if (passes)
          atomicOr(passed[uint(i) * SMOE_FILTER_WORDS + lane / 32u], 1u << (lane & 31u));
      }
    }
  }
  barrier();

  // One invocation per child.
  if (lane >= uint(block * block)) return;
  const ivec2 child = firstChild + ivec2(int(lane) % block, int(lane) / block);
  uint count = 0u;
  for (uint word = 0u; word < SMOE_FILTER_WORDS; ++word) {
    const uint value = passed[lane * SMOE_FILTER_WORDS + word];
    bits[bitsOf(group, lane) + word] = value;
    count += uint(bitCount(value));
  }
  // Groups that no parent needs count nothing, in their order.
  const bool needed = segment.count > 0u;
  counts[needed ? countOf(segment, lane) : group * uint(block * block) + lane] = count;
#if !SMOE_WINDOW
  if (!needed || !all(lessThan(child, level.children))) return;
  uvec2 own = ERROR_AT(dropped, lane);
  if (level.hasParents != 0u && segment.number == 0u)
    own = addErrors(own, ERROR_AT(parentLost, segment.index));
  const uint index = childIndex(child);
  ADD_ERROR(lost, index, own);
#endif
}
