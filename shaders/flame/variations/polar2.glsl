// SPDX-License-Identifier: BSD-3-Clause
// polar2: Angle and logarithm of the radius become coordinates.
// Number 70
#include "shaders/flame/chaos/point.glsl"

vec2 variation_polar2(Point p, float w) { return w / kPi * vec2(p.theta, 0.5 * logOf(p.r2)); }
