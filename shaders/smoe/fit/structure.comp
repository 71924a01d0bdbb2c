// SPDX-License-Identifier: BSD-3-Clause
// SSIM of luminance (Wang et al. 2004) of every window that lies inside the region, and its
// derivatives by what the window averages: y, y^2 and y t, with y decoded and t wanted. One group
// per tile, one invocation per window around one of its pixels. Reads what fit_decode.comp
// (FIT_FULL 1) left; writes the three derivatives per pixel, zero where no window is, and per tile
// the sum of SSIM. Deterministic: sums run along lines, along columns, then along pixels.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/fit/shared.h"

layout(local_size_x = FIT_GROUP) in;

#include "shaders/smoe/fit/structure.glsl"

layout(std430, binding = FIT_BIND_PARTIALS) restrict writeonly buffer Slopes { vec4 slopes[]; };
layout(std430, binding = FIT_BIND_ERRORS) restrict writeonly buffer Sums { float sums[]; };

shared float found[FIT_PIXELS];

// y, t, y^2 + t^2, y t.
vec4 termsAt(ivec2 at) {
  int place = placeOf(at);
  if (place < 0) return vec4(0.0);
  float error = dot(kLuminance, uintBitsToFloat(texelFetch(pixels, 2 * place)).xyz);
  float y = dot(kLuminance, uintBitsToFloat(texelFetch(pixels, 2 * place + 1)).xyz);
  float t = y - error;
  return vec4(y, t, y * y + t * t, y * t);
}

// With A = (2 y t + C1) (2 s_yt + C2), B = (y^2 + t^2 + C1) (s_yy + s_tt + C2): SSIM is A / B.
// Returns its derivatives, then SSIM.
vec4 judge(vec4 mean) {
  float y = mean.x, t = mean.y;
  float a1 = 2.0 * y * t + 1e-4, a2 = 2.0 * (mean.w - y * t) + 9e-4;
  float b1 = y * y + t * t + 1e-4, b2 = mean.z - y * y - t * t + 9e-4;
  float ssim = a1 * a2 / (b1 * b2);
  float byYt = 2.0 * a1 / (b1 * b2), byYy = -ssim / b2;
  float byY = 2.0 * t * a2 / (b1 * b2) - 2.0 * y * ssim / b1 - t * byYt - 2.0 * y * byYy;
  return vec4(byY, byYy, byYt, ssim);
}

void main() {
  uint tile = groupIndex();
  if (tile >= params.tileCount) return;
  int lane = int(gl_LocalInvocationID.x);
  ivec2 first = firstOf(tile);
  for (int i = lane; i < kAround * kAround; i += FIT_GROUP)
    around[i] = termsAt(first + ivec2(i % kAround, i / kAround) - kRadius);
  average(lane);
  ivec2 at = first + ivec2(lane % FIT_TILE, lane / FIT_TILE);
  bool inside = all(greaterThanEqual(at, ivec2(kRadius))) &&
                all(lessThan(at, params.size - kRadius));
  vec4 judged = inside ? judge(means[lane]) : vec4(0.0);
  slopes[int(tile) * FIT_PIXELS + lane] = vec4(judged.xyz, 0.0);
  found[lane] = judged.w;
  barrier();
  if (lane != 0) return;
  float sum = 0.0;
  for (int i = 0; i < FIT_PIXELS; ++i) sum += found[i];
  sums[tile] = sum;
}
