// SPDX-License-Identifier: BSD-3-Clause
// nBlur: A polygon of dust, with a hole and with stripes.
// Number 325
// Parameters: numEdges 3 (3 to 12), numStripes 0 (-15 to 15), ratioStripes 1 (0 to 2),
//   ratioHole 0 (0 to 1), circumCircle 0 (0 to 1), adjustToLinear 1 (0 to 1), equalBlur 1 (0 to 1),
//   exactCalc 0 (0 to 1), highlightEdges 1 (0.1 to 3)
#include "shaders/flame/chaos/point.glsl"

/// An angle within an edge's sector, moved into the stripes that are kept.
float nBlurStriped(float within, float sector, float stripes, float ratio) {
  float half_width = 0.25 * sector / abs(stripes), at = within / half_width;
  float count = floor(0.5 * at + 0.5), away = at - 2.0 * count;
  bool odd = count - 2.0 * floor(0.5 * count) > 0.5, kept = odd != (stripes > 0.0);
  float to = kept ? count : away > 0.0 ? count + 1.0 : count - 1.0;
  away = kept ? away : away > 0.0 ? away - 1.0 : away + 1.0;
  return (2.0 * to + away * (stripes > 0.0 ? ratio : 2.0 - ratio)) * half_width;
}

vec2 variation_nBlur(Point p, float w, float numEdges, float numStripes, float ratioStripes,
                     float ratioHole, float circumCircle, float adjustToLinear, float equalBlur,
                     float exactCalc, float highlightEdges) {
  float edges = max(nearestOf(numEdges), 3.0), sector = kTwoPi / edges;
  bool round = nearestOf(circumCircle) == 1.0, exact = nearestOf(exactCalc) == 1.0 && !round;
  bool even = nearestOf(equalBlur) == 1.0;
  float steep = (numStripes < 0.0 ? 7.5 : 13.0) / powOf(edges, 1.3) *
                (round ? 0.1 : max(highlightEdges, 0.1));
  float u = unit() - 0.5, which = min(floor(unit() * edges), edges - 1.0);
  float bent = 0.5 - 0.5 * angleOf(steep * u, 1.0) / angleOf(0.5 * steep, 1.0);
  float within = (exact ? u + 0.5 : bent) * sector;
  if (abs(nearestOf(numStripes)) > 0.0)
    within = nBlurStriped(within, sector, nearestOf(numStripes), ratioStripes);
  float edge = cosine(0.5 * sector) / cosine(within - 0.5 * sector),
        hole = clamp(ratioHole, 0.0, 1.0) * edge;
  float far = unit(), again = unit();
  float most = round ? 1.0 : edge;
  float r = most * (even ? sqrt(far) : far);
  r = r < hole ? hole + (even ? sqrt(again) : again) * (most - hole) : r;
  float steps = floor(0.5 * edges) - (edges - 4.0 * floor(0.25 * edges) < 0.5 ? 1.0 : 0.0);
  float fit = nearestOf(adjustToLinear) == 1.0 ? sine(0.5 * sector * steps) : 1.0;
  vec2 t = direction(within + which * sector);
  vec2 turn = direction(0.5 * sector);
  return w * r / fit * vec2(t.y * turn.x - t.x * turn.y, t.y * turn.y + t.x * turn.x);
}
