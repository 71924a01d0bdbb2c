// SPDX-License-Identifier: BSD-3-Clause
// Writes the active pixels of the textures into the image; see write_runs.glsl.
#include "shaders/active_pixel/texels.glsl"
layout(local_size_x = AP_SIZE) in;

layout(std140, binding = AP_BIND_PARAMS) uniform Params { ApParams target; };
#include "shaders/active_pixel/words.glsl"

// Not from the uniform each time: software renderers fetch those lane by lane within loops.
ivec2 sourceOrigin = ivec2(target.sourceX, target.sourceY);

void writePayload(uint at, uint x, uint y) {
  const ivec2 texel = sourceOrigin + ivec2(x, y);
#if AP_COLOR != AP_COLOR_NONE
  const uvec4 color = colorWords(texel);
  put(at, color.x);
#if AP_COLOR != AP_COLOR_RGBA8
  put(at + 1, color.y);
  put(at + 2, color.z);
#endif
#if AP_COLOR == AP_COLOR_RGBA32F
  put(at + 3, color.w);
#endif
#endif
#if !AP_BLEND
  put(at + AP_COLOR_WORDS, depthBits(texel));
#endif
}

#include "shaders/active_pixel/write_runs.glsl"

void main() { writeRuns(); }
