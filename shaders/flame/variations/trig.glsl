// SPDX-License-Identifier: BSD-3-Clause
// trig: Functions of x + iy one after the other, then a sum of others; as post_trig.
// Number 395
// Parameters: reciprocalpow 1 (-1 to 1), log_dividepow 0 (-1 to 1), sqrtpow 0 (-1 to 1),
//   exppow 0 (-1 to 1), logpow 0 (-1 to 1), asinhpow 0 (-1 to 1), acoshpow 0 (-1 to 1),
//   atanhpow 0 (-1 to 1), asinpow 0 (-1 to 1), acospow 0 (-1 to 1), atanpow 0 (-1 to 1),
//   sinpow 0 (-1 to 1), cospow 0 (-1 to 1), tanpow 0 (-1 to 1), sinhpow 0 (-1 to 1),
//   coshpow 0 (-1 to 1), tanhpow 0 (-1 to 1)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/complex.glsl"

vec2 trigFlip(vec2 v) { return vec2(v.y, v.x); }
vec2 trigQuotient(vec2 a, vec2 b) {
  return vec2(a.x * b.x + a.y * b.y, a.y * b.x - a.x * b.y) / (b.x * b.x + b.y * b.y);
}
vec2 trigAsinh(vec2 v) {
  vec2 root = complexRoot(vec2((v.x - v.y) * (v.x + v.y) + 1.0, 2.0 * v.x * v.y));
  return v.x * root.x + v.y * root.y >= 0.0 ? complexLog(v + root) : -1.0 * complexLog(root - v);
}
vec2 trigAtanh(vec2 v) {
  return 0.5 * complexLog(trigQuotient(vec2(1.0 + v.x, v.y), vec2(1.0 - v.x, -v.y)));
}
vec2 trigSinh(vec2 v) { return vec2(sinhOf(v.x) * cosine(v.y), coshOf(v.x) * sine(v.y)); }
vec2 trigCosh(vec2 v) { return vec2(coshOf(v.x) * cosine(v.y), sinhOf(v.x) * sine(v.y)); }
/// Settled beyond 20, where both are one another.
vec2 trigTanh(vec2 v) {
  vec2 settled = vec2(clamp(v.x, -20.0, 20.0), v.y);
  return trigQuotient(trigSinh(settled), trigCosh(settled));
}

/// Those that follow one another.
vec2 trigChain(vec2 v, float w, float inverse, float quotient, float root, float power, float logs,
               float side) {
  if (inverse != 0.0) v = w * inverse * trigQuotient(vec2(1.0, 0.0), v);
  if (quotient != 0.0)
    v = w * quotient * 2.0 / kPi *
        complexLog(trigQuotient(vec2(v.x + 1.0, v.y), vec2(v.x - 1.0, v.y)));
  if (root != 0.0) v = (side < 0.5 ? w : -w) * root * complexRoot(v);
  if (power != 0.0) v = w * power * exp(v.x) * direction(v.y);
  if (logs != 0.0) v = w * logs * complexLog(v);
  return v;
}

vec2 variation_trig(Point p, float w, float reciprocalpow, float log_dividepow, float sqrtpow,
                    float exppow, float logpow, float asinhpow, float acoshpow, float atanhpow,
                    float asinpow, float acospow, float atanpow, float sinpow, float cospow,
                    float tanpow, float sinhpow, float coshpow, float tanhpow) {
  float px = p.xy.x, py = p.xy.y;
  float side = unit(), other = unit();
  vec2 v = trigChain(vec2(px, py), w, reciprocalpow, log_dividepow, sqrtpow, exppow, logpow, side);
  vec2 sum = vec2(0.0, 0.0), arcs = vec2(0.0, 0.0);
  if (asinhpow != 0.0) arcs += asinhpow * trigAsinh(v);
  if (acoshpow != 0.0) arcs += (other < 0.5 ? acoshpow : -acoshpow) * complexAcosh(v);
  if (atanhpow != 0.0) arcs += atanhpow * trigAtanh(v);
  vec2 asine = trigFlip(trigAsinh(trigFlip(v)));
  if (asinpow != 0.0) arcs += asinpow * asine;
  if (acospow != 0.0) arcs += acospow * vec2(0.5 * kPi - asine.x, -asine.y);
  if (atanpow != 0.0) arcs += atanpow * trigFlip(trigAtanh(trigFlip(v)));
  if (sinpow != 0.0) sum += sinpow * trigFlip(trigSinh(trigFlip(v)));
  vec2 cosines = trigCosh(vec2(v.y, v.x));
  if (cospow != 0.0) sum += cospow * vec2(cosines.x, -cosines.y);
  if (tanpow != 0.0) sum += tanpow * trigFlip(trigTanh(trigFlip(v)));
  if (sinhpow != 0.0) sum += sinhpow * trigSinh(v);
  if (coshpow != 0.0) sum += coshpow * trigCosh(v);
  if (tanhpow != 0.0) sum += tanhpow * trigTanh(v);
  float all = asinhpow + acoshpow + atanhpow + asinpow + acospow + atanpow + sinpow + cospow +
              tanpow + sinhpow + coshpow + tanhpow;
  return all == 0.0 ? v : w * (sum + 2.0 / kPi * arcs);
}
