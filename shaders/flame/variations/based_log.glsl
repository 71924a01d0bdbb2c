// SPDX-License-Identifier: BSD-3-Clause
// based_log: log whose real part is to a base, as log_base of Fractorium says.
// Beside JWildfire: not compared
// Number 426
// Parameters: base 2 (1.1 to 10)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_based_log(Point p, float w, float base) {
  return w * vec2(0.5 * logOf(p.r2) / log(base), p.phi);
}
