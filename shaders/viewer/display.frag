// SPDX-License-Identifier: BSD-3-Clause
// One invocation per pixel of the picture area. Reads the linear premultiplied picture (A, and B
// right of the split), writes display values: exposure, channel, false color or transfer curve,
// marks. Large pixels are shown as they are; a reduced picture is averaged over what falls into one
// pixel.
#include "shaders/viewer/shared.h"

layout(std140, binding = VIEWER_BIND_PARAMS) uniform Params { DisplayParams params; };
layout(binding = VIEWER_TEXTURE_A) uniform sampler2D pictureA;
layout(binding = VIEWER_TEXTURE_B) uniform sampler2D pictureB;

layout(location = 0) out vec4 shown;

bool isInvalid(float value) { return (floatBitsToUint(value) & 0x7f800000u) == 0x7f800000u; }

vec4 readTexel(bool second, vec2 position) {  // position in 0..1
  if (second) {
    ivec2 size = textureSize(pictureB, 0);
    return texelFetch(pictureB, clamp(ivec2(position * vec2(size)), ivec2(0), size - 1), 0);
  }
  ivec2 size = textureSize(pictureA, 0);
  return texelFetch(pictureA, clamp(ivec2(position * vec2(size)), ivec2(0), size - 1), 0);
}

vec4 readSmooth(bool second, vec2 position) {
  return second ? textureLod(pictureB, position, 0.0) : textureLod(pictureA, position, 0.0);
}

/// The picture about a point, averaged over a square as large as one pixel of the target.
vec4 readPicture(bool second, vec2 at) {
  vec2 size = second ? vec2(textureSize(pictureB, 0)) : vec2(textureSize(pictureA, 0));
  float texelsPerPixel = size.x / params.pictureSize.x / params.zoom;
  if (texelsPerPixel <= 1.0 && size.x >= params.pictureSize.x)
    return readTexel(second, at / params.pictureSize);
  int taps = clamp(int(ceil(texelsPerPixel * 0.5)), 1, 8);  // each tap blends 2 x 2 texels
  vec4 sum = vec4(0.0);
  for (int j = 0; j < taps; ++j)
    for (int i = 0; i < taps; ++i) {
      vec2 offset = (vec2(i, j) + 0.5) / float(taps) - 0.5;
      sum += readSmooth(second, (at + offset / params.zoom) / params.pictureSize);
    }
  return sum / float(taps * taps);
}

vec3 encode(vec3 linear) {
  linear = clamp(linear, 0.0, 1.0);
  if (params.gamma > 0.0) return pow(linear, vec3(1.0 / params.gamma));
  return mix(1.055 * pow(linear, vec3(1.0 / 2.4)) - 0.055, linear * 12.92,
             lessThanEqual(linear, vec3(0.0031308)));
}

float luminance(vec3 linear) { return dot(linear, vec3(0.2126, 0.7152, 0.0722)); }

/// A perceptually even scale from dark violet over red to pale yellow: a polynomial of degree six
/// through matplotlib's "inferno" (both are in the public domain).
vec3 scaleColor(float t) {
  t = clamp(t, 0.0, 1.0);
  const vec3 c0 = vec3(0.00021894, 0.00165100, -0.01948090);
  const vec3 c1 = vec3(0.10651342, 0.56395645, 3.93271239);
  const vec3 c2 = vec3(11.60249308, -3.97285397, -15.94239411);
  const vec3 c3 = vec3(-41.70399613, 17.43639888, 44.35414520);
  const vec3 c4 = vec3(77.16293570, -33.40235894, -81.80730926);
  const vec3 c5 = vec3(-71.31942824, 32.62606426, 73.20951986);
  const vec3 c6 = vec3(25.13112622, -12.24266895, -23.07032500);
  return clamp(c0 + t * (c1 + t * (c2 + t * (c3 + t * (c4 + t * (c5 + t * c6))))), 0.0, 1.0);
}

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
  vec3 exposed = value.rgb * params.gain;
  float one;
  switch (params.channel) {
    case VIEWER_CHANNEL_R: one = exposed.r; break;
    case VIEWER_CHANNEL_G: one = exposed.g; break;
    case VIEWER_CHANNEL_B: one = exposed.b; break;
    case VIEWER_CHANNEL_A: one = value.a; break;
    default: one = luminance(exposed);
  }
  if (params.falseColor != 0u) return scaleColor(one);
  if (params.channel == VIEWER_CHANNEL_A) return vec3(clamp(one, 0.0, 1.0));
  if (params.channel != VIEWER_CHANNEL_RGBA) return encode(vec3(one));
  return encode(exposed + (1.0 - clamp(value.a, 0.0, 1.0)) * backdrop(pixel));
}

void main() {
  vec2 pixel = gl_FragCoord.xy;  // row 0 is the top row of the area
  vec2 at = (pixel - params.corner) / params.zoom;
  if (any(lessThan(at, vec2(0.0))) || any(greaterThanEqual(at, params.pictureSize))) {
    shown = params.background;
    return;
  }
  bool second = pixel.x >= params.splitX;
  vec3 result = displayed(readPicture(second, at), pixel - params.corner);
  if (params.pixelGrid != 0u) {
    vec2 within = fract(at) * params.zoom;
    if (min(within.x, within.y) < 1.0) result = mix(result, vec3(0.5), 0.18);
  }
  shown = vec4(result, 1.0);
}
