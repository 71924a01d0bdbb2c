// SPDX-License-Identifier: BSD-3-Clause
// In the place of what flame/generator.cpp writes: one xform that halves the plane.
#define FLAME_SHARED_SELECTION 0
#define FLAME_FINAL 0
#define FLAME_FINAL_SOMETIMES 0
#define FLAME_XAOS 0
#define FLAME_ALPHA 0
#define FLAME_VISIBILITY 0
#define FLAME_LINEAR_PALETTE 0
#define FLAME_JITTER 0
#define FLAME_PARTS 1

void loadXforms() {}
uint chooseXform(uint r, uint row) { return 0u; }
vec2 applyXform(uint xform, vec2 at) { return at * 0.5; }
float colorKeep(uint xform) { return 0.5; }
float colorAdd(uint xform) { return 0.5; }
