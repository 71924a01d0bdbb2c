// SPDX-License-Identifier: BSD-3-Clause
// One invocation per pixel writes the depth beyond which no lens sees anything behind the front surface
// (find_seen.comp, after close_lists.comp), a little farther than it is, so that the depth test spares the
// shading of most fragments that capture would leave out. What it does not catch hidden.glsl does.
#include "shaders/dof/slots.glsl"

layout(std430, binding = DOF_DRAW_SEEN) restrict readonly buffer Seen { float seen[]; };
layout(std140, binding = DOF_BIND_CULL) uniform Cull { DofCull cull; };

void main() {
  float least = seen[3u * slotOf(uvec2(gl_FragCoord.xy)) + 2u];  // above every 1/z: all is hidden
  float front = seen[3u * slotOf(uvec2(gl_FragCoord.xy))];
  float inverse = min(least, front) * (1.0 - 2.0 * DOF_SAME_DEPTH);
  gl_FragDepth =
      least > 0.0 ? clamp(cull.offset - cull.scale * inverse + cull.rounding, 0.0, 1.0) : 1.0;
}
