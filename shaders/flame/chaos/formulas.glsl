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
  if (base >= 0.0) return power;
  if (exponent != floor(exponent)) return sqrt(base);
  return exponent - 2.0 * floor(0.5 * exponent) > 0.5 ? -power : power;
}

float formulaTanh(float v) {
  float t = exp(-2.0 * abs(v)), grown = (1.0 - t) / (1.0 + t);
  return v < 0.0 ? -grown : grown;
}

float formulaOfTwo(int code, float a, float b) {
  if (code == 10) return a + b;
  if (code == 11) return a - b;
  if (code == 12) return a * b;
  if (code == 13) return a / b;
  if (code == 14) return formulaPower(a, b);
  if (code == 15) return min(a, b);
  if (code == 16) return max(a, b);
  if (code == 17) return angleOf(a, b);
  return fmodOf(a, b);
}

float formulaOfOne(int code, float v) {
  if (code == 20) return -v;
  if (code == 21) return sineWide(v);
  if (code == 22) return cosineWide(v);
  if (code == 23) return tangentWide(v);
  if (code == 24) return asin(clamp(v, -1.0, 1.0));
  if (code == 25) return acos(clamp(v, -1.0, 1.0));
  if (code == 26) return angleOf(v, 1.0);
  if (code == 27) return sinhOf(v);
  if (code == 28) return coshOf(v);
  if (code == 29) return formulaTanh(v);
  if (code == 30) return exp(v);
  if (code == 31) return logOf(v);
  if (code == 32) return sqrt(v);
  if (code == 33) return v * v;
  if (code == 34) return abs(v);
  if (code == 35) return floor(v);
  if (code == 36) return -floor(-v);
  return v > 0.0 ? 1.0 : v < 0.0 ? -1.0 : 0.0;
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
    if (op == 8) {
      x = found == 0 ? stack[top] : x;
      y = found == 1 ? stack[top] : y;
      z = found == 2 ? stack[top] : z;
      ++found;
      top = 0;
    } else if (op < 8) {
      top = min(top + 1, 9);
      stack[top] = op < 0 ? code[i] : known[op];
    } else if (op < 20) {
      top = max(top - 1, 0);
      stack[top] = formulaOfTwo(op, stack[top], stack[top + 1]);
    } else {
      stack[top] = formulaOfOne(op, stack[top]);
    }
  }
  return vec3(x, y, z);
}

#endif
