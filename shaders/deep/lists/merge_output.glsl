// SPDX-License-Identifier: BSD-3-Clause
// What becomes of merged fragments, nearest first. OUTPUT 0 composites them and writes the picture;
// OUTPUT 1 saves them as list kOut, whose counts are known. Include after lists.glsl and over.glsl.
//
// DESCENDING: the inputs run back to front, and so do the fragments that are emitted. A linked list is
// saved by pushing (LINK 0, one atomic per fragment), which turns it around, or forward (LINK 1): one
// atomic takes all nodes of a slot.
#if OUTPUT == 0
layout(binding = DEEP_IMAGE_RESULT, rgba32f) restrict writeonly uniform image2D result;
vec4 composited = vec4(0.0);

void emit(Fragment f) {
#if DESCENDING
  overFront(composited, colorOf(f));
#else
  overBehind(composited, colorOf(f));
#endif
}
#else
#if LAYOUT == DEEP_LAYOUT_LL
layout(std430, binding = DEEP_BIND_SUMMARY) restrict buffer Summary { DeepSummary summary; };
#endif
// Where the next fragment goes; a linked list saved by pushing: its newest node.
Cursor target = noList();

void emit(Fragment f) {
#if LAYOUT != DEEP_LAYOUT_LL
  store(kOut, target, f);
#elif LINK == 0
  uint node = 1u + atomicAdd(summary.nodes, 1u);
  data[kOut].items[node] = f;
  extra[kOut].items[node] = target.at;
  target.at = node;
#else
  data[kOut].items[target.at] = f;
  extra[kOut].items[target.at] = target.at + 1u < target.end ? target.at + 1u : 0u;
  ++target.at;
#endif
}
#endif

bool isEnough() {
#if OUTPUT == 0 && !DESCENDING
  return isHidden(composited);
#else
  return false;
#endif
}

/// Before the first fragment of a slot; false: there is nothing to do for it.
bool beginOutput(uint slot) {
#if OUTPUT == 0
  return isPixel(pixelOf(slot));
#elif LAYOUT == DEEP_LAYOUT_LL && LINK == 1
  uint n = counts[kOut].items[slot];
  target.at = n > 0u ? 1u + atomicAdd(summary.nodes, n) : 0u;
  target.end = target.at + n;
  table[kOut].items[slot] = target.at;
  return true;
#elif LAYOUT == DEEP_LAYOUT_LL
  return true;
#else
  target = openList(kOut, slot);
  return true;
#endif
}

/// After the last.
void endOutput(uint slot) {
#if OUTPUT == 0
  uvec2 place = pixelOf(slot) + uvec2(params.originX, params.originY);
  imageStore(result, ivec2(place), composited);
#elif LAYOUT == DEEP_LAYOUT_LL && LINK == 0
  table[kOut].items[slot] = target.at;
#endif
}
