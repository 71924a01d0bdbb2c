// SPDX-License-Identifier: BSD-3-Clause
// log: The complex logarithm.
// Number 83
#include "shaders/flame/chaos/point.glsl"

vec2 variation_log(Point p, float w) { return w * vec2(0.5 * logOf(p.r2), p.phi); }
