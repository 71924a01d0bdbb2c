// SPDX-License-Identifier: BSD-3-Clause
// pRose3D: A rose whose petals are curved in space.
// Number 355: makes z
// Parameters: l 1 (-3 to 3), k 3 (-12 to 12), c 0 (-3 to 3), z1 1 (-3 to 3), z2 1 (-3 to 3),
//   refSc 1 (-3 to 3), opt 1 (-2 to 2), optSc 1 (-3 to 3), opt3 0 (-1 to 1), transp 0.5 (0 to 1),
//   dist 1 (-3 to 3), wagsc 0 (-3 to 3), srvsc 0 (-3 to 3), f 3 (-5 to 5), wigsc 0 (-3 to 3),
//   offset 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_pRose3D(Point p, float w, float l, float k, float c, float z1, float z2, float refSc,
                       float opt, float optSc, float opt3, float transp, float dist, float wagsc,
                       float srvsc, float f, float wigsc, float offset) {
  float px = p.xy.x, py = p.xy.y;
  float long_by = l == 0.0 ? 0.000001 : l, th = angleOf(py, px);
  float cycle = kTwoPi / (k == 0.0 ? 0.000001 : k),
        petals = abs(k) < 0.0001 ? (k < 0.0 ? -0.0001 : 0.0001) : k;
  float rad = sqrt(px * px + py * py), share = rad / long_by, share2 = share * share;
  float scale = kPi * abs(optSc), mixed = min(abs(opt), 2.0), other = clamp(opt3, -1.0, 1.0);
  bool turned = opt < 0.0 || opt3 < 0.0;
  float bent = sine(kPi * share2), lifted = cosine(kPi * (share - 0.5));
  float near = 0.4 * wagsc * rad, far = 0.4 * wagsc * rad * rad;
  float wag = sine(scale * share) + near + 0.5 * srvsc * (turned ? bent : lifted);
  float wag3 = sine(scale * share2 * share2) + far + 0.5 * srvsc * (turned ? lifted : bent);
  float wag2 = sine(scale * share2) + near + 0.5 * srvsc * lifted;
  float both = mixed <= 1.0 ? wag : wag2 * (mixed - 1.0) + wag * (2.0 - mixed);
  float waggle = other > 0.0 ? both * (1.0 - other) + wag3 * other : opt3 == 0.0 ? both : 0.0;
  float wiggle = 0.125 * rad * rad * wigsc * sine(th / cycle * kPi * f + offset * cycle);
  bool ghost = unit() < (turned ? transp * transp : 0.0), below = unit() < 0.5;
  bool reflected = ghost && below;
  float r = 0.5 * w * long_by * cosine(petals * th + c) * (reflected ? refSc : 1.0);
  vec2 at = r * direction(th);
  float high = (reflected ? z2 : z1) * waggle + wiggle + dist;
  if (l == 0.0 && inOrder()) high = kNotANumber;  // by quotients of JWildfire
  return vec3(at.x, at.y, (reflected ? -0.5 : 0.5) * w * high);
}
