// SPDX-License-Identifier: BSD-3-Clause
// One step of Adam (Kingma and Ba 2015) on all numbers of a record. One invocation per component.
// Reads the gradient, vec4[componentCount][4] or, with FIT_LEADING, [8], in the layout of FitRecord
// and FitLead; updates the moments, vec4[componentCount][rows][2], and the records.
//
// Gradients are taken in units in which a step has a meaning: centers by the component's size, the
// diagonals of W by their logarithms, W21 by sqrt(W11 W22). Epsilons come from the mean gradient,
// because a gradient that is all rounding error must not be amplified to whole steps. Moments begin
// at zero, also those of a component that has just moved among others that have not, so each has an
// age of its own to correct them by: with one age for all it would leap. Steps that are not finite
// are skipped. Limits keep records valid for the file format.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/fit/shared.h"

#ifndef FIT_LEADING
#define FIT_LEADING 0
#endif
#define FIT_ADAM_ROWS (4 + 4 * FIT_LEADING)

layout(local_size_x = FIT_GROUP) in;

layout(std140, binding = FIT_BIND_ADAM) uniform Params { FitAdamParams params; };
layout(std430, binding = FIT_BIND_EPSILONS) restrict readonly buffer Epsilons { vec4 epsilons[]; };
layout(std430, binding = FIT_BIND_GRADIENT) restrict readonly buffer Gradient { vec4 gradient[]; };
layout(std430, binding = FIT_BIND_MOMENTS) restrict buffer Moments { vec4 moments[]; };
layout(std430, binding = FIT_BIND_RECORDS) restrict buffer Records { uvec4 records[]; };

bool finite(vec4 v) { return all(lessThan(abs(v), vec4(1e30))); }

// Steps that the component's moments have seen, this one included; kept in the first row of its
// mean, in the lane of the record's spare word.
float age = 1.0;

// What to subtract, in scaled units.
vec4 stepOf(uint component, int row, vec4 scale) {
  uint at = (component * FIT_ADAM_ROWS + uint(row)) * 2;
  vec4 g = gradient[component * FIT_ADAM_ROWS + uint(row)] * scale;
  vec4 mean = mix(g, moments[at], params.decay1);
  vec4 square = mix(g * g, moments[at + 1], params.decay2);
  bool good = finite(mean) && finite(square);
  moments[at] = good ? mean : vec4(0.0);
  if (row == 0) moments[at].w = age;
  moments[at + 1] = good ? square : vec4(0.0);
  float correction1 = 1.0 / (1.0 - pow(params.decay1, age));
  float correction2 = 1.0 / (1.0 - pow(params.decay2, age));
  vec4 change = params.steps[row] * mean * correction1 /
                (sqrt(square * correction2) + epsilons[row]);
  return good && finite(change) ? change : vec4(0.0);
}

// The diagonal by factors, the rest by sums; then bounded: the diagonal, the condition number of the
// covariance, whose root is at most (w11^2 + w21^2 + w22^2) / (w11 w22), and the smaller singular
// value, the inverse of the longer sigma: with s1 s2 = w11 w22 and s1^2 + s2^2 = w11^2 + w21^2 +
// w22^2 it is at least L where w21^2 <= (w11^2 - L^2) (w22^2 - L^2) / L^2.
vec3 steppedW(vec3 w, vec3 change, float smallest, float largest) {
  float unit = sqrt(w.x * w.z);
  vec3 next = vec3(w.x * exp(-change.x), w.y - change.y * unit, w.z * exp(-change.z));
  next.xz = clamp(next.xz, smallest, largest);
  next.y = clamp(next.y, -2.0 * largest, 2.0 * largest);
  float across = 2000.0 * next.x * next.z - next.x * next.x - next.z * next.z;
  if (across < 0.0) {  // one far above the other
    next.xz = max(next.xz, vec2(max(next.x, next.z) / 1000.0));
    across = 2000.0 * next.x * next.z - next.x * next.x - next.z * next.z;
  }
  float longest = 0.6 * smallest;
  vec2 room = max(next.xz * next.xz / (longest * longest) - 1.0, vec2(0.0));
  float bound = min(sqrt(max(across, 0.0)), longest * sqrt(room.x * room.y));
  next.y = clamp(next.y, -bound, bound);
  return next;
}

