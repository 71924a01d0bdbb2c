// SPDX-License-Identifier: BSD-3-Clause
// Turns fragments into splats. One invocation per pixel of the source's tiles; one work group per
// tile. Reads the picture (SOURCE 0: one fragment per pixel) or fragment lists (SOURCE 1), writes
//
//   places  uvec2: pixel x | y << 16, half r2 | half opacity << 16
//   depths  uint: bits of Z, +infinity for the background
//   colors  uvec2: half R | half G << 16, half B
//
// r = K - K S / z, clamped to R; r2 goes through half before anything looks at it, so that binning,
// nodes and the reference see one value. Colors are clamped to what half holds, NaN is 0.
//
// Lists: a list is brought into order of (Z, color), and equal depths of one pixel are kept apart by
// the order of the splats. A fragment's opacity is thinned by translucent ones before it in its own
// pixel; opaque ones hide by coverage, once splats are spread. The background closes every list. What
// lies behind an opaque fragment is left out (opacity 0) unless some
// point of the lens sees it: the back of a solid would claim coverage that belongs to what is behind
// the solid. Deterministic.
#include "shaders/dof/footprint.glsl"
#ifndef SOURCE
#define SOURCE 0
#endif
#ifndef BLADES_ODD
#define BLADES_ODD 0  // 1: the sign of r2 tells near from far
#endif
#ifndef THIN
#define THIN 1  // 0: opacity stays as it is, for operators that multiply transmittances
#endif
layout(local_size_x = DOF_TILE_PIXELS) in;

layout(std430, binding = DOF_BIND_PLACES) restrict writeonly buffer Places { uvec2 places[]; };
layout(std430, binding = DOF_BIND_DEPTHS) restrict writeonly buffer Depths { uint depths[]; };
layout(std430, binding = DOF_BIND_COLORS) restrict writeonly buffer Colors { uvec2 colors[]; };
layout(std430, binding = DOF_BIND_STATS) restrict buffer Stats { DofStats stats; };
layout(std140, binding = DOF_BIND_OPTICS) uniform Optics { DofOptics optics; };
layout(binding = DOF_TEXTURE_PICTURE) uniform sampler2D picture;  // lists: of the front surfaces
#if SOURCE == 0
layout(std430, binding = DOF_BIND_TILE_SPLATS) restrict readonly buffer TileSplats {
  uint tileSplats[];
};
#else
layout(std430, binding = DOF_BIND_FRAGMENTS) restrict buffer Fragments { uvec4 fragments[]; };
layout(std430, binding = DOF_BIND_SLOTS) restrict readonly buffer Slots { uint slots[]; };
layout(std430, binding = DOF_BIND_CURSORS) restrict readonly buffer Cursors { uint cursors[]; };
#endif

shared uint clampedCount, brightest;

vec3 sanitized(vec3 c) {
  return vec3(isnan(c.r) ? 0.0 : clamp(c.r, 0.0, 65504.0),
              isnan(c.g) ? 0.0 : clamp(c.g, 0.0, 65504.0),
              isnan(c.b) ? 0.0 : clamp(c.b, 0.0, 65504.0));
}

bool isBackground(float z) { return !(z > 0.0 && z <= 1e9); }

float inverseOf(float z) { return isBackground(z) ? 0.0 : 1.0 / z; }
float maxRadius() { return optics.maxRadius / optics.circumradius; }
float radiusOf(float z) { return optics.farRadius - optics.farRadiusFocus * inverseOf(z); }

void writeSplat(uint at, ivec2 pixel, vec3 color, float z, float opacity) {
  bool far = isBackground(z);
  float largest = maxRadius();
  float r = radiusOf(z);
  if (abs(r) > largest) {
    if (opacity > 0.0) atomicAdd(clampedCount, 1u);
    r = clamp(r, -largest, largest);
  }
  float rim = r * optics.circumradius;
  float r2 = rim * rim;
#if BLADES_ODD
  if (r < 0.0) r2 = -r2;
#endif
  places[at] = uvec2(uint(pixel.x) | uint(pixel.y) << 16, packHalf2x16(vec2(r2, opacity)));
  depths[at] = far ? 0x7F800000u : floatBitsToUint(z);
  color = sanitized(color);
  float value = max(color.r, max(color.g, color.b));
  if (opacity > 0.0) atomicMax(brightest, floatBitsToUint(value));
  colors[at] = uvec2(packHalf2x16(color.rg), packHalf2x16(vec2(color.b, 0.0)));
}

#if SOURCE == 1
bool fragmentBehind(uvec4 a, uvec4 b) {
  if (a.z != b.z) return a.z > b.z;
  return a.x > b.x || (a.x == b.x && a.y > b.y);
}

