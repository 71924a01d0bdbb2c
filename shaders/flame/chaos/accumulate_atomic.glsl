// SPDX-License-Identifier: BSD-3-Clause
// Hits are added by integer atomics: exact, and the same bytes in whatever order they come.
#define ADD(part, word, amount) atomicAdd(parts[part].words[word], amount)
#include "shaders/flame/chaos/accumulate.glsl"
