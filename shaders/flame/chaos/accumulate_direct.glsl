// SPDX-License-Identifier: BSD-3-Clause
// Hits are added without synchronization (the paper's fastest way): of hits that meet at a bucket
// some are lost. `hits` counts all, so that the loss can be told.
#define ADD(part, word, amount) parts[part].words[word] += amount
#include "shaders/flame/chaos/accumulate.glsl"
