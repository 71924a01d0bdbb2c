// SPDX-License-Identifier: BSD-3-Clause
// sinusoidal: The sine of each coordinate.
// Number 1
#include "shaders/flame/chaos/point.glsl"

vec2 variation_sinusoidal(Point p, float w) { return w * sine(p.xy); }
