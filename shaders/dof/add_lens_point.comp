// SPDX-License-Identifier: BSD-3-Clause
// One invocation per pixel adds views from lens points to the sum of premultiplied color and alpha, and
// writes the mean. A point counts as much as the aperture lets through there: in a lens with faults that
// depends on the pixel's place in the frame, and on whether what it shows is near or far (aperture.glsl;
// points where nothing passes for any pixel are not drawn). Channels with views of their own come one
// after the other, green first. Where a second disc cuts the aperture (FIELD), what passes of the profile for
// far and for near is made up for by itself: a splat loses no light either. Several views at once, since sums and mean cost more than a view's texel.
// Deterministic: points come one after the other.
#include "shaders/common/invocation.glsl"
#include "shaders/dof/shared.h"
#include "shaders/dof/aperture.glsl"
#ifndef VIEWS
#define VIEWS 1  // at most DOF_VIEWS
#endif
layout(local_size_x = DOF_TILE, local_size_y = DOF_TILE) in;

layout(std140, binding = DOF_BIND_PARAMS) uniform Params { DofParams params; };
layout(std140, binding = DOF_BIND_OPTICS) uniform Optics { DofOptics optics; };
layout(std140, binding = DOF_BIND_POINTS) uniform Points { DofLensPoints points; };
layout(binding = DOF_TEXTURE_VIEWS) uniform sampler2D views[VIEWS];
layout(binding = DOF_IMAGE_SUM, rgba32f) uniform restrict image2D sum;
#if FIELD
layout(binding = DOF_IMAGE_SUM_NEAR, rgba32f) uniform restrict image2D sumNear;
layout(binding = DOF_IMAGE_COUNT, rgba32f) uniform restrict image2D count;  // weights of far and near
#else
layout(binding = DOF_IMAGE_COUNT, r32f) uniform restrict image2D count;  // points
#endif
layout(binding = DOF_IMAGE_RESULT, rgba32f) uniform restrict writeonly image2D result;

#if SHAPE
/// How much passes for what is far and near (x, y), of a mean of 1; below 0: nothing ever does.
vec2 passing(vec2 place, vec2 pixel) {
  vec2 field = fieldOf(pixel, optics), u = toAperture(place, field, optics);
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
vec2 passing(vec2 place, vec2 pixel) { return vec2(1.0); }
#endif

void main() {
  ivec2 pixel = ivec2(gridInvocation());
  if (pixel.x >= int(params.width) || pixel.y >= int(params.height)) return;
  vec4 far = imageLoad(sum, pixel), near = vec4(0.0);
  vec2 counted = imageLoad(count, pixel).rg;
#if FIELD
  near = imageLoad(sumNear, pixel);
#endif
  for (int i = 0; i < VIEWS; ++i) {
    DofLensPoint point = points.point[i];
    vec2 passes = passing(point.place, vec2(pixel));
    if (passes.x < 0.0) continue;
    vec4 texel = texelFetch(views[i], pixel, 0);
    bool nothing = !(texel.a > 0.0 && texel.a <= 1e9);
    float r = optics.farRadius + point.axial - (nothing ? 0.0 : optics.farRadiusFocus / texel.a);
    vec4 light = vec4(texel.rgb, nothing ? 0.0 : 1.0) * point.channels;
#if FIELD
    if (r < 0.0) near += passes.y * light;
    else far += passes.x * light;
    counted += passes * point.channels.g;
#else
    far += (r < 0.0 ? passes.y : passes.x) * light;
    counted.r += point.channels.g;
#endif
  }
  imageStore(sum, pixel, far);
  imageStore(count, pixel, vec4(counted, 0.0, 0.0));
#if FIELD
  imageStore(sumNear, pixel, near);
  const float kNone = 1e-6;
  imageStore(result, pixel, far / max(counted.x, kNone) + near / max(counted.y, kNone));
#else
  imageStore(result, pixel, far / max(counted.x, 1.0));
#endif
}
