// SPDX-License-Identifier: BSD-3-Clause
// How much of a splat's light falls into a pixel: the share of the aperture's image that lies in the
// square of the pixel, so that discs have smooth rims and all shares of a splat add up to 1 at any
// radius. d is always the pixel minus the splat's pixel, r the signed radius (negative: nearer than
// the focus, where the image is the point mirror of the aperture).
//
// Round apertures (SHAPE 0): clamp(a - b d^2), the rim as a ramp of about one pixel, divided by its sum
// over all pixels, which a table holds (DOF_BIND_DISCS).
//
// All others (SHAPE 1): the aperture's map, a picture of what it lets through, as sums over all texels
// to the left and above (a summed-area table). The share of a pixel is a difference of four sums, and
// shares of neighbors share corners: they add up to the whole whatever the radius.
//   map    rgba32f[DOF_MAP_SIZE + 1]^2: r, g: sums for what is far, near; b, a: the densities, mean 1
//          where light passes
// Faults that depend on the place in the frame (FIELD 1), f = 0 in its middle and 1 in its corners:
//   swirl      the image is stretched by 1 + swirl f^2 along circles about the middle, narrowed across
//   cat's eye  a second disc, of cutRadius, at -catsEye f, cuts what the first lets through
// Light that is cut is made up for: shares are divided by their sum (splat.comp).
#ifndef SHAPE
#define SHAPE 0
#endif
#ifndef FIELD
#define FIELD 0
#endif
#ifndef CHROMA
#define CHROMA 0
#endif

/// a, b of a round aperture. What is sharper than a pixel stays in it; up to a pixel, the splat's own pixel
/// has the share that the disc has in it, exactly, and the others the rest; from there on the rim is a ramp
/// of a pixel.
vec2 discRamp(float r) {
  r = max(r, 0.5);
  vec2 wide = vec2(0.5 + 0.5 * r, 0.5 / r);
  if (r >= 1.1) return wide;
  float area = 3.14159265 * r * r, b;
  if (2.0 * r * r < 1.0) {  // the corners of the pixel lie outside
    float beside = r * r * acos(min(0.5 / r, 1.0)) - 0.5 * sqrt(max(r * r - 0.25, 0.0));
    b = 1.0 - beside / (area - 4.0 * beside);
  } else {  // 1 + 4 (1 - b) = area, or with the diagonals, 1 + 4 (1 - b) + 4 (1 - 2 b)
    b = area < 3.0 ? 1.25 - 0.25 * area : 0.75 - area / 12.0;
  }
  return mix(vec2(1.0, b), wide, clamp((r - 1.0) / 0.1, 0.0, 1.0));
}
/// Pixels with d^2 up to this have a share; what is sharp does not reach 1.
float discReach2(vec2 ramp) { return ramp.x / ramp.y * 0.99999; }
float discShare(float d2, vec2 ramp) { return clamp(ramp.x - ramp.y * d2, 0.0, 1.0); }

#if SHAPE
layout(binding = DOF_TEXTURE_APERTURE) uniform sampler2D apertureMap;

vec2 fieldOf(vec2 pixel, DofOptics o) { return (pixel - vec2(o.fieldX, o.fieldY)) * o.fieldScale; }

/// From the image, in radii, to the aperture.
vec2 toAperture(vec2 q, vec2 field, DofOptics o) {
#if FIELD
  float f2 = dot(field, field);
  if (f2 > 0.0) {
    float stretch = 1.0 + o.swirl * f2;
    vec2 across = field * (dot(q, field) / f2);
    q = across * stretch + (q - across) / stretch;
  }
#endif
  float root = sqrt(o.squeeze);
  return vec2(q.x * root, q.y / root);
}

float sumAt(vec2 u, bool near, DofOptics o) {
  vec2 at = clamp(u / o.mapExtent * 0.5 + 0.5, 0.0, 1.0) * float(DOF_MAP_SIZE) + 0.5;
  vec4 sums = textureLod(apertureMap, at / float(DOF_MAP_SIZE + 1), 0.0);
  return near ? sums.g : sums.r;
}

/// The light in the box around u.
float lightIn(vec2 u, vec2 half_, bool near, DofOptics o) {
  vec2 low = u - half_, high = u + half_;
  return sumAt(high, near, o) - sumAt(vec2(low.x, high.y), near, o) -
         sumAt(vec2(high.x, low.y), near, o) + sumAt(low, near, o);
}

