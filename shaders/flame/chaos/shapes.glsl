// SPDX-License-Identifier: BSD-3-Clause
// Shapes that points lie within or not, and what hides those that lie on the wrong side.
#ifndef SHADERS_FLAME_SHAPES
#define SHADERS_FLAME_SHAPES
#include "shaders/flame/chaos/point.glsl"

/// Where a crop leaves the point: hidden ones at the origin.
vec2 keptWithin(bool inside, vec2 at) { return inside ? at : vec2(0.0, 0.0); }

/// The farthest that `v` lies along the normals of a polygon with `count` edges, one at `first`.
float alongNormals(vec2 v, float count, float first) {
  float most = -1e20;
  for (int i = 0; i < 8; ++i) {
    if (float(i) >= count) break;
    vec2 n = direction(first + kTwoPi * float(i) / count);
    most = max(most, n.x * v.x + n.y * v.y);
  }
  return most;
}

#endif
