// SPDX-License-Identifier: BSD-3-Clause
// What components are ordered by: falling number of slots. One invocation per component.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/fit/shared.h"

layout(local_size_x = FIT_GROUP) in;

layout(std140, binding = FIT_BIND_PARAMS) uniform Params { FitBand band; };
layout(std430, binding = FIT_BIND_COMPONENT_ENDS) restrict readonly buffer Ends { uint ends[]; };
layout(std430, binding = FIT_BIND_ORDER) restrict writeonly buffer Order { uint order[]; };
layout(std430, binding = FIT_BIND_KEYS) restrict writeonly buffer Keys { uint keys[]; };

void main() {
  uint component = invocationIndex();
  if (component >= band.componentCount) return;
  order[component] = component;
  keys[component] = band.maxSlots - (ends[component + 1] - ends[component]);
}
