// SPDX-License-Identifier: BSD-3-Clause
// Mask words of the image that is written: where runs start. Asks for `masks` and `target`.

/// 1 when the pixel before the first one of this word is active: the last of the row below where the
/// region spans whole rows of the image, and else the one beside it.
uint carryInto(uint word, uint column) {
  if (word == 0) return 0;
  if (column > 0) return masks[word - 1] >> 31;
  if (target.width != target.tileWidth) return 0;
  return (masks[word - 1] >> ((target.width - 1) & 31u)) & 1u;
}

/// Bits of the pixels of a word that start a run.
uint startsOf(uint mask, uint carry) { return mask & ~(mask << 1 | carry); }
