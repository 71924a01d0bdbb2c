// SPDX-License-Identifier: BSD-3-Clause
// inversion: Inverts at a curve in place of a circle.
// Number 387: sets color, hides
// Parameters: scale 1 (0.1 to 3), rotation 0 (-1 to 1), shape 0 (0 to 6), imode 0 (0 to 2),
//   hide_uninverted 0 (0 to 1), a 1 (0.1 to 5), b 1 (0.1 to 5), c 0 (0 to 5), d 0 (0 to 5),
//   e 0 (0 to 5), f 0 (0 to 5), ring_mode 0 (0 to 2), ring_scale 1 (0 to 3),
//   pnorm_point 2 (0.5 to 4), pnorm_shape 2 (0.5 to 4), pnorm_pmod 1 (0.5 to 2),
//   pnorm_smod 1 (0.5 to 2), draw_shape 0 (0 to 1), shape_thickness 0 (0 to 5),
//   passthrough 0 (0 to 1), guides_enabled 1 (0 to 1), color_measure 0 (0 to 4),
//   color_gradient 1 (1 to 2), color_low_threshold 0 (0 to 2), color_high_threshold 1 (0 to 3)
#include "shaders/flame/chaos/point.glsl"

/// The distance of the curve from the origin at an angle.
float inversionRadius(float t, float kind, float a, float b, float c, float d, float e, float f) {
  vec2 s = direction(t);
  if (kind == 1.0) return a * b / sqrt(b * s.x * b * s.x + a * s.y * a * s.y);
  if (kind == 2.0) return sqrt(a * a * b * b / (b * b * s.x * s.x - a * a * s.y * s.y));
  if (kind == 3.0) {
    float sector = kTwoPi / max(floor(a), 1.0), at = fmodOf(abs(fmodOf(t, kTwoPi)), sector);
    return cosine(0.5 * sector) / cosine(at - 0.5 * sector);
  }
  if (kind == 4.0) return cosine(a / b * t) + c;
  if (kind == 5.0) return a * b / powOf(powOf(abs(a * s.y), c) + powOf(abs(b * s.x), c), 1.0 / c);
  if (kind == 6.0) {
    vec2 m = direction(0.25 * c * t);
    return powOf(powOf(abs(m.x / a), e) + powOf(abs(m.y / b), f), -1.0 / d);
  }
  return 1.0;
}

/// The square of a length, or of what a norm of another power and a factor make of it.
float inversionSize(vec2 v, float power, float factor) {
  if (power == 2.0 && factor == 1.0) return v.x * v.x + v.y * v.y;
  return powOf(powOf(abs(v.x), power) + powOf(abs(v.y), power), 2.0 / (power * factor));
}

/// Which place of the palette a measured distance has.
float inversionShade(float far, float low, float high, bool wraps) {
  float from = min(low, high), share = (far - from) / max(abs(high - low), 1e-10);
  return wraps && (share < 0.0 || share > 1.0) ? share - floor(share) : share;
}

vec2 variation_inversion(Point p, float w, float scale, float rotation, float shape, float imode,
                         float hide_uninverted, float a, float b, float c, float d, float e,
                         float f, float ring_mode, float ring_scale, float pnorm_point,
                         float pnorm_shape, float pnorm_pmod, float pnorm_smod, float draw_shape,
                         float shape_thickness, float passthrough, float guides_enabled,
                         float color_measure, float color_gradient, float color_low_threshold,
                         float color_high_threshold) {
  float px = p.xy.x, py = p.xy.y;
  float kind = nearestOf(shape), turned = kPi * rotation, drawn = unit(), at = unit();
  float u = unit() - 0.5, v = unit() - 0.5, passed = unit();
  if (drawn < draw_shape) {
    float t = kTwoPi * at;
    float r = scale * inversionRadius(t - turned, kind, a, b, c, d, e, f);
    return r * direction(t) + 0.01 * shape_thickness * vec2(u, v);
  }
  if (passed < passthrough) return vec2(px, py);
  float angle = angleOf(py, px), far = sqrt(px * px + py * py);
  float edge = scale * inversionRadius(angle - turned, kind, a, b, c, d, e, f);
  vec2 on = edge * direction(angle);
  float mode = nearestOf(imode), ring = nearestOf(ring_mode),
        inner = min(ring_scale, 1.0 / ring_scale);
  bool within = far >= inner * scale && far <= scale / inner;
  bool inverted = mode == 1.0 ? far > edge : mode == 2.0 ? far < edge : true;
  if (ring_scale != 1.0 && (ring == 1.0 || ring == 2.0))
    inverted = inverted && within == (ring == 1.0);
  setHidden(!inverted && nearestOf(hide_uninverted) != 0.0, w);
  if (!inverted) return vec2(px, py);
  float grown = inversionSize(on, pnorm_shape, pnorm_smod) /
                inversionSize(vec2(px, py), pnorm_point, pnorm_pmod);
  vec2 to = w * grown * vec2(px, py);
  float measure = nearestOf(color_measure);
  vec2 away = measure == 1.0 ? to - on : measure == 2.0 ? vec2(px, py) - on : to - vec2(px, py);
  float length_there = sqrt(away.x * away.x + away.y * away.y);
  float plain = abs(w) * scale * scale / max(far, 1e-20);
  if (measure == 4.0) length_there = sqrt(to.x * to.x + to.y * to.y) / max(plain, 1e-20);
  float shade = inversionShade(length_there, color_low_threshold, color_high_threshold,
                               nearestOf(color_gradient) == 2.0);
  if (measure > 0.0) setColor(shade, w);
  return to;
}
