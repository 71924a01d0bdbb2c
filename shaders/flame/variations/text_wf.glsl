// SPDX-License-Identifier: BSD-3-Clause
// text_wf: A text of up to 16 letters, drawn with strokes.
// Beside JWildfire: not compared but for what it writes without a text, which differs
// Number 304
// Parameters: font_size 320 (10 to 500), antialias 0.5 (0 to 1), scale_x 1 (-2 to 2),
//   scale_y 1 (-2 to 2), offset_x 0 (-2 to 2), offset_y 0 (-2 to 2), baseline 0 (-100 to 100),
//   c1 74 (0 to 122), c2 87 (0 to 122), c3 105 (0 to 122), c4 108 (0 to 122), c5 100 (0 to 122),
//   c6 102 (0 to 122), c7 105 (0 to 122), c8 114 (0 to 122), c9 101 (0 to 122), c10 0 (0 to 122),
//   c11 0 (0 to 122), c12 0 (0 to 122), c13 0 (0 to 122), c14 0 (0 to 122), c15 0 (0 to 122),
//   c16 0 (0 to 122)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/letters.glsl"

/// A point of a text on the grid, and its width there.
vec3 textPoint(float letters[16]) {
  float total = 0.0, width = 0.0, at = 0.0;
  for (int i = 0; i < 16; ++i) {
    int letter = letterOf(letters[i]);
    width += letterWidth(letters[i]);
    for (uint k = textLetters[letter] & 65535u; k < (textLetters[letter + 1] & 65535u); ++k)
      total += strokeLength(textStrokes[k]);
  }
  float left = unit() * total, along = unit(), aside = 2.2 * unit() - 1.1;
  vec2 found = vec2(0.0, 0.0);
  for (int i = 0; i < 16; ++i) {
    int letter = letterOf(letters[i]);
    for (uint k = textLetters[letter] & 65535u; k < (textLetters[letter + 1] & 65535u); ++k) {
      float far = strokeLength(textStrokes[k]);
      if (left >= 0.0 && left < far)
        found = strokePoint(textStrokes[k], along, aside) + vec2(at, 0.0);
      left -= far;
    }
    at += letterWidth(letters[i]);
  }
  return vec3(found.x, found.y, width);
}

vec2 variation_text_wf(Point p, float w, float font_size, float antialias, float scale_x,
                       float scale_y, float offset_x, float offset_y, float baseline, float c1,
                       float c2, float c3, float c4, float c5, float c6, float c7, float c8,
                       float c9, float c10, float c11, float c12, float c13, float c14, float c15,
                       float c16) {
  float letters[16] =
      {c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16};
  vec3 of = textPoint(letters) / 24.0;
  float above = baseline / max(abs(font_size), 1.0), high = 3.149 + above;
  vec2 at = vec2((of.x - 0.5 * of.z) / (of.z + 2.0), (1.905 + above - of.y) / high - 0.5);
  if (antialias > 0.01) {
    float away = 0.001 * (exp(antialias * sqrt(-logOf(max(unit(), 1e-7)))) - 1.0);
    at += away * direction(kTwoPi * unit());
  }
  return 3.0 * vec2(at.x * scale_x + offset_x, at.y * scale_y + offset_y);
}
