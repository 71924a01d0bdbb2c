// SPDX-License-Identifier: BSD-3-Clause
// Second pass of capture: one invocation per fragment writes it into its slot's list: premultiplied
// half RGBA, bits of Z. Fragments of a pixel arrive in any order; splat.comp sorts them. Hidden ones are
// left out; the front surface was shaded for the sharp picture already.
#include "shaders/common/half.glsl"
#include "shaders/dof/hidden.glsl"
#include "shaders/dof/shifts.glsl"

layout(early_fragment_tests) in;  // against the depths of cull_hidden.frag
layout(std430, binding = DOF_DRAW_FRAGMENTS) restrict writeonly buffer Fragments {
  uvec4 fragments[];
};
layout(std430, binding = DOF_DRAW_SLOTS) restrict readonly buffer Slots { uint slots[]; };
layout(std430, binding = DOF_DRAW_CURSORS) restrict buffer Cursors { uint cursors[]; };

layout(binding = DOF_TEXTURE_PICTURE) uniform sampler2D picture;

void main() {
  vec4 texel = texture(sceneColorTexture, sceneUv);  // where all invocations of a quad do
  uint slot = slotOf(uvec2(gl_FragCoord.xy));
  float z = sceneDepth(), alpha = sceneAlpha(texel);
  if (alpha <= 0.0 || isHidden(slot, 1.0 / z)) return;
  vec4 c = alpha >= DOF_HIDES && isFront(slot, 1.0 / z)
               ? vec4(texelFetch(picture, ivec2(gl_FragCoord.xy), 0).rgb, alpha)
               : shadeFragment(texel).color;
  uint at = slots[slot] + atomicAdd(cursors[slot], 1u);
  if (at >= slots[slot + 1u]) return;  // both passes see the same fragments; never out of bounds
  uint row = uint(gl_FragCoord.y) / DOF_TILE - params.sourceFirstTileRow;
  fragments[at - shiftOfRow(row)] =
      uvec4(packHalves(min(c.rg, vec2(65504.0)) * c.a), packHalves(vec2(min(c.b, 65504.0) * c.a, c.a)),
            floatBitsToUint(z), 0u);
}
