// SPDX-License-Identifier: BSD-3-Clause
// Sorts lists of any length, one work group per list: runs of DEEP_LONG_RUN fragments by a bitonic
// network in shared memory, then rounds of pairwise merging between the two halves of scratch, each
// fragment finding its place by its rank in the other run. Scratch: Fragment[2][params.count] with
// params.count the fragments of all long lists; params.first is their number. Only this work group
// touches its ranges, so group barriers order everything.
#include "shaders/common/invocation.glsl"
#include "shaders/deep/lists/lists.glsl"

layout(local_size_x = DEEP_LONG_SIZE) in;
layout(std430, binding = DEEP_BIND_ORDER) restrict readonly buffer Order { uint order[]; };
// coherent: written and read by different invocations of this group, between barriers
layout(std430, binding = DEEP_BIND_SCRATCH) coherent buffer Scratch { Fragment scratch[]; };

shared Fragment run[DEEP_LONG_RUN];

void synchronize() {
  memoryBarrierBuffer();
  memoryBarrierShared();
  barrier();
}

/// Sorts run[0 .. n): every comparison puts the greater behind, so places past n count as greatest and
/// are left alone.
void sortRun(uint n) {
  for (uint size = 2u; size < 2u * n; size *= 2u) {
    for (uint step = size / 2u; step > 0u; step /= 2u) {
      for (uint i = gl_LocalInvocationIndex; i < DEEP_LONG_RUN / 2u; i += DEEP_LONG_SIZE) {
        uint block = i / step * 2u * step, inside = i % step;
        uint low = block + inside;
        uint high = step == size / 2u ? block + 2u * step - 1u - inside : low + step;
        if (high < n && isAfter(run[low], run[high])) {
          Fragment greater = run[low];
          run[low] = run[high];
          run[high] = greater;
        }
      }
      synchronize();
    }
  }
}

/// How many of scratch[first .. first + n) come before f (or, with `ties`, before or equal).
uint rankOf(Fragment f, uint first, uint n, bool ties) {
  uint low = 0u, high = n;
  while (low < high) {
    uint middle = (low + high) / 2u;
    Fragment other = scratch[first + middle];
    bool isBefore = ties ? !isAfter(other, f) : isAfter(f, other);
    if (isBefore)
      low = middle + 1u;
    else
      high = middle;
  }
  return low;
}

void main() {
  uint list = groupIndex();
  bool isMine = list < params.first;  // the same for the whole group
  uint slot = isMine ? order[2u * list] : 0u;
  uint base = isMine ? order[2u * list + 1u] : 0u;
  uint n = isMine ? listCount(0, slot) : 0u;
  uint me = gl_LocalInvocationIndex;

  // Copy the list to scratch. A chain can only be walked by one; arrays are read by all.
#if LAYOUT == DEEP_LAYOUT_LL
  if (me == 0u && isMine) {
    Cursor c = openList(0, slot);
    for (uint i = 0u; i < n; ++i) scratch[base + i] = fetch(0, c);
  }
#else
  Cursor c = openList(0, slot);
  for (uint i = me; i < n; i += DEEP_LONG_SIZE) scratch[base + i] = data[0].items[addressOf(c, i)];
#endif
  synchronize();

  // Sort runs.
  for (uint first = 0u; first < n; first += DEEP_LONG_RUN) {
    uint length = min(uint(DEEP_LONG_RUN), n - first);
    for (uint i = me; i < length; i += DEEP_LONG_SIZE) run[i] = scratch[base + first + i];
    synchronize();
    sortRun(length);
    for (uint i = me; i < length; i += DEEP_LONG_SIZE) scratch[base + first + i] = run[i];
    synchronize();
  }

  // Merge runs, doubling their length, from one half of scratch to the other.
  uint from = base, to = params.count + base;
  for (uint length = DEEP_LONG_RUN; length < n; length *= 2u) {
    for (uint i = me; i < n; i += DEEP_LONG_SIZE) {
      uint pair = i / (2u * length) * (2u * length);
      uint middle = min(pair + length, n), end = min(pair + 2u * length, n);
      Fragment f = scratch[from + i];
      uint place = i < middle ? i + rankOf(f, from + middle, end - middle, false)
                              : i - (middle - pair) + rankOf(f, from + pair, middle - pair, true);
      scratch[to + place] = f;
    }
    synchronize();
    uint previous = from;
    from = to;
    to = previous;
  }

#if LAYOUT == DEEP_LAYOUT_LL
  if (me == 0u && isMine) {
    Cursor w = openList(0, slot);
    for (uint i = 0u; i < n; ++i) store(0, w, scratch[from + i]);
  }
#else
  for (uint i = me; i < n; i += DEEP_LONG_SIZE) data[0].items[addressOf(c, i)] = scratch[from + i];
#endif
  expectWhole();
}
