// SPDX-License-Identifier: BSD-3-Clause
// Drops what is behind params.count (the bits of a float) of alpha: one invocation per slot copies its list
// from the front until so little passes. Reads list 0, makes list 1.
#define LISTS 2
#include "shaders/common/invocation.glsl"
#include "shaders/deep/operations/edit_output.glsl"

layout(local_size_x = DEEP_PASS_SIZE) in;

void main() {
  uint slot = invocationIndex();
  if (slot >= params.slotCount) return;
  float passing = 1.0, minPassing = 1.0 - uintBitsToFloat(params.count);
  openOutput(slot);
  Cursor c = openList(0, slot);
  bool more = !atEnd(c);
  while (more) {
    Fragment f = fetch(0, c);
    emit(f);
    passing *= 1.0 - editColor(f).a;
    more = passing > minPassing && !atEnd(c);
  }
  closeOutput(slot);
  expectWhole();
}
