// SPDX-License-Identifier: BSD-3-Clause
// Sums what the slots of each component hold: vec4[slotCount][FIT_ROWS] to
// vec4[componentCount][FIT_ROWS]. One invocation per component, taken by falling number of slots,
// so that those that run together have about as much to do; all of a group run as long as the
// first. Deterministic: sums run along the component's slots, by tile.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/fit/shared.h"

#ifndef FIT_ROWS
#define FIT_ROWS 4
#endif

layout(local_size_x = FIT_GROUP) in;

layout(std140, binding = FIT_BIND_PARAMS) uniform Params { FitParams params; };
layout(binding = FIT_TEXELS_PARTIALS) uniform usamplerBuffer partials;
layout(std430, binding = FIT_BIND_COMPONENT_ENDS) restrict readonly buffer Ends { uint ends[]; };
layout(std430, binding = FIT_BIND_SLOTS) restrict readonly buffer Slots { uint slots[]; };
layout(std430, binding = FIT_BIND_ORDER) restrict readonly buffer Order { uint order[]; };
layout(std430, binding = FIT_BIND_BOUNDS) restrict readonly buffer Bounds { uint bounds[]; };
layout(std430, binding = FIT_BIND_SUMS) restrict buffer Sums { vec4 sums[]; };

void main() {
  uint item = invocationIndex();
  if (item >= params.componentCount) return;
  uint component = order[item];
  uint first = ends[component], count = ends[component + 1] - first;
  uint bound = bounds[item / FIT_GROUP];

  vec4 sum[FIT_ROWS];
  for (int row = 0; row < FIT_ROWS; ++row) sum[row] = vec4(0.0);
  for (uint i = 0; i < bound; ++i) {
    bool mine = i < count;
    uint slot = mine ? slots[first + i] : 0u;
    for (int row = 0; row < FIT_ROWS; ++row) {
      vec4 value = uintBitsToFloat(texelFetch(partials, int(slot * FIT_ROWS) + row));
      sum[row] += mine ? value : vec4(0.0);
    }
  }
  bool add = params.add != 0;
  for (int row = 0; row < FIT_ROWS; ++row) {
    uint at = component * FIT_ROWS + uint(row);
    sums[at] = add ? sums[at] + sum[row] : sum[row];
  }
}
