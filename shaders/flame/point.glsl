// SPDX-License-Identifier: BSD-3-Clause
// What the variations see of a point, and the functions they share. Float arithmetic, made to give
// flam3's double results where it matters: no domain where the language leaves a built-in undefined
// (atan at the origin, pow and log at 0), no cancellation that a rewriting avoids. Members of Point
// that a shader does not use cost nothing. The including shader defines the draws before:
//   float unit();  float signedUnit();  float gauss4();  int randomBit();
#ifndef SHADERS_FLAME_POINT
#define SHADERS_FLAME_POINT

const float kPi = 3.14159265, kTwoPi = 6.28318531, kEps = 1e-10;
const float kInfinity = uintBitsToFloat(0x7f800000u);

/// Not a number, or beyond 1e10 on either side. Compares bits: comparisons of floats may be turned
/// around by a compiler that forgets about NaN. 0x501502f9 is 1e10.
bool isBad(float v) { return (floatBitsToUint(v) & 0x7fffffffu) > 0x501502f9u; }
bool isBad(vec2 v) { return isBad(v.x) || isBad(v.y); }

/// atan(y, x), 0 at the origin. Abramowitz and Stegun 4.4.49, error below 1e-7 here.
float angleOf(float y, float x) {
  float ax = abs(x), ay = abs(y), longer = max(ax, ay);
  float t = min(ax, ay) / max(longer, 1e-37), u = t * t;
  float a = 0.0028662257;
  a = a * u - 0.0161657367;
  a = a * u + 0.0429096138;
  a = a * u - 0.0752896400;
  a = a * u + 0.1065626393;
  a = a * u - 0.1420889944;
  a = a * u + 0.1999355085;
  a = a * u - 0.3333314528;
  a = a * u * t + t;
  a = ay > ax ? 1.57079633 - a : a;
  a = x < 0 ? kPi - a : a;
  return y < 0 ? -a : a;
}

struct Point {
  vec2 xy;
  float r2, r;
  float theta, phi;          // from the y axis, from the x axis
  float sinTheta, cosTheta;  // x / r, y / r: NaN at the origin
};

Point makePoint(vec2 xy) {
  float r2 = dot(xy, xy), r = sqrt(r2);
  return Point(xy, r2, r, angleOf(xy.x, xy.y), angleOf(xy.y, xy.x), xy.x / r, xy.y / r);
}

vec2 direction(float angle) { return vec2(cos(angle), sin(angle)); }

vec2 rotate(vec2 v, float angle) {
  float c = cos(angle), s = sin(angle);
  return vec2(v.x * c - v.y * s, v.x * s + v.y * c);
}

/// Takes whole turns off an angle, exactly up to about 1e4 (Cody and Waite); beyond that the angle
/// of a float means nothing anyway.
float unwind(float angle) {
  precise float turns = roundEven(angle * 0.159154943);
  precise float rest = angle - turns * 6.28125;
  rest = rest - turns * 1.93500518798828125e-3;
  rest = rest - turns * 3.0199159819e-7;
  return rest;
}
float sinWide(float angle) { return sin(unwind(angle)); }
float cosWide(float angle) { return cos(unwind(angle)); }

float logOf(float v) { return v > 0 ? log(v) : -kInfinity; }

/// base^exponent for base >= 0, also where base or exponent is 0.
float powOf(float base, float exponent) {
  float power = exp2(exponent * log2(base));
  power = base > 0 ? power : exponent < 0 ? kInfinity : 0.0;
  return exponent == 0 ? 1.0 : power;
}

/// C's fmod: the sign of a.
float fmodOf(float a, float b) { return a - b * trunc(a / b); }

/// int(v) as flam3's processor does it: out of range gives the smallest int.
float truncatedToInt(float v) { return abs(v) < 2147483648.0 ? trunc(v) : -2147483648.0; }

/// Square root of the complex number z, whose modulus is `length`: half the angle without knowing
/// it. The smaller part comes from the larger one, which loses nothing.
vec2 complexRoot(vec2 z, float length) {
  float larger = sqrt(0.5 * (length + abs(z.x)));
  float smaller = 0.5 * abs(z.y) / max(larger, 1e-30);
  vec2 root = z.x >= 0 ? vec2(larger, smaller) : vec2(smaller, larger);
  return vec2(root.x, z.y < 0 ? -root.y : root.y);
}

vec2 sinCos(float v) { return vec2(sin(v), cos(v)); }

/// Hyperbolic sine and cosine; small ones from the series, large ones become infinite.
vec2 sinhCosh(float v) {
  float grown = exp(v), shrunk = 1 / grown, v2 = v * v;
  float series = v * (1 + v2 * (1.0 / 6) * (1 + v2 * (1.0 / 20) * (1 + v2 * (1.0 / 42))));
  return vec2(abs(v) < 0.5 ? series : 0.5 * (grown - shrunk), 0.5 * (grown + shrunk));
}
/// For quotients, which settle long before: large arguments act as +-40.
vec2 sinhCoshSettled(float v) { return sinhCosh(clamp(v, -40, 40)); }
/// What makes the sum bad where doubles overflow.
float badBeyond(float v, float limit) { return abs(v) <= limit ? 0.0 : kInfinity; }

/// With m half the sum of the distances from (-1, 0) and (1, 0): (m - 1, m - |x|), both >= 0 and
/// without the cancellation near the segment between the foci.
vec2 ellipseExcess(vec2 p) {
  float x = abs(p.x), y2 = p.y * p.y;
  float far = length(vec2(x + 1, p.y)), near = length(vec2(x - 1, p.y));
  float farExcess = y2 / (far + x + 1);                   // far - (x + 1)
  float nearExcess = y2 / max(near + abs(x - 1), 1e-30);  // near - |x - 1|
  float nearSum = near + abs(x - 1);
  return 0.5 * (farExcess + (x < 1 ? vec2(nearExcess, nearSum) : vec2(nearSum, nearExcess)));
}

#endif
