// SPDX-License-Identifier: BSD-3-Clause
// Three invocations per point, pulled by gl_VertexID: a triangle around the outline of its sphere as
// the eye sees it, in the plane through the center that faces the eye. The fragment shader finds the
// sphere in it (points.glsl).
#include "shaders/scene/points_shared.h"

layout(std430, binding = POINTS_BIND_POINTS) restrict readonly buffer ScenePoints {
  ScenePoint scenePoints[];
};
layout(std140, binding = POINTS_BIND_PARAMS) uniform PointBlock { PointParams pointParams; };

out vec3 pointPlace;              // in view space, on the plane
flat out vec4 pointSphere;        // center in view space, radius
flat out vec2 pointLook;          // density, a number of its own
flat out vec2 pointDepthFromZ;    // depth 0..1 of z in view space is x + y / z
flat out float pointFacing;       // of the globe's surface there: 1 towards the eye, -1 away

void main() {
  ScenePoint p = scenePoints[gl_VertexID / 3];
  vec2 look = unpackUnorm2x16(p.look);
  vec3 world = vec3(p.x, p.y, p.z);
  vec3 center = (pointParams.view * vec4(world, 1.0)).xyz;
  float radius = pointParams.radius.x + pointParams.radius.y * look.x;
  float distance = length(center);
  pointSphere = vec4(center, radius);
  pointLook = look;
  mat4 m = pointParams.projection;
  pointDepthFromZ = vec2(0.5 - 0.5 * m[2][2], -0.5 * m[3][2]);
  pointFacing = -dot(normalize(mat3(pointParams.view) * world), center / distance);
  if (distance <= radius * 1.001) {  // the eye is inside: nothing
    pointPlace = center;
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }
  // Where the lines of sight that touch the sphere cross the plane; a triangle around that circle.
  float outline = radius * distance * inversesqrt(distance * distance - radius * radius);
  vec3 axis = center / distance;
  vec3 u = normalize(abs(axis.y) < 0.9 ? vec3(-axis.z, 0.0, axis.x) : vec3(0.0, axis.z, -axis.y));
  vec3 v = cross(axis, u);
  int corner = gl_VertexID % 3;
  vec2 at = corner == 0 ? vec2(0.0, 2.0) : vec2(corner == 1 ? -1.7320509 : 1.7320509, -1.0);
  pointPlace = center + (at.x * u + at.y * v) * (outline * 1.001);
  gl_Position = m * vec4(pointPlace, 1.0);
}
