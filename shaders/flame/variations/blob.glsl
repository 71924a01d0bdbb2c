// SPDX-License-Identifier: BSD-3-Clause
// blob: The radius swings with the angle.
// Number 23
// Parameters: low 0 (-2 to 2), high 1 (-2 to 2), waves 1 (-12 to 12)
// Packs: (low + high) / 2, (high - low) / 2, waves
#include "shaders/flame/chaos/point.glsl"

vec2 variation_blob(Point p, float w, float middle, float swing, float waves) {
  return w * (middle + swing * sine(waves * p.theta)) * p.r * vec2(p.sinTheta, p.cosTheta);
}
