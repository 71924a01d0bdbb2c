// SPDX-License-Identifier: BSD-3-Clause
// Totals of a stretch of mask words, as a uvec4: active pixels, starts of runs, and of its last start
// the active pixels of the stretch before it and its pixel in the image. A unit is the stretch that
// one invocation marks (AP_SPREAD 0), or that a work group has side by side (1).
#ifndef SHADERS_ACTIVE_PIXEL_UNITS
#define SHADERS_ACTIVE_PIXEL_UNITS
#ifndef AP_SPREAD
#define AP_SPREAD 0
#endif

/// The totals of a stretch and of the one behind it.
uvec4 joined(uvec4 a, uvec4 b) {
  const uvec2 sums = a.xy + b.xy;
  return b.y != 0 ? uvec4(sums, a.x + b.z, b.w) : uvec4(sums, a.zw);
}

/// With one more mask word behind it, whose first pixel is `pixel` of the image.
uvec4 extended(uvec4 unit, uint mask, uint starts, uint pixel) {
  if (starts != 0) {
    const uint last = uint(findMSB(starts));
    unit.z = unit.x + uint(bitCount(mask & ((1u << last) - 1u)));
    unit.w = pixel + last;
    unit.y += uint(bitCount(starts));
  }
  unit.x += uint(bitCount(mask));
  return unit;
}
#endif
