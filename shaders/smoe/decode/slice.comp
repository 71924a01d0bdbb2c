// SPDX-License-Identifier: BSD-3-Clause
// A view of a model of more than two dimensions: one invocation per component conditions it on the
// leading coordinates. The result is exactly a 2-D record; W and H stay. The center moves in fixed
// point, by round(2^f M da).
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/decode/shared.h"
layout(local_size_x = SMOE_LIST_SIZE) in;

#ifndef SMOE_LEADING
#define SMOE_LEADING 2
#endif

layout(std430, binding = SMOE_BIND_BASE_CULL) restrict readonly buffer BaseCull { uvec4 baseCull[]; };
layout(std430, binding = SMOE_BIND_BASE_SHADE) restrict readonly buffer BaseShade {
  uvec4 baseShade[];
};
layout(std430, binding = SMOE_BIND_LEAD) restrict readonly buffer Lead { vec4 lead[]; };
layout(std430, binding = SMOE_BIND_CULL) restrict writeonly buffer Cull { uvec4 cull[]; };
layout(std430, binding = SMOE_BIND_SHADE) restrict writeonly buffer Shade { uvec4 shade[]; };
layout(std430, binding = SMOE_BIND_REACH) restrict writeonly buffer Reach { float reach[]; };
layout(std140, binding = SMOE_BIND_PARAMS) uniform Params { SmoeParams params; };

struct Move {
  vec2 center;   // px
  float square;  // |z_a|^2, bits
  vec3 color;
};

#if SMOE_LEADING == 2
Move moveOf(uint j) {
  const vec4 a = lead[4u * j], b = lead[4u * j + 1u], c = lead[4u * j + 2u], d = lead[4u * j + 3u];
  const vec2 da = params.at - a.xy;
  const vec2 z = vec2(a.z * da.x, a.w * da.x + b.x * da.y);
  Move move;
  move.center = vec2(b.y * da.x + b.z * da.y, b.w * da.x + c.x * da.y);
  move.square = dot(z, z);
  move.color = vec3(dot(c.yz, z), c.w * z.x + d.x * z.y, dot(d.yz, z));
  return move;
}
#else
Move moveOf(uint j) {
  const vec4 a = lead[2u * j], b = lead[2u * j + 1u];
  const float dt = params.at.x - a.x, z = a.y * dt;
  Move move;
  move.center = a.zw * dt;
  move.square = z * z;
  move.color = b.xyz * z;
  return move;
}
#endif

void main() {
  const uint j = invocationIndex();
  if (j >= params.count) return;
  const Move move = moveOf(j);
  const uvec4 gate = baseCull[2u * j], color = baseShade[2u * j];

  // Views far outside may move a center out of the integers' range.
  const float largest = 1073741824.0;
  const vec2 fixedMove = clamp(round(move.center * params.fixedScale), -largest, largest);
  const vec2 sum = clamp(vec2(ivec2(gate.xy)) + fixedMove, -largest, largest);
  const bvec2 inRange = lessThan(abs(sum), vec2(largest));
  const ivec2 center = ivec2(inRange.x ? int(gate.x) + int(fixedMove.x) : int(sum.x),
                             inRange.y ? int(gate.y) + int(fixedMove.y) : int(sum.y));
  const vec3 mean = uintBitsToFloat(color.xyz) + move.color;

  cull[2u * j] =
      uvec4(center, floatBitsToUint(uintBitsToFloat(gate.z) - move.square), gate.w);
  cull[2u * j + 1u] = baseCull[2u * j + 1u];
  shade[2u * j] = uvec4(floatBitsToUint(mean), color.w);
  shade[2u * j + 1u] = baseShade[2u * j + 1u];
  const vec3 off = abs(mean - 0.5);
  reach[j] = max(off.x, max(off.y, off.z)) + 0.6;
}
