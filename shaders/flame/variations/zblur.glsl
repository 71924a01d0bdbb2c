// SPDX-License-Identifier: BSD-3-Clause
// zblur: A height by chance.
// Number 319: makes z
#include "shaders/flame/chaos/point.glsl"

vec3 variation_zblur(Point p, float w) { return vec3(0.0, 0.0, w * gauss4()); }
