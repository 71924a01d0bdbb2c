// SPDX-License-Identifier: BSD-3-Clause
// Squares around the origin bent to circles, for circlize, circlize2 and blur_circle; bubbles in the
// cells of a grid, for the bwraps.
#ifndef SHADERS_FLAME_SQUARES
#define SHADERS_FLAME_SQUARES
#include "shaders/flame/chaos/point.glsl"

/// How far the square through v lies from the origin.
float squareSide(vec2 v) { return max(abs(v.x), abs(v.y)); }

/// Where v goes on the unit circle, in proportion to how far along its square it is.
vec2 squareDirection(vec2 v) {
  float ax = abs(v.x), ay = abs(v.y), side = max(ax, ay);
  float perimeter = ax >= ay ? (v.x >= ay ? ax + v.y : 5.0 * ax - v.y)
                             : (v.y >= ax ? 3.0 * ay - v.x : 7.0 * ay + v.x);
  return direction(0.25 * kPi * perimeter / side - 0.25 * kPi);
}

/// A point within the disc of its cell is blown up by `gain` and twisted; others stay.
vec2 bubbleWrapped(vec2 from, float cellsize, float radius, float gain, float inner_twist,
                   float outer_twist) {
  float largest = gain * radius;
  largest = largest > 2.0 ? 1.0 : largest / (largest * largest / 4.0 + 1.0);
  float cx = (floor(from.x / cellsize) + 0.5) * cellsize;
  float cy = (floor(from.y / cellsize) + 0.5) * cellsize;
  float x = from.x - cx, y = from.y - cy;
  if (x * x + y * y > radius * radius) return from;
  x *= gain;
  y *= gain;
  float k = radius / largest / ((x * x + y * y) / 4.0 + 1.0);
  x *= k;
  y *= k;
  float away = (x * x + y * y) / (radius * radius);
  vec2 d = direction(inner_twist * (1.0 - away) + outer_twist * away);
  return vec2(cx + d.x * x + d.y * y, cy - d.y * x + d.x * y);
}

#endif
