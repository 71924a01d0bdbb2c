// SPDX-License-Identifier: BSD-3-Clause
// What the variations see of a point, and the functions they share. Float arithmetic, made to give
// flam3's double results where it matters: no domain where the language leaves a built-in undefined
// (atan at the origin, pow and log at 0), no cancellation that a rewriting avoids. Members of Point
// that a shader does not use cost nothing. The including shader defines the draws before:
//   float unit();  float signedUnit();  float gauss4();  int randomBit();
// and, where variations call them, what acts unless w is 0:
//   void setColor(float color, float w);  // of the point
//   void turnColor(float by, float w);    // of the point, along the palette
//   void setFullColor(vec3 color, bool nearest, float w);  // shown in place of the palette, of what is nearest
//   void setHidden(bool hides, float w);  // stays with the point
//   vec2 orbitOr(vec2 start);  void setOrbit(vec2 at, float w);  // an attractor's own orbit
//   void dropZ();      // z is not passed on by this one
//   bool inOrder();    // variations act in the order of a file of JWildfire
//   int acting();      // there, -1 for pre_NAME and 1 for post_NAME, else 0
//   vec2 sumBefore();  // of the variations that acted before; 0 where their order has no meaning
//   float heightBefore();  // the z of it
//   vec3 startOfSum();  // the point that those among the others see
#ifndef SHADERS_FLAME_POINT
#define SHADERS_FLAME_POINT

#ifndef FLAME_POLYNOMIAL_SINES
#define FLAME_POLYNOMIAL_SINES 1  // 0: the device's own, whose errors differ
#endif
// FLAME_FAR: points go so far that the spacing of floats there shows in sines. Angles are spread
// over it at random, as double precision has them between two floats; needs randomState.

const float kPi = 3.14159265, kTwoPi = 6.28318531, kEps = 1e-10;
const float kNearlyPi = 3.1415914;
#define kInfinity uintBitsToFloat(0x7f800000u)
#define kNotANumber uintBitsToFloat(0x7fc00000u)

/// Not a number, or beyond 1e10 on either side. Compares bits: comparisons of floats may be turned
/// around by a compiler that forgets about NaN. 0x501502f9 is 1e10.
bool isBad(float v) { return (floatBitsToUint(v) & 0x7fffffffu) > 0x501502f9u; }
bool isBad(vec2 v) { return isBad(v.x) || isBad(v.y); }

/// atan(y, x), 0 at the origin; error below 3e-7. The polynomial is evaluated as a tree (Estrin):
/// few steps wait for each other, which is what takes the time where sines and such are no
/// instructions.
float angleOf(float y, float x) {
  float ax = abs(x), ay = abs(y);
  float t = min(ax, ay) / max(max(ax, ay), 1e-37), u = t * t, u2 = u * u;
  float high = (0.0986886546 - 0.0588297531 * u) + u2 * (0.0237805185 - 0.00455979199 * u);
  float a =
      t * ((0.999999882 - 0.333318127 * u) + u2 * (0.199669618 - 0.140032902 * u) + u2 * u2 * high);
  a = ay > ax ? 1.57079633 - a : a;
  a = x < 0 ? kPi - a : a;
  return y < 0 ? -a : a;
}

struct Point {
  vec2 xy;
  float z;
  float r2, r;
  float theta, phi;          // from the y axis, from the x axis
  float sinTheta, cosTheta;  // x / r, y / r: NaN at the origin
};

Point makePoint(vec2 xy) {
  float r2 = dot(xy, xy), r = sqrt(r2);
  return Point(xy, 0.0, r2, r, angleOf(xy.x, xy.y), angleOf(xy.y, xy.x), xy.x / r, xy.y / r);
}

Point makePoint(vec3 at) {
  Point p = makePoint(at.xy);
  p.z = at.z;
  return p;
}

/// Takes whole turns off an angle, exactly up to about 1e4 (Cody and Waite); beyond that the angle
/// of a float means nothing, and the rest is as good as drawn.
float unwind(float angle) {
#ifdef FLAME_FAR
  return angle;  // turnsOf() takes them off
#endif
  precise float turns = roundEven(angle * 0.159154943);
  precise float rest = angle - turns * 6.28125;
  rest = rest - turns * 1.93530718e-3;
  return rest;
}

#if FLAME_POLYNOMIAL_SINES

