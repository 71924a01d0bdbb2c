// SPDX-License-Identifier: BSD-3-Clause
// Which fragments become points, and where they are: the same rules as in points.cpp.
#ifndef SHADERS_DEEP_POINTS
#define SHADERS_DEEP_POINTS
#include "shaders/common/random.glsl"
#include "shaders/deep/view/depth_view_shared.h"

/// Of each run of `every` fragments one is kept, at a place that follows no pattern of the lists.
bool isKept(uint index, uint every, out uint point) {
  point = index / every;
  return index - point * every == hashBits(point) % every;
}

/// The place in the buffer: sets of every DEEP_POINT_SETS-th point, one set after the other.
uint placeOfPoint(uint point, uint points) {
  uint set = point % DEEP_POINT_SETS, inSet = point / DEEP_POINT_SETS;
  return set * (points / DEEP_POINT_SETS) + min(set, points % DEEP_POINT_SETS) + inSet;
}
#endif
