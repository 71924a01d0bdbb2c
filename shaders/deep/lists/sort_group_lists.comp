// SPDX-License-Identifier: BSD-3-Clause
// Sorts lists of up to LENGTH fragments in place: one work group per group of slots of a length class
// (sortedGroups[params.first .. + params.count)). The lists of all 32 slots are copied to shared memory, fragment
// i of each beside one another, and go through a bitonic network side by side; missing fragments sort behind the
// others. Longer lists of the same group are left alone: sort_long_lists.comp has them. The order is total, so
// every run gives the same result. Linked lists move data along the chain; links stay.
#ifndef LENGTH
#define LENGTH 32
#endif
#include "shaders/common/invocation.glsl"
#include "shaders/deep/lists/lists.glsl"

layout(local_size_x = DEEP_SHARED_SIZE) in;
layout(std430, binding = DEEP_BIND_SCRATCH) restrict readonly buffer Groups { uint sortedGroups[]; };

shared Fragment run[LENGTH * DEEP_GROUP];

void sortRuns(uint column, uint firstRow) {
  const uint rows = DEEP_SHARED_SIZE / DEEP_GROUP;
  for (uint size = 2u; size <= LENGTH; size *= 2u) {
    for (uint step = size / 2u; step > 0u; step /= 2u) {
      barrier();
      for (uint i = firstRow; i < LENGTH / 2u; i += rows) {
        uint block = i / step * 2u * step, inside = i % step;
        uint low = block + inside;
        uint high = step == size / 2u ? block + 2u * step - 1u - inside : low + step;
        Fragment a = run[low * DEEP_GROUP + column], b = run[high * DEEP_GROUP + column];
        if (isAfter(a, b)) {
          run[low * DEEP_GROUP + column] = b;
          run[high * DEEP_GROUP + column] = a;
        }
      }
    }
  }
  barrier();
}

void main() {
  uint group = groupIndex();
  if (group >= params.count) return;  // all of the work group
  const uint rows = DEEP_SHARED_SIZE / DEEP_GROUP;
  uint column = gl_LocalInvocationIndex % DEEP_GROUP, row = gl_LocalInvocationIndex / DEEP_GROUP;
  uint slot = sortedGroups[params.first + group] * DEEP_GROUP + column;
  uint n = listCount(0, slot);
  if (n > LENGTH) n = 0u;

  Cursor c = openList(0, slot);
#if LAYOUT == DEEP_LAYOUT_LL
  // A chain can only be walked by one.
  if (row == 0u)
    for (uint i = 0u; i < LENGTH; ++i) {
      Fragment f = kPad;
      if (i < n) f = fetch(0, c);
      run[i * DEEP_GROUP + column] = f;
    }
#else
  for (uint i = row; i < LENGTH; i += rows) {
    Fragment f = kPad;
    if (i < n) f = data[0].items[addressOf(c, i)];
    run[i * DEEP_GROUP + column] = f;
  }
#endif
  sortRuns(column, row);
#if LAYOUT == DEEP_LAYOUT_LL
  Cursor writer = openList(0, slot);
  if (row == 0u)
    for (uint i = 0u; i < n; ++i) store(0, writer, run[i * DEEP_GROUP + column]);
#else
  for (uint i = row; i < n; i += rows) data[0].items[addressOf(c, i)] = run[i * DEEP_GROUP + column];
#endif
  expectWhole();
}
