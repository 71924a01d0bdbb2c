// SPDX-License-Identifier: BSD-3-Clause
// parplot2d_wf: The surface x, y, z = f(u, v) of three formulas.
// The codes of its default (genome/formula.h) are those of cos(v)*u, v*cos(u), u*v*sin(u)*sin(v).
// Number 393: makes z, sets color
// Parameters: umin -pi (-10 to 10), umax pi (-10 to 10), vmin -pi (-10 to 10), vmax pi (-10 to 10),
//   direct_color 1 (0 to 1), color_mode 3 (0 to 3), solid 1 (0 to 1), param_a 0 (-10 to 10),
//   param_b 0 (-10 to 10), param_c 0 (-10 to 10), param_d 0 (-10 to 10), param_e 0 (-10 to 10),
//   param_f 0 (-10 to 10), code1 1000001, code2 1000022, code3 1000000, code4 1000012,
//   code5 1000008, code6 1000001, code7 1000000, code8 1000022, code9 1000012, code10 1000008,
//   code11 1000000, code12 1000001, code13 1000012, code14 1000000, code15 1000021, code16 1000012,
//   code17 1000001, code18 1000021, code19 1000012, code20 1000008, code21 1000009, code22 1000009
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/formulas.glsl"

vec3 variation_parplot2d_wf(Point p, float w, float umin, float umax, float vmin, float vmax,
                            float direct_color, float color_mode, float solid, float param_a,
                            float param_b, float param_c, float param_d, float param_e,
                            float param_f, float code1, float code2, float code3, float code4,
                            float code5, float code6, float code7, float code8, float code9,
                            float code10, float code11, float code12, float code13, float code14,
                            float code15, float code16, float code17, float code18, float code19,
                            float code20, float code21, float code22) {
  float px = p.xy.x, py = p.xy.y;
  float code[22] = {code1, code2, code3, code4, code5, code6, code7, code8, code9, code10,
                             code11, code12, code13, code14, code15, code16, code17, code18, code19,
                             code20, code21, code22};
  bool drawn = nearestOf(solid) != 0.0;
  float first = unit(), second = unit(), share_u = drawn ? first : px,
        share_v = drawn ? second : py;
  float u = min(umin, umax) + share_u * abs(umax - umin),
        v = min(vmin, vmax) + share_v * abs(vmax - vmin);
  float mode = nearestOf(color_mode), shade = mode == 1.0   ? share_u
                                              : mode == 2.0 ? share_v
                                                            : share_u * share_v;
  if (nearestOf(direct_color) > 0.0 && mode != 0.0) setColor(shade, w);
  return w * formulaResults(code, vec2(u, v), param_a, param_b, param_c, param_d, param_e, param_f);
}
