// SPDX-License-Identifier: BSD-3-Clause
// Numbers of 48 bits as sums of two floats, the second at most half a last digit of the first (Dekker 1971): what
// variations of other programs take from double precision, which devices without it emulate by thousands of
// instructions. C++ has doubles in their place (genome/variations/glsl.h).
#ifndef SHADERS_FLAME_PAIRS
#define SHADERS_FLAME_PAIRS
#define Wide vec2

/// Of a constant's first digits and of what they lack.
Wide wide(float first, float rest) { return vec2(first, rest); }
Wide wide(float v) { return vec2(v, 0.0); }
float narrow(Wide a) { return a.x + a.y; }

Wide plus(Wide a, Wide b) {
  precise float sum = a.x + b.x, part = sum - a.x;
  precise float rest = ((a.x - (sum - part)) + (b.x - part)) + (a.y + b.y);
  precise float first = sum + rest, last = rest - (first - sum);
  return vec2(first, last);
}

/// a to 12 bits, and the rest.
vec2 halvesOf(float a) {
  precise float grown = 4097.0 * a, high = grown - (grown - a), low = a - high;
  return vec2(high, low);
}

Wide times(Wide a, Wide b) {
  vec2 u = halvesOf(a.x), v = halvesOf(b.x);
  precise float product = a.x * b.x;
  precise float rest =
      ((u.x * v.x - product) + u.x * v.y + u.y * v.x) + u.y * v.y + (a.x * b.y + a.y * b.x);
  precise float first = product + rest, last = rest - (first - product);
  return vec2(first, last);
}

Wide minus(Wide a, Wide b) { return plus(a, -b); }

/// For b not 0.
Wide over(Wide a, Wide b) {
  float first = a.x / b.x;
  Wide left = minus(a, times(b, wide(first)));
  return plus(wide(first), wide(left.x / b.x));
}

/// For a > 0.
Wide rootOf(Wide a) {
  float first = sqrt(a.x);
  Wide left = minus(a, times(wide(first), wide(first)));
  return plus(wide(first), wide(left.x / (2.0 * first)));
}

Wide floorOf(Wide a) {
  float first = floor(a.x);
  return first == a.x ? plus(wide(first), wide(floor(a.y))) : wide(first);
}

/// Within 1e-13 for small angles: half turns taken off, then Taylor's series.
Wide sineOf(Wide angle) {
  Wide pi = wide(3.1415927410125732, -8.742277657347586e-08);
  Wide halves = floorOf(plus(over(angle, pi), wide(0.5)));
  Wide t = minus(angle, times(halves, pi)), u = times(t, t), sum = wide(0.0);
  for (int i = 12; i > 0; --i) {
    Wide term = times(plus(sum, wide(1.0)), u);
    sum = -over(term, wide(float(4 * i * i + 2 * i)));
  }
  Wide value = plus(t, times(t, sum)), half_turns = times(halves, wide(0.5));
  return narrow(minus(half_turns, floorOf(half_turns))) > 0.25 ? -value : value;
}

#endif
