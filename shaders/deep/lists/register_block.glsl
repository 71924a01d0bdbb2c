// SPDX-License-Identifier: BSD-3-Clause
// Reading a list in blocks of REGISTERS fragments with constant indices (Archer 2018, register block
// merge). In BIA, ABIA and RIA a block of the layout is one piece, and REGISTERS divides it or it divides
// REGISTERS. Include after lists.glsl.

/// Reads up to REGISTERS fragments of a list; returns how many.
int refill(int list, inout Cursor c, inout Fragment block[REGISTERS]) {
  int filled = 0;
#if LAYOUT == DEEP_LAYOUT_IA
  for (int j = 0; j < REGISTERS; ++j)
    if (c.at + uint(j) < c.end) {
      block[j] = data[list].items[addressOf(c, c.at + uint(j))];
      filled = j + 1;
    }
  c.at += uint(filled);
#elif LAYOUT == DEEP_LAYOUT_LL || (LAYOUT != DEEP_LAYOUT_LA && REGISTERS > BLOCK)
  for (int j = 0; j < REGISTERS; ++j)
    if (!atEnd(c)) {
      block[j] = fetch(list, c);
      filled = j + 1;
    }
#else
  // LA: the list is contiguous. The others: blocks are, and so is what lies behind the group's minimum,
  // which is a multiple of the block.
  if (!atEnd(c)) {
#if LAYOUT == DEEP_LAYOUT_RIA
    enterBlock(list, c);
    uint base = c.start + c.at % INTERLEAVE;
#else
    uint base = addressOf(c, c.at);
#endif
    if (c.end - c.at >= uint(REGISTERS)) {  // without a guard for each, neighbors are loaded together
      for (int j = 0; j < REGISTERS; ++j) block[j] = data[list].items[base + uint(j)];
      filled = REGISTERS;
    } else {
      for (int j = 0; j < REGISTERS; ++j)
        if (c.at + uint(j) < c.end) {
          block[j] = data[list].items[base + uint(j)];
          filled = j + 1;
        }
    }
    c.at += uint(filled);
  }
#endif
  return filled;
}
