// SPDX-License-Identifier: BSD-3-Clause
// Over-compositing of premultiplied colors, front to back or back to front (Porter and Duff 1984). The
// order of operations is that of OpenEXR's and OpenImageIO's flattening, and precise keeps compilers from
// contracting them, so that results round alike there and on every device.
// EARLY_OUT: 0 walk the whole list; 1 stop when nothing behind can show; 2 stop below 1/512 of
// transmittance.
#ifndef EARLY_OUT
#define EARLY_OUT 1
#endif

/// Composites what is behind `front`.
void overBehind(inout vec4 front, vec4 behind) {
  precise vec4 both = front + (1.0 - front.a) * behind;
  front = both;
}

/// Lays `front` over what has been composited so far.
void overFront(inout vec4 behind, vec4 front) {
  precise vec4 both = front + (1.0 - front.a) * behind;
  behind = both;
}

bool isHidden(vec4 front) {
#if EARLY_OUT == 1
  return front.a >= 1.0;
#elif EARLY_OUT == 2
  return 1.0 - front.a < 1.0 / 512.0;
#else
  return false;
#endif
}
