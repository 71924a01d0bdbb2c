// SPDX-License-Identifier: BSD-3-Clause
// cylinder: The sine of x alone.
// Number 29
#include "shaders/flame/chaos/point.glsl"

vec2 variation_cylinder(Point p, float w) { return w * vec2(sine(p.xy.x), p.xy.y); }
