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

/// What a code makes of the topmost value b of the stack, and of a below it. All are worked out and
/// one is taken: branches within a loop take compilers long, and lanes wait for each other anyhow.
float formulaMade(int code, float a, float b) {
  float s = sineWide(b), c = cosineWide(b), bounded = clamp(b, -1.0, 1.0);
  bool arcs = code == 24 || code == 25;
  float rise = code == 17 ? a : arcs ? bounded : b;
  float run = code == 17 ? b : arcs ? sqrt(1.0 - bounded * bounded) : 1.0;
  float angle = angleOf(rise, run), power = formulaPower(a, b), rest = fmodOf(a, b);
  float grown = exp(code == 29 ? -2.0 * abs(b) : b), shrunk = 1.0 / grown, logs = logOf(b);
  float th = (1.0 - grown) / (1.0 + grown), sign = b > 0.0 ? 1.0 : b < 0.0 ? -1.0 : 0.0;
  float v = a + b;
  v = code == 11 ? a - b : v;
  v = code == 12 ? a * b : v;
  v = code == 13 ? a / b : v;
  v = code == 14 ? power : v;
  v = code == 15 ? min(a, b) : v;
  v = code == 16 ? max(a, b) : v;
  v = code == 18 ? rest : v;
  v = code == 20 ? -b : v;
  v = code == 21 ? s : v;
  v = code == 22 ? c : v;
  v = code == 23 ? s / c : v;
  v = code == 17 || code == 24 || code == 26 ? angle : v;
  v = code == 25 ? 0.5 * kPi - angle : v;
  v = code == 27 ? 0.5 * (grown - shrunk) : v;
  v = code == 28 ? 0.5 * (grown + shrunk) : v;
  v = code == 29 ? sign * th : v;
  v = code == 30 ? grown : v;
  v = code == 31 ? logs : v;
  v = code == 32 ? sqrt(b) : v;
  v = code == 33 ? b * b : v;
  v = code == 34 ? abs(b) : v;
  v = code == 35 ? floor(b) : v;
  v = code == 36 ? -floor(-b) : v;
  return code == 37 ? sign : v;
}

/// code[i], by constant places: else compilers unroll whatever loop asks for it.
float formulaCode(float code[22], int i) {
  float found = code[0];
  for (int j = 1; j < kFormulaLength; ++j) found = i == j ? code[j] : found;
  return found;
}

/// Up to three formulas one after the other, of two variables and six numbers.
vec3 formulaResults(float code[22], vec2 at, float a, float b, float c, float d, float e, float f) {
  float s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0, s4 = 0.0, s5 = 0.0, s6 = 0.0, s7 = 0.0;
  float x = 0.0, y = 0.0, z = 0.0;
  int found = 0;
  for (int i = 0; i < kFormulaLength; ++i) {
    float next = formulaCode(code, i);
    int op = int(next) - kFormulaCodes;
    if (op == 9) break;
    bool pushes = op < 8;
    bool ends = op == 8;
    bool two = op > 9 && op < 20;
    x = ends && found == 0 ? s0 : x;
    y = ends && found == 1 ? s0 : y;
    z = ends && found == 2 ? s0 : z;
    found += ends ? 1 : 0;
    float made = formulaMade(op, s1, s0);
    float pushed = op < 0    ? next
                   : op == 0 ? at.x
                   : op == 1 ? at.y
                   : op == 2 ? a
                   : op == 3 ? b
                   : op == 4 ? c
                   : op == 5 ? d
                   : op == 6 ? e
                             : f;
    float t1 = pushes ? s0 : two ? s2 : s1, t2 = pushes ? s1 : two ? s3 : s2;
    float t3 = pushes ? s2 : two ? s4 : s3, t4 = pushes ? s3 : two ? s5 : s4;
    float t5 = pushes ? s4 : two ? s6 : s5, t6 = pushes ? s5 : two ? s7 : s6;
    s7 = pushes ? s6 : s7;
    s0 = pushes ? pushed : ends ? s0 : made;
    s1 = t1;
    s2 = t2;
    s3 = t3;
    s4 = t4;
    s5 = t5;
    s6 = t6;
  }
  return vec3(x, y, z);
}

#endif
