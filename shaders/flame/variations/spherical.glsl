// SPDX-License-Identifier: BSD-3-Clause
// spherical: Inversion in the unit circle.
// Number 2
#include "shaders/flame/chaos/point.glsl"

vec2 variation_spherical(Point p, float w) { return w / (p.r2 + kEps) * p.xy; }
