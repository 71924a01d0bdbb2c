// SPDX-License-Identifier: BSD-3-Clause
// Numbers that look drawn by chance but depend on where a point lies.
#ifndef SHADERS_FLAME_HASHES
#define SHADERS_FLAME_HASHES
#include "shaders/flame/chaos/cells.glsl"
#include "shaders/flame/chaos/pairs.glsl"
#include "shaders/flame/chaos/point.glsl"

/// In -1..1, evenly: what a sine times 43758.5453 leaves after the point, `moved` from a whole number.
float waveHeight(float row, float moved) {
  Wide angle = plus(times(wide(row), wide(91.2228012084961, -1.2084960872e-6)), wide(1.0));
  Wide v = times(sineOf(plus(angle, wide(moved))), wide(43758.546875, -0.001575000002));
  Wide whole = narrow(v) < 0.0 ? -floorOf(-v) : floorOf(v);
  return narrow(minus(v, whole));
}

#endif
