// SPDX-License-Identifier: BSD-3-Clause
// Leaves params.count fragments per list: one invocation per slot. Neighbors become one by over, those first whose
// light moves least in Z (app/engine/deep/see operations/thin.cpp for what is minimized). The groups of a long
// list lie in scratch, as a chain over the list's fragments:
//   for each fragment that begins a group: weight, mean Z, what merging it with the next costs, where that begins
//   for the last one of a group: where the group begins in place of the end; others: 0
// and behind them the cheapest merge of each THIN_BLOCK fragments, so that a list of n takes n (n / 64 + 192) reads.
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

#define THIN_BLOCK 64u
uint blocksOf(uint n) { return (n + THIN_BLOCK - 1u) / THIN_BLOCK; }

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

/// The cheapest merge that begins among the THIN_BLOCK fragments of a block, behind the groups of the list.
void scanBlock(uint first, uint n, uint block) {
  uint at = first + block * THIN_BLOCK, end = min(at + THIN_BLOCK, first + n), best = at;
  float lowest = 0.0;
  bool found = false;
  for (; at < end; ++at) {
    uvec4 g = groups[at];
    if (g.w <= at || g.w >= first + n) continue;  // inside a group, or the last one
    float cost = uintBitsToFloat(g.z);
    if (found && !(cost < lowest)) continue;
    found = true;
    lowest = cost;
    best = at;
  }
  groups[first + n + block] = uvec4(floatBitsToUint(lowest), best, found ? 1u : 0u, 0u);
}

uint cheapestOf(uint first, uint n) {
  uint best = first;
  float lowest = 0.0;
  bool found = false;
  for (uint block = 0u; block < blocksOf(n); ++block) {
    uvec4 own = groups[first + n + block];
    float cost = uintBitsToFloat(own.x);
    if (own.z == 0u || (found && !(cost < lowest))) continue;
    found = true;
    lowest = cost;
    best = own.y;
  }
  return best;
}

/// Merges the cheapest pair of neighbors; of the blocks only those it touches are scanned again.
void mergeCheapest(uint first, uint n) {
  uint end = first + n, best = cheapestOf(first, n);
  Group g = groupAt(best);
  uint removed = g.end;
  Group both = joined(g, groupAt(removed));
  if (both.end < end) both.cost = costOf(both, groupAt(both.end));
  setGroup(best, both);
  groups[removed].w = 0u;
  groups[both.end - 1u].w = best;  // for whoever comes from behind
  uint block = (best - first) / THIN_BLOCK, other = (removed - first) / THIN_BLOCK;
  if (best > first) {
    uint tail = best - 1u, before = groups[tail].w > tail ? tail : groups[tail].w;
    Group previous = groupAt(before);
    previous.cost = costOf(previous, both);
    setGroup(before, previous);
    uint its = (before - first) / THIN_BLOCK;
    if (its != block) scanBlock(first, n, its);
  }
  if (other != block) scanBlock(first, n, other);
  scanBlock(first, n, block);
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
    uint first = atomicAdd(summary.longFragments, n + blocksOf(n));
    makeGroups(slot, first, n);
    for (uint block = 0u; block < blocksOf(n); ++block) scanBlock(first, n, block);
    for (uint left = n; left > maxCount; --left) mergeCheapest(first, n);
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
  expectWhole();
}
