// SPDX-License-Identifier: BSD-3-Clause
// Sums of the absolute gradient, in the units in which fit_adam.comp steps: each invocation takes
// every laneCount-th component. Deterministic: a fixed order. Numbers that are not finite count
// nothing.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/fit/shared.h"

#ifndef FIT_LEADING
#define FIT_LEADING 0
#endif
#define FIT_ADAM_ROWS (4 + 4 * FIT_LEADING)

layout(local_size_x = FIT_GROUP) in;

layout(std140, binding = FIT_BIND_PARAMS) uniform Params { FitBand band; };
layout(binding = FIT_TEXELS_RECORDS) uniform usamplerBuffer records;
layout(std430, binding = FIT_BIND_GRADIENT) restrict readonly buffer Gradient { vec4 gradient[]; };
layout(std430, binding = FIT_BIND_MAGNITUDES) restrict writeonly buffer Magnitudes {
  vec4 magnitudes[];
};
#if FIT_LEADING
#include "shaders/smoe/fit/lead.glsl"
#endif

vec4 magnitude(uint component, int row, vec4 scale) {
  vec4 value = abs(gradient[component * FIT_ADAM_ROWS + uint(row)] * scale);
  return mix(vec4(0.0), value, lessThan(value, vec4(1e30)));
}

void main() {
  uint lane = invocationIndex();
  if (lane >= band.laneCount) return;
  vec4 sums[FIT_ADAM_ROWS];
  for (int row = 0; row < FIT_ADAM_ROWS; ++row) sums[row] = vec4(0.0);
  for (uint j = lane; j < band.componentCount; j += band.laneCount) {
    vec3 w = uintBitsToFloat(texelFetch(records, int(j * 4 + 1)).xyz);
    float unit = sqrt(w.x * w.z);
    sums[0] += magnitude(j, 0, vec4(1.0 / unit, 1.0 / unit, 1.0, 0.0));
    sums[1] += magnitude(j, 1, vec4(w.x, unit, w.z, 1.0));
    sums[2] += magnitude(j, 2, vec4(1.0));
    sums[3] += magnitude(j, 3, vec4(1.0));
#if FIT_LEADING
    FitLead lead = fetchLead(j);
    float leadUnit = sqrt(lead.w11 * lead.w22);
    sums[4] += magnitude(j, 4, vec4(1.0 / leadUnit, 1.0 / leadUnit, lead.w11, leadUnit));
    sums[5] += magnitude(j, 5, vec4(lead.w22, 1.0, 1.0, 1.0));
    sums[6] += magnitude(j, 6, vec4(1.0));
    sums[7] += magnitude(j, 7, vec4(1.0));
#endif
  }
  for (int row = 0; row < FIT_ADAM_ROWS; ++row)
    magnitudes[lane * FIT_ADAM_ROWS + uint(row)] = sums[row];
}
