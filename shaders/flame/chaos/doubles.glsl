// SPDX-License-Identifier: BSD-3-Clause
// What variations of other programs take from numbers in double precision: digits of large sines,
// and the random numbers of java.util.Random (a linear congruence of 48 bits).
#ifndef SHADERS_FLAME_DOUBLES
#define SHADERS_FLAME_DOUBLES
#include "shaders/flame/chaos/point.glsl"

#ifndef SHADERS_FLAME_SINE_IN_DOUBLE  // C++ has its own
/// Within 1e-14 for arguments up to 1e6: half turns taken off in two steps, then Taylor's series.
double sineInDouble(double angle) {
  double halves = floor(angle * 0.31830988618379067154lf + 0.5lf);
  double t = (angle - halves * 3.1415926218032836914lf) - halves * 3.1786509547050787e-8lf;
  double u = t * t, sum = 0.0lf;
  for (int i = 12; i > 0; --i) sum = -(sum + 1.0lf) * u / double(4 * i * i + 2 * i);
  double value = t + t * sum;
  return halves - 2.0lf * floor(0.5lf * halves) > 0.5lf ? -value : value;
}
#endif

/// The state after `state`: 48 bits, multiplied in halves of 24.
double javaNext(double state) {
  double high = floor(state / 16777216.0), low = state - high * 16777216.0;
  double middle = high * 15525485.0 + low * 1502.0;
  middle -= floor(middle / 16777216.0) * 16777216.0;
  double next = low * 15525485.0 + middle * 16777216.0 + 11.0;
  return next - floor(next / 281474976710656.0) * 281474976710656.0;
}
/// Of a whole number from 0 on.
double javaSeed(float seed) {
  return 21474836480.0 + double(uint(min(seed, 2147483000.0)) ^ 0xdeece66du);
}
/// The number that two states one after the other make, 0..1.
double javaUnit(double first, double second) {
  return (floor(first / 4194304.0) * 134217728.0 + floor(second / 2097152.0)) /
         9007199254740992.0;
}

#endif
