// SPDX-License-Identifier: BSD-3-Clause
// affine3D: An affine map of space.
// Number 270: makes z, reads z, passes z
// Parameters: translateX 0 (-3 to 3), translateY 0 (-3 to 3), translateZ 0 (-3 to 3),
//   scaleX 1 (-3 to 3), scaleY 1 (-3 to 3), scaleZ 1 (-3 to 3), rotateX 0 (-180 to 180),
//   rotateY 0 (-180 to 180), rotateZ 0 (-180 to 180), shearXY 0 (-3 to 3), shearXZ 0 (-3 to 3),
//   shearYX 0 (-3 to 3), shearYZ 0 (-3 to 3), shearZX 0 (-3 to 3), shearZY 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_affine3D(Point p, float w, float translateX, float translateY, float translateZ,
    float scaleX, float scaleY, float scaleZ, float rotateX, float rotateY, float rotateZ, float
        shearXY, float shearXZ, float shearYX, float shearYZ, float shearZX, float shearZY) {
  float x = p.xy.x, y = p.xy.y, z = p.z;
  float a = shearXY * scaleY * y + shearXZ * scaleZ * z + scaleX * x;
  float b = shearYX * scaleX * x + shearYZ * scaleZ * z + scaleY * y;
  float c = shearZX * scaleX * x + shearZY * scaleY * y + scaleZ * z;
  vec2 tx = direction(kPi / 180.0 * rotateX), ty = direction(kPi / 180.0 * rotateY), tz =
      direction(kPi / 180.0 * rotateZ);
  float bx = tx.x * b - tx.y * c, cx = tx.y * b + tx.x * c;
  float ay = ty.x * a + ty.y * cx, cy = ty.x * cx - ty.y * a;
  return w * vec3(tz.x * ay - tz.y * bx + translateX, tz.y * ay + tz.x * bx + translateY, cy +
      translateZ);
}
