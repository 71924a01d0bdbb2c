// SPDX-License-Identifier: BSD-3-Clause
// First pass of capture: one invocation per fragment counts it in its pixel's slot. Does not depend on
// order.
//
//   OPAQUE 0  surfaces that may be translucent, first: hidden fragments are counted aside, since they are
//             hidden only if the front surface is opaque; a mark says that it is not
//   OPAQUE 1  the others, once close_lists.comp has opened the lists with a mark: hidden ones are not
//             counted, and most not even looked at (depths of cull_hidden.frag)
#include "shaders/dof/hidden.glsl"
#ifndef OPAQUE
#define OPAQUE 0
#endif

layout(std430, binding = DOF_DRAW_SLOTS) restrict buffer Counts { uint counts[]; };

#if OPAQUE
layout(early_fragment_tests) in;

void main() {
  uint slot = slotOf(uvec2(gl_FragCoord.xy));
  if (!isHidden(slot, 1.0 / sceneDepth())) atomicAdd(counts[slot], 1u);
}
#else
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
#endif
