// SPDX-License-Identifier: BSD-3-Clause
// Numbers that look drawn by chance but depend on where a point lies.
#ifndef SHADERS_FLAME_HASHES
#define SHADERS_FLAME_HASHES
#include "shaders/flame/chaos/cells.glsl"
#include "shaders/flame/chaos/point.glsl"

/// In -1..1, evenly: what a sine times 43758.5453 leaves after the point, `moved` from a whole number.
float waveHeight(float row, float moved) {
  uint bits = mixedBits(uint(int(clamp(row, -1e9, 1e9))) + 0x9e3779b9u);
  float start = float(bits & 0xffffu) / 32768.0 - 1.0, angle = kTwoPi * float(bits >> 16) / 65536.0;
  vec2 t = direction(angle);
  float half_moved = sine(0.5 * moved);
  float v = start + 43758.5453 * (t.x * sine(moved) - 2.0 * t.y * half_moved * half_moved);
  return v - trunc(v);
}

#endif
