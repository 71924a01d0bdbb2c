// SPDX-License-Identifier: BSD-3-Clause
// Front to back, splats of one surface side by side on the lens: weights add up until nothing shows
// through. Exact for one surface, where "over" lets 1/e of what is behind shine through.
#define LIST_INDEX(k) (k)
#define PART_BEGIN(done, rest) (done)
void blend(inout vec4 sum, inout float through, vec3 color, float alpha) {
  float weight = min(alpha, through);
  sum += weight * vec4(color, 1.0);
  through -= weight;
}
