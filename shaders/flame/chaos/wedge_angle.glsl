// SPDX-License-Identifier: BSD-3-Clause
// Shared by wedge, wedge_julia and wedge_sph.
#ifndef SHADERS_FLAME_WEDGE
#define SHADERS_FLAME_WEDGE
#include "shaders/flame/chaos/point.glsl"

/// The angle after `count` wedges of `angle` were cut out of the turn; shrink: 1 - angle count /
/// 2pi.
float wedgeAngle(float a, float angle, float count, float shrink) {
  return a * shrink + floor((count * a + kPi) / kTwoPi) * angle;
}

#endif
