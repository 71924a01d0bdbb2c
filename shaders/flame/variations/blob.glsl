// SPDX-License-Identifier: BSD-3-Clause
// blob: The radius swings with the angle.
#include "shaders/flame/chaos/point.glsl"

vec2 variation_blob(Point p, float w, float middle, float swing, float waves) {
  return w * (middle + swing * sine(waves * p.theta)) * p.r * vec2(p.sinTheta, p.cosTheta);
}
