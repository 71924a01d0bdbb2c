// SPDX-License-Identifier: BSD-3-Clause
// synth: Waves in layers, put on an angle, a radius or an axis.
// Number 279
// Parameters: a 1 (-3 to 3), mode 3 (0 to 19), power -2 (-4 to 4), mix 1 (0 to 1),
//   smooth 0 (0 to 1), b 0 (-2 to 2), b_type 0 (0 to 8), b_skew 0 (-0.9 to 0.9), b_frq 1 (1 to 12),
//   b_phs 0 (-3.15 to 3.15), b_layer 0 (0 to 3), c 0 (-2 to 2), c_type 0 (0 to 8),
//   c_skew 0 (-0.9 to 0.9), c_frq 1 (1 to 12), c_phs 0 (-3.15 to 3.15), c_layer 0 (0 to 3),
//   d 0 (-2 to 2), d_type 0 (0 to 8), d_skew 0 (-0.9 to 0.9), d_frq 1 (1 to 12),
//   d_phs 0 (-3.15 to 3.15), d_layer 0 (0 to 3), e 0 (-2 to 2), e_type 0 (0 to 8),
//   e_skew 0 (-0.9 to 0.9), e_frq 1 (1 to 12), e_phs 0 (-3.15 to 3.15), e_layer 0 (0 to 3),
//   f 0 (-2 to 2), f_type 0 (0 to 8), f_skew 0 (-0.9 to 0.9), f_frq 1 (1 to 12),
//   f_phs 0 (-3.15 to 3.15), f_layer 0 (0 to 3)
#include "shaders/flame/chaos/point.glsl"

float synthWave(float at, float type, float skew, float frq, float phs) {
  float y = (phs + at * frq) / kTwoPi;
  y -= floor(y);
  float middle = 0.5 + 0.5 * skew;
  if (skew != 0.0) y = y > middle ? 0.5 + 0.5 * (y - middle) / (1.0 - middle) : 0.5 - 0.5 *
      (middle - y) / middle;
  float half_sine = sine((y - 0.5) * kPi / frq), sagitta = 2.0 * half_sine * half_sine;
  type = nearestOf(type);
  if (type == 0.0) return sine(y * kTwoPi);
  if (type == 1.0) return cosine(y * kTwoPi);
  if (type == 2.0) return y > 0.5 ? 1.0 : -1.0;
  if (type == 3.0) return 1.0 - 2.0 * y;
  if (type == 4.0) return y > 0.5 ? 3.0 - 4.0 * y : 2.0 * y - 1.0;
  if (type == 5.0) return 8.0 * (y - 0.5) * (y - 0.5) - 1.0;
  if (type == 6.0) return 2.0 * sqrt(y) - 1.0;
  return type == 7.0 ? sagitta / (1.0 - sagitta) : (1.0 - sagitta) / sagitta;
}
float synthLayer(float sum, float base, float amount, float layer, float wave) {
  if (amount == 0.0) return sum;
  layer = nearestOf(layer);
  float height = amount * wave;
  return layer == 0.0 ? sum + height : layer == 1.0 ? sum * (1.0 + height) : layer == 2.0 ?
      max(sum, base + height) : min(sum, base + height);
}
float synthValue(float at, float a, float b, float b_type, float b_skew, float b_frq, float
    b_phs, float b_layer, float c, float c_type, float c_skew, float c_frq, float c_phs, float
        c_layer, float d, float d_type, float d_skew, float d_frq, float d_phs, float d_layer,
            float e, float e_type, float e_skew, float e_frq, float e_phs, float e_layer, float
                f, float f_type, float f_skew, float f_frq, float f_phs, float f_layer) {
  float sum = a;
  sum = synthLayer(sum, a, b, b_layer, synthWave(at, b_type, b_skew, b_frq, b_phs));
  sum = synthLayer(sum, a, c, c_layer, synthWave(at, c_type, c_skew, c_frq, c_phs));
  sum = synthLayer(sum, a, d, d_layer, synthWave(at, d_type, d_skew, d_frq, d_phs));
  sum = synthLayer(sum, a, e, e_layer, synthWave(at, e_type, e_skew, e_frq, e_phs));
  sum = synthLayer(sum, a, f, f_layer, synthWave(at, f_type, f_skew, f_frq, f_phs));
  return sum;
}
float synthBezier(float x, float m) {
  float s = (m < 0.0) != (x < 0.0) ? -1.0 : 1.0;
  m = abs(m);
  x = abs(x);
  float inverse = m > 1e-10 ? 1.0 / m : 1e10, end = max(2.0 - m, 2.0 * m);
  if (x > end || m == 1.0) return s * x;
  float k = m < 1.0 ? m : inverse;
  if (x <= 1.0) {
    float t = abs(1.0 - 2.0 * k) > 1e-5 ? (sqrt(max(k * k + (1.0 - 2.0 * k) * x, 0.0)) - k) /
        (1.0 - 2.0 * k) : x;
    return s * (x + (m - 1.0) * t * t);
  }
  float t = m < 1.0 ? sqrt((x - 1.0) / (end - 1.0)) : 1.0 - m + sqrt((m - 1.0) * (m - 1.0) + x -
      1.0);
  return s * (x + (m - 1.0) * (t - 1.0) * (t - 1.0));
}
float synthScaled(float x, float m, float smoothness) { return nearestOf(smoothness) == 1.0 ?
    synthBezier(x, m) : x * m; }

