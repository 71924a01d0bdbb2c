// SPDX-License-Identifier: BSD-3-Clause
// One fragment per pixel, by the depth test: linear color, and Z in the alpha channel. By default,
// surfaces of alpha below one half are left out, since there is room for one depth only. With random
// transparency, a fragment is kept with the probability alpha, so that the mean over many rolls or pixels
// is that of compositing (stochastic transparency, Enderton et al. 2010); random numbers are a hash of
// pixel, Z and roll: deterministic. Pixels that will be averaged in blocks get evenly spread thresholds
// instead: no noise is left.
#include "shaders/common/random.glsl"
#include "shaders/scene/shade.glsl"

layout(std140, binding = SCENE_BIND_DICE) uniform Dice { SceneDice dice; };
layout(location = 0) out vec4 colorAndDepth;

float rolled(uvec2 pixel) {
  uint bits = hashBits(hashBits(pixel.x + 65536u * pixel.y + hashBits(dice.roll)) ^
                       floatBitsToUint(gl_FragCoord.z));
  return float(bits >> 8) * 5.9604645e-8;
}

// Every multiple of 1 / side^2 once in a block (where side is a power of two), in an order that
// differs from surface to surface, so that what lies behind shows through all of them.
float dealt(uvec2 pixel) {
  uvec2 within = pixel % dice.side;
  uint count = dice.side * dice.side, place = within.y * dice.side + within.x;
  uint bits = hashBits(sceneMaterial * 2u + (gl_FrontFacing ? 1u : 0u) + hashBits(dice.roll));
  uint card = ((2u * (bits >> 16) + 1u) * place + bits) % count;
  return (float(card) + 0.5) / float(count);
}

void main() {
  vec4 texel = texture(sceneColorTexture, sceneUv);  // where all invocations of a quad do
  float alpha = sceneAlpha(texel), threshold = 0.5;
  if (alpha <= 0.0) discard;
  if (dice.roll > 0u && alpha < 1.0) {
    uvec2 pixel = uvec2(gl_FragCoord.xy);
    threshold = dice.side > 0u ? dealt(pixel) : rolled(pixel);
  }
  if (alpha <= threshold) discard;
  SceneFragment shaded = shadeFragment(texel);
  colorAndDepth = vec4(shaded.color.rgb, shaded.z);
}
