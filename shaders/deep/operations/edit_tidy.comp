// SPDX-License-Identifier: BSD-3-Clause
// Makes lists tidy (OpenEXR, "Interpreting Deep Pixels"): one invocation per slot sweeps from one depth where
// anything begins or ends to the next. The points at a depth become one fragment; so do the parts of all
// volumes that cover what follows, up to the next depth. Optical depths add, and so does light before it is
// dimmed, so that neither the order of fragments nor intermediate pieces matter; of opaque ones the mean color
// is taken. n fragments become less than 4 n.
// Reads list 0, sorted by (Z, ZBack); makes list 1, or the picture (OUTPUT 0). How many there will be does not
// depend on colors: COUNTS 1 leaves them out.
#ifndef OUTPUT
#define OUTPUT 1
#endif
#ifndef COUNTS
#define COUNTS 0
#endif
#if OUTPUT == 0
#define LISTS 1
#else
#define LISTS 2
#endif
#include "shaders/common/invocation.glsl"
#include "shaders/deep/operations/edit_output.glsl"
#include "shaders/deep/operations/volume.glsl"

layout(local_size_x = DEEP_PASS_SIZE) in;

/// What has come together at one place.
struct Gathered {
  int count, opaque;
  Fragment only;  // the last, which part of it, and whether that is all of it
  float part;
  bool isWhole;
  float depth;    // optical, of what is not opaque
  vec3 light;     // of that, not dimmed yet
  vec3 opaqueLight;
};

Gathered nothing() {
  return Gathered(0, 0, Fragment(0u), 0.0, false, 0.0, vec3(0.0), vec3(0.0));
}

void gather(inout Gathered g, Fragment f, float x, bool isWhole) {
  ++g.count;
  g.only = f;
#if !COUNTS
  vec4 color = editColor(f);
  g.part = x;
  g.isWhole = isWhole;
  if (color.a >= 1.0) {
    ++g.opaque;
    g.opaqueLight += color.rgb;
  } else {
    float u = opticalDepth(color.a);
    g.depth += u * x;
    g.light += color.rgb * ((color.a > 0.0 ? u / color.a : 1.0) * x);
  }
#endif
}

void emitGathered(Gathered g, uint z, uint zBack) {
#if COUNTS
  emit(g.only);
#else
  if (g.count == 1 && g.isWhole) {
    emit(g.only);
  } else if (g.count == 1) {
    emit(partColor(editColor(g.only), g.part), z, zBack);
  } else if (g.opaque > 0) {
    emit(vec4(g.opaqueLight / float(g.opaque), 1.0), z, zBack);
  } else {
    float alpha = alphaOfDepth(g.depth);
    emit(vec4(g.light * (g.depth > 0.0 ? alpha / g.depth : 1.0), alpha), z, zBack);
  }
#endif
}

uint keyOf(Fragment f) { return depthKey(FRAGMENT_Z(f)); }
uint endOf(Fragment f) { return max(keyOf(f), depthKey(FRAGMENT_ZBACK(f))); }

const uint kNone = 0xFFFFFFFFu;

void tidyList(uint slot) {
  Cursor live = openList(0, slot);  // no fragment before it reaches beyond z
  if (atEnd(live)) return;
  Cursor start = live;
  uint z = FRAGMENT_Z(fetch(0, start));
  bool more = true;
  while (more && !isEnough()) {
    uint key = depthKey(z), nextKey = kNone, next = z;
    Gathered points = nothing();
    int volumes = 0;
    Cursor c = live;
    bool within = !atEnd(c);
    while (within) {
      Fragment f = fetch(0, c);
      uint begin = keyOf(f), end = endOf(f);
      if (begin > key) {
        if (begin < nextKey) {
          nextKey = begin;
          next = FRAGMENT_Z(f);
        }
      } else if (begin == end) {
        if (begin == key) gather(points, f, 1.0, true);
      } else if (end > key) {
        ++volumes;
        if (end < nextKey) {
          nextKey = end;
          next = FRAGMENT_ZBACK(f);
        }
      }
      within = begin <= key && !atEnd(c);
    }
    if (points.count > 0) emitGathered(points, z, z);

#if COUNTS
    if (volumes > 0) emit(points.only);
#else
    if (volumes > 0) {
      Gathered parts = nothing();
      c = live;
      within = true;
      while (within) {
        Fragment f = fetch(0, c);
        uint begin = keyOf(f), end = endOf(f);
        if (begin <= key && end > key) {
          bool isWhole = begin == key && end == nextKey;
          float x = partOf(uintBitsToFloat(FRAGMENT_Z(f)), uintBitsToFloat(FRAGMENT_ZBACK(f)),
                           uintBitsToFloat(z), uintBitsToFloat(next));
          gather(parts, f, isWhole ? 1.0 : x, isWhole);
        }
        within = begin <= key && !atEnd(c);
      }
      emitGathered(parts, z, next);
    }
#endif

    within = !atEnd(live);
    while (within) {
      c = live;
      Fragment f = fetch(0, c);
      uint begin = keyOf(f), end = endOf(f);
      bool done = begin <= key && (begin == end || end <= nextKey);
      if (done) live = c;
      within = done && !atEnd(live);
    }
    more = nextKey != kNone;
    z = next;
  }
}

void main() {
  uint slot = invocationIndex();
  if (slot >= params.slotCount) return;
#if OUTPUT == 0
  uvec2 pixel = pixelOf(slot);
  if (!isPixel(pixel)) return;
  tidyList(slot);
  imageStore(result, ivec2(pixel + uvec2(params.originX, params.originY)), composited);
#else
  openOutput(slot);
  tidyList(slot);
  closeOutput(slot);
#endif
  expectWhole();
}
