// SPDX-License-Identifier: BSD-3-Clause
// Exact bounds of one component on a box of sample positions, and the error of leaving it out. All in
// bits: the log weight is c - |z|^2. Bounds are those of real arithmetic within SMOE_SLACK.
#ifndef SHADERS_SMOE_BOUNDS
#define SHADERS_SMOE_BOUNDS
#include "shaders/smoe/decode/shared.h"

struct Gate {
  vec2 center;  // px, relative to some origin
  float c, h;
  vec3 w;  // W11, W21, W22
  vec2 slopes;  // of where |z|^2 is smallest: y over x on an edge beside, x over y on one above
};

vec2 slopesOf(vec3 w) {
  return vec2(-(w.y / w.z), -(w.y * w.z / (w.x * w.x + w.y * w.y)));
}

struct Box {
  vec2 low, high;  // px, relative to the same; closed
};

/// The smallest |z|^2 on the box. The minimum of a convex function lies inside or on an edge that faces
/// the center; on an edge x = xe it is at y* = -(W21 / W22) xe, clamped.
float nearest(Gate g, Box box) {
  const vec2 low = box.low - g.center, high = box.high - g.center;
  const vec2 edge = clamp(vec2(0), low, high);
  const float w11 = g.w.x, w21 = g.w.y, w22 = g.w.z;
  const float y = clamp(g.slopes.x * edge.x, low.y, high.y);
  const float x = clamp(g.slopes.y * edge.y, low.x, high.x);
  const vec2 a = vec2(w11 * edge.x, w21 * edge.x + w22 * y);
  const vec2 b = vec2(w11 * x, w21 * x + w22 * edge.y);
  return min(dot(a, a), dot(b, b));
}

/// The largest |z|^2 on the box: at a corner.
float farthest(Gate g, Box box) {
  const vec2 low = box.low - g.center, high = box.high - g.center;
  const float y = 0.5 * (low.y + high.y) * g.w.z, halfY = 0.5 * (high.y - low.y) * g.w.z;
  const vec2 a = vec2(g.w.x * low.x, abs(g.w.y * low.x + y) + halfY);
  const vec2 b = vec2(g.w.x * high.x, abs(g.w.y * high.x + y) + halfY);
  return max(dot(a, a), dot(b, b));
}

/// How much the color can be off per unit of relative weight when this component is left out:
/// a_j = max |mu_Y - 1/2| + 0.6 + h max(1, d), with reach = the first two terms.
float amplitude(Gate g, float reach, float nearestSquare) {
  return reach + g.h * max(SMOE_SIGMA_SCALE, sqrt(nearestSquare));
}

// Floats as unsigned integers of the same order, for atomicMax; 0 is below all of them.
uint orderedBits(float value) {
  const uint bits = floatBitsToUint(value);
  return (bits & 0x80000000u) != 0u ? ~bits : bits | 0x80000000u;
}
float fromOrdered(uint bits) {
  return uintBitsToFloat((bits & 0x80000000u) != 0u ? bits & 0x7FFFFFFFu : ~bits);
}

// Sums of errors are 32.32 fixed point in units of twice the limit: whatever the order of the
// additions, the same bits. Parts are rounded up.
uvec2 errorParts(float share) {
  const float held = min(share, 65536.0);
  const float whole = floor(held);
  return uvec2(uint(ceil(min((held - whole) * 4294967296.0, 4294967040.0))), uint(whole));
}
float errorOf(uvec2 parts) { return float(parts.y) + float(parts.x) * (1.0 / 4294967296.0); }
uvec2 addErrors(uvec2 a, uvec2 b) {
  uint carry;
  const uint low = uaddCarry(a.x, b.x, carry);
  return uvec2(low, a.y + b.y + carry);
}
// Adds parts to the words of sum `index` in an array of words, two per sum.
#define ADD_ERROR(sums, index, parts)                                            \
  if ((parts).x > 0u || (parts).y > 0u) {                                        \
    const uint before = atomicAdd(sums[2u * (index)], (parts).x);                \
    const uint upper = (parts).y + (before + (parts).x < before ? 1u : 0u);      \
    if (upper > 0u) atomicAdd(sums[2u * (index) + 1u], upper);                   \
  }
#define ERROR_AT(sums, index) uvec2(sums[2u * (index)], sums[2u * (index) + 1u])

#endif
