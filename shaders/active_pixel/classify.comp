// SPDX-License-Identifier: BSD-3-Clause
// Which pixels of the region are active (step 1 of Lipinski et al. 2021, for 32 pixels in a word), and
// how many runs they make. Reads the textures, writes masks and totals of units. Deterministic.
//
//   AP_SPREAD 0: one invocation per unit, for software renderers, where barriers are costly
//   AP_SPREAD 1: one work group per unit; invocations side by side read texels side by side; each
//                keeps one bit of 32 words, and these bits are transposed through shared memory
#include "shaders/active_pixel/texels.glsl"
#include "shaders/common/invocation.glsl"
layout(local_size_x = AP_SIZE) in;

layout(std140, binding = AP_BIND_PARAMS) uniform Params { ApParams target; };

// Not from the uniform each time: software renderers fetch those lane by lane within loops.
ivec2 sourceOrigin = ivec2(target.sourceX, target.sourceY);

bool isActiveAt(uint row, uint x) { return isActive(sourceOrigin + ivec2(x, row)); }

uint maskOf(uint row, uint column) {
  const uint x = column * 32, count = min(target.rounds, target.width - x), rounds = target.rounds;
  const int last = sourceOrigin.x + int(target.width) - 1, y = sourceOrigin.y + int(row);
  int at = sourceOrigin.x + int(x);
  // All look at 32 texels, so that they leave the loop together; what is past the row does not count.
  uint mask = 0;
  for (uint b = 0; b < rounds; ++b) {
    mask |= (isActive(ivec2(min(at, last), y)) ? 1u : 0u) << b;
    ++at;
  }
  return count == 32 ? mask : mask & ((1u << count) - 1u);
}

#include "shaders/active_pixel/mark_units.glsl"

#if AP_SPREAD
shared uint seen[AP_SIZE];

/// Bit r: whether the texel that this invocation sees in round r is active.
uint look(uint lane) {
  const uint bit = lane & 31u, wordsPerRow = target.wordsPerRow;
  uint word = groupIndex() * AP_SIZE + (lane >> 5);
  uint row = word / wordsPerRow, column = word - row * wordsPerRow;
  uint bits = 0;
  for (uint r = 0; r < 32; ++r) {
    const uint x = column * 32 + bit;
    if (word < target.wordCount && x < target.width && isActiveAt(row, x)) bits |= 1u << r;
    word += AP_STEP;
    column += AP_STEP;
    if (column >= wordsPerRow) {
      row += column / wordsPerRow;
      column %= wordsPerRow;
    }
  }
  return bits;
}

void main() {
  const uint lane = gl_LocalInvocationID.x;
  seen[lane] = look(lane);
  barrier();

  // Word w of the group was seen in round w / AP_STEP, by the 32 invocations of its place.
  const uint round = lane / AP_STEP, first = (lane % AP_STEP) * 32;
  uint mask = 0;
  for (uint b = 0; b < 32; ++b) mask |= ((seen[first + b] >> round) & 1u) << b;
  const uint word = groupIndex() * AP_SIZE + lane;
  markUnit(word, word < target.wordCount ? mask : 0);
}
#else
void main() { markUnit(invocationIndex()); }
#endif
