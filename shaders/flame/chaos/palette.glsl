// SPDX-License-Identifier: BSD-3-Clause
// The color of a coordinate, 0..255 per channel: entry k covers [k/256, (k+1)/256), or the colors
// between the entries at k/256 and (k+1)/256 are mixed; everything from 255/256 on is entry 255
// (flam3 3.1).
#ifndef SHADERS_FLAME_PALETTE
#define SHADERS_FLAME_PALETTE

layout(std140, binding = FLAME_BIND_PALETTE) uniform Palette { vec4 palette[256]; };

vec4 paletteColor(float color) {
  float place = clamp(color * 256.0, 0.0, 255.0);
  int entry = int(place);
#if FLAME_LINEAR_PALETTE
  return mix(palette[entry], palette[min(entry + 1, 255)], place - float(entry));
#else
  return palette[entry];
#endif
}

#endif
