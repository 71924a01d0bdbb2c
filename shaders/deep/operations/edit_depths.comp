// SPDX-License-Identifier: BSD-3-Clause
// Moves and cuts the fragments of an input: one invocation per slot. Z' = scale * Z + offset, then what is in
// [nearest, farthest] is kept, volumes cut there. Reads list 0, makes list 1; volumes may come out unsorted.
// params.count, spareA, spareB, spareC: the bits of scale, offset, nearest, farthest.
#define LISTS 2
#include "shaders/common/invocation.glsl"
#include "shaders/deep/operations/edit_output.glsl"
#include "shaders/deep/operations/volume.glsl"

layout(local_size_x = DEEP_PASS_SIZE) in;

/// In float with two roundings, as the reference.
uint moved(uint bits, float scale, float offset) {
  if (scale == 1.0 && offset == 0.0) return bits;
  precise float scaled = scale * uintBitsToFloat(bits);
  precise float z = scaled + offset;
  return floatBitsToUint(z);
}

void main() {
  uint slot = invocationIndex();
  if (slot >= params.slotCount) return;
  float scale = uintBitsToFloat(params.count), offset = uintBitsToFloat(params.spareA);
  float nearest = uintBitsToFloat(params.spareB), farthest = uintBitsToFloat(params.spareC);

  openOutput(slot);
  Cursor c = openList(0, slot);
  while (!atEnd(c)) {
    Fragment f = fetch(0, c);
    FRAGMENT_Z(f) = moved(FRAGMENT_Z(f), scale, offset);
#if WORDS == 4
    FRAGMENT_ZBACK(f) = moved(FRAGMENT_ZBACK(f), scale, offset);
    float z = uintBitsToFloat(f.z), zBack = uintBitsToFloat(f.w);
    float from = max(z, nearest), to = min(zBack, farthest);
    if (zBack > z) {
      if (from < to) {
        if (from == z && to == zBack)
          emit(f);
        else
          emit(partColor(editColor(f), partOf(z, zBack, from, to)), floatBitsToUint(from),
               floatBitsToUint(to));
      }
    } else if (z >= nearest && z <= farthest) {
      emit(f);
    }
#else
    float z = uintBitsToFloat(FRAGMENT_Z(f));
    if (z >= nearest && z <= farthest) emit(f);
#endif
  }
  closeOutput(slot);
  expectWhole();
}
