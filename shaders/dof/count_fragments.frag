// SPDX-License-Identifier: BSD-3-Clause
// First pass of capture: one invocation per fragment counts it in its pixel's slot; hidden ones aside,
// since they are hidden only if the front surface is opaque: a mark says that it is not. Does not
// depend on order.
#include "shaders/dof/hidden.glsl"

layout(std430, binding = DOF_DRAW_SLOTS) restrict buffer Counts { uint counts[]; };
layout(std430, binding = DOF_DRAW_CURSORS) restrict buffer Aside { uint aside[]; };

void main() {
  float alpha = sceneAlpha();
  if (alpha <= 0.0) return;
  uint slot = slotOf(uvec2(gl_FragCoord.xy));
  float inverse = 1.0 / sceneDepth();
  if (isHidden(slot, inverse)) {
    atomicAdd(aside[slot], 1u);
    return;
  }
  atomicAdd(counts[slot], 1u);
  if (alpha < DOF_HIDES && isFrontOrBefore(slot, inverse)) atomicOr(aside[slot], DOF_MARK);
}
