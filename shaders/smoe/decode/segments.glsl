// SPDX-License-Identifier: BSD-3-Clause
// How lists of boxes are cut into segments, and where their tables lie. Child lists: entries
// [starts[child * segments], starts[(child + 1) * segments]). The including file has declared
// `level` and the buffer `parentStarts`.
#ifndef SHADERS_SMOE_SEGMENTS
#define SHADERS_SMOE_SEGMENTS

struct Segment {
  ivec2 parent;  // of the grid
  uint index;    // its number there
  uint first;    // of its list
  uint count;    // of its whole list
};

/// parentIndex counts within the band.
Segment segmentOf(uint segmentIndex, uint parentIndex) {
  const int at = int(level.firstParent + parentIndex);
  Segment segment;
  segment.index = uint(at);
  segment.parent = ivec2(at % level.parents.x, at / level.parents.x);
  if (level.parentSegments == 0u) {
    segment.first = 0u;
    segment.count = params.count;
  } else {
    segment.first = parentStarts[uint(at) * level.parentSegments];
    segment.count = parentStarts[uint(at + 1) * level.parentSegments] - segment.first;
  }
  return segment;
}

uint childIndex(ivec2 child) {
  return uint(child.y * level.children.x + child.x) - level.firstChild;
}

uint bitsOf(uint segmentIndex, uint parentIndex, uint child) {
  const uint children = level.childBlock * level.childBlock;
  return ((parentIndex * level.segments + segmentIndex) * children + child) * SMOE_FILTER_WORDS;
}

#endif
