// SPDX-License-Identifier: BSD-3-Clause
// Functions that GLSL has for floats only, in double precision; relative errors below 1e-12. For
// what is evaluated once per control point, where accuracy counts and speed does not.
#ifndef SHADERS_FLAME_DOUBLES
#define SHADERS_FLAME_DOUBLES

const double kPi = 3.14159265358979324LF, kTwoPi = 6.28318530717958648LF;
const double kLn2 = 0.693147180559945309LF;

/// e^x, for x cut to -700..700: beyond, floats are 0 or too large anyway.
double exponential(double x) {
  x = clamp(x, -700.0LF, 700.0LF);
  double k = floor(x * 1.44269504088896341LF + 0.5LF);
  // ln 2 in two parts, the first with so few bits that k times it is exact.
  double r = (x - k * 0.693147180369123816LF) - k * 1.90821492927058770e-10LF;
  double e = 2.50521083854417188e-8LF;
  e = e * r + 2.75573192239858907e-7LF;
  e = e * r + 2.75573192239858907e-6LF;
  e = e * r + 2.48015873015873016e-5LF;
  e = e * r + 1.98412698412698413e-4LF;
  e = e * r + 1.38888888888888889e-3LF;
  e = e * r + 8.33333333333333333e-3LF;
  e = e * r + 4.16666666666666667e-2LF;
  e = e * r + 1.66666666666666667e-1LF;
  e = e * r + 0.5LF;
  e = e * r + 1.0LF;
  e = e * r + 1.0LF;
  return e * packDouble2x32(uvec2(0u, uint(int(k) + 1023) << 20));
}

/// ln x, for normal x > 0.
double logarithm(double x) {
  uvec2 bits = unpackDouble2x32(x);
  double exponent = double(int(bits.y >> 20) - 1023);
  double m = packDouble2x32(uvec2(bits.x, (bits.y & 0xfffffu) | 0x3ff00000u));
  bool high = m > 1.41421356237309505LF;
  m = high ? m * 0.5LF : m;
  exponent = high ? exponent + 1.0LF : exponent;
  double s = (m - 1.0LF) / (m + 1.0LF), s2 = s * s;
  double sum = 1.0LF / 15.0LF;
  sum = sum * s2 + 1.0LF / 13.0LF;
  sum = sum * s2 + 1.0LF / 11.0LF;
  sum = sum * s2 + 1.0LF / 9.0LF;
  sum = sum * s2 + 1.0LF / 7.0LF;
  sum = sum * s2 + 1.0LF / 5.0LF;
  sum = sum * s2 + 1.0LF / 3.0LF;
  sum = sum * s2 + 1.0LF;
  return exponent * kLn2 + 2.0LF * s * sum;
}

/// Cosine and sine, of angles up to about a million.
dvec2 cosSin(double angle) {
  double k = floor(angle * 0.636619772367581343LF + 0.5LF);
  // A quarter turn in two parts, as above.
  double r = (angle - k * 1.57079632673412561LF) - k * 6.07710050650619225e-11LF;
  double r2 = r * r;
  double s = 1.60590438368216146e-10LF;
  s = s * r2 - 2.50521083854417188e-8LF;
  s = s * r2 + 2.75573192239858907e-6LF;
  s = s * r2 - 1.98412698412698413e-4LF;
  s = s * r2 + 8.33333333333333333e-3LF;
  s = s * r2 - 1.66666666666666667e-1LF;
  s = r + r * r2 * s;
  double c = -1.14707455977297247e-11LF;
  c = c * r2 + 2.08767569878680990e-9LF;
  c = c * r2 - 2.75573192239858907e-7LF;
  c = c * r2 + 2.48015873015873016e-5LF;
  c = c * r2 - 1.38888888888888889e-3LF;
  c = c * r2 + 4.16666666666666667e-2LF;
  c = c * r2 - 0.5LF;
  c = c * r2 + 1.0LF;
  int quarter = int(k - 4.0LF * floor(k * 0.25LF));
  bool odd = (quarter & 1) == 1;
  double cosine = odd ? s : c, sine = odd ? c : s;
  return dvec2(quarter == 1 || quarter == 2 ? -cosine : cosine, quarter >= 2 ? -sine : sine);
}

#endif
