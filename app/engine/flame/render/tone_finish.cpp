// SPDX-License-Identifier: BSD-3-Clause
// Curves as tables of 256 entries, which the shader mixes.
#include "app/engine/flame/render/tone_finish.h"

#include <algorithm>
#include <cmath>

#include <glm/common.hpp>

namespace fathom::flame {
namespace {

/// A rational cubic Bezier curve; x grows with t where points are in order.
glm::dvec2 bezierAt(const ToneCurve& curve, double t) {
  const double s = 1 - t;
  const double basis[4] = {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
  glm::dvec2 sum(0);
  double weights = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const double w = basis[i] * curve.points[i].z;
    sum += w * glm::dvec2(curve.points[i]);
    weights += w;
  }
  return weights != 0 ? sum / weights : sum;
}

double bezier(const ToneCurve& curve, double x) {
  double low = 0, high = 1;
  for (int i = 0; i < 40; ++i) {
    const double middle = 0.5 * (low + high);
    (bezierAt(curve, middle).x < x ? low : high) = middle;
  }
  return bezierAt(curve, 0.5 * (low + high)).y;
}

/// Second derivatives of the natural cubic spline (tridiagonal system, Thomas' algorithm).
std::vector<double> bends(const std::vector<glm::dvec2>& p) {
  const std::size_t n = p.size();
  std::vector<double> second(n, 0), rest(n, 0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double share = (p[i].x - p[i - 1].x) / (p[i + 1].x - p[i - 1].x);
    const double divisor = share * second[i - 1] + 2;
    const double slopes = (p[i + 1].y - p[i].y) / (p[i + 1].x - p[i].x) -
                          (p[i].y - p[i - 1].y) / (p[i].x - p[i - 1].x);
    rest[i] = (6 * slopes / (p[i + 1].x - p[i - 1].x) - share * rest[i - 1]) / divisor;
    second[i] = (share - 1) / divisor;
  }
  second[n - 1] = 0;
  for (std::size_t i = n - 1; i-- > 0;) second[i] = second[i] * second[i + 1] + rest[i];
  return second;
}

double spline(const std::vector<glm::dvec2>& p, double x) {
  if (x <= p.front().x) return p.front().y;
  if (x >= p.back().x) return p.back().y;
  const std::vector<double> second = bends(p);
  std::size_t i = 0;
  while (p[i + 1].x < x) ++i;
  const double h = p[i + 1].x - p[i].x, b = (x - p[i].x) / h, a = 1 - b;
  return a * p[i].y + b * p[i + 1].y +
         ((a * a * a - a) * second[i] + (b * b * b - b) * second[i + 1]) * h * h / 6;
}

}  // namespace

double evaluate(const ToneCurve& curve, double x) {
  return curve.spline.size() >= 2 ? spline(curve.spline, x) : bezier(curve, x);
}

std::optional<shared::ToneFinish> toneFinishOf(const Genome& genome) {
  const bool straight = std::all_of(genome.curves.begin(), genome.curves.end(),
                                    [](const ToneCurve& curve) { return curve.isStraight(); });
  if (straight && genome.saturation == 1 && genome.balance == glm::dvec3(1)) return std::nullopt;
  shared::ToneFinish finish{};
  finish.balance = glm::vec4(glm::vec3(genome.balance), genome.saturation);
  for (int i = 0; i < FLAME_TONE_CURVE_ENTRIES; ++i) {
    const double x = double(i) / (FLAME_TONE_CURVE_ENTRIES - 1);
    const auto at = [&](std::size_t curve, double v) {
      return genome.curves[curve].isStraight()
                 ? v
                 : std::clamp(evaluate(genome.curves[curve], v), 0.0, 1.0);
    };
    const double all = at(0, x);
    finish.curves[i] = glm::vec4(at(1, all), at(2, all), at(3, all), 0);
  }
  return finish;
}

glm::dvec3 finished(const shared::ToneFinish& finish, glm::dvec3 color) {
  glm::dvec3 v = color / 255.0 * glm::dvec3(finish.balance);
  const double grey = 0.299 * v.r + 0.587 * v.g + 0.114 * v.b;
  v = glm::clamp(grey + double(finish.balance.w) * (v - grey), 0.0, 1.0);
  glm::dvec3 out;
  for (int c = 0; c < 3; ++c) {
    const double at = v[c] * (FLAME_TONE_CURVE_ENTRIES - 1);
    const int low = std::min(int(at), FLAME_TONE_CURVE_ENTRIES - 2);
    out[c] =
        255 * glm::mix(double(finish.curves[low][c]), double(finish.curves[low + 1][c]), at - low);
  }
  return out;
}

}  // namespace fathom::flame
