// SPDX-License-Identifier: BSD-3-Clause
// flower_db: Petals that open upwards.
// Number 123: makes z, reads the sum
// Parameters: petals 6 (1 to 20), petal_split 0 (-3 to 3), petal_spread 1 (-3 to 3),
//   stem_thickness 1 (-3 to 3), stem_length 0 (-3 to 3), petal_fold_strength 0 (-3 to 3),
//   petal_fold_radius 1 (0 to 3)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_flower_db(Point p, float w, float petals, float petal_split, float petal_spread,
        float stem_thickness, float stem_length, float petal_fold_strength, float
        petal_fold_radius) {
  float x = p.xy.x, y = p.xy.y;
  float t = angleOf(y, x);
  float radius = w * sqrt(x * x + y * y) * abs((petal_spread + sine(petals * t)) *
      cosine(petal_split * petals * t));
  vec2 at = radius * sinCos(t), all = sumBefore() + at;
  float before = heightBefore(), qz = before - stem_thickness * (2.0 / radius - 1.0);
  float away = sqrt(all.x * all.x + all.y * all.y);
  qz += away > petal_fold_radius ? (away - petal_fold_radius) * petal_fold_strength : 0.0;
  qz = stem_length != 0.0 && qz <= -stem_length ? -stem_length : qz;
  return vec3(at.x, at.y, qz - before);
}
