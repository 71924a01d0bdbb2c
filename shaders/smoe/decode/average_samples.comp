// SPDX-License-Identifier: BSD-3-Clause
// The mean of a pixel's samples, in linear light: one invocation per pixel that has samples in
// the rows shaded last. What earlier rows contribute is in the picture already.
//
//   vec4 rows[row of samples][column of samples]
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/decode/shared.h"
layout(local_size_x = SMOE_LIST_SIZE) in;

layout(std430, binding = SMOE_BIND_RAW) restrict readonly buffer Rows { vec4 rows[]; };
layout(rgba32f, binding = SMOE_IMAGE_RESULT) uniform restrict image2D result;
layout(std140, binding = SMOE_BIND_PARAMS) uniform Params { SmoeParams params; };

void main() {
  const int samples = int(params.samples), width = params.size.x / samples;
  const int first = int(params.firstRow * params.tilePixels);
  const int last = min(first + int(params.rowCount * params.tilePixels), params.size.y);
  const int pixel = int(invocationIndex());
  const ivec2 at = ivec2(pixel % width, first / samples + pixel / width);
  const int top = at.y * samples;
  if (top >= last) return;
  vec4 sum = top >= first ? vec4(0.0) : imageLoad(result, at);
  const float share = 1.0 / float(samples * samples);
  for (int i = 0; i < samples * samples; ++i) {
    const int x = at.x * samples + i % samples, y = top + i / samples;
    if (y >= first && y < last) sum += share * rows[(y - first) * params.size.x + x];
  }
  imageStore(result, at, sum);
}
