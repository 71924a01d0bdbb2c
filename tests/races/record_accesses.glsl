// SPDX-License-Identifier: BSD-3-Clause
// Appended to every compute shader that is watched; instrument.h calls these functions beside every access
// to memory that invocations share. All they do is to write down who did what and in which phase, the
// number of barriers passed; word_history.h then looks for accesses that nothing orders. (To look here
// would take ten times the time to compile: Mesa copies a function to each of its calls.)
layout(std430, binding = FATHOM_RACE_LOG) coherent buffer FathomRaceLog {
  uvec4 fathomRaceLog[];  // x of the first: how many follow, more than there is room for if some are lost
};
layout(std140, binding = FATHOM_RACE_FACTS) uniform FathomRaceFacts {
  uint fathomRaceCapacity;
  uint fathomRaceWithout;  // the barrier that is left out
};
uint fathomRaceInvocation;  // set first of all, and so before initial values would be
uint fathomRacePhase = 0u, fathomRaceBufferPhase = 0u;
bool fathomRaceFenced = false;  // a memory barrier since the last barrier

void fathomRaceBegin() {
  const uint size = gl_WorkGroupSize.x * gl_WorkGroupSize.y * gl_WorkGroupSize.z;
  const uint group = (gl_WorkGroupID.z * gl_NumWorkGroups.y + gl_WorkGroupID.y) * gl_NumWorkGroups.x +
                     gl_WorkGroupID.x;
  fathomRaceInvocation = group * size + gl_LocalInvocationIndex;
}

void fathomRaceAccess(const uint word, const uint place) {
  const uint at = atomicAdd(fathomRaceLog[0].x, 1u);
  if (at < fathomRaceCapacity)
    fathomRaceLog[at + 1u] =
        uvec4(fathomRaceInvocation, place, word, fathomRacePhase << 16 | fathomRaceBufferPhase);
}

void fathomRaceTexel(const ivec2 texel, const uint place) {
  fathomRaceAccess(uint(texel.y) << 16 | uint(texel.x), place);
}

void fathomRaceFence() { fathomRaceFenced = true; }

/// A barrier orders shared memory; buffers only after a memory barrier.
void fathomRaceBarrier(const uint index) {
  if (index == fathomRaceWithout) return;
  if (gl_LocalInvocationIndex == 0u) fathomRaceAccess(index, 0xffffffffu);
  barrier();
  ++fathomRacePhase;
  if (fathomRaceFenced) ++fathomRaceBufferPhase;
  fathomRaceFenced = false;
}
