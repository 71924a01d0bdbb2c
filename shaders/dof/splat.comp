// SPDX-License-Identifier: BSD-3-Clause
// Turns fragments into splats. One invocation per pixel of the source's tiles; one work group per
// tile. Reads the picture (SOURCE 0: one fragment per pixel) or fragment lists (SOURCE 1), writes
//
//   places   uvec2: see footprint.glsl
//   depths   uint: bits of Z, +infinity for the background
//   AREA 0   the paper's discs, which hold the pixels whose centers lie in them
//   colors   uvec4: half R | half G << 16, half B | half A << 16, float opacity, unused
//   AREA 1   discs with smooth rims (aperture.glsl)
//   records  uvec4[2]: float R, G, B, A; then 16-bit x | y << 16, and for a round aperture the
//            ramp's a and b (CELLS: r, of which a follows, and b), for others r and the weights of red and blue over that of green (half);
//            the weight of green: opacity over the sum of all shares (FIELD 1: weigh_splats.comp divides by it);
//            negative where an opaque fragment of the same pixel hides the splat from the middle of the lens
//
// r = K - K S / z, times the focus mask of the pixel, clamped to R. AREA 0: r2 goes through half before anything looks at it, so that
// binning, nodes and the reference see one value; colors are clamped to what half holds. NaN is 0.
// A is 1, 0 for the background, or the picture's own alpha; color is premultiplied by it.
//
// Lists: a list is in order of Z, or brought into that of (Z, color), and equal depths of one pixel are kept apart
// by the order of the splats. A fragment's opacity is thinned by translucent ones before it in its own
// pixel; opaque ones hide by coverage, once splats are spread. The background closes every list. What
// lies behind an opaque fragment gets no more than shows through that unless some point of the lens
// sees it: the back of a solid would claim coverage that belongs to what is behind the solid.
// Deterministic.
#include "shaders/common/half.glsl"
#include "shaders/dof/footprint.glsl"
#include "shaders/dof/shifts.glsl"
#ifndef SOURCE
#define SOURCE 0
#endif
#ifndef BLADES_ODD
#define BLADES_ODD 0  // 1: the sign of r2 tells near from far
#endif
#ifndef THIN
#define THIN 1  // 0: opacity stays as it is, for operators that multiply transmittances
#endif
#ifndef AREA
#define AREA 0
#endif
#ifndef CELLS
#define CELLS 0
#endif
#ifndef HAS_ALPHA
#define HAS_ALPHA 0  // the picture has an alpha of its own
#endif
#include "shaders/dof/aperture.glsl"
#include "shaders/dof/focus_mask.glsl"
layout(local_size_x = DOF_TILE_PIXELS) in;

layout(std430, binding = DOF_BIND_PLACES) restrict writeonly buffer Places { uvec2 places[]; };
layout(std430, binding = DOF_BIND_DEPTHS) restrict writeonly buffer Depths { uint depths[]; };
#if AREA
layout(std430, binding = DOF_BIND_COLORS) restrict writeonly buffer Records { uvec4 records[]; };
layout(std430, binding = DOF_BIND_DISCS) restrict readonly buffer Discs { float discs[]; };
#else
layout(std430, binding = DOF_BIND_COLORS) restrict writeonly buffer Colors { uvec4 colors[]; };
#endif
layout(std430, binding = DOF_BIND_STATS) restrict buffer Stats { DofStats stats; };
layout(std140, binding = DOF_BIND_OPTICS) uniform Optics { DofOptics optics; };
layout(binding = DOF_TEXTURE_PICTURE) uniform sampler2D picture;  // lists: of the front surfaces
#if SOURCE == 0
layout(std430, binding = DOF_BIND_TILE_SPLATS) restrict readonly buffer TileSplats {
  uint tileSplats[];
};
layout(binding = DOF_TEXTURE_ALPHA) uniform sampler2D pictureAlpha;
#else
layout(std430, binding = DOF_BIND_FRAGMENTS) restrict buffer Fragments { uvec4 fragments[]; };
layout(std430, binding = DOF_BIND_SLOTS) restrict readonly buffer Slots { uint slots[]; };
layout(std430, binding = DOF_BIND_CURSORS) restrict readonly buffer Cursors { uint cursors[]; };
layout(binding = DOF_TEXTURE_FARTHEST) uniform sampler2D farthest;
#include "shaders/dof/seen.glsl"
#endif

shared uint clampedCount, brightest, widest;
bool ownHidden = false;                        // what is written next is
uint ownClampedCount = 0u, ownBrightest = 0u, ownWidest = 0u;  // of this invocation

#if SOURCE == 0
bool isBackground(float z) { return !(z > 0.0 && z <= 1e9); }
#endif
float radiusOf(float z) {
  return optics.farRadius - (isBackground(z) ? 0.0 : optics.farRadiusFocus / z);
}

const float kHalfMax = 65504.0;

