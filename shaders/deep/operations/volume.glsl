// SPDX-License-Identifier: BSD-3-Clause
// What light does in a homogeneous volume [Z, ZBack): app/engine/deep/operations/volume.h in float. The optical
// depth u = -log(1 - a) of a volume is spread evenly over it and adds where volumes overlap. GLSL has
// neither log1p nor expm1, and its log and exp promise too little next to 1 and to 0: series with
// relative errors below 2^-22 are here, the same on every device.

const float kOpaqueDepth = 1e30;  // the optical depth of alpha 1
const float kLn2 = 0.69314718, kLn2High = 0.693145751953125, kLn2Low = 1.42860677e-6;

/// 2 artanh(s) for |s| <= 0.1716.
float twiceArtanh(float s) {
  float q = s * s;
  return 2.0 * s * (1.0 + q * (1.0 / 3.0 + q * (1.0 / 5.0 + q * (1.0 / 7.0 + q * (1.0 / 9.0)))));
}

/// -log(1 - a) for 0 <= a <= 1.
float opticalDepth(float a) {
  if (a >= 1.0) return kOpaqueDepth;
  if (a <= 0.25) return twiceArtanh(a / (2.0 - a));
  // 1 - a = m 2^e with m next to 1.
  int bits = floatBitsToInt(1.0 - a);
  int e = (bits - 0x3F3504F3) >> 23;
  float m = intBitsToFloat(bits - (e << 23));
  return -(float(e) * kLn2 + twiceArtanh((m - 1.0) / (m + 1.0)));
}

/// 1 - exp(-u) for u >= 0.
float alphaOfDepth(float u) {
  if (u < 0.5) {
    float p = 1.0 - u * (1.0 / 8.0);
    p = 1.0 - u * (1.0 / 7.0) * p;
    p = 1.0 - u * (1.0 / 6.0) * p;
    p = 1.0 - u * (1.0 / 5.0) * p;
    p = 1.0 - u * (1.0 / 4.0) * p;
    p = 1.0 - u * (1.0 / 3.0) * p;
    p = 1.0 - u * (1.0 / 2.0) * p;
    return u * p;
  }
  if (u > 80.0) return 1.0;
  // exp(-u) = 2^-k exp(r) with |r| <= ln 2 / 2.
  float k = floor(u / kLn2 + 0.5);
  float r = (k * kLn2High - u) + k * kLn2Low;
  float p = 1.0 + r * (1.0 / 7.0);
  p = 1.0 + r * (1.0 / 6.0) * p;
  p = 1.0 + r * (1.0 / 5.0) * p;
  p = 1.0 + r * (1.0 / 4.0) * p;
  p = 1.0 + r * (1.0 / 3.0) * p;
  p = 1.0 + r * (1.0 / 2.0) * p;
  p = 1.0 + r * p;
  return 1.0 - p * intBitsToFloat((127 - int(k)) << 23);
}

/// How much of [z, zBack) lies in [from, to), which is inside it. Of an infinite volume, its infinite ends
/// share everything. Quarters, so that no difference of finite depths overflows.
float partOf(float z, float zBack, float from, float to) {
  if (!isinf(z) && !isinf(zBack)) {
    float length = zBack * 0.25 - z * 0.25;
    return length > 0.0 ? clamp((to * 0.25 - from * 0.25) / length, 0.0, 1.0) : 1.0;
  }
  float ends = float(isinf(z)) + float(isinf(zBack));
  return (float(isinf(from)) + float(isinf(to))) / ends;
}

/// The alpha of the part x: 1 - (1 - a)^x.
float partAlpha(float a, float x) {
  if (a >= 1.0 || x >= 1.0) return a;
  return alphaOfDepth(x * opticalDepth(a));
}

/// The part x of a volume's premultiplied color and alpha.
vec4 partColor(vec4 color, float x) {
  if (color.a >= 1.0 || x >= 1.0) return color;
  float alpha = partAlpha(color.a, x);
  return vec4(color.rgb * (color.a > 0.0 ? alpha / color.a : x), alpha);
}

/// The share of a volume's light (optical depth u) that leaves it where another one of depth v takes up the
/// same place.
float shareAmong(float u, float v) {
  if (v <= 0.0) return 1.0;
  float alone = u > 0.0 ? alphaOfDepth(u) / u : 1.0;
  return alphaOfDepth(u + v) / (u + v) / alone;
}
