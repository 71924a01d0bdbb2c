// SPDX-License-Identifier: BSD-3-Clause
// vibration2: Two plane waves whose direction, angle, frequency and height are modulated.
// Number 261
// Parameters: dir 0 (-3.15 to 3.15), angle 1.5708 (-3.15 to 3.15), freq 1 (0.1 to 5),
//   amp 0.25 (-2 to 2), phase 0 (-1 to 1), dir2 1.5708 (-3.15 to 3.15),
//   angle2 1.5708 (-3.15 to 3.15), freq2 1 (0.1 to 5), amp2 0.25 (-2 to 2), phase2 0 (-1 to 1),
//   dm 0 (-2 to 2), dmfreq 0.1 (-2 to 2), tm 0 (-2 to 2), tmfreq 0.1 (-2 to 2), fm 0 (-2 to 2),
//   fmfreq 0.1 (-2 to 2), am 0 (-2 to 2), amfreq 0.1 (-2 to 2), d2m 0 (-2 to 2),
//   d2mfreq 0.1 (-2 to 2), t2m 0 (-2 to 2), t2mfreq 0.1 (-2 to 2), f2m 0 (-2 to 2),
//   f2mfreq 0.1 (-2 to 2), a2m 0 (-2 to 2), a2mfreq 0.1 (-2 to 2)
#include "shaders/flame/chaos/point.glsl"

vec2 vibration2Wave(float x, float y, float dir, float angle, float freq, float per, float amp,
    float phase, float dm, float dmfreq, float tm, float tmfreq, float fm, float fmfreq, float
        am, float amfreq) {
  float along = x * cosine(dir) + y * sine(dir);
  float to = dir + dm * cosine(along * dmfreq * kTwoPi);
  float turn = angle + tm * cosine(along * tmfreq * kTwoPi);
  float shift = fm * cosine(along * fmfreq * kTwoPi) / per;
  float height = amp + amp * am * cosine(along * amfreq * kTwoPi);
  along = x * cosine(to) + y * sine(to);
  return height * sine(along * freq * kTwoPi + shift + kTwoPi * phase / freq) * direction(turn +
      to);
}

vec2 variation_vibration2(Point p, float w, float dir, float angle, float freq, float amp, float
    phase, float dir2, float angle2, float freq2, float amp2, float phase2, float dm, float
        dmfreq, float tm, float tmfreq, float fm, float fmfreq, float am, float amfreq, float
            d2m, float d2mfreq, float t2m, float t2mfreq, float f2m, float f2mfreq, float a2m,
                float a2mfreq) {
  float x = p.xy.x, y = p.xy.y;
  return w * (vec2(x, y) + vibration2Wave(x, y, dir, angle, freq, freq, amp, phase, dm, dmfreq,
      tm, tmfreq, fm, fmfreq, am, amfreq) +
    vibration2Wave(x, y, dir2, angle2, freq2, freq2, amp2, phase2, d2m, d2mfreq, t2m, t2mfreq,
        f2m, f2mfreq, a2m, a2mfreq));
}
