// SPDX-License-Identifier: BSD-3-Clause
// glitchy1: Stripes are mirrored, and blocks are scaled by chance.
// Number 346: makes z, reads z
// Parameters: scale_x 1 (-3 to 3), shift_x 0 (-3 to 3), n_x 2 (1 to 8), scale_y 1 (-3 to 3),
//   shift_y 0 (-3 to 3), n_y 2 (1 to 8), scale_z 0 (-3 to 3), shift_z 0 (-3 to 3), n_z 2 (1 to 8),
//   width 1 (-3 to 3), seed 42 (0 to 1000), angle 30 (-180 to 180), u 1 (-3 to 3), v 1 (-3 to 3),
//   w 1 (-3 to 3)
#include "shaders/flame/chaos/glitches.glsl"

/// One in `count` stripes is mirrored.
float glitchMirror(float v, float scale, float shift, float count) {
  float stripe = floor((v - shift) * scale), n = max(nearestOf(count), 1.0);
  float rest = fmodOf(stripe, n);
  bool turned = stripe >= 0.0 ? rest == n - 1.0 : rest == 0.0;
  return scale != 0.0 && turned ? 2.0 * shift - v : v;
}

vec3 variation_glitchy1(Point p, float w, float scale_x, float shift_x, float n_x, float scale_y,
                        float shift_y, float n_y, float scale_z, float shift_z, float n_z,
                        float width, float seed, float angle, float u, float v, float depth) {
  float px = p.xy.x, py = p.xy.y, pz = p.z;
  vec2 t = direction(kPi / 180.0 * angle);
  int key = int(nearestOf(seed));
  float along = u * px;
  int a = glitchBlock(along * width, key) + glitchBlock(v * (t.x * along + t.y * py) * width, key);
  int b = glitchBlock(depth * (t.x * along - t.y * py) * width, key);
  int c = int(uint(b) * uint(key));
  float size = glitchHash(int(uint(a) - uint(c))) + glitchHash(int(uint(a) + uint(c / 2)));
  return w * size *
         vec3(glitchMirror(px, scale_x, shift_x, n_x), glitchMirror(py, scale_y, shift_y, n_y),
              glitchMirror(pz, scale_z, shift_z, n_z));
}
