// SPDX-License-Identifier: BSD-3-Clause
// swirl: Turns by the squared radius.
// Number 3
#include "shaders/flame/chaos/point.glsl"

vec2 variation_swirl(Point p, float w) { return w * rotate(vec2(-p.xy.y, p.xy.x), -p.r2); }
