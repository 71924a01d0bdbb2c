// SPDX-License-Identifier: BSD-3-Clause
// eyefish: A lens.
// Number 27
#include "shaders/flame/chaos/point.glsl"

vec2 variation_eyefish(Point p, float w) { return 2 * w / (p.r + 1) * p.xy; }
