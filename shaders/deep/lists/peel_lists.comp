// SPDX-License-Identifier: BSD-3-Clause
// Composites the fragments of each list whose Z lies in a range, or of those only the n-th from the
// front: one invocation per slot (DESCENDING: the list runs back to front). Writes the picture,
// premultiplied linear RGBA. Each list is walked once, and once more to count where it runs backward.
#ifndef DESCENDING
#define DESCENDING 0
#endif
#include "shaders/common/invocation.glsl"
#include "shaders/deep/lists/lists.glsl"
#include "shaders/deep/lists/over.glsl"
#include "shaders/deep/view/depth_view_shared.h"

layout(local_size_x = DEEP_PASS_SIZE) in;
layout(std140, binding = DEEP_BIND_PEEL) uniform Peel { DeepPeelParams peel; };
layout(binding = DEEP_IMAGE_RESULT, rgba32f) restrict writeonly uniform image2D result;

bool isSeen(Fragment f, uint nearKey, uint farKey) {
  uint key = depthKey(FRAGMENT_Z(f));
  return key >= nearKey && key <= farKey;
}

void main() {
  uint slot = invocationIndex();
  if (slot >= params.slotCount) return;
  uvec2 pixel = pixelOf(slot);
  if (!isPixel(pixel)) return;
  uint nearKey = peel.nearKey, farKey = peel.farKey, number = peel.number;

  vec4 composited = vec4(0.0);
#if DESCENDING
  // The n-th from the front is the (count + 1 - n)-th from the back.
  if (number > 0u) {
    uint count = 0u;
    for (Cursor c = openList(0, slot); !atEnd(c);)
      if (isSeen(fetch(0, c), nearKey, farKey)) ++count;
    number = count >= number ? count + 1u - number : 0xFFFFFFFFu;
  }
#endif
  uint seen = 0u;
  Cursor c = openList(0, slot);
#if DESCENDING
  while (!atEnd(c)) {
#else
  while (!atEnd(c) && !isHidden(composited)) {
#endif
    Fragment f = fetch(0, c);
    if (!isSeen(f, nearKey, farKey)) continue;
    ++seen;
    if (number > 0u && seen != number) continue;
#if DESCENDING
    overFront(composited, colorOf(f));
#else
    overBehind(composited, colorOf(f));
#endif
  }
  imageStore(result, ivec2(pixel + uvec2(params.originX, params.originY)), composited);
  expectWhole();
}
