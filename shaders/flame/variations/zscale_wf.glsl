// SPDX-License-Identifier: BSD-3-Clause
// zscale_wf: Scales and shifts z alone.
// Number 421: makes z, reads z, z alone
// Parameters: ztranslate 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_zscale_wf(Point p, float w, float ztranslate) {
  return vec3(0.0, 0.0, w * p.z + ztranslate);
}
