// SPDX-License-Identifier: BSD-3-Clause
// What a sample sums up over its components, and what becomes of it: SMOE_OUTPUT. The including file
// has declared `params` and `tiles`.
#ifndef SHADERS_SMOE_OUTPUT
#define SHADERS_SMOE_OUTPUT

#if SMOE_OUTPUT == SMOE_SHADE_RAW
layout(std430, binding = SMOE_BIND_RAW) restrict writeonly buffer Raw { vec4 raw[]; };
#else
layout(rgba32f, binding = SMOE_IMAGE_RESULT) uniform restrict image2D result;
#endif
#if SMOE_OUTPUT == SMOE_SHADE_DISPARITY
layout(std430, binding = SMOE_BIND_LEAD) restrict readonly buffer Lead { vec4 lead[]; };
#endif

struct Sums {
  float weight;
  vec3 color;
  float best;  // of winner: the largest weight
  uint winner;
};

Sums noSums() { return Sums(0.0, vec3(0.0), -1.0, 0u); }

void addComponent(inout Sums sums, float weight, vec2 z, vec2 hr, vec4 c, vec4 d) {
  sums.weight += weight;
#if SMOE_OUTPUT == SMOE_SHADE_WINNER
  const uint j = floatBitsToUint(d.w);
  sums.winner = weight > sums.best ? j : sums.winner;
  sums.best = max(sums.best, weight);
#elif SMOE_OUTPUT == SMOE_SHADE_DISPARITY
  const uint j = floatBitsToUint(d.w);
  sums.color.x += weight * 0.5 * (lead[4u * j + 1u].y + lead[4u * j + 2u].x);
#elif SMOE_OUTPUT != SMOE_SHADE_WEIGHT
  const vec3 expert = vec3(c.x + dot(hr, z), c.y + dot(vec2(c.w, d.x), z), c.z + dot(d.yz, z));
  sums.color += weight * expert;
#endif
}

/// As the model's colors are to linear light: Srgb, Linear, Ycbcr709.
vec3 toLinear(vec3 y) {
  y = clamp(y, 0.0, 1.0);
  if (params.colorSpace == 2u) {
    const float cb = y.y - 0.5, cr = y.z - 0.5;
    y = vec3(y.x + 1.5748 * cr, y.x - 0.187324 * cb - 0.468124 * cr, y.x + 1.8556 * cb);
  }
  y = clamp(y, 0.0, 1.0);
  if (params.colorSpace == 1u) return y;
  return mix(pow((y + 0.055) / 1.055, vec3(2.4)), y / 12.92, lessThanEqual(y, vec3(0.04045)));
}

/// Some stable color per number.
vec3 numberColor(uint n) {
  n = (n ^ 61u) ^ (n >> 16);
  n *= 9u;
  n ^= n >> 4;
  n *= 0x27d4eb2du;
  n ^= n >> 15;
  const vec3 hue = vec3(n & 255u, (n >> 8) & 255u, (n >> 16) & 255u) / 255.0;
  return 0.1 + 0.9 * hue * hue;
}

void writeSample(ivec2 at, uint tile, Sums sums, float offset) {
  const vec3 y = sums.weight > 0.0 ? sums.color / sums.weight : vec3(0.0);
#if SMOE_OUTPUT == SMOE_SHADE_RAW
  raw[at.y * params.size.x + at.x] = vec4(y, sums.weight * exp2(offset));
#elif SMOE_OUTPUT == SMOE_SHADE_WINNER
  const vec3 color = sums.best < 0.0 ? vec3(0.0) : numberColor(sums.winner);
  imageStore(result, at, vec4(color, 1.0));
#elif SMOE_OUTPUT == SMOE_SHADE_DISPARITY
  // Warm: comes toward the viewer. 2 px per view step is the end of the scale.
  const float d = clamp(y.x * params.gain, -1.0, 1.0);
  imageStore(result, at, vec4(max(d, 0.0), 0.15 * (1.0 - abs(d)), max(-d, 0.0), 1.0));
#elif SMOE_OUTPUT == SMOE_SHADE_WEIGHT
  const float bits = log2(max(sums.weight, 1e-37)) + offset;
  imageStore(result, at, vec4(vec3(clamp(0.5 + params.gain * bits / 32.0, 0.0, 1.0)), 1.0));
#else
  const vec3 off = abs(y - 0.5);
  const float extreme = max(off.x, max(off.y, off.z));
  if (extreme > 0.6) atomicMax(tiles[tile].extreme, floatBitsToUint(extreme));
  imageStore(result, at, vec4(toLinear(y), 1.0));
#endif
}

#endif
