// SPDX-License-Identifier: BSD-3-Clause
// The weights of the narrow classes along one axis, estimator and spatial filter in one. Defines of
// the including file: BLOCKS, SUPERSAMPLE.
#ifndef SHADERS_FLAME_TAPS
#define SHADERS_FLAME_TAPS

layout(std140, binding = FLAME_TONE_BIND_TAPS) uniform TapsBlock { ToneTaps taps; };

/// Weight of the bucket that lies `i` behind the first of BLOCKS * SUPERSAMPLE around the pixel.
/// With constants as arguments it is read at a constant place, which software renderers do at once
/// for all invocations.
float tap(int narrowClass, int i) {
  int at = narrowClass * BLOCKS * SUPERSAMPLE + i;
  return taps.values[at / 4][at % 4];
}

#endif
