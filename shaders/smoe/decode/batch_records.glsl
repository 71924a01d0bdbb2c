// SPDX-License-Identifier: BSD-3-Clause
// A batch of records in shared memory, relative to the tile: what shade.comp sums over.
#ifndef SHADERS_SMOE_BATCH_RECORDS
#define SHADERS_SMOE_BATCH_RECORDS

layout(std430, binding = SMOE_BIND_SHADE) restrict readonly buffer Shade { uvec4 shade[]; };

shared vec4 batchA[BATCH];  // z where the tile begins, c, W11
shared vec4 batchB[BATCH];  // W21, W22, H_r1, H_r2
shared vec4 batchC[BATCH];  // color r, g, b, H_g1
shared vec3 batchD[BATCH];  // H_g2, H_b1, H_b2

#define Whitened vec2

void loadRecord(uint slot, uint component, ivec2 origin, vec2 rest) {
  const uvec4 row = CULL(2u * component), next = CULL(2u * component + 1u);
  const vec3 w = uintBitsToFloat(next.xyz);
  const vec4 a = uintBitsToFloat(shade[2u * component]);
  const vec4 b = uintBitsToFloat(shade[2u * component + 1u]);
  batchA[slot] = vec4(whitenedOrigin(row, w, origin, rest), uintBitsToFloat(row.z), w.x);
  batchB[slot] = vec4(w.yz, uintBitsToFloat(next.w), a.w);
  batchC[slot] = vec4(a.xyz, b.x);
  batchD[slot] = b.yzw;
}

/// Bits; `z` is the whitened position.
float logWeight(uint slot, vec2 position, out vec2 z) {
  const vec4 a = batchA[slot];
  z = a.xy + vec2(a.w * position.x, batchB[slot].x * position.x + batchB[slot].y * position.y);
  return a.z - dot(z, z);
}

vec3 expertAt(uint slot, vec2 z) {
  const vec4 c = batchC[slot];
  const vec3 d = batchD[slot];
  return vec3(c.x + dot(batchB[slot].zw, z), c.y + dot(vec2(c.w, d.x), z), c.z + dot(d.yz, z));
}

#endif
