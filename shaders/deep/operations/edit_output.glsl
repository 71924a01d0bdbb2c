// SPDX-License-Identifier: BSD-3-Clause
// What the passes over one list make: another list. Such a pass runs twice, with params.first 0 to count and
// 1 to write what was counted into tables that are complete by then; being one program, it decides alike both times
// (tidying, which decides by depths alone, counts by a shorter one).
// With OUTPUT 0 there is no list and one run: the fragments are composited into the picture.
// Fragments that an operation does not touch keep their bits; others are rounded here, to the nearest even
// half or to 8 bits.
//
// Include after LISTS is defined: the result is list LISTS - 1.
#ifndef OUTPUT
#define OUTPUT 1
#endif
#include "shaders/common/half.glsl"
#include "shaders/deep/lists/lists.glsl"
#include "shaders/deep/lists/over.glsl"

#if OUTPUT == 0
layout(binding = DEEP_IMAGE_RESULT, rgba32f) restrict writeonly uniform image2D result;
vec4 composited = vec4(0.0);
#else
#define RESULT (LISTS - 1)
#if LAYOUT == DEEP_LAYOUT_LL
layout(std430, binding = DEEP_BIND_SUMMARY) restrict buffer Summary { DeepSummary summary; };
#endif
Cursor target = noList();
uint made = 0u, room = 0u;  // fragments so far; how many were counted
#endif

/// A fragment that was computed: premultiplied color, bits of Z and ZBack.
Fragment fragmentOf(vec4 color, uint z, uint zBack) {
#if WORDS == 2
  vec3 straight = color.a > 0.0 ? color.rgb / color.a : vec3(0.0);
  return Fragment(packUnorm4x8(vec4(straight, color.a)), z);
#else
  return Fragment(packHalves(color.rg), packHalves(color.ba), z, zBack);
#endif
}

/// The color operations compute with: alpha within 0..1.
vec4 editColor(Fragment f) {
  vec4 color = colorOf(f);
  return vec4(color.rgb, color.a > 0.0 ? min(color.a, 1.0) : 0.0);
}

#if OUTPUT == 1
void put(Fragment f) {
  if (params.first == 1u && made < room) {
#if LAYOUT == DEEP_LAYOUT_LL
    data[RESULT].items[target.at] = f;
    extra[RESULT].items[target.at] = made + 1u < room ? target.at + 1u : 0u;
    ++target.at;
#else
    store(RESULT, target, f);
#endif
  }
  ++made;
}

void openOutput(uint slot) {
  if (params.first == 0u) return;
  room = listCount(RESULT, slot);
#if LAYOUT == DEEP_LAYOUT_LL
  target.at = room > 0u ? 1u + atomicAdd(summary.nodes, room) : 0u;
  table[RESULT].items[slot] = target.at;
#else
  target = openList(RESULT, slot);
#endif
}

void closeOutput(uint slot) {
  if (params.first == 1u) return;
#if LAYOUT == DEEP_LAYOUT_LA
  table[RESULT].items[slot] = made;
#else
  counts[RESULT].items[slot] = made;
#endif
}
#endif

/// Passes a fragment on as it is.
void emit(Fragment f) {
#if OUTPUT == 0
  overBehind(composited, colorOf(f));
#else
  put(f);
#endif
}

/// A fragment that was computed.
void emit(vec4 color, uint z, uint zBack) {
#if OUTPUT == 0
  overBehind(composited, color);
#else
  put(fragmentOf(color, z, zBack));
#endif
}

bool isEnough() {
#if OUTPUT == 0
  return isHidden(composited);
#else
  return false;
#endif
}
