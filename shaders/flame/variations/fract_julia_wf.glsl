// SPDX-License-Identifier: BSD-3-Clause
// fract_julia_wf: Julia's set in a box, as high and colored by how slowly points leave.
// Number 425: makes z, sets color, hides
// Parameters: max_iter 100 (10 to 200), xmin -1 (-2 to 0), xmax 1 (0 to 2), ymin -1.2 (-2 to 0),
//   ymax 1.2 (0 to 2), power 2 (2 to 8), xseed 0.35 (-2 to 2), yseed 0.09 (-2 to 2),
//   direct_color 1 (0 to 1), scalez 1 (-3 to 3), clip_iter_min 4 (0 to 20),
//   clip_iter_max -5 (-20 to 0), max_clip_iter 3 (1 to 10), scale 3.8 (-5 to 5),
//   offsetx 0 (-3 to 3), offsety 0 (-3 to 3), offsetz 0 (-3 to 3), z_fill 0 (0 to 1),
//   z_logscale 0 (0 to 1), color_only 0 (0 to 1)
#include "shaders/flame/chaos/point.glsl"

/// How many steps it takes until a point is known to leave, and one more; `most` + 1: it stays.
float stepsOfJulia(vec2 z, float power, vec2 seed, float most) {
  float steps = 2.0;
  for (int i = 0; i < 1000; ++i) {
    if (steps > most || dot(z, z) >= 4.0) break;
    vec2 raised = z;
    for (int k = 1; k < 16; ++k)
      if (float(k) < power)
        raised = vec2(raised.x * z.x - raised.y * z.y, raised.x * z.y + raised.y * z.x);
    z = raised + seed;
    steps += 1.0;
  }
  return steps;
}

vec3 variation_fract_julia_wf(Point p, float w, float max_iter, float xmin, float xmax, float ymin,
                              float ymax, float power, float xseed, float yseed,
                              float direct_color, float scalez, float clip_iter_min,
                              float clip_iter_max, float max_clip_iter, float scale, float offsetx,
                              float offsety, float offsetz, float z_fill, float z_logscale,
                              float color_only) {
  float most = clamp(max_iter, 1.0, 999.0), steps = 0.0;
  bool shown = false;
  vec2 at = p.xy;
  for (int k = 0; k < 10; ++k) {
    float u = unit(), v = unit();
    if (shown || float(k) >= max_clip_iter) continue;
    if (color_only <= 0.0) at = vec2(xmin + (xmax - xmin) * u, ymin + (ymax - ymin) * v);
    steps = stepsOfJulia(at, power, vec2(xseed, yseed), most);
    shown = !(clip_iter_max < 0.0 && steps >= most + clip_iter_max) &&
            !(clip_iter_min > 0.0 && steps <= clip_iter_min);
  }
  setHidden(!shown, w);
  float share = steps / most, less = (steps - 1.0) / most, chance = unit(), between = unit();
  if (!shown) return vec3(0.0, 0.0, 0.0);
  if (z_logscale == 1.0) {
    share = log(1.0 + share) / log(10.0);
    less = log(1.0 + less) / log(10.0);
  }
  if (chance < z_fill) share += between * (less - share);
  if (direct_color != 0.0) turnColor(steps / most, w);
  float k = scale * w;
  vec2 moved = color_only > 0.0 ? vec2(0.0, 0.0) : k * (at + vec2(offsetx, offsety));
  return vec3(moved.x, moved.y, k * (0.1 * scalez * share + offsetz));
}
