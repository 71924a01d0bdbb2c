// SPDX-License-Identifier: BSD-3-Clause
// First pass of capture into arrays: one invocation per fragment counts it. LA counts straight into its
// table. The result does not depend on order.
#include "shaders/deep/lists/slots.glsl"
#include "shaders/scene/shade.glsl"

#if LAYOUT == DEEP_LAYOUT_LA
layout(std430, binding = DEEP_BIND_TABLE) restrict buffer Counts { uint counts[]; };
#else
layout(std430, binding = DEEP_BIND_COUNTS) restrict buffer Counts { uint counts[]; };
#endif

void main() {
  if (sceneAlpha() <= 0.0) return;
  uvec2 pixel = uvec2(gl_FragCoord.xy) - uvec2(params.originX, params.originY);
  if (isPixel(pixel)) atomicAdd(counts[slotOf(pixel)], 1u);
}
