// SPDX-License-Identifier: BSD-3-Clause
// exp: The complex exponential.
// Number 82
#include "shaders/flame/chaos/point.glsl"

vec2 variation_exp(Point p, float w) { return w * exp(p.xy.x) * direction(p.xy.y); }
