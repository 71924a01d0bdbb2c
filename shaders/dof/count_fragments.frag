// SPDX-License-Identifier: BSD-3-Clause
// First pass of capture: one invocation per fragment counts it in its pixel's slot. Does not depend
// on order.
#include "shaders/dof/slots.glsl"
#include "shaders/scene/shade.glsl"

layout(std430, binding = DOF_DRAW_SLOTS) restrict buffer Counts { uint counts[]; };

void main() {
  if (sceneAlpha() > 0.0) atomicAdd(counts[slotOf(uvec2(gl_FragCoord.xy))], 1u);
}
