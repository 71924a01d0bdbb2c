// SPDX-License-Identifier: BSD-3-Clause
// Counts through the whole shading, as the second pass of a capture does, and keeps color and Z of
// the last fragment.
#include "shaders/scene/shade.glsl"

layout(std430, binding = 0) buffer Counts { uint counts[]; };
layout(std430, binding = 1) buffer Last { vec4 last[]; };
layout(std140, binding = 0) uniform Size { ivec4 size; };

void main() {
  SceneFragment f = shadeFragment();
  if (f.color.a == 0.0) return;
  ivec2 p = ivec2(gl_FragCoord.xy);
  int i = p.y * size.x + p.x;
  atomicAdd(counts[i], 1u);
  last[i] = vec4(f.color.rgb, f.z);
}
