// SPDX-License-Identifier: BSD-3-Clause
// Step 5 of five (Lipinski et al. 2021, sec. 3, eq. 1 with a floor and any payload size): every
// active pixel writes its payload, the first of a run the pair before it, and the last pixel of the
// image the size and, when it is not active, the pair that ends the image. One invocation per pixel;
// reads act, run, idx and len. Deterministic: every word has one writer.
#include "shaders/active_pixel/texels.glsl"
#include "shaders/common/invocation.glsl"
layout(local_size_x = AP_SIZE) in;

layout(std430, binding = AP_BIND_ACTIVE) restrict readonly buffer Active { uint act[]; };
layout(std430, binding = AP_BIND_NEW) restrict readonly buffer Runs { uint runs[]; };
layout(std430, binding = AP_BIND_LENGTHS) restrict readonly buffer Lengths { uint lengths[]; };
layout(std430, binding = AP_BIND_INDEX) restrict readonly buffer Index { uint indices[]; };
layout(std430, binding = AP_BIND_FACTS) restrict writeonly buffer Facts { ApFacts facts; };
layout(std140, binding = AP_BIND_PARAMS) uniform Params { ApParams target; };
#include "shaders/active_pixel/words.glsl"

void placePayload(uint at, uint pixel) {
  const uint row = pixel / target.tileWidth;
  const ivec2 inRegion = ivec2(pixel - row * target.tileWidth, row) -
                         ivec2(target.left, target.bottom);
  const ivec2 texel = inRegion + ivec2(target.sourceX, target.sourceY);
#if AP_COLOR != AP_COLOR_NONE
  const uvec4 color = colorWords(texel);
  for (uint c = 0; c < AP_COLOR_WORDS; ++c) put(at + c, color[c]);
#endif
#if !AP_BLEND
  put(at + AP_COLOR_WORDS, depthBits(texel));
#endif
}

void writeHeader(uint bytes) {
  put(0, 0x004D6000u);
  put(1, target.colorFormat);
  put(2, target.depthFormat);
  put(3, target.tileWidth);
  put(4, target.tileHeight);
  put(5, target.pixelCount);
  put(6, bytes);
}

void main() {
  const uint pixel = invocationIndex();
  if (pixel >= target.pixelCount) return;
  const bool isActivePixel = act[pixel] != 0;
  const uint run = runs[pixel], index = indices[pixel];
  // Runs alternate, so half of those before are active: pairs before this pixel's payload.
  const uint pairsBefore = isActivePixel ? (run - 1) / 2 : run / 2;
  const uint pair = pairAt(pairsBefore, index);

  if (isActivePixel) {
    placePayload(pair + 2, pixel);
    if (pixel == 0 || runs[pixel - 1] != run) {
      put(pair, run == 1 ? 0 : lengths[run - 2]);
      put(pair + 1, lengths[run - 1]);
    }
  }
  if (pixel + 1 == target.pixelCount) {
    const uint activeCount = index + act[pixel];
    if (!isActivePixel) {
      put(pair, lengths[run - 1]);
      put(pair + 1, 0);
    }
    const uint bytes = 4 * pairAt(pairsBefore + 1, activeCount);
    facts.activeCount = activeCount;
    facts.runCount = pairsBefore + act[pixel];
    facts.bytes = bytes;
    facts.trailing = 1 - act[pixel];
    writeHeader(bytes);
  }
}
