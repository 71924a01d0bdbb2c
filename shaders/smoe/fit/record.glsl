// SPDX-License-Identifier: BSD-3-Clause
// Reading a record for the pixels of a tile: the center relative to the tile's first pixel, in
// pixels, from the exact difference of fixed-point numbers.
#ifndef SHADERS_SMOE_FIT_RECORD
#define SHADERS_SMOE_FIT_RECORD

layout(binding = FIT_TEXELS_RECORDS) uniform usamplerBuffer records;

struct TileRecord {
  float dx, dy;  // from the center to the middle of the tile's first pixel
  float c, w11, w21, w22;
  vec3 color, h1, h2;  // the expert: color + h1 z1 + h2 z2
};

// px: of the picture; the tile's first pixel.
TileRecord fetchRecord(uint component, ivec2 px, uint fractionBits) {
  uvec4 a = texelFetch(records, int(component * 4));
  vec4 b = uintBitsToFloat(texelFetch(records, int(component * 4 + 1)));
  vec4 d = uintBitsToFloat(texelFetch(records, int(component * 4 + 2)));
  vec4 e = uintBitsToFloat(texelFetch(records, int(component * 4 + 3)));
  ivec2 middle = (2 * px + 1) << int(fractionBits - 1u);
  vec2 delta = vec2(middle - ivec2(a.xy)) * exp2(-float(fractionBits));
  TileRecord r;
  r.dx = delta.x;
  r.dy = delta.y;
  r.c = uintBitsToFloat(a.z);
  r.w11 = b.x;
  r.w21 = b.y;
  r.w22 = b.z;
  r.color = d.xyz;
  r.h1 = vec3(b.w, e.x, e.z);
  r.h2 = vec3(d.w, e.y, e.w);
  return r;
}

// exp, but never so small that products with errors leave the normal numbers: processors take a
// hundred times as long for those. Gates of 1e-26 change nothing.
float weightOf(float logWeight) { return exp(max(logWeight, -60.0)); }

#endif
