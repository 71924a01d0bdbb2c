// SPDX-License-Identifier: BSD-3-Clause
// One invocation per pixel of the picture: the composited frame as linear light, top row first, or an
// overlay: in how many parts a pixel is active, the run that it belongs to, or the regions of the
// parts.
#include "shaders/active_pixel/show_shared.h"

#ifndef SHOW
#define SHOW AP_SHOW_PICTURE
#endif

layout(local_size_x = AP_SHOW_TILE, local_size_y = AP_SHOW_TILE) in;
layout(std140, binding = AP_SHOW_BIND_PARAMS) uniform ShowBlock { ShowParams showParams; };
layout(std430, binding = AP_SHOW_BIND_REGIONS) restrict readonly buffer ShowRegions {
  ShowRegion showRegions[];
};
layout(binding = AP_SHOW_TEXTURE_FRAME) uniform sampler2D showFrame;
layout(binding = AP_SHOW_TEXTURE_CODES) uniform usampler2D showCodes;
layout(binding = AP_SHOW_IMAGE_RESULT, rgba32f) uniform restrict writeonly image2D showResult;

vec3 linearFromSrgb(vec3 c) {
  return mix(pow((c + 0.055) / 1.055, vec3(2.4)), c / 12.92, lessThanEqual(c, vec3(0.04045)));
}

vec4 pictureColor(ivec2 at) {
  vec4 c = texelFetch(showFrame, at, 0);
  if (showParams.encoded == 0u) return c;
  if (c.a <= 0.0) return vec4(0.0);
  return vec4(linearFromSrgb(c.rgb / c.a) * c.a, c.a);
}

// Dark where one part is active, then brighter with each further one.
vec3 countColor(uint count) {
  if (count == 1u) return vec3(0.045, 0.17, 0.40);
  float t = clamp(float(count - 2u) / 4.0, 0.0, 1.0);
  return mix(vec3(0.10, 0.62, 0.55), vec3(1.0, 0.52, 0.07), t);
}

vec3 runColor(uint run) {
  float hue = fract(float(run) * 0.61803399);
  vec3 wave = 0.5 + 0.5 * cos(6.2831853 * (hue - vec3(0.0, 0.33333, 0.66667)));
  return 0.04 + 0.8 * wave * wave;
}

vec4 regionsOver(vec4 color, ivec2 at) {
  vec3 c = color.rgb * 0.6;
  float alpha = color.a;
  for (uint i = 0u; i < showParams.regionCount; ++i) {
    ivec4 r = showRegions[i].area;
    ivec2 p = at - r.xy;
    bool inside = r.z > 0 && all(greaterThanEqual(p, ivec2(0))) && all(lessThan(p, r.zw));
    ivec2 edge = min(p, r.zw - 1 - p);
    bool rim = inside && min(edge.x, edge.y) < 2;
    float share = rim ? 1.0 : inside ? 0.06 : 0.0;
    c = mix(c, showRegions[i].color.rgb, share);
    alpha = max(alpha, share);
  }
  return vec4(c, alpha);
}

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy), size = ivec2(showParams.width, showParams.height);
  if (any(greaterThanEqual(p, size))) return;
  ivec2 at = ivec2(p.x, size.y - 1 - p.y);
#if SHOW == AP_SHOW_ACTIVE
  uint code = texelFetch(showCodes, at, 0).x;
  vec4 color = code == 0u ? vec4(0.0) : vec4(countColor(code), 1.0);
#elif SHOW == AP_SHOW_RUNS
  uint code = texelFetch(showCodes, at, 0).x;
  vec4 color = code == 0u ? vec4(0.0) : vec4(runColor(code), 1.0);
#elif SHOW == AP_SHOW_REGIONS
  vec4 color = regionsOver(pictureColor(at), at);
#else
  vec4 color = pictureColor(at);
#endif
  imageStore(showResult, p, color);
}
