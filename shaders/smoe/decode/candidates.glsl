// SPDX-License-Identifier: BSD-3-Clause
// Candidates for the bars of cells that no component is near. Any component gives a valid bar; good
// ones are those whose centers are not far. A word says which: the index in the low 24 bits, above it
// how wide the component is, so that a maximum takes the widest; 0: none. Words lie per cell and per
// block of 8 x 8 cells.
#ifndef SHADERS_SMOE_CANDIDATES
#define SHADERS_SMOE_CANDIDATES
#include "shaders/smoe/decode/bounds.glsl"

ivec2 blockCount() { return (params.cells + SMOE_BLOCK - 1) / SMOE_BLOCK; }

uint candidateWord(uint component, Gate gate) {
  const float wide = -log2(min(gate.w.x, gate.w.z));
  return (uint(clamp(8.0 * wide + 64.0, 1.0, 255.0)) << 24) | component;
}
uint componentOf(uint word) { return word & 0xFFFFFFu; }

#endif
