// SPDX-License-Identifier: BSD-3-Clause
// Which pixels of the region are active (step 1 of Lipinski et al. 2021, for 32 pixels in a word).
// One work group per AP_SIZE mask words; reads the textures, writes the masks. Deterministic.
//
//   AP_SPREAD 0: one invocation per mask word, for software renderers, where barriers are costly
//   AP_SPREAD 1: invocations side by side read texels side by side; each keeps one bit of 32 words,
//                and these bits are transposed through shared memory
#include "shaders/active_pixel/texels.glsl"
#include "shaders/common/invocation.glsl"
#ifndef AP_SPREAD
#define AP_SPREAD 0
#endif
layout(local_size_x = AP_SIZE) in;

layout(std430, binding = AP_BIND_MASKS) restrict writeonly buffer Masks { uint masks[]; };
layout(std140, binding = AP_BIND_PARAMS) uniform Params { ApParams target; };

#if AP_SPREAD
shared uint seen[AP_SIZE];

/// Bit r: whether the texel that this invocation sees in round r is active.
uint look(uint lane) {
  const uint bit = lane & 31u, wordsPerRow = target.wordsPerRow;
  uint word = groupIndex() * AP_SIZE + (lane >> 5);
  uint row = word / wordsPerRow, column = word - row * wordsPerRow;
  uint bits = 0;
  for (uint r = 0; r < target.rounds; ++r) {
    const uint x = column * 32 + bit;
    if (word < target.wordCount && x < target.width &&
        isActive(ivec2(target.sourceX + int(x), target.sourceY + int(row))))
      bits |= 1u << r;
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
  for (uint b = 0; b < target.rounds; ++b) mask |= ((seen[first + b] >> round) & 1u) << b;
  const uint word = groupIndex() * AP_SIZE + lane;
  if (word < target.wordCount) masks[word] = mask;
}
#else
void main() {
  const uint word = invocationIndex();
  if (word >= target.wordCount) return;
  const uint row = word / target.wordsPerRow;
  const uint x = (word - row * target.wordsPerRow) * 32;
  const uint count = min(target.rounds, target.width - x);
  const uint rounds = target.rounds;
  const int last = target.sourceX + int(target.width) - 1, y = target.sourceY + int(row);
  int at = target.sourceX + int(x);
  // All look at 32 texels, so that they leave the loop together; what is past the row does not count.
  uint mask = 0;
  for (uint b = 0; b < rounds; ++b) {
    mask |= (isActive(ivec2(min(at, last), y)) ? 1u : 0u) << b;
    ++at;
  }
  masks[word] = count == 32 ? mask : mask & ((1u << count) - 1u);
}
#endif
