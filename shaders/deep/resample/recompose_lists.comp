// SPDX-License-Identifier: BSD-3-Clause
// Resampling, last pass: one invocation per slot of the output walks its points front to back. Each shows
// its weight times what it shows in its own pixel; divided by what passes everything in front of it, that
// is the value of the fragment. What passes is one less all that was shown, summed as Kahan does. VALUES
// per point; PLACES: for each the value that is its alpha, its own place for an alpha, VALUES without one.
// Lists go to the places that the host knows, points counted from params.first on.
#ifndef VALUES
#define VALUES 4
#define PLACES 3, 3, 3, 3
#endif
#include "shaders/common/invocation.glsl"
#include "shaders/deep/lists/lists.glsl"
#include "shaders/deep/resample/resample_shared.h"

layout(local_size_x = DEEP_PASS_SIZE) in;
layout(std430, binding = DEEP_BIND_ORDER) restrict readonly buffer Places { uint places[]; };
layout(std430, binding = DEEP_BIND_SCRATCH) restrict readonly buffer Shown { float shown[]; };
layout(std430, binding = DEEP_BIND_MADE_FROM) restrict writeonly buffer Points { uint points[]; };
layout(std430, binding = DEEP_BIND_MADE_VALUES) restrict writeonly buffer Values { float values[]; };

const int kPlaces[VALUES] = int[VALUES](PLACES);
const float kPassesNothing = 1e-12;

void main() {
  uint slot = invocationIndex();
  if (slot >= params.slotCount) return;
  uvec2 pixel = pixelOf(slot);
  if (!isPixel(pixel)) return;

  float passing[VALUES + 1], lost[VALUES + 1];
  for (int i = 0; i <= VALUES; ++i) passing[i] = 1.0, lost[i] = 0.0;
  uint to = places[pixel.y * params.width + pixel.x];
  Cursor c = openList(0, slot);
  for (; !atEnd(c); ++to) {
    Fragment f = fetch(0, c);
    points[to] = params.first + f.x;
    float weight = uintBitsToFloat(f.y);
    for (int i = 0; i < VALUES; ++i) {
      float left = passing[kPlaces[i]];
      float v = left > kPassesNothing ? weight * shown[f.x * uint(VALUES) + uint(i)] / left : 0.0;
      values[to * uint(VALUES) + uint(i)] = kPlaces[i] == i ? clamp(v, 0.0, 1.0) : v;
    }
    for (int i = 0; i < VALUES; ++i) {
      if (kPlaces[i] != i) continue;
      precise float less = -weight * shown[f.x * uint(VALUES) + uint(i)] - lost[i];
      precise float sum = passing[i] + less;
      precise float gained = sum - passing[i];
      lost[i] = gained - less;
      passing[i] = max(0.0, sum);
    }
  }
  expectWhole();
}
