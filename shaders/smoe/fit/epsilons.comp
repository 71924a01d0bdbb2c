// SPDX-License-Identifier: BSD-3-Clause
// Adam's epsilons: a share of the mean absolute gradient, from the sums of fit_magnitudes.comp. One
// invocation per row of the gradient. Deterministic: a fixed order.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/fit/shared.h"

#ifndef FIT_LEADING
#define FIT_LEADING 0
#endif
#define FIT_ADAM_ROWS (4 + 4 * FIT_LEADING)

layout(local_size_x = FIT_ADAM_ROWS) in;

layout(std140, binding = FIT_BIND_PARAMS) uniform Params { FitBand band; };
layout(std430, binding = FIT_BIND_MAGNITUDES) restrict readonly buffer Magnitudes {
  vec4 magnitudes[];
};
layout(std430, binding = FIT_BIND_EPSILONS) restrict writeonly buffer Epsilons { vec4 epsilons[]; };

void main() {
  uint row = invocationIndex();
  if (row >= FIT_ADAM_ROWS) return;
  vec4 sum = vec4(0.0);
  for (uint lane = 0; lane < band.laneCount; ++lane) sum += magnitudes[lane * FIT_ADAM_ROWS + row];
  epsilons[row] = max(band.relative * sum / float(band.componentCount), vec4(1e-12));
}
