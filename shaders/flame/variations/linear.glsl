// SPDX-License-Identifier: BSD-3-Clause
// linear: The point itself.
// Number 0
#include "shaders/flame/chaos/point.glsl"

vec2 variation_linear(Point p, float w) { return w * p.xy; }
