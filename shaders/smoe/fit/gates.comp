// SPDX-License-Identifier: BSD-3-Clause
// Records of a fit as the passes that make lists read them: gates in base 2 (SMOE_BIND_CULL), no
// expert. One invocation per component.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/decode/shared.h"
#include "shaders/smoe/fit/shared.h"

layout(local_size_x = FIT_GROUP) in;

layout(std140, binding = FIT_BIND_PARAMS) uniform Params { FitParams params; };
layout(binding = FIT_TEXELS_RECORDS) uniform usamplerBuffer records;
layout(std430, binding = FIT_BIND_GATES) restrict writeonly buffer Gates { uvec4 gates[]; };
layout(std430, binding = FIT_BIND_REACH) restrict writeonly buffer Reach { float reach[]; };

const float kLog2e = 1.44269504;

void main() {
  uint component = invocationIndex();
  if (component >= params.componentCount) return;
  uvec4 gate = texelFetch(records, int(component * 4));
  vec3 w = uintBitsToFloat(texelFetch(records, int(component * 4 + 1)).xyz);
  float c = uintBitsToFloat(gate.z) * kLog2e;
  gates[2 * component] = uvec4(gate.xy, floatBitsToUint(c), 0);
  gates[2 * component + 1] = uvec4(floatBitsToUint(w * SMOE_SIGMA_SCALE), 0);
  reach[component] = 1.0;
}
