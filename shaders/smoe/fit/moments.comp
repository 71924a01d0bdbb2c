// SPDX-License-Identifier: BSD-3-Clause
// Second half of the E step: what a component is responsible for in one tile. One invocation per
// slot. Reads what fit_likelihood.comp left per pixel; with r the responsibility and v = (x, y, red,
// green, blue) minus the component's mean, because float32 needs them small, writes the sums of r, r v
// and r v v^T over the tile:
//   (N, x, y, red) (green, blue, xx, xy) (yy, xr, xg, xb) (yr, yg, yb, rr) (rg, rb, gg, gb)
//   (bb, sum of the pixels' ln likelihood by share, 0, 0)
// Deterministic: sums run along the pixels.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/fit/shared.h"

layout(local_size_x = FIT_GROUP) in;

#include "shaders/smoe/fit/factor.glsl"
#include "shaders/smoe/fit/slot.glsl"

void main() {
  uint slot = invocationIndex();
  if (slot >= params.slotCount) return;
  uint tile = tiles[slot];
  TileRecord r = fetchRecord(components[slot], firstPixel(tile), params.fractionBits);
  FitFactor f = fetchFactor(components[slot]);
  float logWeight = r.c - offsets[tile];

  float n = 0.0, sumLog = 0.0;
  vec2 sumX = vec2(0.0);
  vec3 sumY = vec3(0.0), xx = vec3(0.0), xy1 = vec3(0.0), xy2 = vec3(0.0);
  vec3 squares = vec3(0.0), products = vec3(0.0);  // rr gg bb, rg rb gb
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
      vec3 v = pixel.xyz - r.color;
      float l = logWeight - 0.5 * (z1 * z1 + z2 * z2) + logColor(f, v - r.h1 * z1 - r.h2 * z2);
      float share = weightOf(min(l - pixel.w, 0.0));
      n += share;
      sumLog += pixel.w < 1e29 ? share * pixel.w : 0.0;
      vec2 x = share * vec2(dx, dy);
      vec3 y = share * v;
      sumX += x;
      sumY += y;
      xx += vec3(x.x * dx, x.x * dy, x.y * dy);
      xy1 += x.x * v;
      xy2 += x.y * v;
      squares += y * v;
      products += y.rrg * v.gbb;
    }
  }

  uint row = slot * FIT_ROWS_LIKELIHOOD;
  partials[row] = vec4(n, sumX, sumY.r);
  partials[row + 1] = vec4(sumY.gb, xx.xy);
  partials[row + 2] = vec4(xx.z, xy1);
  partials[row + 3] = vec4(xy2, squares.r);
  partials[row + 4] = vec4(products.xy, squares.g, products.z);
  partials[row + 5] = vec4(squares.b, sumLog, 0.0, 0.0);
}
