// SPDX-License-Identifier: BSD-3-Clause
// sunflower: Polygons where a sunflower has its seeds.
// Number 339: sets color
// Parameters: nPoints 500 (1 to 2000), shape 10 (3 to 20), scale 0.02 (0 to 1),
//   angle 180 (0 to 360), color 0 (0 to 1), F._filling 0 (0 to 1), invert 0 (0 to 1)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/figures.glsl"

/// In a polygon around the origin with a corner above it; `hole` is the share left out of it.
vec2 seedDrawn(float sides, float hole) {
  float sector = kTwoPi / sides, steep = 13.0 / powOf(sides, 1.3);
  float bent = 0.5 - 0.5 * angleOf(steep * (unit() - 0.5), 1.0) / angleOf(0.5 * steep, 1.0);
  float within = bent * sector, which = pieceOf(sides);
  float edge = cosine(0.5 * sector) / cosine(within - 0.5 * sector);
  float r = edge * (hole + (1.0 - hole) * sqrt(unit()));
  vec2 t = direction(within + which * sector - 0.5 * sector);
  return r * vec2(t.y, t.x);
}

vec2 variation_sunflower(Point p, float w, float nPoints, float shape, float scale, float angle,
                         float color, float filling, float invert) {
  float count = max(nearestOf(nPoints), 1.0), i = pieceOf(count) + 1.0;
  double turns = double(i) * double(angle) * (double(3) - sqrt(double(5))) / 360.0;
  float r = sqrt(i / (count + 1.0));
  vec2 at = r * direction(kTwoPi * float(turns - floor(turns)));
  float size = nearestOf(invert) == 1.0 ? r : 1.0 - r;
  setColor(size, w);
  return w * (at + scale * size * seedDrawn(max(nearestOf(shape), 3.0), filling));
}
