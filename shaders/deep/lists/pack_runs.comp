// SPDX-License-Identifier: BSD-3-Clause
// One invocation per pixel in raster order: one that has fragments writes their number, the first and
// the last of a run its columns, the first of a row where that row begins. Places are sums of the marks
// of pack_marks.comp, so nothing depends on the order of invocations.
#include "shaders/common/invocation.glsl"
#include "shaders/deep/shared.h"

layout(local_size_x = DEEP_PASS_SIZE) in;
layout(std140, binding = DEEP_BIND_PARAMS) uniform Params { DeepParams params; };
layout(std430, binding = DEEP_BIND_ORDER) restrict readonly buffer Offsets { uint rasterOffsets[]; };
layout(std430, binding = DEEP_BIND_PACK_PIXELS) restrict readonly buffer Pixels { uint pixels[]; };
layout(std430, binding = DEEP_BIND_PACK_STARTS) restrict readonly buffer Starts { uint starts[]; };
layout(std430, binding = DEEP_BIND_PACK_ROWS) restrict writeonly buffer Rows { uvec4 rows[]; };
layout(std430, binding = DEEP_BIND_PACK_RUNS) restrict writeonly buffer Runs { uint runs[]; };
layout(std430, binding = DEEP_BIND_PACK_COUNTS) restrict writeonly buffer Counts { uint counts[]; };

void main() {
  uint i = invocationIndex();
  if (i >= params.width * params.height) return;
  uint x = i % params.width, first = rasterOffsets[i], end = rasterOffsets[i + 1u];
  if (x == 0u) rows[i / params.width] = uvec4(first, pixels[i], starts[i], 0u);
  if (end == first) return;
  counts[pixels[i]] = end - first;
  uint run = starts[i + 1u] - 1u;
  if (starts[i + 1u] > starts[i]) runs[2u * run] = x;
  // The next pixel of the row is empty: its mark adds nothing to the sums.
  bool last = x + 1u == params.width || pixels[i + 2u] == pixels[i + 1u];
  if (last) runs[2u * run + 1u] = x + 1u;
}
