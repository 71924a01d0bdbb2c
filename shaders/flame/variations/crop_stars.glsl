// SPDX-License-Identifier: BSD-3-Clause
// crop_stars: Hides what lies outside of a star, or inside of it.
// Number 365: hides, assigns, adds z after
// Parameters: radius 0.35 (0 to 3), n 3 (2 to 16), r2 0.333 (0 to 1), invert 0 (0 to 1)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/shapes.glsl"

/// atan(y, x) as JWildfire has it here, up to 0.07 from it: edges of stars are bent.
float starAngle(float y, float x) {
  float side = abs(y), t = (abs(x) - side) / max(abs(x) + side, 1e-30);
  float angle = 0.25 * kPi * (x < 0.0 ? 3.0 + t : 1.0 - t);
  return y < 0.0 ? -angle : angle;
}

vec2 variation_crop_stars(Point p, float w, float radius, float n, float bent, float invert) {
  float px = p.xy.x, py = p.xy.y;
  float points = max(nearestOf(n), 1.0), half_sector = kPi / points;
  float m = 4.0 + bent * bent * (points * 2.0 - 4.0);
  vec2 a = direction(half_sector), e = direction(kTwoPi / m);
  float angle = fmodOf(starAngle(px, py) + kTwoPi, 2.0 * half_sector) - half_sector;
  vec2 t = direction(angle);
  float r = sqrt(px * px + py * py);
  vec2 v = vec2(r * t.x - radius * a.x, r * abs(t.y) - radius * a.y);
  float along = -(v.x * e.x + v.y * e.y), most = max(radius * a.y / e.y, 0.0);
  float x = v.x + e.x * max(0.0, min(along, most));
  bool inside = (x <= 0.0) == (nearestOf(invert) == 0.0);
  setHidden(!inside, w);
  return w * keptWithin(inside, vec2(px, py));
}