/// sin(2 pi t) for t in -0.25..0.25, error below 1e-7.
float quarterSine(float t) {
  float u = t * t, u2 = u * u;
  return t *
         ((6.28318528 - 41.3416806 * u) + u2 * ((81.6024764 - 76.5811726 * u) + 39.7598271 * u2));
}
float sineOfTurns(float t) {
  float s = quarterSine(min(abs(t), 0.5 - abs(t)));
  return t < 0 ? -s : s;
}
float cosineOfTurns(float t) { return quarterSine(0.25 - abs(t)); }

/// The angle in turns, the whole ones taken off: -0.5..0.5. The rest is off by as much as rounding
/// has moved the angle.
float turnsOf(float angle) {
  float t = angle * 0.159154943;
#ifdef FLAME_FAR
  uint hash = (floatBitsToUint(angle) ^ randomState.x) * 0x9e3779b9u;  // the same for its cosine
  hash = (hash ^ hash >> 15) * 0x85ebca6bu;
  float between = float((hash ^ hash >> 13) >> 8) * 5.9604645e-8 - 0.5;
  t = t - roundEven(t) + min(abs(t) * 2.4e-7, 1.0) * between;
#endif
  return t - roundEven(t);
}
float sine(float angle) { return sineOfTurns(turnsOf(angle)); }
float cosine(float angle) { return cosineOfTurns(turnsOf(angle)); }
vec2 sinCos(float angle) {
  float t = turnsOf(angle);
  return vec2(sineOfTurns(t), cosineOfTurns(t));
}

#else

float sine(float angle) { return sin(angle); }
float cosine(float angle) { return cos(angle); }
vec2 sinCos(float angle) { return vec2(sin(angle), cos(angle)); }

#endif

/// Of angles that may be large.
float sineWide(float angle) { return sine(unwind(angle)); }
float cosineWide(float angle) { return cosine(unwind(angle)); }
vec2 sine(vec2 angles) { return vec2(sine(angles.x), sine(angles.y)); }
float tangent(float angle) {
  vec2 s = sinCos(angle);
  return s.x / s.y;
}

float tangentWide(float angle) { return tangent(unwind(angle)); }

vec2 direction(float angle) { return sinCos(angle).yx; }

vec2 rotate(vec2 v, float angle) {
  vec2 s = sinCos(angle);
  return vec2(v.x * s.y - v.y * s.x, v.x * s.x + v.y * s.y);
}

float logOf(float v) { return v > 0 ? log(v) : -kInfinity; }

/// base^exponent for base >= 0, also where base or exponent is 0.
float powOf(float base, float exponent) {
  float power = exp2(exponent * log2(base));
  power = base > 0 ? power : exponent < 0 ? kInfinity : 0.0;
  return exponent == 0 ? 1.0 : power;
}

/// The nearest whole number; halves go up.
float nearestOf(float v) { return floor(v + 0.5); }

/// C's fmod: the sign of a.
float fmodOf(float a, float b) { return a - b * trunc(a / b); }

/// int(v) as flam3's processor does it: out of range gives the smallest int.
float truncatedToInt(float v) { return abs(v) < 2147483648.0 ? trunc(v) : -2147483648.0; }

/// Square root of the complex number z, whose modulus is `length`: half the angle without knowing
/// it. The smaller part comes from the larger one, which loses nothing.
vec2 rootOfLength(vec2 z, float length) {
  float larger = sqrt(0.5 * (length + abs(z.x)));
  float smaller = 0.5 * abs(z.y) / max(larger, 1e-30);
  vec2 root = z.x >= 0 ? vec2(larger, smaller) : vec2(smaller, larger);
  return vec2(root.x, z.y < 0 ? -root.y : root.y);
}

/// Hyperbolic sine and cosine; small ones from the series, large ones become infinite.
vec2 sinhCosh(float v) {
  float grown = exp(v), shrunk = 1 / grown, v2 = v * v;
  float series = v * (1 + v2 * (1.0 / 6) * (1 + v2 * (1.0 / 20) * (1 + v2 * (1.0 / 42))));
  return vec2(abs(v) < 0.5 ? series : 0.5 * (grown - shrunk), 0.5 * (grown + shrunk));
}
float sinhOf(float v) { return sinhCosh(v).x; }
float coshOf(float v) { return sinhCosh(v).y; }
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
