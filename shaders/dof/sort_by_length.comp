// SPDX-License-Identifier: BSD-3-Clause
// Puts each tile of the band into the class of its list's length, so that short lists do not pay for
// the shared memory of long ones, and writes how much room the lists need in all. One invocation per
// tile. Counts of the indirect dispatches start at 0; lists of more than
// params.choice keys are left out. The order within a class is not deterministic
// and means nothing.
#include "shaders/dof/footprint.glsl"
layout(local_size_x = DOF_LIST_SIZE) in;

layout(std430, binding = DOF_BIND_TILE_BEGIN) restrict readonly buffer TileBegin {
  uint tileBegin[];
};
layout(std430, binding = DOF_BIND_STATS) restrict buffer Stats { DofStats stats; };
layout(std430, binding = DOF_BIND_CLASSES) restrict writeonly buffer Classes { uint classes[]; };
layout(std430, binding = DOF_BIND_COMMANDS) restrict buffer Commands { uvec4 commands[]; };

void main() {
  uint tile = invocationIndex(), tileCount = params.tilesX * params.tileRowCount;
  if (tile >= tileCount) return;
  uint n = tileBegin[tile + 1u] - tileBegin[tile];
  if (tile == 0u) stats.entryCount = tileBegin[tileCount];
  atomicMax(stats.longest, n);
  if (tileBegin[tile + 1u] > params.capacity) return;  // not all there: scattered again with more room
  if (n > params.choice) return;  // the band is sorted as a whole instead
  uint listClass = n <= 512u ? 0u : n <= 1024u ? 1u : n <= 2048u ? 2u : n <= 4096u ? 3u : 4u;
  classes[listClass * tileCount + atomicAdd(commands[listClass].x, 1u)] = tile;
}
