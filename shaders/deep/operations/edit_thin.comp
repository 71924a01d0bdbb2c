// SPDX-License-Identifier: BSD-3-Clause
// Leaves params.count fragments per list: one invocation per slot. Neighbors become one by over, those first whose
// light moves least in Z (app/techniques/deep/see operations/thin.cpp for what is minimized). The groups of a long
// list lie in scratch, as a chain over the list's fragments:
//   for each fragment that begins a group: weight, mean Z, what merging it with the next costs, where that begins
// Reads list 0, makes list 1. summary.longFragments hands out scratch; summary.spare is the largest move of light
// that shows, as the bits of a float.
#define LISTS 2
#include "shaders/common/invocation.glsl"
#include "shaders/deep/operations/edit_output.glsl"

layout(local_size_x = DEEP_PASS_SIZE) in;
#if LAYOUT != DEEP_LAYOUT_LL
layout(std430, binding = DEEP_BIND_SUMMARY) restrict buffer Summary { DeepSummary summary; };
#endif
layout(std430, binding = DEEP_BIND_SCRATCH) restrict buffer Groups { uvec4 groups[]; };

struct Group {
  float weight, z;
  float cost;  // of merging it with the next
  uint end;    // where the next begins
};

Group groupAt(uint i) {
  uvec4 g = groups[i];
  return Group(uintBitsToFloat(g.x), uintBitsToFloat(g.y), uintBitsToFloat(g.z), g.w);
}
void setGroup(uint i, Group g) {
  groups[i] = uvec4(floatBitsToUint(g.weight), floatBitsToUint(g.z), floatBitsToUint(g.cost), g.end);
}

float distanceOf(float a, float b) { return a == b ? 0.0 : abs(b - a); }

float costOf(Group a, Group b) {
  if (!(a.weight > 0.0) || !(b.weight > 0.0)) return 0.0;
  return 2.0 * (a.weight / (a.weight + b.weight)) * b.weight * distanceOf(a.z, b.z);
}

Group joined(Group a, Group b) {
  Group both = Group(a.weight + b.weight, a.z, 0.0, b.end);
  if (!(a.weight > 0.0))
    both.z = b.weight > 0.0 ? b.z : a.z;
  else if (isinf(distanceOf(a.z, b.z)))
    both.z = a.weight < b.weight ? b.z : a.z;
  else if (b.weight > 0.0)
    both.z = a.z + (b.z - a.z) * (b.weight / both.weight);
  return both;
}

float zOf(Fragment f) { return uintBitsToFloat(FRAGMENT_Z(f)); }
float zBackOf(Fragment f) { return max(zOf(f), uintBitsToFloat(FRAGMENT_ZBACK(f))); }

/// Each fragment a group.
void makeGroups(uint slot, uint first, uint n) {
  Cursor c = openList(0, slot);
  float passing = 1.0;
  Group before = Group(0.0, 0.0, 0.0, 0u);
  for (uint i = 0u; i < n; ++i) {
    Fragment f = fetch(0, c);
    float alpha = editColor(f).a, z = zOf(f), zBack = zBackOf(f);
    Group g = Group(passing * alpha, zBack > z ? z + (zBack - z) * 0.5 : z, 0.0, first + i + 1u);
    setGroup(first + i, g);
    if (i > 0u) {
      before.cost = costOf(before, g);
      setGroup(first + i - 1u, before);
    }
    before = g;
    passing *= 1.0 - alpha;
  }
}

/// Merges the cheapest pair of neighbors.
void mergeCheapest(uint first, uint end) {
  uint at = first, previous = first, best = first, beforeBest = first;
  float lowest = 0.0;
  bool found = false;
  while (at < end) {
    Group g = groupAt(at);
    if (g.end < end && (!found || g.cost < lowest)) {
      found = true;
      lowest = g.cost;
      best = at;
      beforeBest = previous;
    }
    previous = at;
    at = g.end;
  }
  Group g = groupAt(best);
  Group both = joined(g, groupAt(g.end));
  if (both.end < end) both.cost = costOf(both, groupAt(both.end));
  setGroup(best, both);
  if (best > first) {
    Group before = groupAt(beforeBest);
    before.cost = costOf(before, both);
    setGroup(beforeBest, before);
  }
}

/// The next `n` fragments of the list as one.
void emitGroup(inout Cursor c, uint n, float mean, inout float move) {
  Fragment f = fetch(0, c);
  if (n == 1u) {
    emit(f);
    return;
  }
  float z = zOf(f), zBack = z, firstShown = z, lastShown = z;
  bool isVolume = false, shown = false;
  vec4 color = vec4(0.0);
  for (uint i = 0u; i < n; ++i) {
    if (i > 0u) f = fetch(0, c);
    vec4 next = editColor(f);
    if ((1.0 - color.a) * next.a > 0.0) {
      if (!shown) firstShown = zOf(f);
      lastShown = shown ? max(lastShown, zBackOf(f)) : zBackOf(f);
      shown = true;
    }
    overBehind(color, next);
    isVolume = isVolume || zBackOf(f) > zOf(f);
    zBack = max(zBack, zBackOf(f));
  }
  if (!isVolume) z = zBack = clamp(mean, z, zBack);
  if (shown) move = max(move, max(distanceOf(firstShown, zBack), distanceOf(lastShown, z)));
  emit(color, floatBitsToUint(z), floatBitsToUint(zBack));
}

void main() {
  uint slot = invocationIndex();
  if (slot >= params.slotCount) return;
  uint n = listCount(0, slot), maxCount = params.count;
  openOutput(slot);
  if (params.first == 0u) {
    made = min(n, maxCount);
  } else if (n > maxCount) {
    uint first = atomicAdd(summary.longFragments, n);
    makeGroups(slot, first, n);
    for (uint left = n; left > maxCount; --left) mergeCheapest(first, first + n);
    Cursor c = openList(0, slot);
    float move = 0.0;
    for (uint at = first; at < first + n;) {
      Group g = groupAt(at);
      emitGroup(c, g.end - at, g.z, move);
      at = g.end;
    }
    if (move > 0.0) atomicMax(summary.spare, floatBitsToUint(move));
  } else {
    Cursor c = openList(0, slot);
    while (!atEnd(c)) emit(fetch(0, c));
  }
  closeOutput(slot);
}