/// Shell's sort where the list lies: short code, and lists are short.
void sortList(uint first, uint n) {
  uint gap = 1u;
  while (gap * 3u + 1u < n) gap = gap * 3u + 1u;
  for (; gap > 0u; gap /= 3u)
    for (uint i = gap; i < n; ++i) {
      uvec4 f = fragments[first + i];
      uint k = i;
      while (k >= gap) {
        uvec4 before = fragments[first + k - gap];
        if (!fragmentBehind(before, f)) break;
        fragments[first + k] = before;
        k -= gap;
      }
      fragments[first + k] = f;
    }
}

/// Seen from lens point u, what hides p lies at p + (r - front r) u, if that pixel's surface is nearer
/// to the front one than to p in the measure of blur, 1/z. True when nothing hides it from one of
/// eight points on the rim.
bool seenBehind(ivec2 pixel, float z, float front) {
  float largest = maxRadius();
  float apart = clamp(radiusOf(z), -largest, largest) - clamp(radiusOf(front), -largest, largest);
  if (abs(apart) < DOF_APART) return false;
  float middle = 0.5 * (inverseOf(z) + inverseOf(front));
  for (int i = 0; i < 8; ++i) {
    float angle = 0.785398 * float(i) + 0.3;
    ivec2 q = pixel + ivec2(round(0.8 * apart * vec2(cos(angle), sin(angle))));
    q = clamp(q, ivec2(0), ivec2(params.width, params.height) - 1);
    if (inverseOf(texelFetch(picture, q, 0).a) < middle) return true;
  }
  return false;
}

/// Behind the front surface, and behind the one that lies right before it.
bool seenBehindBoth(ivec2 pixel, float z, float front, float last) {
  if (front < 0.0) return true;
  if (!seenBehind(pixel, z, front)) return false;
  return last == front || seenBehind(pixel, z, last);
}

void splatList(uint slot, ivec2 pixel) {
  uint first = slots[slot] - params.firstSplat, length = slots[slot + 1u] - slots[slot];
  uint n = min(cursors[slot], length);
  sortList(first, n);
  float left = 1.0;    // of the light, after the translucent fragments so far
  float front = -1.0, last = -1.0;  // Z of the first opaque fragment, and of the last one so far
  for (uint i = 0u; i < n; ++i) {
    uvec4 f = fragments[first + i];
    vec2 rg = unpackHalf2x16(f.x), ba = unpackHalf2x16(f.y);
    float alpha = isnan(ba.y) ? 0.0 : clamp(ba.y, 0.0, 1.0);
    vec3 straight = alpha > 0.0 ? vec3(rg, ba.x) / alpha : vec3(0.0);
    float z = uintBitsToFloat(f.z), opacity = alpha * left;
    if (!seenBehindBoth(pixel, z, front, last)) opacity = 0.0;
    writeSplat(first + i, pixel, straight, z, opacity);
    if (alpha < DOF_OPAQUE) {
#if THIN
      left *= 1.0 - alpha;
#endif
    } else {
      last = z;
      if (front < 0.0) front = z;
    }
  }
  if (!seenBehindBoth(pixel, 0.0, front, last)) left = 0.0;
  if (n < length) writeSplat(first + n, pixel, vec3(0.0), 0.0, left);
}
#endif

void main() {
  uint group = groupIndex();
  bool inRange = group < params.tilesX * params.sourceRowCount;
  if (gl_LocalInvocationID.x == 0u) clampedCount = brightest = 0u;
  barrier();

  ivec2 tile = sourceTile(group);
  ivec2 local = ivec2(gl_LocalInvocationID.x & 15u, gl_LocalInvocationID.x >> 4);
  ivec2 pixel = tile * DOF_TILE + local;
  if (inRange && pixel.x < int(params.width) && pixel.y < int(params.height)) {
    uint tileIndex = uint(tile.y) * params.tilesX + uint(tile.x);
#if SOURCE == 0
    int columns = min(DOF_TILE, int(params.width) - tile.x * DOF_TILE);
    uint at = tileSplats[tileIndex] - params.firstSplat + uint(local.y * columns + local.x);
    vec4 texel = texelFetch(picture, pixel, 0);
    writeSplat(at, pixel, texel.rgb, texel.a, 1.0);
#else
    splatList(tileIndex * DOF_TILE_PIXELS + gl_LocalInvocationID.x, pixel);
#endif
  }
  barrier();
  if (gl_LocalInvocationID.x > 0u || !inRange) return;
  atomicMax(stats.brightest, brightest);
  if (inBand(tile) && clampedCount > 0u) atomicAdd(stats.clampedCount, clampedCount);
}
