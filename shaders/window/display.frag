// SPDX-License-Identifier: BSD-3-Clause
// One invocation per pixel of the picture area. Reads the linear premultiplied picture, writes
// display values: exposure, channel, false color or transfer curve, marks. The defines
// VIEWER_SAMPLING and VIEWER_ENCODING choose the variant (shared.h).
#include "shaders/window/shared.h"

#ifndef VIEWER_SAMPLING
#define VIEWER_SAMPLING VIEWER_SAMPLING_TEXEL
#endif
#ifndef VIEWER_ENCODING
#define VIEWER_ENCODING VIEWER_ENCODING_SRGB
#endif

layout(std140, binding = VIEWER_BIND_PARAMS) uniform Params { DisplayParams params; };
layout(binding = VIEWER_TEXTURE_PICTURE) uniform sampler2D picture;
#if VIEWER_ENCODING == VIEWER_ENCODING_DIFFERENCE
layout(binding = VIEWER_TEXTURE_SECOND) uniform sampler2D second;
#endif

layout(location = 0) out vec4 shown;

bool isInvalid(float value) { return (floatBitsToUint(value) & 0x7f800000u) == 0x7f800000u; }

/// Target pixels per picture pixel.
vec2 scale() { return params.zoom * vec2(params.pixelAspect, 1.0); }

/// A picture about a point in picture pixels.
vec4 readFrom(sampler2D source, vec2 at) {
#if VIEWER_SAMPLING == VIEWER_SAMPLING_TEXEL
  ivec2 size = textureSize(source, 0);
  return texelFetch(source, clamp(ivec2(at / params.pictureSize * vec2(size)), ivec2(0), size - 1),
                    0);
#elif VIEWER_SAMPLING == VIEWER_SAMPLING_SMOOTH
  return textureLod(source, at / params.pictureSize, 0.0);
#else
  // Over a square as large as one pixel of the target; each tap blends 2 x 2 texels.
  vec4 sum = vec4(0.0);
  for (uint j = 0u; j < params.taps; ++j)
    for (uint i = 0u; i < params.taps; ++i) {
      vec2 offset = (vec2(i, j) + 0.5) / float(params.taps) - 0.5;
      sum += textureLod(source, (at + offset / scale()) / params.pictureSize, 0.0);
    }
  return sum / float(params.taps * params.taps);
#endif
}

#if VIEWER_ENCODING == VIEWER_ENCODING_FILMIC
/// Narkowicz's fit of the ACES reference rendering and output transforms (2015), then sRGB.
vec3 encode(vec3 linear) {
  linear = max(linear, 0.0) * 0.6;
  linear = clamp(linear * (2.51 * linear + 0.03) / (linear * (2.43 * linear + 0.59) + 0.14), 0.0, 1.0);
  return mix(1.055 * pow(linear, vec3(1.0 / 2.4)) - 0.055, linear * 12.92,
             lessThanEqual(linear, vec3(0.0031308)));
}
#elif VIEWER_ENCODING == VIEWER_ENCODING_LINEAR
vec3 encode(vec3 linear) { return linear; }
#elif VIEWER_ENCODING == VIEWER_ENCODING_GAMMA
vec3 encode(vec3 linear) { return pow(clamp(linear, 0.0, 1.0), vec3(1.0 / params.gamma)); }
#else
vec3 encode(vec3 linear) {
  linear = clamp(linear, 0.0, 1.0);
  return mix(1.055 * pow(linear, vec3(1.0 / 2.4)) - 0.055, linear * 12.92,
             lessThanEqual(linear, vec3(0.0031308)));
}
#endif

float luminance(vec3 linear) { return dot(linear, vec3(0.2126, 0.7152, 0.0722)); }

/// A perceptually even scale from dark violet over red to pale yellow: a polynomial of degree six
/// through matplotlib's "inferno" (both are in the public domain).
vec3 inferno(float t) {
  const vec3 c0 = vec3(0.00021894, 0.00165100, -0.01948090);
  const vec3 c1 = vec3(0.10651342, 0.56395645, 3.93271239);
  const vec3 c2 = vec3(11.60249308, -3.97285397, -15.94239411);
  const vec3 c3 = vec3(-41.70399613, 17.43639888, 44.35414520);
  const vec3 c4 = vec3(77.16293570, -33.40235894, -81.80730926);
  const vec3 c5 = vec3(-71.31942824, 32.62606426, 73.20951986);
  const vec3 c6 = vec3(25.13112622, -12.24266895, -23.07032500);
  return clamp(c0 + t * (c1 + t * (c2 + t * (c3 + t * (c4 + t * (c5 + t * c6))))), 0.0, 1.0);
}

/// Between ten samples of matplotlib's "viridis" (in the public domain).
vec3 viridis(float t) {
  const vec3 samples[10] = vec3[](
      vec3(68, 1, 84), vec3(72, 40, 120), vec3(62, 73, 137), vec3(49, 104, 142), vec3(38, 130, 142),
      vec3(31, 158, 137), vec3(53, 183, 121), vec3(110, 206, 88), vec3(181, 222, 43), vec3(253, 231, 37));
  float at = t * 9.0;
  int i = min(int(at), 8);
  return mix(samples[i], samples[i + 1], at - float(i)) / 255.0;
}

