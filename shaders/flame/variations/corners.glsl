// SPDX-License-Identifier: BSD-3-Clause
// corners: Powers in the four corners.
// Number 186
// Parameters: x 1 (-3 to 3), y 1 (-3 to 3), mult_x 1 (-3 to 3), mult_y 1 (-3 to 3),
//   x_power 0.75 (-3 to 3), y_power 0.75 (-3 to 3), xy_power_add 0 (-3 to 3), log_mode 0 (0 to 1),
//   log_base 2.71828 (1.1 to 10)
#include "shaders/flame/chaos/point.glsl"

/// The logarithm of v to a power; nothing where that is no number.
float cornerPower(float v, float log_base, float power) {
  if (v < 0.0) return kNotANumber;
  float base = logOf(v) / logOf(log_base);
  if (base >= 0.0) return powOf(base, power);
  if (power != floor(power)) return kNotANumber;
  return (fmodOf(power, 2.0) == 0.0 ? 1.0 : -1.0) * powOf(-base, power);
}

vec2 variation_corners(Point p, float w, float x, float y, float mult_x, float mult_y, float
        x_power, float y_power, float xy_power_add, float log_mode, float log_base) {
  float px = p.xy.x, py = p.xy.y;
  float ex = 0.0, ey = 0.0;
  if (log_mode == 0.0) { ex = powOf(px * px, x_power + xy_power_add) * mult_x; ey = powOf(py * py,
      y_power + xy_power_add) * mult_y; }
  else {
    ex = cornerPower(px * px * mult_x + 3.0, log_base, x_power + 2.25 + xy_power_add) - 1.33;
    ey = cornerPower(py * py * mult_y + 3.0, log_base, y_power + 2.25 + xy_power_add) - 1.33;
  }
  return vec2(px > 0.0 ? w * ex + x : -w * ex - x, py > 0.0 ? w * ey + y : -w * ey - y);
}
