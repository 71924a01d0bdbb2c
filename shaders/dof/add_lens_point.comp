// SPDX-License-Identifier: BSD-3-Clause
// One invocation per pixel adds the view from a lens point to the sum of premultiplied color and alpha,
// and writes the mean. The point counts as much as the aperture lets through there: in a lens with
// faults that depends on the pixel's place in the frame, and on whether what it shows is near or far
// (aperture.glsl; points where nothing passes for any pixel are not drawn). Channels with views of their
// own come one after the other, green first. Deterministic: points come one after the other.
#include "shaders/dof/shared.h"
#include "shaders/dof/aperture.glsl"
layout(local_size_x = DOF_TILE, local_size_y = DOF_TILE) in;

layout(std140, binding = DOF_BIND_PARAMS) uniform Params { DofParams params; };
layout(std140, binding = DOF_BIND_OPTICS) uniform Optics { DofOptics optics; };
layout(std140, binding = DOF_BIND_POINT) uniform Point { DofLensPoint point; };
layout(binding = DOF_TEXTURE_PICTURE) uniform sampler2D view;
layout(binding = DOF_IMAGE_SUM, rgba32f) uniform restrict image2D sum;
layout(binding = DOF_IMAGE_COUNT, r32f) uniform restrict image2D count;
layout(binding = DOF_IMAGE_RESULT, rgba32f) uniform restrict writeonly image2D result;

#if SHAPE
/// How much passes for what is far and near (x, y), of a mean of 1; below 0: nothing ever does.
vec2 passing(vec2 pixel) {
  vec2 field = fieldOf(pixel, optics), u = toAperture(point.place, field, optics);
  vec2 at = u / optics.mapExtent * 0.5 + 0.5;
  if (any(lessThan(at, vec2(0.0))) || any(greaterThanEqual(at, vec2(1.0)))) return vec2(-1.0);
#if FIELD
  if (optics.catsEye != 0.0 && length(u + optics.catsEye * field) > optics.cutRadius)
    return vec2(-1.0);
#endif
  vec2 density = texelFetch(apertureMap, ivec2(at * float(DOF_MAP_SIZE)), 0).ba;
  return density == vec2(0.0) ? vec2(-1.0) : density;
}
#else
vec2 passing(vec2 pixel) { return vec2(1.0); }
#endif

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
  if (pixel.x >= int(params.width) || pixel.y >= int(params.height)) return;
  vec4 texel = texelFetch(view, pixel, 0);
  bool nothing = !(texel.a > 0.0 && texel.a <= 1e9);
  vec2 passes = passing(vec2(pixel));
  vec4 all = imageLoad(sum, pixel);
  float points = imageLoad(count, pixel).r;
  if (passes.x >= 0.0) {
    float r = optics.farRadius + point.axial - (nothing ? 0.0 : optics.farRadiusFocus / texel.a);
    float weight = r < 0.0 ? passes.y : passes.x;
    all += weight * vec4(texel.rgb, nothing ? 0.0 : 1.0) * point.channels;
    points += point.channels.g;
  }
  imageStore(sum, pixel, all);
  imageStore(count, pixel, vec4(points));
  imageStore(result, pixel, all / max(points, 1.0));
}
