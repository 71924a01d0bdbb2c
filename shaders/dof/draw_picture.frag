// SPDX-License-Identifier: BSD-3-Clause
// One fragment per pixel, by the depth test: linear color, and Z in the alpha channel. Surfaces of
// alpha below one half are left out: there is room for one depth only.
#include "shaders/scene/shade.glsl"

layout(location = 0) out vec4 colorAndDepth;

void main() {
  if (sceneAlpha() < 0.5) discard;
  SceneFragment shaded = shadeFragment();
  colorAndDepth = vec4(shaded.color.rgb, shaded.z);
}
