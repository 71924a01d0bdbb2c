// SPDX-License-Identifier: BSD-3-Clause
// The gradient of E = sum |y - target|^2 / 2 with respect to a component's 2-D record, over the
// pixels of one tile. One invocation per slot. Reads what fit_decode.comp (FIT_FULL 0) left per
// pixel; writes a gradient in the layout of FitRecord to `partials`.
//
// With e = y - target, w the gate and m the expert: dE/dm = w e, dE/dc = gl = w e.(m - y),
// dE/dz = -z gl + H^T (w e), dE/dW = tril(dE/dz (x - mu)^T), dE/dmu = -W^T dE/dz,
// dE/dH = (w e) z^T, dE/dmu_Y = w e.
// Deterministic: sums run along the pixels.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/fit/shared.h"

layout(local_size_x = FIT_GROUP) in;

#include "shaders/smoe/fit/slot.glsl"

void main() {
  uint slot = invocationIndex();
  if (slot >= params.slotCount) return;
  uint tile = tiles[slot];
  TileRecord r = fetchRecord(components[slot], firstPixel(tile), params.fractionBits);
  float logWeight = r.c - offsets[tile];

  float dc = 0.0, dw11 = 0.0, dw21 = 0.0, dw22 = 0.0, dzSum1 = 0.0, dzSum2 = 0.0;
  vec3 dColor = vec3(0.0), dh1 = vec3(0.0), dh2 = vec3(0.0);
#if FIT_ROW == 1
  const uint width = FIT_TILE, count = FIT_PIXELS;
#else
  const uint width = params.tilePixels, count = params.pixelCount;
#endif
  uint first = tile * FIT_PIXELS;
  for (uint line = 0; line < count; line += width) {
    float dy = r.dy + float(line / width);
    for (uint column = 0; column < width; ++column) {
      float dx = r.dx + float(column);
      float z1 = r.w11 * dx, z2 = r.w21 * dx + r.w22 * dy;
      vec4 pixel = fetchPixel(first + line + column);
      float w = weightOf(logWeight - 0.5 * (z1 * z1 + z2 * z2));
      vec3 we = w * pixel.xyz;
      float gl = dot(we, r.color + r.h1 * z1 + r.h2 * z2) - w * pixel.w;
      float dz1 = dot(r.h1, we) - z1 * gl, dz2 = dot(r.h2, we) - z2 * gl;
      dc += gl;
      dColor += we;
      dh1 += we * z1;
      dh2 += we * z2;
      dw11 += dz1 * dx;
      dw21 += dz2 * dx;
      dw22 += dz2 * dy;
      dzSum1 += dz1;
      dzSum2 += dz2;
    }
  }

  vec2 dCenter = -vec2(r.w11 * dzSum1 + r.w21 * dzSum2, r.w22 * dzSum2);
  uint row = slot * FIT_ROWS_GRADIENT;
  partials[row] = vec4(dCenter, dc, 0.0);
  partials[row + 1] = vec4(dw11, dw21, dw22, dh1.r);
  partials[row + 2] = vec4(dColor, dh2.r);
  partials[row + 3] = vec4(dh1.g, dh2.g, dh1.b, dh2.b);
}
