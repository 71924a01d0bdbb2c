// SPDX-License-Identifier: BSD-3-Clause
// yplot2d_wf: The curve y = f(x) of a formula, drawn out in z.
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/formulas.glsl"

vec3 variation_yplot2d_wf(Point p, float w, float xmin, float xmax, float ymin, float ymax,
                          float zmin, float zmax, float direct_color, float color_mode,
                          float param_a, float param_b, float param_c, float param_d, float param_e,
                          float param_f, float code1, float code2, float code3, float code4,
                          float code5, float code6, float code7, float code8, float code9,
                          float code10, float code11, float code12, float code13, float code14,
                          float code15, float code16, float code17, float code18, float code19,
                          float code20, float code21, float code22) {
  float code[22] = float[22](code1, code2, code3, code4, code5, code6, code7, code8, code9, code10,
                             code11, code12, code13, code14, code15, code16, code17, code18, code19,
                             code20, code21, code22);
  float u = unit(), v = unit(), width = abs(xmax - xmin), height = abs(ymax - ymin);
  float x = min(xmin, xmax) + u * width, z = min(zmin, zmax) + v * abs(zmax - zmin);
  float y =
      formulaResults(code, vec2(x, 0.0), param_a, param_b, param_c, param_d, param_e, param_f).x;
  float mode = nearestOf(color_mode), shade = mode == 2.0 ? (y - min(ymin, ymax)) / height : u;
  if (nearestOf(direct_color) > 0.0 && mode != 0.0) setColor(shade, w);
  return w * vec3(x, y, z);
}
