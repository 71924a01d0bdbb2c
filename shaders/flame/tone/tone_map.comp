// SPDX-License-Identifier: BSD-3-Clause
// The curve from filtered density to the screen (flam3's gamma, threshold, vibrancy, highlight power
// and background). One invocation per pixel. Reads the filtered picture (A) and, with WIDE, the wide
// classes in cells of a pixel (B); writes R G B in 0..255, uncut, and alpha in 0..1.
#ifndef WIDE
#define WIDE 1
#endif
#ifndef FINISH
#define FINISH 0
#endif
#include "shaders/common/invocation.glsl"
#include "shaders/flame/tone/buckets.glsl"

layout(local_size_x = FLAME_TONE_SIZE) in;
layout(binding = FLAME_TONE_TEXTURE_A) uniform sampler2D filtered;
#if WIDE
layout(binding = FLAME_TONE_TEXTURE_B) uniform sampler2D wider;
#endif
#if FINISH
layout(std140, binding = FLAME_TONE_BIND_FINISH) uniform Finish { ToneFinish finish; };

/// Factors, saturation and curves of other programs than flam3; 0..255 before and after.
vec3 finished(vec3 color) {
  vec3 v = color / 255.0 * finish.balance.rgb;
  float grey = dot(v, vec3(0.299, 0.587, 0.114));
  v = clamp(grey + finish.balance.a * (v - grey), 0.0, 1.0);
  vec3 at = v * float(FLAME_TONE_CURVE_ENTRIES - 1);
  ivec3 low = min(ivec3(at), ivec3(FLAME_TONE_CURVE_ENTRIES - 2));
  vec3 share = at - vec3(low);
  return 255.0 * vec3(mix(finish.curves[low.r].r, finish.curves[low.r + 1].r, share.r),
                      mix(finish.curves[low.g].g, finish.curves[low.g + 1].g, share.g),
                      mix(finish.curves[low.b].b, finish.curves[low.b + 1].b, share.b));
}
#endif
layout(binding = FLAME_TONE_IMAGE, rgba32f) restrict writeonly uniform image2D displayed;

float power(float base, float exponent) { return base > 0.0 ? exp2(exponent * log2(base)) : 0.0; }

/// Brightness through the curve, linear below the threshold.
float alphaOf(float density) {
  float curved = power(density, params.inverseGamma), threshold = params.threshold;
  if (!(density < threshold)) return curved;
  float share = density / threshold;
  return (1.0 - share) * density * (power(threshold, params.inverseGamma) / threshold) + share * curved;
}

vec3 brightened(vec3 v, float scale) {
  float most = max(v.r, max(v.g, v.b)), peak = scale * most;
  if (scale == 0.0 || most == 0.0) return vec3(0.0);
  if (peak > 255.0 && params.highlightPower >= 0.0) {
    // Less saturation the more the peak is beyond: HSV of a color whose largest component is 1.
    return 255.0 * (1.0 - (1.0 - v / most) * power(255.0 / peak, params.highlightPower));
  }
  float kept = peak <= 255.0 ? 1.0 : min(1.0, -params.highlightPower);
  return ((1.0 - kept) * 255.0 / most + kept * scale) * v;
}

vec4 toneMapped(vec4 value) {
  float density = value.a / 255.0;
  bool isEmpty = !(value.a > 0.0);
  float alpha = isEmpty ? 0.0 : alphaOf(density);
  float scale = isEmpty ? 0.0 : params.vibrancy * 256.0 * alpha / density;
  alpha = clamp(alpha * params.background.a, 0.0, 1.0);
  vec3 v = value.rgb / 255.0;
  vec3 perChannel = vec3(power(v.r, params.inverseGamma), power(v.g, params.inverseGamma),
                         power(v.b, params.inverseGamma));
  vec3 color = brightened(v, scale) + (1.0 - params.vibrancy) * 256.0 * perChannel +
               (1.0 - alpha) * 256.0 * params.background.rgb;
  color = clamp(color, 0.0, 255.0);
#if FINISH
  color = finished(color);
#endif
  return vec4(color, alpha);
}

void main() {
  uint i = invocationIndex();
  if (i >= uint(params.pixels.x * params.pixels.y)) return;
  ivec2 at = ivec2(i % uint(params.pixels.x), i / uint(params.pixels.x));
  vec4 value = texelFetch(filtered, at, 0);
#if WIDE
  value += texelFetch(wider, at + params.cellMargin, 0);
#endif
  imageStore(displayed, at, toneMapped(value));
}
