// SPDX-License-Identifier: BSD-3-Clause
// The bar of a cell is the highest of those above it in the pyramid: one invocation per cell. Cells
// that no component reached keep 0 for fill_holes.comp.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/decode/shared.h"
layout(local_size_x = SMOE_LIST_SIZE) in;

layout(std430, binding = SMOE_BIND_BARS) restrict buffer Bars { uint bars[]; };
layout(std140, binding = SMOE_BIND_PARAMS) uniform Params { SmoeParams params; };
#include "shaders/smoe/decode/pyramid.glsl"

void main() {
  const uint cell = invocationIndex();
  const ivec2 cells = params.cells;
  if (cell >= uint(cells.x * cells.y)) return;
  const ivec2 at = ivec2(int(cell) % cells.x, int(cell) / cells.x);
  uint bar = 0u, start = 0u;
  for (int level = 0; level < int(params.levels); ++level) {
    const ivec2 dims = levelSize(level);
    const ivec2 here = at >> level;
    bar = max(bar, bars[start + uint(here.y * dims.x + here.x)]);
    start += uint(dims.x * dims.y);
  }
  bars[cell] = bar;
}
