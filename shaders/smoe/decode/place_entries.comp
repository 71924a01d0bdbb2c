// SPDX-License-Identifier: BSD-3-Clause
// Writes the lists that filter_boxes.comp counted, with the same work groups, as far as there is room:
// an entry's place is its segment's start plus the passes before it. Components ascend in every list.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/decode/shared.h"
layout(local_size_x = SMOE_FILTER_SIZE) in;

layout(std430, binding = SMOE_BIND_PARENT_RANGES) restrict readonly buffer ParentRanges {
  uvec2 parentRanges[];
};
layout(std430, binding = SMOE_BIND_WORKS) restrict readonly buffer Works { uint works[]; };
layout(std430, binding = SMOE_BIND_PARENT_LIST) restrict readonly buffer ParentList {
  uint parentList[];
};
layout(std430, binding = SMOE_BIND_COUNTS) restrict readonly buffer Starts { uint starts[]; };
layout(std430, binding = SMOE_BIND_BITS) restrict readonly buffer Bits { uint bits[]; };
layout(std430, binding = SMOE_BIND_LIST) restrict writeonly buffer List { uint list[]; };
layout(std140, binding = SMOE_BIND_PARAMS) uniform Params { SmoeParams params; };
layout(std140, binding = SMOE_BIND_LEVEL) uniform Level { SmoeFilter level; };
#define SMOE_OPEN_SEGMENTS
#include "shaders/smoe/decode/segments.glsl"

shared uint passed[SMOE_CHILDREN * SMOE_FILTER_WORDS];
shared uint places[SMOE_CHILDREN * SMOE_FILTER_WORDS];  // of the first entry of each word

void main() {
  const uint lane = gl_LocalInvocationIndex;
  const uint group = groupIndex();
  if (group >= level.groups) return;
  const Segment segment = openSegment(group);
  const int block = int(level.childBlock);
  const ivec2 firstChild = segment.parent * block;

  // One invocation per child loads its words.
  if (lane < uint(block * block)) {
    const ivec2 child = firstChild + ivec2(int(lane) % block, int(lane) / block);
    const bool exists = segment.count > 0u && all(lessThan(child, level.children));
    uint place = exists ? starts[countOf(segment, lane)] : 0u;
    for (uint word = 0u; word < SMOE_FILTER_WORDS; ++word) {
      const uint value =
          exists ? bits[bitsOf(group, lane) + word] : 0u;
      passed[lane * SMOE_FILTER_WORDS + word] = value;
      places[lane * SMOE_FILTER_WORDS + word] = place;
      place += uint(bitCount(value));
    }
  }
  barrier();

  if (lane >= segment.count) return;
  const uint entry = segment.first + lane;
  const uint j = level.hasParents == 0u ? entry : parentList[entry];
  const ivec2 some = clamp(level.children - firstChild, ivec2(0), ivec2(block));
  for (int y = 0; y < some.y; ++y) {
    for (int x = 0; x < some.x; ++x) {
      const uint at = uint(y * block + x) * SMOE_FILTER_WORDS + lane / 32u;
      const uint value = passed[at], own = 1u << (lane & 31u);
      const uint place = places[at] + uint(bitCount(value & (own - 1u)));
      if ((value & own) != 0u && place < level.entries) list[place] = j;
    }
  }
}
