// SPDX-License-Identifier: BSD-3-Clause
// The gradient of E = sum |y - target|^2 / 2 with respect to a component's 2-D record, over the
// pixels of one tile. One invocation per slot. Reads what fit_decode.comp (FIT_FULL 0) left per
// pixel; writes a gradient in the layout of FitRecord to `partials`.
//
// With e = y - target, w the gate and m the expert: dE/dm = w e, dE/dc = gl = w e.(m - y),
// dE/dz = -z gl + H^T (w e), dE/dW = tril(dE/dz (x - mu)^T), dE/dmu = -W^T dE/dz,
// dE/dH = (w e) z^T, dE/dmu_Y = w e. With d = x - mu and z = W d all of these follow from the sums of
// gl by 1, d and d d^T and of w e by 1 and d, which is all that is added up per pixel.
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

  // Along a line of pixels, with i its column: the log weight is a - i (b + curve i), the expert
  // middle + i slope. Per line, sums of gl by 1, i and i (i + 1) / 2 and of w e by 1 and i come from
  // running sums over the pixels from the right.
  float curve = 0.5 * (r.w11 * r.w11 + r.w21 * r.w21);
  vec3 slope = r.h1 * r.w11 + r.h2 * r.w21;
  float g = 0.0, gx = 0.0, gy = 0.0, gxx = 0.0, gxy = 0.0, gyy = 0.0;
  vec3 e = vec3(0.0), ex = vec3(0.0), ey = vec3(0.0);
#if FIT_ROW == 1
  const uint lines = FIT_TILE;
#else
  uint lines = params.tilePixels;
#endif
  uint first = tile * FIT_PIXELS;
  for (uint line = 0; line < lines; ++line) {
    float y = float(line), dy = r.dy + y;
    float z1 = r.w11 * r.dx, z2 = r.w21 * r.dx + r.w22 * dy;
    float a = logWeight - 0.5 * (z1 * z1 + z2 * z2), b = z1 * r.w11 + z2 * r.w21;
    vec3 expert = r.color + r.h1 * z1 + r.h2 * z2 + float(FIT_TILE - 1) * slope;
    float sum = 0.0, byX = 0.0, byXX = 0.0;
    vec3 error = vec3(0.0), errorByX = vec3(0.0);
    for (int i = FIT_TILE - 1; i >= 0; --i) {
      vec4 pixel = fetchPixel(first + line * FIT_TILE + uint(i));
      float w = weightOf(a - float(i) * (b + float(i) * curve));
      vec3 we = w * pixel.xyz;
      sum += dot(we, expert) - w * pixel.w;
      error += we;
      if (i > 0) {
        byX += sum;
        byXX += byX;
        errorByX += error;
      }
      expert -= slope;
    }
    g += sum;
    gx += byX;
    gxx += 2.0 * byXX - byX;
    gy += y * sum;
    gxy += y * byX;
    gyy += y * y * sum;
    e += error;
    ex += errorByX;
    ey += y * error;
  }

  // From the tile's first pixel to the component's center.
  gxx += r.dx * (2.0 * gx + r.dx * g);
  gyy += r.dy * (2.0 * gy + r.dy * g);
  gxy += r.dx * gy + r.dy * gx + r.dx * r.dy * g;
  gx += r.dx * g;
  gy += r.dy * g;
  ex += r.dx * e;
  ey += r.dy * e;
  float dz1 = dot(r.h1, e) - r.w11 * gx, dz2 = dot(r.h2, e) - r.w21 * gx - r.w22 * gy;
  float dw11 = dot(r.h1, ex) - r.w11 * gxx;
  float dw21 = dot(r.h2, ex) - r.w21 * gxx - r.w22 * gxy;
  float dw22 = dot(r.h2, ey) - r.w21 * gxy - r.w22 * gyy;
  vec3 dh1 = r.w11 * ex, dh2 = r.w21 * ex + r.w22 * ey;

  vec2 dCenter = -vec2(r.w11 * dz1 + r.w21 * dz2, r.w22 * dz2);
  uint row = slot * FIT_ROWS_GRADIENT;
  partials[row] = vec4(dCenter, g, 0.0);
  partials[row + 1] = vec4(dw11, dw21, dw22, dh1.r);
  partials[row + 2] = vec4(e, dh2.r);
  partials[row + 3] = vec4(dh1.g, dh2.g, dh1.b, dh2.b);
}
