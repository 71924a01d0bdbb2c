// SPDX-License-Identifier: BSD-3-Clause
// Conditions records on a view's leading coordinates a: with da = a - mu_a and z_a = W_a da, the
// center moves by M da, the log weight falls by |z_a|^2 / 2, the color moves by H_a z_a. One
// invocation per component. With one leading coordinate the second is zero everywhere.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/fit/shared.h"

layout(local_size_x = FIT_GROUP) in;

layout(std140, binding = FIT_BIND_PARAMS) uniform Params { FitParams params; };
layout(binding = FIT_TEXELS_RECORDS) uniform usamplerBuffer records;
layout(std430, binding = FIT_BIND_RECORDS) restrict writeonly buffer Sliced { uvec4 sliced[]; };

#include "shaders/smoe/fit/lead.glsl"

void main() {
  uint component = invocationIndex();
  if (component >= params.componentCount) return;
  FitLead lead = fetchLead(component);
  vec2 da = params.view - vec2(lead.a1, lead.a2);
  vec2 za = whitenedView(lead, da);

  uint first = component * 4;
  uvec4 gate = texelFetch(records, int(first));
  uvec4 expert = texelFetch(records, int(first + 2));
  vec2 shift = vec2(lead.mx1 * da.x + lead.mx2 * da.y, lead.my1 * da.x + lead.my2 * da.y);
  ivec2 center = ivec2(gate.xy) + ivec2(round(shift * exp2(float(params.fractionBits))));
  float c = uintBitsToFloat(gate.z) - 0.5 * dot(za, za);
  vec3 color = uintBitsToFloat(expert.xyz) + vec3(lead.hr1 * za.x + lead.hr2 * za.y,
                                                  lead.hg1 * za.x + lead.hg2 * za.y,
                                                  lead.hb1 * za.x + lead.hb2 * za.y);
  sliced[first] = uvec4(uvec2(center), floatBitsToUint(c), 0);
  sliced[first + 1] = texelFetch(records, int(first + 1));
  sliced[first + 2] = uvec4(floatBitsToUint(color), expert.w);
  sliced[first + 3] = texelFetch(records, int(first + 3));
}
