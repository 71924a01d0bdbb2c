// SPDX-License-Identifier: BSD-3-Clause
// The color of a coordinate, 0..255 per channel: entry k covers [k/256, (k+1)/256), or the colors
// between the entries at k/256 and (k+1)/256 are mixed; everything from 255/256 on is entry 255
// (flam3 3.1).
#ifndef SHADERS_FLAME_PALETTE
#define SHADERS_FLAME_PALETTE
#ifndef FLAME_SHARED_PALETTE
#define FLAME_SHARED_PALETTE 0  // 1: shaders that say BRING_PALETTE
#endif

layout(std140, binding = FLAME_BIND_PALETTE) uniform Palette { vec4 palette[256]; };

#if FLAME_SHARED_PALETTE
// Neighbors ask for different entries, which constant memory hands out one after the other.
shared vec4 sharedPalette[256];
#define paletteEntry(i) sharedPalette[i]
/// By the whole group, before the first color.
#define BRING_PALETTE                                                          \
  {                                                                            \
    for (uint i = gl_LocalInvocationIndex; i < 256u; i += gl_WorkGroupSize.x) \
      sharedPalette[i] = palette[i];                                           \
    memoryBarrierShared();                                                     \
    barrier();                                                                 \
  }
#else
#define paletteEntry(i) palette[i]
#endif

vec4 paletteColor(float color) {
  float place = clamp(color * 256.0, 0.0, 255.0);
  int entry = int(place);
#if FLAME_LINEAR_PALETTE
  return mix(paletteEntry(entry), paletteEntry(min(entry + 1, 255)), place - float(entry));
#else
  return paletteEntry(entry);
#endif
}

/// Of a hit: the palette's, or what a variation has set in its place.
#ifdef FLAME_FULL_COLORS
vec4 hitColor(float color) {
  return fullColor.r < 0.0 ? paletteColor(color) : vec4(255.0 * fullColor.rgb, 255.0);
}
#else
#define hitColor(color) paletteColor(color)
#endif

#endif
