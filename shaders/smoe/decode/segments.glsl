// SPDX-License-Identifier: BSD-3-Clause
// How the lists of boxes are filtered in pieces: a work group takes a segment of 256 entries of one
// parent's list, and the groups of a parent follow each other, so that a long list beside many short
// ones costs no more than its length. works[p] is the first group of parent p. A group has a count
// and 256 bits per child; a child's counts lie together, parent by parent:
//   counts[works[p] * block + child * (segments of p) + segment]
// The including file has declared `level`, `params` and the buffers `works` and, for openSegment,
// `parentRanges`.
#ifndef SHADERS_SMOE_SEGMENTS
#define SHADERS_SMOE_SEGMENTS

/// The first group of a parent, of those that there is room for.
uint groupsBefore(uint parent) { return min(works[parent], level.groups); }

/// Entries of all components, or of a parent of the grid: begin and end.
#define PARENT_RANGE(index) \
  (level.hasParents == 0u ? uvec2(0u, params.count) : parentRanges[index])

uint childIndex(ivec2 child) {
  return uint(child.y * level.children.x + child.x) - level.firstChild;
}

ivec2 parentAt(uint parent) {
  const int at = int(level.firstParent + parent);
  return ivec2(at % level.parents.x, at / level.parents.x);
}

#ifdef SMOE_OPEN_SEGMENTS
struct Segment {
  ivec2 parent;       // of the grid
  uint index;         // its number there
  uint firstGroup;    // of the parent
  uint groups;        // of it
  uint number;        // of the segment among them
  uint first, count;  // of its own entries, in the parents' list
};

/// Of this work group; count is 0 where there is nothing to do.
Segment openSegment(uint group) {
  uint low = 0u, high = level.parentCount;  // works[low] <= group < works[high]
  while (high - low > 1u) {
    const uint middle = (low + high) / 2u;
    if (works[middle] <= group)
      low = middle;
    else
      high = middle;
  }
  Segment segment;
  segment.parent = parentAt(low);
  segment.index = level.firstParent + low;
  segment.firstGroup = groupsBefore(low);
  segment.groups = groupsBefore(low + 1u) - segment.firstGroup;
  segment.number = group - segment.firstGroup;
  const bool inRange = group < groupsBefore(level.parentCount);
  const uvec2 range = PARENT_RANGE(segment.index);
  segment.first = range.x + segment.number * uint(SMOE_FILTER_SIZE);
  segment.count = inRange ? min(range.y - segment.first, uint(SMOE_FILTER_SIZE)) : 0u;
  return segment;
}

uint countOf(Segment segment, uint child) {
  const uint children = level.childBlock * level.childBlock;
  return segment.firstGroup * children + child * segment.groups + segment.number;
}

uint bitsOf(uint group, uint child) {
  return (group * level.childBlock * level.childBlock + child) * SMOE_FILTER_WORDS;
}
#endif

#endif
