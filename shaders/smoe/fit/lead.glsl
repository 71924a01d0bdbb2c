// SPDX-License-Identifier: BSD-3-Clause
// Reading what a record has along the leading coordinates.
#ifndef SHADERS_SMOE_FIT_LEAD
#define SHADERS_SMOE_FIT_LEAD

layout(binding = FIT_TEXELS_LEADS) uniform usamplerBuffer leads;

FitLead fetchLead(uint component) {
  vec4 a = uintBitsToFloat(texelFetch(leads, int(component * 4)));
  vec4 b = uintBitsToFloat(texelFetch(leads, int(component * 4 + 1)));
  vec4 d = uintBitsToFloat(texelFetch(leads, int(component * 4 + 2)));
  vec4 e = uintBitsToFloat(texelFetch(leads, int(component * 4 + 3)));
  return FitLead(a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w, d.x, d.y, d.z, d.w, e.x, e.y, e.z, 0.0);
}

// z_a = W_a (a - mu_a)
vec2 whitenedView(FitLead lead, vec2 da) {
  return vec2(lead.w11 * da.x, lead.w21 * da.x + lead.w22 * da.y);
}

#endif
