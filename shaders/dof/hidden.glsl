// SPDX-License-Identifier: BSD-3-Clause
// For the two passes of capture, which must decide alike: whether a fragment lies behind the front
// surface of its pixel where no point of the lens sees it (find_seen.comp).
#include "shaders/dof/slots.glsl"
#include "shaders/scene/shade.glsl"

layout(std430, binding = DOF_DRAW_SEEN) restrict readonly buffer Seen { float seen[]; };

bool isFrontOrBefore(uint slot, float inverse) { return inverse >= seen[3u * slot]; }
bool isFront(uint slot, float inverse) {
  float least = seen[3u * slot];
  return least > 0.0 && inverse >= least && inverse <= least * (1.0 + 2.0 * DOF_SAME_DEPTH);
}
bool isHidden(uint slot, float inverse) {
  return !isFrontOrBefore(slot, inverse) &&
         (inverse > seen[3u * slot + 1u] || inverse < seen[3u * slot + 2u]);
}
