// SPDX-License-Identifier: BSD-3-Clause
// Capture: one invocation per fragment appends it to its pixel's list (Archer 2018, building the layouts).
// LL is one pass: a node from the atomic counter, exchanged with the head. Arrays need
// count_fragments.frag and the scan before; LA's table turns from exclusive to inclusive meanwhile, IA
// and BIA use counts (cleared again) as write cursor. Fragments of one pixel arrive in any order;
// sorting by a total order removes that.
#include "shaders/common/half.glsl"
#include "shaders/deep/lists/lists.glsl"
#include "shaders/scene/shade.glsl"

layout(std430, binding = DEEP_BIND_SUMMARY) restrict buffer Summary { DeepSummary summary; };
#if LAYOUT == DEEP_LAYOUT_LL
layout(binding = DEEP_BIND_NODES, offset = 0) uniform atomic_uint nextNode;
#endif

Fragment pack(vec4 straight, float z) {
  uint bits = floatBitsToUint(z);
#if WORDS == 2
  return uvec2(packUnorm4x8(straight), bits);
#else
  return uvec4(packHalves(straight.rg * straight.a),
               packHalves(vec2(straight.b * straight.a, straight.a)), bits, bits);
#endif
}

void main() {
  // Shaded first: textures have no derivatives behind a return that not all of a quad take.
  SceneFragment shaded = shadeFragment();
  if (shaded.color.a <= 0.0) return;
  uvec2 pixel = uvec2(gl_FragCoord.xy) - uvec2(params.originX, params.originY);
  if (!isPixel(pixel)) return;
  uint slot = slotOf(pixel);
  Fragment f = pack(shaded.color, shaded.z);

#if LAYOUT == DEEP_LAYOUT_LL
  uint node = atomicCounterIncrement(nextNode);
  if (node >= params.capacity) return;  // the counter holds the need; the pass is repeated
  extra[0].items[node] = atomicExchange(table[0].items[slot], node);
  data[0].items[node] = f;
  atomicAdd(counts[0].items[slot], 1u);
#elif LAYOUT == DEEP_LAYOUT_LA
  uint address = atomicAdd(table[0].items[slot], 1u);
  if (address < params.capacity)
    data[0].items[address] = f;
  else
    atomicAdd(summary.refused, 1u);
#else
  uint k = atomicAdd(counts[0].items[slot], 1u);
  Cursor c = openList(0, slot);
  if (table[0].items[slot] + k < table[0].items[slot + 1u])
    data[0].items[addressOf(c, k)] = f;
  else
    atomicAdd(summary.refused, 1u);
#endif
}
