// SPDX-License-Identifier: BSD-3-Clause
// synth: waves of nine forms in five layers, put on an angle, a radius or an axis in one of 27
// ways.
#include "app/engine/flame/genome/variations/family.h"

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
/// Of an angle, a radius or a coordinate: the base and what five layers make of it.
double synthValue(const Input& in, double at) {
  double sum = in.parameters[0];
  for (const double* layer = in.parameters + 5; layer < in.parameters + 35; layer += 6)
    sum = synthLayer(sum, in.parameters[0], layer[0], layer[5],
                     synthWave(at, layer[1], layer[2], layer[3], layer[4]));
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
double synthPower(const Input& in) { return in.parameters[2]; }

/// A length times a factor, or bent so that 0 and what is far away keep their places.
double synthScaled(const Input& in, double length, double at) {
  const double factor = synthValue(in, at);
  return nearestOfSynth(in.parameters[4]) == 1 ? synthBezier(length, factor) : length * factor;
}

Point synthPolar(double r, double theta) { return r * Point(std::sin(theta), std::cos(theta)); }

/// Modes 2, 3, 4, 12, 13: the point comes from the draws.
Point synthDrawn(const Input& in, double kind, Draws& draws) {
  const double a = draws.unit(), b = draws.unit(), c = draws.unit();
  if (kind == 2) {
    const double r = (a + b + 0.002 * draws.unit()) / 2.002, theta = kTwoPi * c - kPi;
    return synthPolar(r * synthScaled(in, std::pow(r, synthPower(in)), theta), theta);
  }
  const double ring = 1 + 0.1 * (a + b - 1) * synthPower(in);
  if (kind == 4) {
    const double theta = 2 * std::asin(2 * c - 1);
    return {theta / kPi, synthScaled(in, ring, theta) - 1};
  }
  const double theta = kTwoPi * c - kPi;
  if (kind == 13)
    return synthPolar(synthValue(in, theta) + 0.1 * std::pow(a, synthPower(in)), theta);
  const double r = kind == 3 ? std::pow(0.5 * (a + b), -synthPower(in)) : ring;
  return synthPolar(synthScaled(in, r, theta), theta);
}

/// Modes 0, 1, 5, 19 change the radius by the angle; 14 to 16 turn or move by the radius.
Point synthRound(const Input& in, double kind) {
  const double theta = in.theta(), r = in.r();
  if (kind >= 14 && kind <= 16) {
    const double far = std::pow(in.r2(), 0.5 * synthPower(in)), value = synthValue(in, far) - 1;
    if (kind == 15) return Point(in.x, in.y) + value * Point(std::cos(theta), -std::sin(theta));
    return synthPolar(kind == 14 ? far : r, theta + value);
  }
  const double from = kind == 0   ? std::pow(in.r2(), 0.5 * (synthPower(in) + 1))
                      : kind == 1 ? r / (0.25 * in.r2() + 1)
                                  : r;
  const double scaled = synthScaled(in, from, theta);
  return synthPolar(kind == 19 ? std::pow(scaled, synthPower(in)) : scaled, theta);
}

/// Modes 6 to 11, 17, 18 and 1001: each coordinate by a wave of the other, or of its own.
Point synthStraight(const Input& in, double kind) {
  const double x = in.x, y = in.y;
  if (kind >= 6 && kind <= 8)
    return {kind == 7 ? x : synthScaled(in, x, y), kind == 6 ? y : synthScaled(in, y, x)};
  const double across = synthValue(in, y) - 1, up = synthValue(in, x) - 1;
  if (kind <= 11) return {kind == 10 ? x : x + across, kind == 9 ? y : y + up};
  if (kind <= 18) return {kind == 17 ? x : 2 * across - x, 2 * up - y};
  const double rest = 1 - in.parameters[3];
  return {up + rest * std::sin(x), across + rest * std::sin(y)};
}

/// Modes 1002 to 1007: older forms with the waves in place of sine and cosine.
Point synthOld(const Input& in, double kind, Draws& draws) {
  const double r = in.r(), theta = in.theta(), far = std::pow(in.r2(), 0.5 * synthPower(in));
  double at = far;
  if (kind == 1003 || kind == 1006) at = theta;
  if (kind == 1004) at = 0.5 * theta + (draws.unit() < 0.5 ? kPi : 0);
  if (kind == 1005) at = kPi * far;
  if (kind == 1007) at = in.x;
  const double smooth = nearestOfSynth(in.parameters[4]), rest = 1 - in.parameters[3];
  const auto waved = [&](double plain, double value) {
    return smooth == 0 ? plain * value : smooth == 1 ? rest * plain + value - 1 : plain;
  };
  const double s = waved(std::sin(at), synthValue(in, at));
  const double c = waved(std::cos(at), synthValue(in, at + 0.5 * kPi));
  if (kind == 1002) return {s * in.x - c * in.y, c * in.x + s * in.y};
  if (kind == 1003) return {s / far, c * far};
  if (kind == 1004) return std::pow(in.r2(), 0.25 * synthPower(in)) * Point(c, s);
  if (kind == 1005) return theta / kPi * Point(s, c);
  if (kind == 1007) return far * Point(s, in.y);
  const double mu = synthPower(in) * synthPower(in);
  return (r - 2 * mu * std::trunc((r + mu) / (2 * mu)) + r * (1 - mu)) * Point(s, c);
}

/// Waves in layers, put on an angle, a radius or an axis.
Point wildSynth(const Input& in, Draws& draws) {
  const double kind = nearestOfSynth(in.parameters[1]), w = in.weight;
  if ((kind >= 2 && kind <= 4) || kind == 12 || kind == 13) return w * synthDrawn(in, kind, draws);
  if (kind == 0 || kind == 1 || kind == 5 || kind == 19 || (kind >= 14 && kind <= 16))
    return w * synthRound(in, kind);
  return w * (kind <= 18 || kind == 1001 ? synthStraight(in, kind) : synthOld(in, kind, draws));
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
