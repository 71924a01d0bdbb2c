// SPDX-License-Identifier: BSD-3-Clause
// One invocation per fragment as the sun sees the scene; writes depth only. Surfaces that cast no
// shadow, and the holes of textures, are left out.
#include "shaders/scene/shade.glsl"

void main() {
  bool cutOut = texture(sceneColorTexture, sceneUv).a < 0.5;
  if (cutOut || materialWord(2).z == 0.0) discard;
}
