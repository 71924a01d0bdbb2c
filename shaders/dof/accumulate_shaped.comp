// SPDX-License-Identifier: BSD-3-Clause
// Accumulation outside the 320 variants: apertures with blades, and the research operator "slabs".
// One work group per tile of the band, one invocation per pixel; the tile's nodes (kind
// DOF_NODE_A_FLOAT) pass through shared memory, 256 at a time, front to back. Deterministic.
//
//   OPERATOR 0 over      C += T a c;  T *= 1 - a                                 (Lier et al. 2016)
//   OPERATOR 1 coverage  w = min(a, T);  C += w c;  T -= w
//   OPERATOR 2 slabs     splats within 1.005 of a slab's first depth are summed; over between slabs
//
// The result is C / (1 - T): a uniformly blurred surface keeps its color.
#include "shaders/dof/footprint.glsl"
#ifndef OPERATOR
#define OPERATOR 1
#endif
#ifndef BLADES
#define BLADES 0
#endif
layout(local_size_x = DOF_TILE_PIXELS) in;

layout(std430, binding = DOF_BIND_TILE_BEGIN) restrict readonly buffer TileBegin {
  uint tileBegin[];
};
layout(std430, binding = DOF_BIND_NODES) restrict readonly buffer Nodes { uvec4 nodes[]; };
#if OPERATOR == 2
layout(std430, binding = DOF_BIND_KEYS) restrict readonly buffer Keys { uint keys[]; };
layout(std430, binding = DOF_BIND_DEPTHS) restrict readonly buffer Depths { uint depths[]; };
#ifndef KEY_WORDS
#define KEY_WORDS 2
#endif
shared float chunkDepths[DOF_TILE_PIXELS];
#endif
layout(std140, binding = DOF_BIND_OPTICS) uniform Optics { DofOptics optics; };
layout(binding = DOF_IMAGE_RESULT, rgba32f) uniform restrict writeonly image2D result;

shared uvec4 chunk[DOF_TILE_PIXELS];

/// Whether d / rim lies in the aperture: the edge whose normal is nearest to the direction decides.
bool shines(vec2 d, float r2) {
#if BLADES
  if (d == vec2(0.0)) return true;
  if (r2 < 0.0) d = -d;
  float rim = sqrt(abs(r2)), turn = 6.28318531 / float(optics.blades);
  float angle = atan(d.y, d.x) - optics.rotation;
  float offset = angle - round(angle / turn) * turn;
  float size = length(d) / rim;
  return mix(size * cos(offset) / optics.apothem, size * optics.circumradius, optics.roundness) <=
         1.0;
#else
  return true;
#endif
}

struct Light {
  vec3 color;
  float transmittance;
  vec3 slabColor;
  float slabAlpha, slabEnd;
};

void endSlab(inout Light l) {
  if (l.slabAlpha <= 0.0) return;
  float coverage = min(1.0, l.slabAlpha);
  l.color += l.transmittance * coverage / l.slabAlpha * l.slabColor;
  l.transmittance *= 1.0 - coverage;
  l.slabColor = vec3(0.0);
  l.slabAlpha = 0.0;
}

void add(inout Light l, vec3 color, float a, float z) {
#if OPERATOR == 0
  l.color += l.transmittance * a * color;
  l.transmittance *= 1.0 - a;
#elif OPERATOR == 1
  float w = min(a, l.transmittance);
  l.color += w * color;
  l.transmittance -= w;
#else
  if (l.slabAlpha > 0.0 && z > l.slabEnd) endSlab(l);
  if (l.slabAlpha == 0.0) l.slabEnd = 1.005 * z;
  l.slabColor += a * color;
  l.slabAlpha += a;
#endif
}

void main() {
  uint tile = groupIndex(), lane = gl_LocalInvocationID.x;
  bool inRange = tile < params.tilesX * params.tileRowCount;
  uint first = inRange ? tileBegin[tile] : 0u, end = inRange ? tileBegin[tile + 1u] : 0u;
  ivec2 local = ivec2(lane & 15u, lane >> 4);
  Light light = Light(vec3(0.0), 1.0, vec3(0.0), 0.0, 0.0);

  for (uint at = first; at < end; at += DOF_TILE_PIXELS) {
    if (at + lane < end) {
      chunk[lane] = nodes[at + lane];
#if OPERATOR == 2
#if KEY_WORDS == 2
      chunkDepths[lane] = uintBitsToFloat(keys[2u * (at + lane)]);
#else
      chunkDepths[lane] = uintBitsToFloat(depths[keys[at + lane]]);
#endif
#endif
    }
    barrier();
    uint count = min(DOF_TILE_PIXELS, end - at);
    for (uint i = 0u; i < count; ++i) {
      uvec4 node = chunk[i];
      vec2 d = vec2(local) - unpackHalf2x16(node.w);
      float r2 = uintBitsToFloat(node.z);
      if (dot(d, d) > abs(r2) || !shines(d, r2)) continue;
      vec2 ba = unpackHalf2x16(node.y);
      float z = 0.0;
#if OPERATOR == 2
      z = chunkDepths[i];
#endif
      if (ba.y > 0.0) add(light, vec3(unpackHalf2x16(node.x), ba.x), ba.y, z);
    }
    barrier();
  }
  endSlab(light);

  ivec2 pixel = local + DOF_TILE * ivec2(tile % params.tilesX,
                                         params.firstTileRow + tile / params.tilesX);
  float covered = 1.0 - light.transmittance;
  if (inRange && pixel.x < int(params.width) && pixel.y < int(params.height))
    imageStore(result, pixel,
               covered > 0.0 ? vec4(light.color / covered, 1.0) : vec4(0.0));
}
