// SPDX-License-Identifier: BSD-3-Clause
// What a sample sums up over its components, and what becomes of it: SMOE_OUTPUT. The including file
// has declared `params` and `tiles`.
#ifndef SHADERS_SMOE_OUTPUT
#define SHADERS_SMOE_OUTPUT

#if SMOE_OUTPUT == SMOE_SHADE_RAW || SMOE_OUTPUT == SMOE_SHADE_SAMPLES
layout(std430, binding = SMOE_BIND_RAW) restrict writeonly buffer Raw { vec4 raw[]; };
#else
layout(rgba32f, binding = SMOE_IMAGE_RESULT) uniform restrict writeonly image2D result;
#endif
#if SMOE_OUTPUT == SMOE_SHADE_DISPARITY
layout(std430, binding = SMOE_BIND_LEAD) restrict readonly buffer Lead { vec4 lead[]; };
/// px per view step.
float disparityOf(uint component) {
  return 0.5 * (lead[4u * component + 1u].y + lead[4u * component + 2u].x);
}
#endif

struct Sums {
  float weight;
  vec3 color;   // weighted; of disparity: x
  float best;   // of winner: the largest weight
  uint winner;  // its component
};

Sums noSums() { return Sums(0.0, vec3(0.0), -1.0, 0u); }

void addComponent(inout Sums sums, float weight, vec3 expert, uint component) {
  sums.weight += weight;
#if SMOE_OUTPUT == SMOE_SHADE_WINNER
  sums.winner = weight > sums.best ? component : sums.winner;
  sums.best = max(sums.best, weight);
#elif SMOE_OUTPUT == SMOE_SHADE_DISPARITY
  sums.color.x += weight * disparityOf(component);
#elif SMOE_OUTPUT != SMOE_SHADE_WEIGHT
  sums.color += weight * expert;
#endif
}

/// The model's colors in linear light, beyond 0..1 too, by ColorSpace: Linear and Gray, Ycbcr709,
/// those of asinh (up to what a float holds), the others sRGB.
vec3 toLinear(vec3 y) {
  if (params.colorSpace == 1u || params.colorSpace == 3u) return y;
  if (params.asinhPeak > 0.0) return sinh(clamp(params.asinhPeak * y, -80.0, 80.0)) / SMOE_ASINH;
  if (params.colorSpace == 2u) {
    const float cb = y.y - 0.5, cr = y.z - 0.5;
    y = vec3(y.x + 1.5748 * cr, y.x - 0.187324 * cb - 0.468124 * cr, y.x + 1.8556 * cb);
  }
  const vec3 a = abs(y);
  return sign(y) *
         mix(pow((a + 0.055) / 1.055, vec3(2.4)), a / 12.92, lessThanEqual(a, vec3(0.04045)));
}

/// Some stable color per number.
vec3 numberColor(uint n) {
  n = (n ^ 61u) ^ (n >> 16);
  n *= 9u;
  n ^= n >> 4;
  n *= 0x27d4eb2du;
  n ^= n >> 15;
  const vec3 hue = vec3(n & 255u, (n >> 8) & 255u, (n >> 16) & 255u) / 255.0;
  return 0.1 + 0.9 * hue * hue;
}

/// A view of the data: of several samples per pixel, one in the middle speaks for it.
void writeView(ivec2 at, vec3 color) {
#if SMOE_OUTPUT >= SMOE_SHADE_WINNER
  const int samples = int(params.samples);
  if (all(equal(at % samples, ivec2(samples / 2)))) imageStore(result, at / samples, vec4(color, 1.0));
#endif
}

void writeSample(ivec2 at, uint tile, Sums sums, float offset) {
  const vec3 y = sums.weight > 0.0 ? sums.color / sums.weight : vec3(0.0);
#if SMOE_OUTPUT == SMOE_SHADE_WINNER
  writeView(at, sums.best < 0.0 ? vec3(0.0) : numberColor(sums.winner));
#elif SMOE_OUTPUT == SMOE_SHADE_DISPARITY
  // Red and blue: against and along the view's own motion.
  const float d = clamp(y.x * params.gain, -1.0, 1.0);
  writeView(at, vec3(max(d, 0.0), 0.15 * (1.0 - abs(d)), max(-d, 0.0)));
#elif SMOE_OUTPUT == SMOE_SHADE_WEIGHT
  const float bits = log2(max(sums.weight, 1e-37)) + offset;
  writeView(at, vec3(clamp(0.5 + params.gain * bits / 32.0, 0.0, 1.0)));
#else
  const vec3 off = abs(y - 0.5);
  const float extreme = max(off.x, max(off.y, off.z));
  if (extreme > 0.6) atomicMax(tiles[tile].extreme, floatBitsToUint(extreme));
#if SMOE_OUTPUT == SMOE_SHADE_RAW || SMOE_OUTPUT == SMOE_SHADE_SAMPLES
  const int row = at.y - int(params.firstRow * params.tilePixels);
  raw[row * params.size.x + at.x] = SMOE_OUTPUT == SMOE_SHADE_RAW
                                        ? vec4(y, sums.weight * exp2(offset))
                                        : vec4(toLinear(y), 1.0);
#else
  imageStore(result, at, vec4(toLinear(y), 1.0));
#endif
#endif
}

#endif
