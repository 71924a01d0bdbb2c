// SPDX-License-Identifier: BSD-3-Clause
// Holds the fragments of list 0 out by those of list 1, the matte (params.count 0), or in (1); makes list 2.
// One invocation per slot; both lists sorted, list 0 without overlaps. A fragment at Z is multiplied by what the
// matte in front of it lets through, or by what it does not: points at its own depth count, of volumes the part
// before it. With params.spareA 0 it is also multiplied by what passed list 0 as it was in front of it over what
// passes what was made of that, so that it shows what it did times what the matte lets through. A volume is split where the matte begins or ends inside it; a part that shares its place with the
// matte keeps what leaves it through both (volume.glsl, shareAmong).
#define LISTS 3
#include "shaders/common/invocation.glsl"
#include "shaders/deep/operations/edit_output.glsl"
#include "shaders/deep/operations/volume.glsl"

layout(local_size_x = DEEP_PASS_SIZE) in;

const float kNothingLeft = 1e-7;

uint keyOf(Fragment f) { return depthKey(FRAGMENT_Z(f)); }
uint endOf(Fragment f) { return max(keyOf(f), depthKey(FRAGMENT_ZBACK(f))); }
float zOf(Fragment f) { return uintBitsToFloat(FRAGMENT_Z(f)); }
float zBackOf(Fragment f) { return uintBitsToFloat(FRAGMENT_ZBACK(f)); }

/// The matte: what passes the fragments before the cursor, none of which reaches behind the place asked for.
struct Matte {
  Cursor cursor;
  float passing;
};

/// Leaves behind what ends at z or before.
void advance(inout Matte matte, uint key) {
  bool more = !atEnd(matte.cursor);
  while (more) {
    Cursor next = matte.cursor;
    Fragment f = fetch(1, next);
    bool passed = endOf(f) <= key;
    if (passed) {
      matte.passing *= 1.0 - editColor(f).a;
      matte.cursor = next;
    }
    more = passed && !atEnd(matte.cursor);
  }
}

float passingTo(Matte matte, uint z) {
  uint key = depthKey(z);
  float passing = matte.passing;
  Cursor c = matte.cursor;
  bool more = !atEnd(c);
  while (more) {
    Fragment f = fetch(1, c);
    uint begin = keyOf(f), end = endOf(f);
    float alpha = editColor(f).a;
    if (end <= key)
      passing *= 1.0 - alpha;
    else if (begin < key)
      passing *= 1.0 - partAlpha(alpha, partOf(zOf(f), zBackOf(f), zOf(f), uintBitsToFloat(z)));
    more = begin <= key && !atEnd(c);
  }
  return passing;
}

/// The next depth behind z where the matte changes, but not behind `end`.
uint nextChange(Matte matte, uint z, uint end) {
  uint key = depthKey(z);
  Cursor c = matte.cursor;
  bool more = !atEnd(c);
  while (more) {
    Fragment f = fetch(1, c);
    uint begin = keyOf(f), back = endOf(f);
    if (begin > key && begin < depthKey(end)) end = FRAGMENT_Z(f);
    if (begin <= key && back > key && back < depthKey(end)) end = FRAGMENT_ZBACK(f);
    more = begin <= key && !atEnd(c);
  }
  return end;
}

/// The matte's optical depth between two depths, where nothing of it begins or ends.
float depthBetween(Matte matte, uint z, uint end) {
  uint key = depthKey(z), endKey = depthKey(end);
  float depth = 0.0;
  Cursor c = matte.cursor;
  bool more = !atEnd(c);
  while (more) {
    Fragment f = fetch(1, c);
    uint begin = keyOf(f), back = endOf(f);
    if (begin <= key && back > begin && back >= endKey) {
      float u = opticalDepth(editColor(f).a);
      depth += u >= kOpaqueDepth ? u
                                 : u * partOf(zOf(f), zBackOf(f), uintBitsToFloat(z),
                                              uintBitsToFloat(end));
    }
    more = begin <= key && !atEnd(c);
  }
  return depth;
}

// What passes list 0 in front of the fragment, and what passes what was made of it.
float was = 1.0, now = 1.0;
// What was left of all that was dropped.
float lost = 0.0;

/// A fragment, or the part of it with this color and depths, as far as the matte leaves it.
void emitHeld(Fragment f, bool isWhole, vec4 color, uint z, uint zBack, float passing) {
  float factor = params.count == 0u ? passing : 1.0 - passing;
  if (params.spareA == 0u && was != now) factor *= was / now;
  precise float held = color.a * factor;  // color.a, bit for bit, as long as both are the same
  was *= 1.0 - color.a;
  now *= 1.0 - min(held, 1.0);
  if (factor == 1.0) {
    if (isWhole)
      emit(f);
    else
      emit(color, z, zBack);
    return;
  }
  color *= factor;
  vec4 size = abs(color);
  float most = max(max(size.r, size.g), max(size.b, size.a));
  if (lost + most >= kNothingLeft)
    emit(color, z, zBack);
  else
    lost += most;
}

void main() {
  uint slot = invocationIndex();
  if (slot >= params.slotCount) return;
  openOutput(slot);
  Matte matte = Matte(openList(1, slot), 1.0);
  Cursor c = openList(0, slot);
  while (!atEnd(c)) {
    Fragment f = fetch(0, c);
    vec4 color = editColor(f);
    uint z = FRAGMENT_Z(f), zBack = FRAGMENT_ZBACK(f);
    advance(matte, depthKey(z));
    bool isVolume = depthKey(zBack) > depthKey(z) && color.a < 1.0;
    uint last = isVolume ? zBack : z;
    bool more = true;
    while (more) {
      uint end = isVolume ? nextChange(matte, z, last) : last;
      float passing = passingTo(matte, z);
      bool isWhole = z == FRAGMENT_Z(f) && end == last;
      float part = 1.0;
      if (isVolume) {
        if (!isWhole) part = partOf(zOf(f), zBackOf(f), uintBitsToFloat(z), uintBitsToFloat(end));
        passing *= shareAmong(opticalDepth(color.a) * part, depthBetween(matte, z, end));
      }
      emitHeld(f, isWhole, partColor(color, part), z, isVolume ? end : zBack, passing);
      more = depthKey(end) < depthKey(last);
      z = end;
    }
  }
  closeOutput(slot);
  expectWhole();
}
