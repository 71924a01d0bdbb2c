// SPDX-License-Identifier: BSD-3-Clause
// yplot2d_wf: The curve y = f(x) of a formula, drawn out in z.
// The codes of its default (genome/formula.h) are those of sin(x)+2*sin(2*x)+1*sin(4*x).
// Number 390: makes z, sets color
// Parameters: xmin -5 (-10 to 10), xmax 5 (-10 to 10), ymin -4 (-10 to 10), ymax 4 (-10 to 10),
//   zmin -2 (-5 to 5), zmax 2 (-5 to 5), direct_color 1 (0 to 1), color_mode 1 (0 to 2),
//   param_a 0 (-10 to 10), param_b 0 (-10 to 10), param_c 0 (-10 to 10), param_d 0 (-10 to 10),
//   param_e 0 (-10 to 10), param_f 0 (-10 to 10), code1 1000000, code2 1000021, code3 2, code4 2,
//   code5 1000000, code6 1000012, code7 1000021, code8 1000012, code9 1000010, code10 1, code11 4,
//   code12 1000000, code13 1000012, code14 1000021, code15 1000012, code16 1000010, code17 1000008,
//   code18 1000009, code19 1000009, code20 1000009, code21 1000009, code22 1000009
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
  float code[22] = {code1, code2, code3, code4, code5, code6, code7, code8, code9, code10,
                             code11, code12, code13, code14, code15, code16, code17, code18, code19,
                             code20, code21, code22};
  float u = unit(), v = unit(), width = abs(xmax - xmin), height = abs(ymax - ymin);
  float x = min(xmin, xmax) + u * width, z = min(zmin, zmax) + v * abs(zmax - zmin);
  float y =
      formulaResults(code, vec2(x, 0.0), param_a, param_b, param_c, param_d, param_e, param_f).x;
  float mode = nearestOf(color_mode), shade = mode == 2.0 ? (y - min(ymin, ymax)) / height : u;
  if (nearestOf(direct_color) > 0.0 && mode != 0.0) setColor(shade, w);
  return w * vec3(x, y, z);
}
