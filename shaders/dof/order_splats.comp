// SPDX-License-Identifier: BSD-3-Clause
// Keys for bringing all splats of a source into one order; one invocation per splat.
//
//   STEP 0  key = tie rank of the splat's pixel, payload = splat; splats in no list are discarded
//   STEP 1  key = depth bits of the splat that the payload names
//
// A stable sort after each gives the order of Z, tie rank, splat.
#include "shaders/dof/footprint.glsl"
#ifndef STEP
#define STEP 0
#endif
layout(local_size_x = DOF_LIST_SIZE) in;

layout(std430, binding = DOF_BIND_PLACES) restrict readonly buffer Places { uvec2 places[]; };
layout(std430, binding = DOF_BIND_DEPTHS) restrict readonly buffer Depths { uint depths[]; };
layout(std430, binding = DOF_BIND_KEYS) restrict writeonly buffer Keys { uint keys[]; };
layout(std430, binding = DOF_BIND_ORDER) restrict buffer Order { uint order[]; };

void main() {
  uint i = invocationIndex();
  if (i >= params.splatCount) return;
#if STEP == 0
  Place p = unpackPlace(places[i]);
  keys[i] = p.listed ? tieRank(p.pixel) : 0xFFFFFFFFu;
  order[i] = i;
#else
  keys[i] = depths[order[i]];
#endif
}
