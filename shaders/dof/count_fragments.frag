// SPDX-License-Identifier: BSD-3-Clause
// First pass of capture: one invocation per fragment counts it in its pixel's slot; the highest bit
// says that one of them is opaque. Does not depend on order.
#include "shaders/dof/slots.glsl"
#include "shaders/scene/shade.glsl"

layout(std430, binding = DOF_DRAW_SLOTS) restrict buffer Counts { uint counts[]; };

void main() {
  float alpha = sceneAlpha();
  if (alpha <= 0.0) return;
  uint slot = slotOf(uvec2(gl_FragCoord.xy));
  atomicAdd(counts[slot], 1u);
  if (alpha >= DOF_OPAQUE) atomicOr(counts[slot], 0x80000000u);
}
