// SPDX-License-Identifier: BSD-3-Clause
// fisheye: A lens; the axes are swapped, which is flam3's way.
// Number 16
#include "shaders/flame/chaos/point.glsl"

vec2 variation_fisheye(Point p, float w) { return 2 * w / (p.r + 1) * vec2(p.xy.y, p.xy.x); }