/// Rising evenly in brightness while the hue turns: D. A. Green, "A colour scheme for the display of
/// astronomical intensity images", 2011, with its start 0.5, -1.5 rotations, hue 1 and gamma 1.
vec3 cubehelix(float t) {
  float angle = 6.2831853 * (0.5 / 3.0 + 1.0 - 1.5 * t), reach = t * (1.0 - t) / 2.0;
  vec2 turn = vec2(cos(angle), sin(angle)) * reach;
  return clamp(t + vec3(-0.14861 * turn.x + 1.78277 * turn.y, -0.29227 * turn.x - 0.90649 * turn.y,
                        1.97294 * turn.x), 0.0, 1.0);
}

vec3 scaleColor(float t) {
  t = clamp(t, 0.0, 1.0);
  switch (params.map) {
    case VIEWER_MAP_VIRIDIS: return viridis(t);
    case VIEWER_MAP_CUBEHELIX: return cubehelix(t);
    case VIEWER_MAP_GRAY: return vec3(t);
    default: return inferno(t);
  }
}

#if VIEWER_ENCODING == VIEWER_ENCODING_DIFFERENCE
/// A against B by the chosen measure, of luminance.
vec3 difference(vec3 a, vec3 b) {
  float apart = luminance(a - b), size = luminance(abs(a - b)), reference = abs(luminance(b));
  float squared = luminance((a - b) * (a - b));
  if (isInvalid(apart)) return vec3(1.0, 0.0, 0.8);
  switch (params.metric) {
    case VIEWER_METRIC_ABSOLUTE: return scaleColor(size * params.difference);
    case VIEWER_METRIC_SQUARED: return scaleColor(squared * params.difference);
    case VIEWER_METRIC_RELATIVE: return scaleColor(size / (reference + 0.01) * params.difference);
    case VIEWER_METRIC_RELATIVE_SQUARED:
      return scaleColor(squared / (reference * reference + 0.01) * params.difference);
    default: break;
  }
  vec3 toward = apart < 0.0 ? vec3(0.290, 0.639, 1.0) : vec3(1.0, 0.561, 0.180);
  return mix(vec3(0.063), toward, clamp(abs(apart) * params.difference, 0.0, 1.0));
}
#endif

vec3 backdrop(vec2 pixel) {  // linear
  if (params.backdrop == VIEWER_BACKGROUND_BLACK) return vec3(0.0);
  if (params.backdrop == VIEWER_BACKGROUND_GRAY) return vec3(0.18);
  if (params.backdrop == VIEWER_BACKGROUND_WHITE) return vec3(1.0);
  ivec2 cell = ivec2(floor(pixel / 10.0));
  return vec3(((cell.x + cell.y) & 1) == 0 ? 0.018 : 0.028);
}

vec3 displayed(vec4 value, vec2 pixel) {
  if (params.markInvalid != 0u && any(bvec4(isInvalid(value.r), isInvalid(value.g),
                                            isInvalid(value.b), isInvalid(value.a)))) {
    bool stripe = mod(pixel.x + pixel.y, 8.0) < 4.0;
    return stripe ? vec3(1.0, 0.0, 0.8) : vec3(0.25, 0.0, 0.2);
  }
  vec3 exposed = (value.rgb - params.offset) * params.gain;
  float one;
  switch (params.channel) {
    case VIEWER_CHANNEL_R: one = exposed.r; break;
    case VIEWER_CHANNEL_G: one = exposed.g; break;
    case VIEWER_CHANNEL_B: one = exposed.b; break;
    case VIEWER_CHANNEL_A: one = value.a; break;
    default: one = luminance(exposed);
  }
#if VIEWER_ENCODING == VIEWER_ENCODING_SCALE
  return scaleColor(one);
#else
  if (params.channel == VIEWER_CHANNEL_A) return vec3(clamp(one, 0.0, 1.0));
  if (params.channel != VIEWER_CHANNEL_RGBA) return encode(vec3(one));
  return encode(exposed + (1.0 - clamp(value.a, 0.0, 1.0)) * backdrop(pixel));
#endif
}

void main() {
  vec2 pixel = gl_FragCoord.xy;  // row 0 is the top row of the area
  vec2 at = (pixel - params.corner) / scale();
  if (any(lessThan(at, vec2(0.0))) || any(greaterThanEqual(at, params.pictureSize))) {
    shown = params.background;
#if VIEWER_ENCODING == VIEWER_ENCODING_LINEAR
    shown.a = 0.0;
#endif
    return;
  }
#if VIEWER_ENCODING == VIEWER_ENCODING_DIFFERENCE
  vec3 result = difference(readFrom(picture, at).rgb, readFrom(second, at).rgb);
#else
  vec3 result = displayed(readFrom(picture, at), pixel - params.corner);
#endif
  if (params.pixelGrid != 0u) {
    vec2 within = fract(at) * scale();
    if (min(within.x, within.y) < 1.0) result = mix(result, vec3(0.5), 0.18);
  }
  shown = vec4(result, 1.0);
}
