// SPDX-License-Identifier: BSD-3-Clause
// Hits are added by integer atomics: exact, and the same bytes in whatever order they come. Of 64 bits
// where there are: sums stay below 2^32, so nothing is carried into the upper word.
#ifdef FLAME_ATOMICS_64
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_NV_shader_atomic_int64 : require
#define FLAME_WORD int64_t  // the extension adds no others
#define ADD_TWO(part, word, low, high) \
  atomicAdd(parts[part].words[(word) / 2u], int64_t(packUint2x32(uvec2(low, high))))
#else
#define ADD(part, word, amount) atomicAdd(parts[part].words[word], amount)
#endif
#include "shaders/flame/chaos/accumulate.glsl"
