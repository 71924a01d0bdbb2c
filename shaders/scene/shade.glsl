// SPDX-License-Identifier: BSD-3-Clause
// For fragment shaders behind scene.vert: what a fragment of a scene looks like. A pass that only
// counts calls sceneAlpha(), one that captures calls shadeFragment(); both must skip fragments whose
// alpha is 0, and then see the same ones. Light: a sun with a shadow map, the sky, and the ground.
#include "shaders/scene/shared.h"

layout(binding = SCENE_TEXELS_MATERIALS) uniform usamplerBuffer sceneMaterials;
layout(std140, binding = SCENE_BIND_PARAMS) uniform SceneParamsBlock { SceneParams sceneParams; };
layout(binding = SCENE_TEXTURE_COLOR) uniform sampler2D sceneColorTexture;
layout(binding = SCENE_TEXTURE_SUN) uniform sampler2D sceneSunMap;

in vec3 scenePosition;
in vec3 sceneNormal;
in vec2 sceneUv;
in vec2 sceneLight;
in vec3 sceneTint;
flat in uint sceneMaterial;

struct SceneFragment {
  vec4 color;  // linear, straight alpha
  float z;     // distance along the view axis, m
};

vec4 materialWord(int i) {
  return uintBitsToFloat(texelFetch(sceneMaterials, int(sceneMaterial) * SCENE_MATERIAL_TEXELS + i));
}

SceneMaterial materialHere() {
  return SceneMaterial(materialWord(0), materialWord(1), materialWord(2));
}

// A texel's alpha; what filtering leaves of a cut-out's rim below this counts as a hole.
float texelAlpha(vec4 texel) { return texel.a < 0.02 ? 0.0 : texel.a; }

// The fragment's alpha; 0 where a texture cuts the surface out.
float sceneAlpha() {
  return materialWord(0).a * texelAlpha(texture(sceneColorTexture, sceneUv));
}

float sceneAlpha(vec4 texel) { return materialWord(0).a * texelAlpha(texel); }

// Share of the sun that reaches p, whose normal towards the sun is n: four texels, weighted
// bilinearly.
float sunShare(vec3 p, vec3 n) {
  vec3 s = (sceneParams.sunMatrix * vec4(p + n * 0.03, 1.0)).xyz;
  if (any(lessThan(s, vec3(0.0))) || any(greaterThan(s, vec3(1.0)))) return 1.0;
  // Devices round texel positions differently: the four are gathered at the corner that they share,
  // where all agree, and the weights are of the same four.
  vec2 size = vec2(textureSize(sceneSunMap, 0)), at = s.xy * size - 0.5, corner = floor(at);
  vec4 depths = textureGather(sceneSunMap, (corner + 1.0) / size);
  vec4 lit = vec4(greaterThanEqual(depths, vec4(s.z - 0.0006)));
  vec2 f = at - corner;
  return mix(mix(lit.w, lit.z, f.x), mix(lit.x, lit.y, f.x), f.y);
}

vec3 sceneLightOn(SceneMaterial material, vec3 n) {
  vec3 toSun = sceneParams.light.xyz;
  float facing = dot(n, toSun);
  float lambert = max(facing, 0.0) + material.surface.x * max(-facing, 0.0);
  if (lambert > 0.0 && sceneParams.light.w > 0.0)
    lambert *= sunShare(scenePosition, facing < 0.0 ? -n : n);
  vec3 diffuse = sceneParams.skyColor.rgb * sceneLight.x +
                 sceneParams.groundColor.rgb * (sceneLight.y * (1.0 - sceneLight.x));
  return diffuse + sceneParams.sunColor.rgb * lambert;
}

vec3 sceneHighlight(SceneMaterial material, vec3 n) {
  vec3 toEye = normalize(sceneParams.eye.xyz - scenePosition);
  float facing = max(dot(n, normalize(toEye + sceneParams.light.xyz)), 0.0);
  float sharp = facing * facing;
  sharp *= sharp;
  sharp *= sharp;
  sharp *= sharp;  // facing^16
  return sceneParams.sunColor.rgb * (material.surface.y * sharp * sharp * sceneLight.x);
}

// Distance along the view axis, m.
float sceneDepth() {  // two programs compare what they find: the same digits in each
  precise float depth = dot(sceneParams.viewAxis.xyz, scenePosition) + sceneParams.viewAxis.w;
  return depth;
}

// With a texel that was sampled where all invocations of a quad do.
SceneFragment shadeFragment(vec4 texel) {
  SceneMaterial material = materialHere();
  // Triangles are counter-clockwise around their normals; rows that go down turn front into back.
  bool rowsGoUp = sceneParams.eye.w > 0.0;
  vec3 n = normalize(gl_FrontFacing == rowsGoUp ? sceneNormal : -sceneNormal);
  vec3 albedo = material.color.rgb * texel.rgb;
  if (material.surface.w > 0.0) albedo *= sceneTint;
  vec3 color = albedo * sceneLightOn(material, n) + material.emission.rgb * texel.rgb;
  if (material.surface.y > 0.0) color += sceneHighlight(material, n);

  SceneFragment result;
  result.color = vec4(color, material.color.a * texelAlpha(texel));
  result.z = sceneDepth();
  return result;
}

SceneFragment shadeFragment() { return shadeFragment(texture(sceneColorTexture, sceneUv)); }
