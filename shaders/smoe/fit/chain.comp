// SPDX-License-Identifier: BSD-3-Clause
// From the gradient of a view's sliced records to that of the records themselves, by the chain rule
// through slicing (fit_slice.comp). One invocation per component; adds to
// vec4[componentCount][8], rows in the layout of FitRecord, then of FitLead, where params.add 0
// starts from zero.
//
// With the primed values those of the view: dM += dmu' da^T, dz_a = -z_a dc' + H_a^T dmu_Y',
// dH_a += dmu_Y' z_a^T, dW_a += tril(dz_a da^T), dmu_a -= W_a^T dz_a + M^T dmu'.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/fit/shared.h"

layout(local_size_x = FIT_GROUP) in;

layout(std140, binding = FIT_BIND_PARAMS) uniform Params { FitParams params; };
layout(std430, binding = FIT_BIND_SUMS) restrict readonly buffer Sums { vec4 sums[]; };
layout(std430, binding = FIT_BIND_GRADIENT) restrict buffer Gradient { vec4 gradient[]; };

#include "shaders/smoe/fit/lead.glsl"

void main() {
  uint component = invocationIndex();
  if (component >= params.componentCount) return;
  FitLead lead = fetchLead(component);
  vec2 da = params.view - vec2(lead.a1, lead.a2);
  vec2 za = whitenedView(lead, da);

  vec4 rows[8];
  for (int i = 0; i < 4; ++i) rows[i] = sums[component * 4 + uint(i)];
  vec2 dCenter = rows[0].xy;
  vec3 dColor = rows[2].xyz;
  vec2 dza = -za * rows[0].z + vec2(dot(vec3(lead.hr1, lead.hg1, lead.hb1), dColor),
                                    dot(vec3(lead.hr2, lead.hg2, lead.hb2), dColor));
  vec2 dLead = -vec2(lead.w11 * dza.x + lead.w21 * dza.y + lead.mx1 * dCenter.x + lead.my1 * dCenter.y,
                     lead.w22 * dza.y + lead.mx2 * dCenter.x + lead.my2 * dCenter.y);
  rows[4] = vec4(dLead, dza.x * da.x, dza.y * da.x);
  rows[5] = vec4(dza.y * da.y, dCenter.x * da, dCenter.y * da.x);
  rows[6] = vec4(dCenter.y * da.y, dColor.r * za, dColor.g * za.x);
  rows[7] = vec4(dColor.g * za.y, dColor.b * za, 0.0);

  bool add = params.add != 0;
  for (int i = 0; i < 8; ++i) {
    uint at = component * 8 + uint(i);
    gradient[at] = add ? gradient[at] + rows[i] : rows[i];
  }
}
