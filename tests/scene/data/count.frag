// SPDX-License-Identifier: BSD-3-Clause
// Counts the fragments of each pixel, as the first pass of a capture does.
#include "shaders/scene/shade.glsl"

layout(std430, binding = 0) buffer Counts { uint counts[]; };
layout(std140, binding = 0) uniform Size { ivec4 size; };

void main() {
  if (sceneAlpha() == 0.0) return;
  ivec2 p = ivec2(gl_FragCoord.xy);
  atomicAdd(counts[p.y * size.x + p.x], 1u);
}
