// SPDX-License-Identifier: BSD-3-Clause
// Shared by the leaves: maple_leaf, japanese_maple_leaf, oak_leaf.
#ifndef SHADERS_FLAME_LEAVES
#define SHADERS_FLAME_LEAVES

/// v to the power of a whole number n.
float leafPower(float v, int n) {
  float result = 1.0;
  for (int i = 0; i < n; ++i) result *= v;
  return result;
}

#endif
