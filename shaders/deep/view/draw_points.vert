// SPDX-License-Identifier: BSD-3-Clause
// One invocation per point, pulled by gl_VertexID; with SEGMENTS two, the ends of a volume's extent
// from Z to ZBack. What is not to be seen goes outside of the clip volume. The picture's first row
// is its top, so y is flipped.
#ifndef SEGMENTS
#define SEGMENTS 0
#endif
#include "shaders/deep/view/points.glsl"

layout(std430, binding = DEEP_BIND_POINTS) restrict readonly buffer Points { uint points[]; };
layout(std140, binding = DEEP_BIND_POINT_PARAMS) uniform Params { DeepPointParams params; };

flat out vec4 pointColor;

vec4 alongScale(float t) {
  float at = clamp(t, 0.0, 1.0) * float(DEEP_POINT_COLORS - 1);
  int below = min(int(at), DEEP_POINT_COLORS - 2);
  return mix(params.colors[below], params.colors[below + 1], at - float(below));
}

vec4 colorOfPoint(uint words, float z, uint source) {
  vec4 own = unpackUnorm4x8(words);
  if (params.mode == DEEP_COLOR_ALPHA) return alongScale(own.a);
  if (params.mode == DEEP_COLOR_INPUT) return params.colors[source % DEEP_POINT_COLORS];
  if (params.mode == DEEP_COLOR_DEPTH) return alongScale((z - params.depth.x) * params.depth.y);
  return vec4(own.rgb * own.rgb, 1.0);
}

bool isInvalid(float z) { return (floatBitsToUint(z) & 0x7F800000u) == 0x7F800000u; }

void main() {
#if SEGMENTS
  uint point = uint(gl_VertexID) / 2u;
#else
  uint point = uint(gl_VertexID);
#endif
  uint at = point * DEEP_POINT_WORDS;
  uint pixel = points[at], color = points[at + 3u];
  float z = uintBitsToFloat(points[at + 1u]), zBack = uintBitsToFloat(points[at + 2u]);
  float nearest = params.look.x, farthest = params.look.y;

  bool isSeen = !isInvalid(z) && !isInvalid(zBack);
#if SEGMENTS
  isSeen = isSeen && zBack > z && z <= farthest && zBack >= nearest;
  z = clamp(gl_VertexID % 2 == 0 ? z : zBack, nearest, farthest);
#else
  isSeen = isSeen && z >= nearest && z <= farthest;
#endif
  // A number of its own between 0 and 1 against alpha.
  if (params.look.z > 0.0)
    isSeen = isSeen && float(hashBits(point) >> 8) < unpackUnorm4x8(color).a * 16777216.0;

  vec2 fromCenter = vec2(float(pixel & 0xFFFFu), float(pixel >> 16)) + 0.5 - params.place.xy;
  float share = (z - params.depth.x) * params.depth.y;
  vec3 place = vec3(fromCenter.x * params.place.z, -fromCenter.y * params.place.z,
                    (0.5 - share) * params.depth.z);
  vec4 clip = params.toClip * vec4(place, 1.0);
  gl_Position = isSeen ? vec4(clip.x, -clip.y, clip.zw) : vec4(2.0, 2.0, 2.0, 1.0);
  gl_PointSize = params.place.w;
  pointColor = colorOfPoint(color, z, points[at + 4u]);
}
