// SPDX-License-Identifier: BSD-3-Clause
// Evaluates a few variations at points. One invocation per point; the generated text holds
// applyVariations(), which reads
//   values   for each variation: for each point: weight, 12 packed values
//   results  for each variation: for each point: vec2, 10 if bad else the color set (-1: none) and
//            100 more if the point is hidden, z
// Draws go through the multiples of 1/1024 in the point's own steps, so that any order but the right
// one shows.
#version 450
layout(local_size_x = 64) in;

struct Start {
  vec2 xy;
  uint firstDraw, drawStep;
};
layout(std430, binding = 0) restrict readonly buffer Points { Start starts[]; };
layout(std430, binding = 1) restrict readonly buffer Values { float values[]; };
layout(std430, binding = 2) restrict writeonly buffer Results { vec4 results[]; };

uint drawn = 0u, drawStep = 0u;
uint nextDraw() { return drawn = (drawn + drawStep) & 1023u; }
float unit() { return float(nextDraw()) / 1024; }
float signedUnit() { return 2 * unit() - 1; }
float gauss4() { return unit() + unit() + unit() + unit() - 2; }
int randomBit() { return int(nextDraw() >> 9); }
float ownColor = -1.0;
void setColor(float color, float w) { ownColor = w == 0.0 ? ownColor : clamp(color, 0.0, 1.0); }

void turnColor(float by, float w) { ownColor = w * by == 0.0 ? ownColor : fract(ownColor + by); }
void setFullColor(vec3 color, bool nearest, float w) {
  ownColor = w == 0.0 ? ownColor : dot(color, vec3(0.5, 0.3, 0.2));
}
bool hiddenPoint = false;
void setHidden(bool hides, float w) { hiddenPoint = w == 0.0 ? hiddenPoint : hides; }
vec2 orbitPlace = vec2(0.0);  // where the point is, to begin with
vec2 orbitOr(vec2 start) { return orbitPlace; }
void setOrbit(vec2 at, float w) { orbitPlace = w == 0.0 ? orbitPlace : at; }
void dropZ() {}
bool inOrder() { return false; }
int acting() { return 0; }
vec2 sumBefore() { return vec2(0.0); }
float heightBefore() { return 0.0; }
vec3 startOfSum() { return vec3(0.0); }

#include "generated/variations.glsl"

void main() {
  uint index = gl_GlobalInvocationID.x;
  if (index >= uint(starts.length())) return;
  Start start = starts[index];
  drawStep = start.drawStep;
  Point point = makePoint(vec3(start.xy, 0.5 * start.xy.y - 0.25 * start.xy.x));
  applyVariations(point, start.firstDraw, index, uint(starts.length()));
}
