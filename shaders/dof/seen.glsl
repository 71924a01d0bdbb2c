// SPDX-License-Identifier: BSD-3-Clause
// What a lens sees behind a surface, judged by the sharp picture: the one test that capture and splats
// share. Needs the picture with its margin (Z in alpha), how far one sees around each of its places
// (farthest.comp), and the optics; includes the focus mask.
#include "shaders/dof/focus_mask.glsl"
bool isBackground(float z) { return !(z > 0.0 && z <= 1e9); }
float inverseOf(float z) { return isBackground(z) ? 0.0 : 1.0 / z; }

/// Least 1/z around a texel of the picture.
float farthestAround(ivec2 texel) { return texelFetch(farthest, texel / DOF_BLOCK, 0).r; }

/// Radius of 1/z where the focus mask is `mask`, cut to the largest.
float radiusOfInverse(float inverse, float mask) {
  return clamp(mask * (optics.farRadius - optics.farRadiusFocus * inverse), -optics.maxRadius,
               optics.maxRadius);
}

/// Seen from lens point u, what hides p lies at p + (r - front r) u, if that pixel's surface is nearer
/// to the front one than to p in the measure of blur, 1/z. True when nothing hides it from one of
/// eight points on the rim. Depths are given as 1/z; `around`: farthestAround(texel).
bool seenBehind(ivec2 texel, float inverse, float front, float around) {
  float middle = 0.5 * (inverse + front);
  if (around >= middle) return false;  // nowhere
  float mask = focusMaskAt(texel);
  float apart = radiusOfInverse(inverse, mask) - radiusOfInverse(front, mask);
  if (abs(apart) < DOF_APART) return false;
  ivec2 end = textureSize(picture, 0) - 1;
  bool seen = false;
  for (int i = 0; i < 8; ++i) {
    float angle = 0.785398 * float(i) + 0.3;
    ivec2 q = texel + ivec2(round(DOF_SEEN_REACH * apart * vec2(cos(angle), sin(angle))));
    seen = seen || inverseOf(texelFetch(picture, clamp(q, ivec2(0), end), 0).a) < middle;
  }
  return seen;
}
