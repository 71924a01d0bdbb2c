// SPDX-License-Identifier: BSD-3-Clause
// Lines and dots of figures that are drawn piece by piece, one by chance.
#ifndef SHADERS_FLAME_FIGURES
#define SHADERS_FLAME_FIGURES
#include "shaders/flame/chaos/point.glsl"

/// A whole number below `count`.
float pieceOf(float count) { return min(floor(unit() * count), count - 1.0); }

/// On the line from a to b, within a small square.
vec2 lineDrawn(vec2 a, vec2 b, float thickness) {
  float along = unit(), u = unit(), v = unit();
  return a + along * (b - a) + 0.01 * thickness * vec2(u - 0.5, v - 0.5);
}

/// Within a small disc around a.
vec2 dotDrawn(vec2 a, float thickness) {
  float r = 0.01 * thickness * unit();
  return a + r * direction(kTwoPi * unit());
}

/// A line or the dot at its beginning, by chance.
vec2 pieceDrawn(vec2 a, vec2 b, float lines, float line_thickness, float dots,
                float dot_thickness) {
  bool isLine = unit() * (lines + dots) <= lines;
  vec2 line = lineDrawn(a, b, line_thickness);
  vec2 spot = dotDrawn(a, dot_thickness);
  return lines + dots == 0.0 ? vec2(0.0, 0.0) : isLine ? line : spot;
}

/// The level of a piece of a tree with `branches` below each and `levels` levels.
float pieceLevel(float branches, float levels) {
  float total = 0.0, at = 1.0;
  for (int i = 0; i < 12; ++i) {
    total += float(i) < levels ? at : 0.0;
    at *= branches;
  }
  float left = pieceOf(total), level = 0.0;
  at = 1.0;
  for (int i = 0; i < 12; ++i) {
    level = left >= at && float(i) < levels - 1.0 ? float(i) + 1.0 : level;
    left -= left >= at ? at : 1e30;
    at *= branches;
  }
  return level;
}

#endif
