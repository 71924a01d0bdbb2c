// SPDX-License-Identifier: BSD-3-Clause
// bubble: The plane onto a sphere seen from above.
// Number 28
#include "shaders/flame/chaos/point.glsl"

vec2 variation_bubble(Point p, float w) { return w / (0.25 * p.r2 + 1) * p.xy; }
