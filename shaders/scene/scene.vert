// SPDX-License-Identifier: BSD-3-Clause
// One invocation per vertex of a batch; vertices are pulled from the storage buffer, gl_VertexID is
// the index. Positions are invariant: every pass that draws the same range with the same parameters
// covers exactly the same pixels, which counting and capturing rely on.
#include "shaders/scene/shared.h"

layout(std430, binding = SCENE_BIND_VERTICES) restrict readonly buffer SceneVertices {
  SceneVertex sceneVertices[];
};
layout(std140, binding = SCENE_BIND_PARAMS) uniform SceneParamsBlock { SceneParams sceneParams; };

out vec3 scenePosition;
out vec3 sceneNormal;
out vec2 sceneUv;
out vec2 sceneLight;
out vec3 sceneTint;
flat out uint sceneMaterial;
invariant gl_Position;

// Octahedral, two snorm16.
vec3 unpackNormal(uint bits) {
  vec2 p = unpackSnorm2x16(bits);
  vec3 n = vec3(p, 1.0 - abs(p.x) - abs(p.y));
  if (n.z < 0.0)
    n.xy = (1.0 - abs(p.yx)) * vec2(p.x < 0.0 ? -1.0 : 1.0, p.y < 0.0 ? -1.0 : 1.0);
  return n;
}

void main() {
  SceneVertex v = sceneVertices[gl_VertexID];
  scenePosition = vec3(v.px, v.py, v.pz);
  sceneNormal = normalize(unpackNormal(v.normal));
  bool colored = (v.light & SCENE_VERTEX_COLORED) != 0u;
  sceneTint = vec3(1.0);
  if (colored) {
    vec3 encoded = unpackUnorm4x8(uint(v.u)).zyx;
    sceneTint = mix(encoded / 12.92, pow((encoded + 0.055) / 1.055, vec3(2.4)),
                    greaterThan(encoded, vec3(0.04045)));
  }
  sceneUv = colored ? vec2(0.0) : vec2(v.u, 1.0 - v.v);  // v is up, texel rows go down
  sceneLight = unpackUnorm4x8(v.light).xy;
  sceneMaterial = v.material;
  gl_Position = sceneParams.viewProjection * vec4(scenePosition, 1.0);
}
