// SPDX-License-Identifier: BSD-3-Clause
// polarplot3d_wf: The surface r = f(t, u) of a formula, around a cylinder or a sphere.
// The codes of its default (genome/formula.h) are those of sin(param_a*t)+cos(param_b*u)+param_c.
// Number 392: makes z, sets color
// Parameters: tmin -pi (-10 to 10), tmax pi (-10 to 10), umin -1.570796 (-10 to 10),
//   umax 1.570796 (-10 to 10), rmin -2 (-10 to 10), rmax 2 (-10 to 10), cylindrical 0 (0 to 1),
//   direct_color 1 (0 to 1), color_mode 3 (0 to 4), param_a 5 (-10 to 10), param_b 6 (-10 to 10),
//   param_c 0.25 (-10 to 10), param_d 0 (-10 to 10), param_e 0 (-10 to 10), param_f 0 (-10 to 10),
//   code1 1000002, code2 1000000, code3 1000012, code4 1000021, code5 1000003, code6 1000001,
//   code7 1000012, code8 1000022, code9 1000010, code10 1000004, code11 1000010, code12 1000008,
//   code13 1000009, code14 1000009, code15 1000009, code16 1000009, code17 1000009, code18 1000009,
//   code19 1000009, code20 1000009, code21 1000009
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/formulas.glsl"

vec3 variation_polarplot3d_wf(Point p, float w, float tmin, float tmax, float umin, float umax,
                              float rmin, float rmax, float cylindrical, float direct_color,
                              float color_mode, float param_a, float param_b, float param_c,
                              float param_d, float param_e, float param_f, float code1, float code2,
                              float code3, float code4, float code5, float code6, float code7,
                              float code8, float code9, float code10, float code11, float code12,
                              float code13, float code14, float code15, float code16, float code17,
                              float code18, float code19, float code20, float code21) {
  float code[22] = {code1, code2, code3, code4, code5, code6, code7, code8, code9, code10,
                             code11, code12, code13, code14, code15, code16, code17, code18, code19,
                             code20, code21, 1000009.0};
  float share_t = unit(), share_u = unit();
  float t = min(tmin, tmax) + share_t * abs(tmax - tmin),
        u = min(umin, umax) + share_u * abs(umax - umin);
  float r = formulaResults(code, vec2(t, u), param_a, param_b, param_c, param_d, param_e, param_f)
                .x,
        mode = nearestOf(color_mode);
  float shade = mode == 1.0   ? share_t
                : mode == 2.0 ? share_u
                : mode == 4.0 ? share_t * share_u
                              : 0.0;
  shade = mode == 3.0 ? (r - min(rmin, rmax)) / abs(rmax - rmin) : shade;
  if (nearestOf(direct_color) > 0.0 && mode != 0.0) setColor(shade, w);
  bool around = nearestOf(cylindrical) != 0.0;
  float flat_r = around ? r : r * sineWide(u);
  return w * vec3(flat_r * cosineWide(t), flat_r * sineWide(t), around ? u : r * cosineWide(u));
}