vec2 variation_synth(Point p, float w, float a, float mode, float power, float mix_p, float
    smooth_p, float b, float b_type, float b_skew, float b_frq, float b_phs, float b_layer, float
        c, float c_type, float c_skew, float c_frq, float c_phs, float c_layer, float d, float
            d_type, float d_skew, float d_frq, float d_phs, float d_layer, float e, float e_type,
                float e_skew, float e_frq, float e_phs, float e_layer, float f, float f_type,
                    float f_skew, float f_frq, float f_phs, float f_layer) {
  float x = p.xy.x, y = p.xy.y;
  float kind = nearestOf(mode), r2 = x * x + y * y, r = sqrt(r2), theta = angleOf(x, y);
  float u1 = 0.0, u2 = 0.0, u3 = 0.0;
  if ((kind >= 2.0 && kind <= 4.0) || kind == 12.0 || kind == 13.0 || kind == 1004.0) {
    u1 = unit();
    u2 = unit();
    u3 = unit();
  }
  if (kind == 2.0) r = (u1 + u2 + 0.002 * unit()) / 2.002;
  float z = 2.0 * u3 - 1.0, far = powOf(r2, 0.5 * power);
  if (kind == 4.0)
    theta = 2.0 * angleOf(z, sqrt(max(1.0 - z * z, 0.0)));
  else if (kind == 2.0 || kind == 3.0 || kind == 12.0 || kind == 13.0)
    theta = kTwoPi * u3 - kPi;

  // The waves at one place or two, whatever the mode: each call is much code.
  bool turns = (kind >= 0.0 && kind <= 5.0) || kind == 12.0 || kind == 13.0 || kind == 19.0;
  bool bends = kind >= 14.0 && kind <= 16.0, shifts = !turns && !bends && kind <= 18.0;
  float at = far;
  if (turns || kind == 1003.0 || kind == 1006.0) at = theta;
  if (kind == 1004.0) at = 0.5 * theta + (u1 < 0.5 ? kPi : 0.0);
  if (kind == 1005.0) at = kPi * far;
  if (kind == 1007.0 || kind == 1001.0) at = x;
  if (shifts) at = y;
  float second = shifts ? x : kind == 1001.0 ? y : at + 0.5 * kPi, value = 0.0, other = 0.0;
  for (int i = 0; i < 2; ++i) {
    if (i == 1 && (turns || bends)) break;
    other = value;
    value = synthValue(i == 0 ? at : second, a, b, b_type, b_skew, b_frq, b_phs, b_layer, c,
                           c_type, c_skew, c_frq, c_phs, c_layer, d, d_type, d_skew, d_frq, d_phs,
                           d_layer, e, e_type, e_skew, e_frq, e_phs, e_layer, f, f_type, f_skew,
                           f_frq, f_phs, f_layer);
    value = 1.0 - mix_p + mix_p * value;
  }
  if (!turns && !bends) {
    float swapped = value;
    value = other;
    other = swapped;
  }

  if (kind == 4.0)
    return w * vec2(theta / kPi, synthScaled(1.0 + 0.1 * (u1 + u2 - 1.0) * power, value, smooth_p) - 1.0);
  if (turns) {
    float from = kind == 0.0    ? powOf(r2, 0.5 * (power + 1.0))
                 : kind == 1.0  ? r / (0.25 * r2 + 1.0)
                 : kind == 2.0  ? powOf(r, power)
                 : kind == 3.0  ? powOf(0.5 * (u1 + u2), -power)
                 : kind == 12.0 ? 1.0 + 0.1 * (u1 + u2 - 1.0) * power
                                : r;
    float scaled = synthScaled(from, value, smooth_p);
    scaled = kind == 2.0 ? r * scaled : scaled;
    scaled = kind == 13.0 ? value + 0.1 * powOf(u1, power) : kind == 19.0 ? powOf(scaled, power) : scaled;
    return w * scaled * vec2(sine(theta), cosine(theta));
  }
  if (bends) {
    value -= 1.0;
    if (kind == 15.0) return w * vec2(x + value * cosine(theta), y - value * sine(theta));
    return w * (kind == 14.0 ? far : r) * vec2(sine(theta + value), cosine(theta + value));
  }
  if (shifts) {
    if (kind == 6.0) return w * vec2(synthScaled(x, value, smooth_p), y);
    if (kind == 7.0) return w * vec2(x, synthScaled(y, other, smooth_p));
    if (kind == 8.0)
      return w * vec2(synthScaled(x, value, smooth_p), synthScaled(y, other, smooth_p));
    if (kind == 9.0) return w * vec2(x + value - 1.0, y);
    if (kind == 10.0) return w * vec2(x, y + other - 1.0);
    if (kind == 11.0) return w * vec2(x + value - 1.0, y + other - 1.0);
    if (kind == 17.0) return w * vec2(x, 2.0 * (other - 1.0) - y);
    return w * vec2(2.0 * (value - 1.0) - x, 2.0 * (other - 1.0) - y);
  }
  if (kind == 1001.0)
    return w * (vec2(value, other) - 1.0 + (1.0 - mix_p) * vec2(sine(x), sine(y)));
  float sa = sine(at), ca = cosine(at);
  bool mixes = nearestOf(smooth_p) == 1.0, multiplies = nearestOf(smooth_p) == 0.0;
  sa = multiplies ? sa * value : mixes ? (1.0 - mix_p) * sa + value - 1.0 : sa;
  ca = multiplies ? ca * other : mixes ? (1.0 - mix_p) * ca + other - 1.0 : ca;
  if (kind == 1002.0) return w * vec2(sa * x - ca * y, ca * x + sa * y);
  if (kind == 1003.0) return w * vec2(sa / far, ca * far);
  if (kind == 1004.0) return w * powOf(r2, 0.25 * power) * vec2(ca, sa);
  if (kind == 1005.0) return w * theta / kPi * vec2(sa, ca);
  if (kind == 1007.0) return w * far * vec2(sa, y);
  float mu = power * power;
  r += -2.0 * mu * trunc((r + mu) / (2.0 * mu)) + r * (1.0 - mu);
  return w * r * vec2(sa, ca);
}
