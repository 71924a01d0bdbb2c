// SPDX-License-Identifier: BSD-3-Clause
// rosoni: Within a circle, points of some petals go to another petal.
// Number 344
// Parameters: maxiter 25 (1 to 50), sweetiter 3 (0 to 50), altshapes 0 (0 to 1),
//   cutoff 1 (-3 to 3), radius 0.4 (-2 to 2), dx 0.6 (-2 to 2), dy 0 (-2 to 2)
#include "shaders/flame/chaos/point.glsl"

/// Less than 0 within the shape around (dx, dy).
float rosoniShape(vec2 v, float radius, bool other) {
  float far = v.x * v.x + v.y * v.y;
  if (!other) return radius < 0.0 ? max(abs(v.x), abs(v.y)) + radius : far - radius * radius;
  if (radius < 0.0) return abs(angleOf(v.y, v.x)) / kPi + radius;
  return v.x < 0.0 ? -v.x : v.y * v.y - v.x * v.x * (radius * radius - v.x * v.x);
}

vec2 variation_rosoni(Point p, float w, float maxiter, float sweetiter, float altshapes,
                      float cutoff, float radius, float dx, float dy) {
  float px = p.xy.x, py = p.xy.y;
  float edge = cutoff < 0.0 ? max(abs(px), abs(py)) + cutoff : sqrt(px * px + py * py) - cutoff;
  if (edge > 0.0) return w * vec2(px, py);
  bool chosen = dx > 0.0;
  float count = clamp(nearestOf(maxiter), 1.0, 200.0);
  vec2 v = vec2(px, py), kept = v, t = direction(kTwoPi / count);
  for (int i = 0; i < 200; ++i) {
    if (float(i) >= count) break;
    bool within = rosoniShape(vec2(v.x - dx, v.y - dy), radius, nearestOf(altshapes) != 0.0) <= 0.0;
    chosen = chosen != within;
    kept = float(i) == nearestOf(sweetiter) ? v : kept;
    v = vec2(v.x * t.x - v.y * t.y, v.x * t.y + v.y * t.x);
  }
  if (!chosen) return w * vec2(px, py);
  if (nearestOf(sweetiter) == 0.0) return w * vec2(dy != 0.0 ? -kept.x : kept.x, -kept.y);
  return w * kept;
}
