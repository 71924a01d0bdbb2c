// SPDX-License-Identifier: BSD-3-Clause
// polar: Angle and radius become coordinates.
// Number 5
#include "shaders/flame/chaos/point.glsl"

vec2 variation_polar(Point p, float w) { return w * vec2(p.theta / kPi, p.r - 1); }
