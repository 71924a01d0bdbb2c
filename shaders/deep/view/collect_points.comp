// SPDX-License-Identifier: BSD-3-Clause
// One invocation per slot turns the fragments of its list into points (scratch: uint[5 * points],
// see depth_view_shared.h), as far as they are kept. order: uint[slots + 1], where the list begins among
// all fragments of the region. Every point is written once, at a place that follows from its number.
#include "shaders/common/invocation.glsl"
#include "shaders/deep/lists/lists.glsl"
#include "shaders/deep/view/points.glsl"

layout(local_size_x = DEEP_PASS_SIZE) in;
layout(std140, binding = DEEP_BIND_COLLECT) uniform Collect { DeepCollectParams collect; };
layout(std430, binding = DEEP_BIND_ORDER) restrict readonly buffer Starts { uint starts[]; };
layout(std430, binding = DEEP_BIND_SCRATCH) restrict writeonly buffer Points { uint points[]; };

uint packedColor(Fragment f) {
  vec4 color = colorOf(f);
  vec3 straight = color.a > 0.0 ? color.rgb / color.a : color.rgb;
  return packUnorm4x8(vec4(sqrt(max(straight, vec3(0.0))), color.a));
}

void main() {
  uint slot = invocationIndex();
  if (slot >= params.slotCount) return;
  uint start = starts[slot], end = starts[slot + 1u];
  if (start == end) return;
  uvec2 pixel = pixelOf(slot) + uvec2(collect.originX, collect.originY);
  uint place = pixel.x | pixel.y << 16, every = collect.every, count = collect.points;
  uint index = collect.base + start, source = collect.source;
  for (Cursor c = openList(0, slot); !atEnd(c); ++index) {
    Fragment f = fetch(0, c);
    uint point;
    if (!isKept(index, every, point) || point >= count) continue;
    uint at = placeOfPoint(point, count) * DEEP_POINT_WORDS;
    points[at] = place;
    points[at + 1u] = FRAGMENT_Z(f);
    points[at + 2u] = FRAGMENT_ZBACK(f);
    points[at + 3u] = packedColor(f);
    points[at + 4u] = source;
  }
  expectWhole();
}