void stepSpatial(uint component) {
  uint first = component * 4;
  uvec4 gate = records[first];
  vec4 w = uintBitsToFloat(records[first + 1]);
  vec4 color = uintBitsToFloat(records[first + 2]);
  vec4 h = uintBitsToFloat(records[first + 3]);
  float unit = sqrt(w.x * w.z);

  vec4 dGate = stepOf(component, 0, vec4(1.0 / unit, 1.0 / unit, 1.0, 0.0));
  vec4 dW = stepOf(component, 1, vec4(w.x, unit, w.z, 1.0));
  float scale = exp2(float(params.fractionBits));
  ivec2 center = ivec2(gate.xy) - ivec2(round(dGate.xy / unit * scale));
  ivec2 size = ivec2(params.size * scale);
  center = clamp(center, -size / 2, size + size / 2);
  float c = clamp(uintBitsToFloat(gate.z) - dGate.z, -90.0, 90.0);
  vec3 nextW = steppedW(w.xyz, dW.xyz, 0.5 / length(params.size), params.largestW);
  vec4 nextColor = color - stepOf(component, 2, vec4(1.0));
  vec4 nextH = h - stepOf(component, 3, vec4(1.0));

  records[first] = uvec4(uvec2(center), floatBitsToUint(c), 0);
  records[first + 1] = floatBitsToUint(vec4(nextW, clamp(w.w - dW.w, -8.0, 8.0)));
  records[first + 2] = floatBitsToUint(
      vec4(clamp(nextColor.xyz, -2.0, 3.0), clamp(nextColor.w, -8.0, 8.0)));
  records[first + 3] = floatBitsToUint(clamp(nextH, -8.0, 8.0));
}

#if FIT_LEADING
layout(std430, binding = FIT_BIND_LEADS) restrict buffer Leads { uvec4 leads[]; };

// A sigma of 1.25 views or frames: what is narrower is seen by few of them, and says nothing of how
// it looks between them.
const float kLargestLeadW = 0.8;

void stepLeading(uint component) {
  uint first = component * 4;
  vec4 a = uintBitsToFloat(leads[first]), b = uintBitsToFloat(leads[first + 1]);
  vec4 d = uintBitsToFloat(leads[first + 2]), e = uintBitsToFloat(leads[first + 3]);
  float unit = sqrt(a.z * b.x);

  vec4 da = stepOf(component, 4, vec4(1.0 / unit, 1.0 / unit, a.z, unit));
  vec4 db = stepOf(component, 5, vec4(b.x, 1.0, 1.0, 1.0));
  vec4 dd = stepOf(component, 6, vec4(1.0));
  vec4 de = stepOf(component, 7, vec4(1.0));
  vec3 w = steppedW(vec3(a.zw, b.x), vec3(da.zw, db.x), 0.01, kLargestLeadW);
  vec4 m = clamp(vec4(b.yzw - db.yzw, d.x - dd.x), -32.0, 32.0);
  m.yz *= params.keptShear;
  m.xw = mix(vec2(0.5 * (m.x + m.w)), m.xw, params.keptShear);
  vec4 extent = params.keptLead * vec4(clamp(a.xy - da.xy / unit, -1e4, 1e4), w.xy);
  leads[first] = floatBitsToUint(extent);
  leads[first + 1] = floatBitsToUint(vec4(params.keptLead * w.z, m.xyz));
  leads[first + 2] = floatBitsToUint(vec4(m.w, clamp(params.keptSlope * (d.yzw - dd.yzw), -8.0, 8.0)));
  leads[first + 3] = floatBitsToUint(clamp(params.keptSlope * (e - de), -8.0, 8.0));
}
#endif

void main() {
  uint component = invocationIndex();
  if (component >= params.componentCount) return;
  age = clamp(moments[component * FIT_ADAM_ROWS * 2].w, 0.0, 1e6) + 1.0;
  stepSpatial(component);
#if FIT_LEADING
  stepLeading(component);
#endif
}
