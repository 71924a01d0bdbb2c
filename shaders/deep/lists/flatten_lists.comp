// SPDX-License-Identifier: BSD-3-Clause
// Composites the lists of one deep image: one invocation per slot, front to back (DESCENDING: the list runs
// back to front). Writes the picture, premultiplied linear RGBA.
#ifndef DESCENDING
#define DESCENDING 0
#endif
#include "shaders/common/invocation.glsl"
#include "shaders/deep/lists/lists.glsl"
#include "shaders/deep/lists/over.glsl"

layout(local_size_x = DEEP_PASS_SIZE) in;
layout(binding = DEEP_IMAGE_RESULT, rgba32f) restrict writeonly uniform image2D result;

void main() {
  uint slot = invocationIndex();
  if (slot >= params.slotCount) return;
  uvec2 pixel = pixelOf(slot);
  if (!isPixel(pixel)) return;

  vec4 composited = vec4(0.0);
  Cursor c = openList(0, slot);
#if DESCENDING
  while (!atEnd(c)) overFront(composited, colorOf(fetch(0, c)));
#else
  while (!atEnd(c) && !isHidden(composited)) overBehind(composited, colorOf(fetch(0, c)));
#endif
  imageStore(result, ivec2(pixel + uvec2(params.originX, params.originY)), composited);
  expectWhole();
}
