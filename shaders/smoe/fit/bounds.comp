// SPDX-License-Identifier: BSD-3-Clause
// How many slots the components of each group of fit_sum.comp have at most: its first one's. One
// invocation per group.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/fit/shared.h"

layout(local_size_x = FIT_GROUP) in;

layout(std140, binding = FIT_BIND_PARAMS) uniform Params { FitBand band; };
layout(std430, binding = FIT_BIND_COMPONENT_ENDS) restrict readonly buffer Ends { uint ends[]; };
layout(std430, binding = FIT_BIND_ORDER) restrict readonly buffer Order { uint order[]; };
layout(std430, binding = FIT_BIND_BOUNDS) restrict writeonly buffer Bounds { uint bounds[]; };

void main() {
  uint group = invocationIndex();
  if (group * FIT_GROUP >= band.componentCount) return;
  uint component = order[group * FIT_GROUP];
  bounds[group] = ends[component + 1] - ends[component];
}
