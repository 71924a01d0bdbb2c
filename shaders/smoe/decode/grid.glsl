// SPDX-License-Identifier: BSD-3-Clause
// Where boxes of samples lie, and where components lie relative to them. The including file has
// declared `params` and the buffers `axes` and `cull` (or CULL, to read its rows otherwise).
#ifndef SHADERS_SMOE_GRID
#define SHADERS_SMOE_GRID
#include "shaders/smoe/decode/bounds.glsl"

// What loops need of params: a software renderer fetches uniforms anew each time they are named.
ivec2 gridSize, gridShift;
float gridUnit, gridStep;

/// Before anything else of this file.
void openGrid() {
  gridSize = params.size;
  gridShift = ivec2(params.shift);
  gridUnit = params.unit;
  gridStep = params.step;
}

/// Where the box with this first sample begins (a multiple of SMOE_AXIS): fixed point, and the rest
/// in px.
ivec2 originOf(ivec2 first, out vec2 rest) {
  const uvec2 x = axes[first.x / SMOE_AXIS];
  const uvec2 y = axes[int(params.columns) + first.y / SMOE_AXIS];
  rest = uintBitsToFloat(uvec2(x.y, y.y));
  return ivec2(x.x, y.x);
}

/// A component's gate from its two rows, its center relative to the origin.
Gate unpackGate(uvec4 a, uvec4 b, ivec2 origin, vec2 rest) {
  Gate gate;
  gate.center = vec2((ivec2(a.xy) >> gridShift) - origin) * gridUnit - rest;
  gate.c = uintBitsToFloat(a.z);
  gate.h = uintBitsToFloat(a.w);
  gate.w = uintBitsToFloat(b.xyz);
  gate.slopes = slopesOf(gate.w);
  return gate;
}

/// W times the origin's place relative to the center. In float64, because the terms cancel along long
/// ellipses: what is added to it within a tile is small.
vec2 whitenedOrigin(uvec4 a, vec3 w, ivec2 origin, vec2 rest) {
  const dvec2 away =
      dvec2(rest) - dvec2((ivec2(a.xy) >> gridShift) - origin) * double(gridUnit);
  const dvec3 v = dvec3(w);
  return vec2(v.x * away.x, v.y * away.x + v.z * away.y);
}

#ifndef CULL
#define CULL(row) cull[row]
#endif
Gate gateOf(uint component, ivec2 origin, vec2 rest) {
  return unpackGate(CULL(2u * component), CULL(2u * component + 1u), origin, rest);
}

/// The positions of samples [first, last) of the grid, relative to sample `origin`, as a closed box.
Box boxOf(ivec2 first, ivec2 last, ivec2 origin) {
  last = min(last, gridSize);
  return Box((vec2(first - origin) + 0.5) * gridStep, (vec2(last - origin) - 0.5) * gridStep);
}

#endif
