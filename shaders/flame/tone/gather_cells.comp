// SPDX-License-Identifier: BSD-3-Clause
// The sum of one wide class over each cell: a pixel, or 2 x 2, 4 x 4, ... of them. One invocation
// per cell of the band, gutter included. Reads WIDE of spread_rows.comp; writes the cells.
// Deterministic.
#include "shaders/flame/tone/buckets.glsl"

layout(local_size_x = FLAME_TONE_SIZE) in;
layout(std430, binding = FLAME_TONE_BIND_WIDE) restrict readonly buffer Wide { vec4 wide[]; };
layout(binding = FLAME_TONE_IMAGE, rgba32f) restrict writeonly uniform image2D cells;

void main() {
  // Neighbors run down, as the rows of a column lie side by side.
  int row = int(gl_GlobalInvocationID.x), column = int(gl_WorkGroupID.y);
  int firstRow = row * params.cellScale;  // within the band
  if (firstRow >= params.rowCount) return;
  int lastRow = min(firstRow + params.cellScale, params.rowCount);
  int width = params.cellScale * params.supersample;
  int left = (column - params.cellMargin) * width + params.gutter;
  int lastColumn = min(left + width, params.buckets.x);
  vec4 sum = vec4(0.0);
  for (int x = max(left, 0); x < lastColumn; ++x)
    for (int y = firstRow; y < lastRow; ++y)
      sum += wide[(uint(params.classIndex) * uint(params.buckets.x) + uint(x)) *
                      uint(params.rowCount) + uint(y)];
  float share = 1.0 / float(params.supersample * params.supersample);  // of a bucket in a pixel
  imageStore(cells, ivec2(column, row + params.cellFirst), share * sum);
}
