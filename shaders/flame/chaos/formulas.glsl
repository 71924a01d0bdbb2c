// SPDX-License-Identifier: BSD-3-Clause
// Formulas in reverse Polish notation (genome/formula.h): numbers below a million stand for
// themselves, the others for what formula.h lists.
#ifndef SHADERS_FLAME_FORMULAS
#define SHADERS_FLAME_FORMULAS
#include "shaders/flame/chaos/point.glsl"

const int kFormulaLength = 22, kFormulaCodes = 1000000;

/// base^exponent, also of a negative base where the exponent is whole.
float formulaPower(float base, float exponent) {
  float power = powOf(abs(base), exponent);
  bool odd = exponent - 2.0 * floor(0.5 * exponent) > 0.5;
  float signed_power = base < 0.0 && odd ? -power : power;
  return base >= 0.0 || exponent == floor(exponent) ? signed_power : sqrt(base);
}

// All are worked out and one is taken: branches within a loop take compilers long, and lanes wait
// for each other anyhow.

float formulaOfTwo(int code, float a, float b) {
  float power = formulaPower(a, b), angle = angleOf(a, b), rest = fmodOf(a, b);
  float v = a + b;
  v = code == 11 ? a - b : v;
  v = code == 12 ? a * b : v;
  v = code == 13 ? a / b : v;
  v = code == 14 ? power : v;
  v = code == 15 ? min(a, b) : v;
  v = code == 16 ? max(a, b) : v;
  v = code == 17 ? angle : v;
  return code == 18 ? rest : v;
}

float formulaOfOne(int code, float a) {
  float s = sineWide(a), c = cosineWide(a), bounded = clamp(a, -1.0, 1.0);
  float arc = angleOf(bounded, sqrt(1.0 - bounded * bounded)), arc_tangent = angleOf(a, 1.0);
  float sh = sinhOf(a), ch = coshOf(a), t = exp(-2.0 * abs(a)), logs = logOf(a);
  float th = (1.0 - t) / (1.0 + t);
  float v = -a;
  v = code == 21 ? s : v;
  v = code == 22 ? c : v;
  v = code == 23 ? s / c : v;
  v = code == 24 ? arc : v;
  v = code == 25 ? 0.5 * kPi - arc : v;
  v = code == 26 ? arc_tangent : v;
  v = code == 27 ? sh : v;
  v = code == 28 ? ch : v;
  v = code == 29 ? (a < 0.0 ? -th : th) : v;
  v = code == 30 ? exp(a) : v;
  v = code == 31 ? logs : v;
  v = code == 32 ? sqrt(a) : v;
  v = code == 33 ? a * a : v;
  v = code == 34 ? abs(a) : v;
  v = code == 35 ? floor(a) : v;
  v = code == 36 ? -floor(-a) : v;
  return code == 37 ? (a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : 0.0) : v;
}

/// Up to three formulas one after the other, of two variables and six numbers.
vec3 formulaResults(float code[22], vec2 at, float a, float b, float c, float d, float e, float f) {
  float stack[10], known[8] = float[8](at.x, at.y, a, b, c, d, e, f);
  for (int i = 0; i < 10; ++i) stack[i] = 0.0;
  float x = 0.0, y = 0.0, z = 0.0;
  int top = 0, found = 0;
  for (int i = 0; i < kFormulaLength; ++i) {
    int op = int(code[i]) - kFormulaCodes;
    if (op == 9) break;
    bool pushes = op < 8;
    bool ends = op == 8;
    bool two = op > 9 && op < 20;
    float upper = stack[top], lower = stack[max(top - 1, 0)];
    float pushed = op < 0 ? code[i] : known[op < 0 ? 0 : op > 7 ? 7 : op];
    float of_two = formulaOfTwo(op, lower, upper), of_one = formulaOfOne(op, upper);
    x = ends && found == 0 ? upper : x;
    y = ends && found == 1 ? upper : y;
    z = ends && found == 2 ? upper : z;
    found += ends ? 1 : 0;
    top = pushes ? min(top + 1, 9) : two ? max(top - 1, 0) : ends ? 0 : top;
    stack[top] = pushes ? pushed : two ? of_two : ends ? 0.0 : of_one;
  }
  return vec3(x, y, z);
}

#endif