float sanitized(float c) {
#if AREA
  return isnan(c) ? 0.0 : isinf(c) ? (c > 0.0 ? kHalfMax : 0.0) : c;
#else
  return isnan(c) ? 0.0 : clamp(c, 0.0, kHalfMax);
#endif
}

#if AREA
float discSum(float r, vec2 ramp) {
  if (r < 3.0)  // in the table a straight line would cut the corner where pixels come in
    return discShare(0.0, ramp) +
           4.0 * (discShare(1.0, ramp) + discShare(2.0, ramp) + discShare(4.0, ramp) +
                  discShare(8.0, ramp) + discShare(9.0, ramp)) +
           8.0 * (discShare(5.0, ramp) + discShare(10.0, ramp));
  float at = r * float(DOF_DISC_STEPS);
  uint i = uint(at);
  if (i + 1u >= uint(DOF_DISC_ROOM)) return 3.14159265 * r * r;
  return mix(discs[i], discs[i + 1u], at - float(i));
}

/// Writes the record; the squared reach of the splat.
float writeRecord(uint at, ivec2 pixel, vec4 color, float r, float opacity) {
  records[2u * at] = floatBitsToUint(color);
  if (ownHidden) opacity = -opacity;
  uint xy = uint(pixel.x) & 0xFFFFu | uint(pixel.y) << 16;
#if SHAPE
  records[2u * at + 1u] = uvec4(xy, floatBitsToUint(r), packHalves(vec2(1.0)), floatBitsToUint(opacity));
  return shapeReach2(r, vec2(pixel), optics);
#else
  vec2 ramp = discRamp(abs(r));
  float weight = opacity / discSum(abs(r), ramp);
#if CELLS
  float size = max(abs(r), 0.5);
  records[2u * at + 1u] = uvec4(xy, floatBitsToUint(vec3(r < 0.0 ? -size : size, ramp.y, weight)));
#else
  records[2u * at + 1u] = uvec4(xy, floatBitsToUint(vec3(ramp, weight)));
#endif
  return discReach2(ramp);
#endif
}
#endif

/// `color` and its alpha where the opacity is 1; `bright`: of its values, the one that counts when
/// light is left away.
void writeSplat(uint at, ivec2 pixel, vec4 color, float z, float opacity, float bright) {
  if (opacity <= 0.0) {  // in no list: nobody reads the rest
    places[at] = packPlace(pixel, 0.0, false);
    return;
  }
  float r = focusMaskAt(pixel + int(params.margin)) * radiusOf(z);
  if (abs(r) > optics.maxRadius) {
    ++ownClampedCount;
    ownWidest = max(ownWidest, floatBitsToUint(abs(r)));
    r = clamp(r, -optics.maxRadius, optics.maxRadius);
  }
  ownBrightest = max(ownBrightest, floatBitsToUint(bright));
  depths[at] = isBackground(z) ? 0x7F800000u : floatBitsToUint(z);
#if AREA
  float r2 = writeRecord(at, pixel, color, r, opacity);
#else
  float r2 = unpackHalf2x16(packHalves(vec2(r * r, 0.0))).x;
  colors[at] = uvec4(packHalves(color.rg), packHalves(color.ba), floatBitsToUint(opacity), 0u);
#endif
  places[at] = packPlace(pixel, r2, true);
}

#if SOURCE != 0
/// Light of alpha 0 is spread as that of a splat of this opacity.
const float kThinnest = 1e-6;

/// SOURCE 1: uvec4[2]: premultiplied float RGBA, then Z, 0 and the share of alpha that shows, in their order
/// already.
/// SOURCE 2: uvec4: premultiplied half RGBA (two words), Z, 0; in any order.
#if SOURCE == 1
vec4 fragmentColor(uint i) { return uintBitsToFloat(fragments[2u * i]); }
float fragmentDepth(uint i) { return uintBitsToFloat(fragments[2u * i + 1u].x); }
float fragmentShows(uint i) { return uintBitsToFloat(fragments[2u * i + 1u].z); }
void sortList(uint first, uint n) {}
#else
vec4 fragmentColor(uint i) {
  uvec4 f = fragments[i];
  return vec4(unpackHalf2x16(f.x), unpackHalf2x16(f.y));
}
float fragmentDepth(uint i) { return uintBitsToFloat(fragments[i].z); }
float fragmentShows(uint i) { return 1.0; }

bool fragmentBehind(uvec3 a, uvec3 b) {
  if (a.z != b.z) return a.z > b.z;
  return a.x > b.x || (a.x == b.x && a.y > b.y);
}

/// Shell's sort where the list lies: short code, and lists are short.
void sortList(uint first, uint n) {
  uint gap = 1u;
  while (gap * 3u + 1u < n) gap = gap * 3u + 1u;
  for (; gap > 0u; gap /= 3u)
    for (uint i = gap; i < n; ++i) {
      uvec3 f = fragments[first + i].xyz;
      if (!fragmentBehind(fragments[first + i - gap].xyz, f)) continue;
      uint k = i;
      while (k >= gap) {
        uvec3 before = fragments[first + k - gap].xyz;
        if (!fragmentBehind(before, f)) break;
        fragments[first + k].xyz = before;
        k -= gap;
      }
      fragments[first + k].xyz = f;
    }
}
#endif

