// SPDX-License-Identifier: BSD-3-Clause
// What JWildfire's images in full color (dc_...) share: where in the image a point lies, and what it
// shows there. They call unit(), and setFullColor() as point.glsl has it.
#ifndef SHADERS_FLAME_FULL_COLOR
#define SHADERS_FLAME_FULL_COLOR
#include "shaders/flame/chaos/point.glsl"

/// Anywhere in a square about the origin, or where the point is.
vec2 imagePlace(Point p, float color_only, float size) {
  float u = unit() - 0.5, v = unit() - 0.5;
  return nearestOf(color_only) == 1.0 ? p.xy : size * vec2(u, v);
}

/// The point there. `gradient` 0: it shows the color, in 256 levels; 1: what is nearest to it in the
/// palette; 2: the place of the palette that is as bright.
vec3 imagePoint(vec2 at, vec3 color, float w, float gradient, float scale_z, float offset_z,
                float reset_z) {
  vec3 levels = vec3(clamp(floor(color.x * 256.0), 0.0, 255.0),
                     clamp(floor(color.y * 256.0), 0.0, 255.0),
                     clamp(floor(color.z * 256.0), 0.0, 255.0));
  float grey =
      (trunc(levels.x * 0.299) + trunc(levels.y * 0.587) + trunc(levels.z * 0.114)) / 255.0;
  float kind = nearestOf(gradient);
  if (kind == 2.0)
    setColor(grey, w);
  else
    setFullColor(levels / 255.0, kind == 1.0, w);
  float before = nearestOf(reset_z) == 1.0 ? heightBefore() : 0.0;
  return vec3(w * at.x, w * at.y, grey * scale_z + offset_z - before);
}

#endif
