// SPDX-License-Identifier: BSD-3-Clause
// Front to back: what still shows shrinks with each splat (spec of "over").
#define LIST_INDEX(k) (k)
#define PART_BEGIN(done, rest) (done)
void blend(inout vec4 sum, inout float through, vec3 color, float alpha) {
  float weight = through * alpha;
  sum += weight * vec4(color, 1.0);
  through -= weight;
}