/// Behind the front surface, and behind the one that lies right before it. A loop, since renderers whose
/// lanes go both ways of a branch pass over one that nobody enters.
bool seenBehindBoth(ivec2 texel, float z, float front, float last, float around) {
  bool seen = true, asks = front >= 0.0;
  float before = front;
  while (asks) {
    seen = seenBehind(texel, inverseOf(z), inverseOf(before), around);
    asks = seen && before != last;
    before = last;
  }
  return seen;
}

void splatList(uint slot, ivec2 pixel, uint shift) {
  uint first = slots[slot] - shift, length = slots[slot + 1u] - slots[slot];
  uint n = min(cursors[slot], length);
  sortList(first, n);
  ivec2 texel = pixel + int(params.margin);
  float around = farthestAround(texel);
  float left = 1.0;    // of the light, after the translucent fragments so far
  float thin = 1.0;    // after all of them: what those get that no point of the lens sees
  float front = -1.0, last = -1.0;  // Z of the first opaque fragment, and of the last one so far
  for (uint i = 0u; i < n; ++i) {
    vec4 c = fragmentColor(first + i);
    float alpha = isnan(c.a) ? 0.0 : clamp(c.a, 0.0, 1.0);
    float z = fragmentDepth(first + i);
    // Light without alpha is that of a splat that hides next to nothing.
    float share = max(alpha, kThinnest);
    vec3 straight = vec3(sanitized(c.r), sanitized(c.g), sanitized(c.b)) / share;
    bool shows = alpha > 0.0 || straight != vec3(0.0);
    float opacity = seenBehindBoth(texel, z, front, last, around) ? left : thin;
    opacity *= shows ? share : 0.0;
    ownHidden = front >= 0.0;
    float value = max(abs(straight.r), max(abs(straight.g), abs(straight.b)));
    writeSplat(first + i, pixel, vec4(straight, fragmentShows(first + i)), z, opacity, alpha > 0.0 ? value : 0.0);
#if THIN
    thin *= 1.0 - alpha;
    if (alpha < DOF_OPAQUE) left *= 1.0 - alpha;
#else
    if (alpha >= DOF_OPAQUE) thin = 0.0;
#endif
    if (alpha >= DOF_OPAQUE) {
      last = z;
      if (front < 0.0) front = z;
    }
  }
  ownHidden = front >= 0.0;
  if (!seenBehindBoth(texel, 0.0, front, last, around)) left = thin;
  if (n < length) writeSplat(first + n, pixel, vec4(0.0), 0.0, left, 0.0);
  for (uint i = n + 1u; i < length; ++i)  // never, unless passes of capture differ
    places[first + i] = packPlace(pixel, 0.0, false);
}
#endif

void main() {
  uint group = groupIndex();
  bool inRange = group < sourceTileCount();
  if (gl_LocalInvocationID.x == 0u) clampedCount = brightest = widest = 0u;
  barrier();

  ivec2 tile = sourceTile(group);
  ivec2 local = ivec2(gl_LocalInvocationID.x & 15u, gl_LocalInvocationID.x >> 4);
  ivec2 pixel = tile * DOF_TILE + local;
  ivec2 end = ivec2(params.width, params.height) + int(params.margin);
  if (inRange && pixel.x < end.x && pixel.y < end.y) {
    uint tileIndex = sourceIndex(tile), shift = shiftOfRow(sourceRow(group));
#if SOURCE == 0
    int columns = min(DOF_TILE, end.x - tile.x * DOF_TILE);
    uint at = tileSplats[tileIndex] - shift + uint(local.y * columns + local.x);
    ivec2 from = pixel + int(params.margin);
    vec4 texel = texelFetch(picture, from, 0);
    vec4 color = vec4(sanitized(texel.r), sanitized(texel.g), sanitized(texel.b), 1.0);
#if HAS_ALPHA
    color.a = clamp(texelFetch(pictureAlpha, from, 0).r, 0.0, 1.0);
#else
    if (isBackground(texel.a) && color.rgb == vec3(0.0)) color.a = 0.0;
#endif
    float value = max(abs(color.r), max(abs(color.g), abs(color.b)));
    writeSplat(at, pixel, color, texel.a, 1.0, value);
#else
    splatList(tileIndex * DOF_TILE_PIXELS + gl_LocalInvocationID.x, pixel, shift);
#endif
    if (ownClampedCount > 0u) {
      atomicAdd(clampedCount, ownClampedCount);
      atomicMax(widest, ownWidest);
    }
    atomicMax(brightest, ownBrightest);
  }
  barrier();
  if (gl_LocalInvocationID.x > 0u || !inRange) return;
  atomicMax(stats.brightest, brightest);
  if (!inBand(tile) || clampedCount == 0u) return;
  atomicAdd(stats.clampedCount, clampedCount);
  atomicMax(stats.widest, widest);
}