#if FIELD
/// What of a pixel at u the second disc of a cat's eye lets through: a ramp as wide as the pixel is
/// across the rim. What is smaller than a pixel is not cut.
float uncut(vec2 u, float size, vec2 field, DofOptics o) {
  vec2 from = u + o.catsEye * field;
  float away = length(from);
  vec2 across = away > 0.0 ? from / away : vec2(1.0, 0.0);
  float width = length(vec2(dot(across, toAperture(vec2(1.0, 0.0), field, o)),
                            dot(across, toAperture(vec2(0.0, 1.0), field, o))));
  return clamp(0.5 - (away * size - max(o.cutRadius * size, width)) / width, 0.0, 1.0);
}
#endif

/// What is sharp is not stretched: its light lies in the pixels that it falls on.
float swirlOf(float size, DofOptics o) { return o.swirl * clamp(2.0 * size - 1.0, 0.0, 1.0); }

/// Where on the lens light passes from a splat to a pixel; how large, half, the pixel is there.
vec2 lensPointOf(vec2 d, float r, vec2 field, DofOptics o, out vec2 half_) {
  float size = max(abs(r), 0.01);
  o.swirl = swirlOf(size, o);
  half_ = 0.5 / size * vec2(sqrt(o.squeeze), 1.0 / sqrt(o.squeeze));
  return toAperture(d * (r < 0.0 ? -1.0 / size : 1.0 / size), field, o);
}

/// The share before light that was cut is made up for. Swirl turns pixels against the map's texels, and
/// boxes around them overlap: two of them, half a pixel's diagonal apart, cancel what that adds and takes
/// away in turns, where shares are not summed pixel by pixel.
float rawShare(vec2 d, float r, vec2 field, DofOptics o) {
  float size = max(abs(r), 0.01);
  float scale = r < 0.0 ? -1.0 / size : 1.0 / size;
  vec2 half_, u = lensPointOf(d, r, field, o, half_);
  o.swirl = swirlOf(size, o);
  bool near = r < 0.0;
#if FIELD
  float share;
  float apartBy = clamp(size - float(DOF_TWO_BOXES - 1), 0.0, 1.0);
  if (o.swirl != 0.0 && apartBy > 0.0) {
    vec2 apart = toAperture(vec2(0.25 * scale * apartBy), field, o);
    share = 0.5 * (lightIn(u - apart, half_, near, o) + lightIn(u + apart, half_, near, o));
  } else {
    share = lightIn(u, half_, near, o);
  }
  if (o.catsEye != 0.0) share *= uncut(u, size, field, o);
#else
  float share = lightIn(u, half_, near, o);
#endif
  return max(share, 0.0);
}

/// Largest distance from the splat at which a pixel has a share, squared.
float shapeReach2(float r, vec2 pixel, DofOptics o) {
  vec2 away = pixel - vec2(o.fieldX, o.fieldY);
  float stretch = max(sqrt(o.squeeze), 1.0 / sqrt(o.squeeze));
#if FIELD
  stretch *= 1.0 + o.swirl * dot(away, away) * o.fieldScale * o.fieldScale;
#endif
  float reach = abs(r), shift = 0.0;
#if CHROMA
  reach += max(abs(o.axialRed), abs(o.axialBlue));
  shift = max(abs(o.lateralRed), abs(o.lateralBlue)) * length(away);
#endif
  reach *= o.extent * stretch;
  if (reach + shift <= 0.5) return 0.0;
  reach += shift + 0.7072;
#if FIELD
  if (o.swirl != 0.0) reach += 0.3536;  // two boxes, see rawShare()
#endif
  return reach * reach;
}

#if CHROMA
/// Of red, green, blue, and alpha (which goes with green).
vec4 rawShares(vec2 d, float r, vec2 pixel, DofOptics o) {
  vec2 field = fieldOf(pixel, o), away = pixel - vec2(o.fieldX, o.fieldY);
  float green = rawShare(d, r, field, o);
  return vec4(rawShare(d - away * o.lateralRed, r + o.axialRed, field, o), green,
              rawShare(d - away * o.lateralBlue, r + o.axialBlue, field, o), green);
}
#define SHARES vec4
#else
#define SHARES float
float rawShares(vec2 d, float r, vec2 pixel, DofOptics o) {
  return rawShare(d, r, fieldOf(pixel, o), o);
}
#endif
#endif
