// SPDX-License-Identifier: BSD-3-Clause
// Waves of programs after flam3: more of them, damped, to powers.
#include "app/engine/flame/genome/variations/family.h"

#include <algorithm>
#include <cmath>

namespace fathom::flame {
namespace {

/// Waves whose height waves.
Point wildWaves3(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double scalex = in.parameters[0], scaley = in.parameters[1], freqx = in.parameters[2],
               freqy = in.parameters[3], sx_freq = in.parameters[4], sy_freq = in.parameters[5];
  const double hx = 0.5 * scalex * (1.0 + std::sin(y * sx_freq)),
               hy = 0.5 * scaley * (1.0 + std::sin(x * sy_freq));
  return w * Point(x + std::sin(y * freqx) * hx, y + std::sin(x * freqy) * hy);
}

/// Waves of sines or cosines, damped.
Point wildWaves2Wf(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double scalex = in.parameters[0], scaley = in.parameters[1], freqx = in.parameters[2],
               freqy = in.parameters[3], use_cos_x = in.parameters[4], use_cos_y = in.parameters[5],
               dampx = in.parameters[6], dampy = in.parameters[7];
  const double ex = std::abs(dampx) < 1e-5 ? 1.0 : std::exp(dampx),
               ey = std::abs(dampy) < 1e-5 ? 1.0 : std::exp(dampy);
  const double wx = use_cos_x == 1.0 ? std::cos(y * freqx) : std::sin(y * freqx);
  const double wy = use_cos_y == 1.0 ? std::cos(x * freqy) : std::sin(x * freqy);
  return w * Point((x + ex * scalex * wx) * ex, (y + ey * scaley * wy) * ey);
}

/// The same with squares of waves.
Point wildWaves3Wf(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double scalex = in.parameters[0], scaley = in.parameters[1], freqx = in.parameters[2],
               freqy = in.parameters[3], use_cos_x = in.parameters[4], use_cos_y = in.parameters[5],
               dampx = in.parameters[6], dampy = in.parameters[7];
  const double ex = std::abs(dampx) < 1e-5 ? 1.0 : std::exp(dampx),
               ey = std::abs(dampy) < 1e-5 ? 1.0 : std::exp(dampy);
  const double wx = use_cos_x == 1.0 ? std::cos(y * freqx) : std::sin(y * freqx);
  const double wy = use_cos_y == 1.0 ? std::cos(x * freqy) : std::sin(x * freqy);
  return w * Point((x + ex * scalex * wx * wx) * ex, (y + ey * scaley * wy * wy) * ey);
}

/// The same with products of three waves.
Point wildWaves4Wf(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double scalex = in.parameters[0], scaley = in.parameters[1], freqx = in.parameters[2],
               freqy = in.parameters[3], use_cos_x = in.parameters[4], use_cos_y = in.parameters[5],
               dampx = in.parameters[6], dampy = in.parameters[7];
  const double ex = std::abs(dampx) < 1e-5 ? 1.0 : std::exp(dampx),
               ey = std::abs(dampy) < 1e-5 ? 1.0 : std::exp(dampy);
  const double sx = std::sin(y * freqx), cx = std::cos(y * freqx), sy = std::sin(x * freqy),
               cy = std::cos(x * freqy);
  const double wx = use_cos_x == 1.0 ? cx * sx * cx : sx * cx * sx;
  const double wy = use_cos_y == 1.0 ? cy * sy * cy : sy * cy * sy;
  return w * Point((x + ex * scalex * wx) * ex, (y + ey * scaley * wy) * ey);
}

/// Waves that fade or grow outwards.
Point wildWaves2b(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double freqx = in.parameters[0], freqy = in.parameters[1], pwx = in.parameters[2],
               pwy = in.parameters[3], scalex = in.parameters[4], scaleinfx = in.parameters[5],
               scaley = in.parameters[6], scaleinfy = in.parameters[7], unity = in.parameters[8];
  const double hx = unity / (unity + x * x) * (scalex - scaleinfx) + scaleinfx;
  const double hy = unity / (unity + y * y) * (scaley - scaleinfy) + scaleinfy;
  const double ay = std::pow(std::abs(y) + 1e-10, pwx) * freqx,
               ax = std::pow(std::abs(x) + 1e-10, pwy) * freqy;
  return w * Point(x + hx * std::sin(y < 0.0 ? -ay : ay), y + hy * std::sin(x < 0.0 ? -ax : ax));
}

/// Waves to a power.
Point wildWaves22(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double scalex = in.parameters[0], scaley = in.parameters[1], freqx = in.parameters[2],
               freqy = in.parameters[3], modex = in.parameters[4], modey = in.parameters[5],
               powerx = in.parameters[6], powery = in.parameters[7];
  double sx = std::sin(y * freqx), sy = std::sin(x * freqy);
  sx = modex < 0.5 ? sx : 0.5 * (1.0 + sx);
  sy = modey < 0.5 ? sy : 0.5 * (1.0 + sy);
  const double nx = std::trunc(powerx), ny = std::trunc(powery);
  double gx = std::pow(std::abs(sx), nx), gy = std::pow(std::abs(sy), ny);
  gx = sx < 0.0 && nx - 2.0 * std::floor(0.5 * nx) > 0.5 ? -gx : gx;
  gy = sy < 0.0 && ny - 2.0 * std::floor(0.5 * ny) > 0.5 ? -gy : gy;
  return w * Point(x + gx * scalex, y + gy * scaley);
}

/// Waves of straight lines.
Point wildWaves23(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double scalex = in.parameters[0], scaley = in.parameters[1], freqx = in.parameters[2],
               freqy = in.parameters[3];
  const double mx = y * freqx / kTwoPi, my = x * freqy / kTwoPi;
  const double fx = mx - std::floor(mx), fy = my - std::floor(my);
  return w *
         Point(x + (fx > 0.5 ? 0.5 - fx : fx) * scalex, y + (fy > 0.5 ? 0.5 - fy : fy) * scaley);
}

/// Waves outside of a circle.
Point wildWaves2Radial(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double w2r_scalex = in.parameters[0], w2r_scaley = in.parameters[1],
               w2r_freqx = in.parameters[2], w2r_freqy = in.parameters[3],
               w2r_null = in.parameters[4], w2r_distance = in.parameters[5];
  const double away = std::sqrt(x * x + y * y);
  const double grown = away < w2r_null       ? 0.0
                       : away < w2r_distance ? (away - w2r_null) / (w2r_distance - w2r_null)
                                             : 1.0;
  return w * Point(x + grown * std::sin(y * w2r_freqx) * w2r_scalex,
                   y + grown * std::sin(x * w2r_freqy) * w2r_scaley);
}

// Rows, in the order of their numbers.

WildFamily wildWaveRows1() {
  return {
      {"waves3",
       wildWaves3,
       {{"scalex", 0.05, -2, 2},
        {"scaley", 0.05, -2, 2},
        {"freqx", 7, -30, 30},
        {"freqy", 13, -30, 30},
        {"sx_freq", 0, -10, 10},
        {"sy_freq", 2, -10, 10}}},
      {"waves2_wf",
       wildWaves2Wf,
       {{"scalex", 0.25, -2, 2},
        {"scaley", 0.5, -2, 2},
        {"freqx", 1.5708, -10, 10},
        {"freqy", 0.7854, -10, 10},
        {"use_cos_x", 1, 0, 1},
        {"use_cos_y", 0, 0, 1},
        {"dampx", 0, -2, 2},
        {"dampy", 0, -2, 2}}},
      {"waves3_wf",
       wildWaves3Wf,
       {{"scalex", 0.25, -2, 2},
        {"scaley", 0.5, -2, 2},
        {"freqx", 1.5708, -10, 10},
        {"freqy", 0.7854, -10, 10},
        {"use_cos_x", 1, 0, 1},
        {"use_cos_y", 0, 0, 1},
        {"dampx", 0, -2, 2},
        {"dampy", 0, -2, 2}}},
      {"waves4_wf",
       wildWaves4Wf,
       {{"scalex", 0.25, -2, 2},
        {"scaley", 0.5, -2, 2},
        {"freqx", 1.5708, -10, 10},
        {"freqy", 0.7854, -10, 10},
        {"use_cos_x", 1, 0, 1},
        {"use_cos_y", 0, 0, 1},
        {"dampx", 0, -2, 2},
        {"dampy", 0, -2, 2}}},
  };
}

WildFamily wildWaveRows2() {
  return {
      {"waves2b",
       wildWaves2b,
       {{"freqx", 1.5, -10, 10},
        {"freqy", 2.5, -10, 10},
        {"pwx", 1, -3, 3},
        {"pwy", 1.5, -3, 3},
        {"scalex", 2, -3, 3},
        {"scaleinfx", 1, -3, 3},
        {"scaley", 0.75, -3, 3},
        {"scaleinfy", 1.5, -3, 3},
        {"unity", 1, 0, 4},
        {"jacok", 0.25, -1, 1}}},
      {"waves22",
       wildWaves22,
       {{"scalex", 0.05, -2, 2},
        {"scaley", 0.05, -2, 2},
        {"freqx", 7, -30, 30},
        {"freqy", 13, -30, 30},
        {"modex", 0, 0, 1},
        {"modey", 0, 0, 1},
        {"powerx", 2, 0, 8},
        {"powery", 2, 0, 8}}},
      {"waves23",
       wildWaves23,
       {{"scalex", 0.05, -2, 2},
        {"scaley", 0.05, -2, 2},
        {"freqx", 7, -30, 30},
        {"freqy", 13, -30, 30}}},
      {"waves2_radial",
       wildWaves2Radial,
       {{"w2r_scalex", 0.1, -2, 2},
        {"w2r_scaley", 0.1, -2, 2},
        {"w2r_freqx", 7, -30, 30},
        {"w2r_freqy", 13, -30, 30},
        {"w2r_null", 2, 0, 10},
        {"w2r_distance", 10, 0, 20}}},
  };
}

}  // namespace

WildFamily wildWaveVariations() { return joined({wildWaveRows1(), wildWaveRows2()}); }

}  // namespace fathom::flame
