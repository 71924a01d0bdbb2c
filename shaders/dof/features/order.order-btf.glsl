// SPDX-License-Identifier: BSD-3-Clause
// Back to front: each splat covers part of all behind it. The weights are treated as a fourth color.
#define LIST_INDEX(k) (count - 1u - (k))
#define PART_BEGIN(done, rest) (rest)
void blend(inout vec4 sum, inout float through, vec3 color, float alpha) {
  sum = (1.0 - alpha) * sum + alpha * vec4(color, 1.0);
}
