// SPDX-License-Identifier: BSD-3-Clause
// synth: waves of nine forms in five layers, put on an angle, a radius or an axis in one of 27
// ways.
#include "app/techniques/flame/genome/variations/family.h"

#include <algorithm>
#include <cmath>

namespace fathom::flame {
namespace {

/// Half away from minus infinity, as in shaders.
double nearestOfSynth(double v) { return std::floor(v + 0.5); }

double synthWave(double at, double type, double skew, double frq, double phs) {
  double y = (phs + at * frq) / kTwoPi;
  y -= std::floor(y);
  double middle = 0.5 + 0.5 * skew;
  if (skew != 0.0)
    y = y > middle ? 0.5 + 0.5 * (y - middle) / (1.0 - middle) : 0.5 - 0.5 * (middle - y) / middle;
  double half_sine = std::sin((y - 0.5) * kPi / frq), sagitta = 2.0 * half_sine * half_sine;
  type = nearestOfSynth(type);
  if (type == 0.0) return std::sin(y * kTwoPi);
  if (type == 1.0) return std::cos(y * kTwoPi);
  if (type == 2.0) return y > 0.5 ? 1.0 : -1.0;
  if (type == 3.0) return 1.0 - 2.0 * y;
  if (type == 4.0) return y > 0.5 ? 3.0 - 4.0 * y : 2.0 * y - 1.0;
  if (type == 5.0) return 8.0 * (y - 0.5) * (y - 0.5) - 1.0;
  if (type == 6.0) return 2.0 * std::sqrt(y) - 1.0;
  return type == 7.0 ? sagitta / (1.0 - sagitta) : (1.0 - sagitta) / sagitta;
}
double synthLayer(double sum, double base, double amount, double layer, double wave) {
  if (amount == 0.0) return sum;
  layer = nearestOfSynth(layer);
  double height = amount * wave;
  return layer == 0.0   ? sum + height
         : layer == 1.0 ? sum * (1.0 + height)
         : layer == 2.0 ? std::max(sum, base + height)
                        : std::min(sum, base + height);
}
double synthValue(double at, double a, double b, double b_type, double b_skew, double b_frq,
                  double b_phs, double b_layer, double c, double c_type, double c_skew,
                  double c_frq, double c_phs, double c_layer, double d, double d_type,
                  double d_skew, double d_frq, double d_phs, double d_layer, double e,
                  double e_type, double e_skew, double e_frq, double e_phs, double e_layer,
                  double f, double f_type, double f_skew, double f_frq, double f_phs,
                  double f_layer) {
  double sum = a;
  sum = synthLayer(sum, a, b, b_layer, synthWave(at, b_type, b_skew, b_frq, b_phs));
  sum = synthLayer(sum, a, c, c_layer, synthWave(at, c_type, c_skew, c_frq, c_phs));
  sum = synthLayer(sum, a, d, d_layer, synthWave(at, d_type, d_skew, d_frq, d_phs));
  sum = synthLayer(sum, a, e, e_layer, synthWave(at, e_type, e_skew, e_frq, e_phs));
  sum = synthLayer(sum, a, f, f_layer, synthWave(at, f_type, f_skew, f_frq, f_phs));
  return sum;
}
double synthBezier(double x, double m) {
  double s = (m < 0.0) != (x < 0.0) ? -1.0 : 1.0;
  m = std::abs(m);
  x = std::abs(x);
  double inverse = m > 1e-10 ? 1.0 / m : 1e10, end = std::max(2.0 - m, 2.0 * m);
  if (x > end || m == 1.0) return s * x;
  double k = m < 1.0 ? m : inverse;
  if (x <= 1.0) {
    double t = std::abs(1.0 - 2.0 * k) > 1e-5
                   ? (std::sqrt(std::max(k * k + (1.0 - 2.0 * k) * x, 0.0)) - k) / (1.0 - 2.0 * k)
                   : x;
    return s * (x + (m - 1.0) * t * t);
  }
  double t = m < 1.0 ? std::sqrt((x - 1.0) / (end - 1.0))
                     : 1.0 - m + std::sqrt((m - 1.0) * (m - 1.0) + x - 1.0);
  return s * (x + (m - 1.0) * (t - 1.0) * (t - 1.0));
}
double synthScaled(double x, double m, double smoothness) {
  return nearestOfSynth(smoothness) == 1.0 ? synthBezier(x, m) : x * m;
}

/// Waves in layers, put on an angle, a radius or an axis.
Point wildSynth(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double a = in.parameters[0], mode = in.parameters[1], power = in.parameters[2],
               mix_p = in.parameters[3], smooth_p = in.parameters[4], b = in.parameters[5],
               b_type = in.parameters[6], b_skew = in.parameters[7], b_frq = in.parameters[8],
               b_phs = in.parameters[9], b_layer = in.parameters[10], c = in.parameters[11],
               c_type = in.parameters[12], c_skew = in.parameters[13], c_frq = in.parameters[14],
               c_phs = in.parameters[15], c_layer = in.parameters[16], d = in.parameters[17],
               d_type = in.parameters[18], d_skew = in.parameters[19], d_frq = in.parameters[20],
               d_phs = in.parameters[21], d_layer = in.parameters[22], e = in.parameters[23],
               e_type = in.parameters[24], e_skew = in.parameters[25], e_frq = in.parameters[26],
               e_phs = in.parameters[27], e_layer = in.parameters[28], f = in.parameters[29],
               f_type = in.parameters[30], f_skew = in.parameters[31], f_frq = in.parameters[32],
               f_phs = in.parameters[33], f_layer = in.parameters[34];
  double kind = nearestOfSynth(mode), r2 = x * x + y * y, r = std::sqrt(r2),
         theta = std::atan2(x, y);
  double u1 = 0.0, u2 = 0.0, u3 = 0.0;
  if ((kind >= 2.0 && kind <= 4.0) || kind == 12.0 || kind == 13.0 || kind == 1004.0) {
    u1 = draws.unit();
    u2 = draws.unit();
    u3 = draws.unit();
  }
  if (kind == 2.0) {
    r = (u1 + u2 + 0.002 * draws.unit()) / 2.002;
    theta = kTwoPi * u3 - kPi;
    return w * r *
           synthScaled(std::pow(r, power),
                       synthValue(theta, a, b, b_type, b_skew, b_frq, b_phs, b_layer, c, c_type,
                                  c_skew, c_frq, c_phs, c_layer, d, d_type, d_skew, d_frq, d_phs,
                                  d_layer, e, e_type, e_skew, e_frq, e_phs, e_layer, f, f_type,
                                  f_skew, f_frq, f_phs, f_layer),
                       smooth_p) *
           Point(std::sin(theta), std::cos(theta));
  }
  if (kind == 4.0) {
    double z = 2.0 * u3 - 1.0;
    theta = 2.0 * std::atan2(z, std::sqrt(std::max(1.0 - z * z, 0.0)));
    return w *
           Point(theta / kPi,
                 synthScaled(1.0 + 0.1 * (u1 + u2 - 1.0) * power,
                             synthValue(theta, a, b, b_type, b_skew, b_frq, b_phs, b_layer, c,
                                        c_type, c_skew, c_frq, c_phs, c_layer, d, d_type, d_skew,
                                        d_frq, d_phs, d_layer, e, e_type, e_skew, e_frq, e_phs,
                                        e_layer, f, f_type, f_skew, f_frq, f_phs, f_layer),
                             smooth_p) -
                     1.0);
  }
  if (kind == 3.0 || kind == 12.0 || kind == 13.0) {
    theta = kTwoPi * u3 - kPi;
    r = kind == 3.0 ? std::pow(0.5 * (u1 + u2), -power) : 1.0 + 0.1 * (u1 + u2 - 1.0) * power;
    r = kind == 13.0
            ? synthValue(theta, a, b, b_type, b_skew, b_frq, b_phs, b_layer, c, c_type, c_skew,
                         c_frq, c_phs, c_layer, d, d_type, d_skew, d_frq, d_phs, d_layer, e, e_type,
                         e_skew, e_frq, e_phs, e_layer, f, f_type, f_skew, f_frq, f_phs, f_layer) +
                  0.1 * std::pow(u1, power)
            : synthScaled(r,
                          synthValue(theta, a, b, b_type, b_skew, b_frq, b_phs, b_layer, c, c_type,
                                     c_skew, c_frq, c_phs, c_layer, d, d_type, d_skew, d_frq, d_phs,
                                     d_layer, e, e_type, e_skew, e_frq, e_phs, e_layer, f, f_type,
                                     f_skew, f_frq, f_phs, f_layer),
                          smooth_p);
    return w * r * Point(std::sin(theta), std::cos(theta));
  }
  if (kind == 0.0 || kind == 1.0 || kind == 5.0 || kind == 19.0) {
    double from = kind == 0.0   ? std::pow(r2, 0.5 * (power + 1.0))
                  : kind == 1.0 ? r / (0.25 * r2 + 1.0)
                                : r;
    r = synthScaled(
        from,
        synthValue(theta, a, b, b_type, b_skew, b_frq, b_phs, b_layer, c, c_type, c_skew, c_frq,
                   c_phs, c_layer, d, d_type, d_skew, d_frq, d_phs, d_layer, e, e_type, e_skew,
                   e_frq, e_phs, e_layer, f, f_type, f_skew, f_frq, f_phs, f_layer),
        smooth_p);
    r = kind == 19.0 ? std::pow(r, power) : r;
    return w * r * Point(std::sin(theta), std::cos(theta));
  }
  if (kind >= 14.0 && kind <= 16.0) {
    double far = std::pow(r2, 0.5 * power),
           value = synthValue(far, a, b, b_type, b_skew, b_frq, b_phs, b_layer, c, c_type, c_skew,
                              c_frq, c_phs, c_layer, d, d_type, d_skew, d_frq, d_phs, d_layer, e,
                              e_type, e_skew, e_frq, e_phs, e_layer, f, f_type, f_skew, f_frq,
                              f_phs, f_layer) -
                   1.0;
    if (kind == 15.0) return w * Point(x + value * std::cos(theta), y - value * std::sin(theta));
    return w * (kind == 14.0 ? far : r) * Point(std::sin(theta + value), std::cos(theta + value));
  }
  if (kind <= 18.0) {
    double across =
               synthValue(y, a, b, b_type, b_skew, b_frq, b_phs, b_layer, c, c_type, c_skew, c_frq,
                          c_phs, c_layer, d, d_type, d_skew, d_frq, d_phs, d_layer, e, e_type,
                          e_skew, e_frq, e_phs, e_layer, f, f_type, f_skew, f_frq, f_phs, f_layer),
           up = synthValue(x, a, b, b_type, b_skew, b_frq, b_phs, b_layer, c, c_type, c_skew, c_frq,
                           c_phs, c_layer, d, d_type, d_skew, d_frq, d_phs, d_layer, e, e_type,
                           e_skew, e_frq, e_phs, e_layer, f, f_type, f_skew, f_frq, f_phs, f_layer);
    if (kind == 6.0) return w * Point(synthScaled(x, across, smooth_p), y);
    if (kind == 7.0) return w * Point(x, synthScaled(y, up, smooth_p));
    if (kind == 8.0)
      return w * Point(synthScaled(x, across, smooth_p), synthScaled(y, up, smooth_p));
    if (kind == 9.0) return w * Point(x + across - 1.0, y);
    if (kind == 10.0) return w * Point(x, y + up - 1.0);
    if (kind == 11.0) return w * Point(x + across - 1.0, y + up - 1.0);
    if (kind == 17.0) return w * Point(x, 2.0 * (up - 1.0) - y);
    return w * Point(2.0 * (across - 1.0) - x, 2.0 * (up - 1.0) - y);
  }
  if (kind == 1001.0)
    return w *
           Point(
               synthValue(x, a, b, b_type, b_skew, b_frq, b_phs, b_layer, c, c_type, c_skew, c_frq,
                          c_phs, c_layer, d, d_type, d_skew, d_frq, d_phs, d_layer, e, e_type,
                          e_skew, e_frq, e_phs, e_layer, f, f_type, f_skew, f_frq, f_phs, f_layer) -
                   1.0 + (1.0 - mix_p) * std::sin(x),
               synthValue(y, a, b, b_type, b_skew, b_frq, b_phs, b_layer, c, c_type, c_skew, c_frq,
                          c_phs, c_layer, d, d_type, d_skew, d_frq, d_phs, d_layer, e, e_type,
                          e_skew, e_frq, e_phs, e_layer, f, f_type, f_skew, f_frq, f_phs, f_layer) -
                   1.0 + (1.0 - mix_p) * std::sin(y));
  double far = std::pow(r2, 0.5 * power), at = far;
  if (kind == 1003.0 || kind == 1006.0) at = theta;
  if (kind == 1004.0) at = 0.5 * theta + (u1 < 0.5 ? kPi : 0.0);
  if (kind == 1005.0) at = kPi * far;
  if (kind == 1007.0) at = x;
  double vs = synthValue(at, a, b, b_type, b_skew, b_frq, b_phs, b_layer, c, c_type, c_skew, c_frq,
                         c_phs, c_layer, d, d_type, d_skew, d_frq, d_phs, d_layer, e, e_type,
                         e_skew, e_frq, e_phs, e_layer, f, f_type, f_skew, f_frq, f_phs, f_layer),
         vc = synthValue(at + 0.5 * kPi, a, b, b_type, b_skew, b_frq, b_phs, b_layer, c, c_type,
                         c_skew, c_frq, c_phs, c_layer, d, d_type, d_skew, d_frq, d_phs, d_layer, e,
                         e_type, e_skew, e_frq, e_phs, e_layer, f, f_type, f_skew, f_frq, f_phs,
                         f_layer),
         sa = std::sin(at), ca = std::cos(at);
  bool mixes = nearestOfSynth(smooth_p) == 1.0, multiplies = nearestOfSynth(smooth_p) == 0.0;
  sa = multiplies ? sa * vs : mixes ? (1.0 - mix_p) * sa + vs - 1.0 : sa;
  ca = multiplies ? ca * vc : mixes ? (1.0 - mix_p) * ca + vc - 1.0 : ca;
  if (kind == 1002.0) return w * Point(sa * x - ca * y, ca * x + sa * y);
  if (kind == 1003.0) return w * Point(sa / far, ca * far);
  if (kind == 1004.0) return w * std::pow(r2, 0.25 * power) * Point(ca, sa);
  if (kind == 1005.0) return w * theta / kPi * Point(sa, ca);
  if (kind == 1007.0) return w * far * Point(sa, y);
  double mu = power * power;
  r += -2.0 * mu * std::trunc((r + mu) / (2.0 * mu)) + r * (1.0 - mu);
  return w * r * Point(sa, ca);
}

}  // namespace

WildFamily wildSynthVariations() {
  return {
      {"synth",
       wildSynth,
       {{"a", 1, -3, 3},           {"mode", 3, 0, 19},       {"power", -2, -4, 4},
        {"mix", 1, 0, 1},          {"smooth", 0, 0, 1},      {"b", 0, -2, 2},
        {"b_type", 0, 0, 8},       {"b_skew", 0, -0.9, 0.9}, {"b_frq", 1, 1, 12},
        {"b_phs", 0, -3.15, 3.15}, {"b_layer", 0, 0, 3},     {"c", 0, -2, 2},
        {"c_type", 0, 0, 8},       {"c_skew", 0, -0.9, 0.9}, {"c_frq", 1, 1, 12},
        {"c_phs", 0, -3.15, 3.15}, {"c_layer", 0, 0, 3},     {"d", 0, -2, 2},
        {"d_type", 0, 0, 8},       {"d_skew", 0, -0.9, 0.9}, {"d_frq", 1, 1, 12},
        {"d_phs", 0, -3.15, 3.15}, {"d_layer", 0, 0, 3},     {"e", 0, -2, 2},
        {"e_type", 0, 0, 8},       {"e_skew", 0, -0.9, 0.9}, {"e_frq", 1, 1, 12},
        {"e_phs", 0, -3.15, 3.15}, {"e_layer", 0, 0, 3},     {"f", 0, -2, 2},
        {"f_type", 0, 0, 8},       {"f_skew", 0, -0.9, 0.9}, {"f_frq", 1, 1, 12},
        {"f_phs", 0, -3.15, 3.15}, {"f_layer", 0, 0, 3}}},
  };
}

}  // namespace fathom::flame
