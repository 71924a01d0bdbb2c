// SPDX-License-Identifier: BSD-3-Clause
// What a component is worth in one tile, for relocation and for the refit's preconditioner. One
// invocation per slot. Reads what fit_decode.comp (FIT_FULL 1) left per pixel; writes
//   (removal, blame, z1, z2) (z11, z12, z22, w w) (w w z1 z1, w w z2 z2, 0, 0)
// removal: by how much the squared error grows if the component's weight w went to the others, the
// new error clamped to -1..1; blame: sum of w |e|^2; z: sums of z and z z^T weighted by w |e|^2.
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

  float removal = 0.0, blame = 0.0;
  vec2 z1st = vec2(0.0);
  vec3 z2nd = vec3(0.0), squares = vec3(0.0);
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
      vec2 z = vec2(r.w11 * dx, r.w21 * dx + r.w22 * dy);
      vec4 error = fetchPixel(2 * (first + line + column));
      vec3 y = fetchPixel(2 * (first + line + column) + 1).xyz;
      float w = weightOf(logWeight - 0.5 * dot(z, z)) * error.w;
      vec3 away = y - (r.color + r.h1 * z.x + r.h2 * z.y);
      vec3 without = clamp(error.xyz + w / max(1.0 - w, 1e-4) * away, -1.0, 1.0);
      float square = dot(error.xyz, error.xyz);
      // Where the weight is all there is, nothing knows what would come in its place.
      removal += error.w > 0.0 ? dot(without, without) - square : 0.0;
      float share = w * square;
      blame += share;
      z1st += share * z;
      z2nd += share * vec3(z.x * z.x, z.x * z.y, z.y * z.y);
      squares += w * w * vec3(1.0, z.x * z.x, z.y * z.y);
    }
  }

  uint row = slot * FIT_ROWS_MEASURE;
  partials[row] = vec4(removal, blame, z1st);
  partials[row + 1] = vec4(z2nd, squares.x);
  partials[row + 2] = vec4(squares.yz, 0.0, 0.0);
}
