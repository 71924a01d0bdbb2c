// SPDX-License-Identifier: BSD-3-Clause
// Chunk after chunk; each asks how many nodes it has.
  uint rounds = (count + CHUNK - 1u) / CHUNK;
  for (uint i = 0u; i < rounds; ++i) {
    uint bound = min(CHUNK, count - i * CHUNK);
#define COUNT bound
#include "@round"
#undef COUNT
  }
