// SPDX-License-Identifier: BSD-3-Clause
// Accumulation beyond the 320 variants: discs with smooth rims, apertures of any shape, alpha beside
// color. One work group per tile of the band; an invocation works on ROWS pixels below each other.
// Reads a tile's entries front to back, 256 at a time: their records come to shared memory (ROWS 1), a bit
// per entry and sub-tile of 8 x 4 pixels says which can reach it, and each sub-tile goes through its own
// bits in order, or lists what they say. Writes the picture: premultiplied RGBA. No barrier depends on anything but the group;
// every pixel takes its splats in list order: deterministic.
//
//   OPERATOR 0 over      C += T a c;  T *= 1 - a                                 (Lier et al. 2016)
//   OPERATOR 1 coverage  w = min(a, T);  C += w c;  T -= w; what is hidden from the middle of the lens
//                        (HIDDEN 1: such splats may come; their weight is negative) takes half of its
//                        share of T, and together with the rest of its light what is left in the end
//   OPERATOR 2 slabs     splats within 1.005 of a slab's first depth are summed; over between slabs
//   OPERATOR 3 lens cells  coverage for each of DOF_CELLS x DOF_CELLS parts of the aperture (cells.glsl)
//
// a is the opacity of a splat times its share of light in the pixel (aperture.glsl). The result is
// C / (1 - T): a uniformly blurred surface keeps its color. With hold-outs (HELD), which stay sharp, c is
// multiplied by what passes them in the pixel from the splat's depth, and T is not. Their lists are knots
// (addKnots()): Z, the share that passes there, by what its logarithm falls per unit of Z, and the next Z.
// With SLICES, lists are cut into so many, and C at the end of each is kept, with the color that stands by;
// and at last 1 - T, with its share. With DATA other things take the place of color, with the weights of alpha:
// four values of each splat (1), or what it shows of DOF_IDS IDs, other ones in each tile (2).
// Lists of more than params.partEntries are left to CARRIED 1: there a dispatch takes one part of each, and what
// pixels have gathered is carried to the next one.
#include "shaders/dof/footprint.glsl"
#ifndef OPERATOR
#define OPERATOR 1
#endif
#ifndef HIDDEN
#define HIDDEN 0
#endif
#ifndef CELLS
#define CELLS 0
#endif
#ifndef RECORD_TEXELS
#define RECORD_TEXELS 0  // 1: where lanes gather word by word, texels cost less than shared memory
#endif
#ifndef KEY_WORDS
#define KEY_WORDS 1  // 2: entries are keys, with the splat in the low bits of the second word
#endif
#ifndef ROWS
#define ROWS 1  // pixels per invocation: 1, or 4 where lanes are few and loads dear
#endif
#ifndef SUBGROUP_READS
#define SUBGROUP_READS 0  // 1, with ROWS 4: lanes of a sub-tile share what is the same for all
#endif
#ifndef HELD
#define HELD 0  // samples of the picture along a side of a pixel of hold-outs; 0: there are none
#endif
#ifndef SLICES
#define SLICES 0
#endif
#ifndef DATA
#define DATA 0
#endif
#ifndef CARRIED
#define CARRIED 0
#endif
#define DEPTHS (OPERATOR == 2 || HELD > 0)
// 1: cells of a software renderer. It works out both sides of an `if`, and the body of a loop once more than it
// is taken, unless the loop is left at its end: so there is one for what is seen and one for what is hidden.
// Without hold-outs and slices: depths and ends go by the chunk, not by the list.
#if HELD || SLICES
#define RUNS 0
#else
#define RUNS (CELLS * RECORD_TEXELS * (ROWS / 4))
#endif
#define HIDDEN_SPLAT 0x80000000u  // in lists: beside the index of a splat, the sign of its weight
#define LIST_END 0x40000000u
#if SUBGROUP_READS
#extension GL_ARB_shader_ballot : require
#extension GL_ARB_shader_group_vote : require
#endif
#include "shaders/dof/aperture.glsl"
#if CELLS
#include "shaders/dof/cells.glsl"
#endif

#define GROUP_SIZE (DOF_TILE_PIXELS / ROWS)
#define LANES (GROUP_SIZE / DOF_SUBTILES)    // invocations of a sub-tile, side by side in the group
#define PARTS (GROUP_SIZE / 64)              // invocations that share a word of 32 entries
#define MASK_BITS (32 / PARTS)
#define MASK_WORDS (DOF_TILE_PIXELS / MASK_BITS)
layout(local_size_x = GROUP_SIZE) in;

layout(std430, binding = DOF_BIND_TILE_BEGIN) restrict readonly buffer TileBegin {
  uint tileBegin[];
};
layout(std430, binding = DOF_BIND_KEYS) restrict readonly buffer Keys { uint keys[]; };
layout(std430, binding = DOF_BIND_COLORS) restrict readonly buffer Records { uvec4 records[]; };
#if DEPTHS
layout(std430, binding = DOF_BIND_DEPTHS) restrict readonly buffer Depths { uint depths[]; };
shared float chunkDepths[DOF_TILE_PIXELS];
#endif
#if HELD
layout(std430, binding = DOF_BIND_HELD_BEGIN) restrict readonly buffer HeldBegin { uint heldBegin[]; };
layout(std430, binding = DOF_BIND_HELD) restrict readonly buffer Held { vec4 knots[]; };
#endif
layout(std430, binding = DOF_BIND_STATS) restrict readonly buffer Stats { DofStats stats; };
layout(std140, binding = DOF_BIND_OPTICS) uniform Optics { DofOptics optics; };
#if SLICES
layout(std430, binding = DOF_BIND_SLICE_ENDS) restrict readonly buffer SliceEnds { uint sliceEnds[]; };
layout(std430, binding = DOF_BIND_SLICES) restrict writeonly buffer Slices { vec4 slices[]; };
#endif
layout(binding = DOF_IMAGE_RESULT, rgba32f) uniform restrict writeonly image2D result;
#if DATA
layout(binding = DOF_TEXELS_VALUES) uniform usamplerBuffer values;
#endif
#if DATA == 2
layout(std430, binding = DOF_BIND_WANTED) restrict readonly buffer Wanted { uint wanted[]; };
uvec4 ids[DOF_IDS / 4] = uvec4[](uvec4(0u), uvec4(0u), uvec4(0u), uvec4(0u));  // of the tile
#endif

// Records of the chunk.
#if RECORD_TEXELS
layout(binding = DOF_TEXELS_RECORDS) uniform usamplerBuffer recordTexels;
shared uint chunkSplats[DOF_TILE_PIXELS];
uvec4 recordOf(int splat) { return texelFetch(recordTexels, 2 * splat); }
#else
shared uvec4 chunkColors[DOF_TILE_PIXELS];
shared uvec4 chunkShapes[DOF_TILE_PIXELS];
uvec4 recordOf(int splat) { return records[2 * splat]; }
#endif
#if DATA == 2
#define COLOR mat4
#else
#define COLOR vec4
#endif
/// Its color, or what stands in the place of that.
uvec4 wordsOf(int splat) {
#if DATA
  return texelFetch(values, splat);
#else
  return recordOf(splat);
#endif
}
COLOR colorOf(uvec4 words) {
#if DATA == 2
  mat4 color = mat4(0.0);
  vec2 much = uintBitsToFloat(words.yw);
  for (int k = 0; k < DOF_IDS / 4; ++k)
    color[k] = much.x * vec4(equal(ids[k], words.xxxx)) + much.y * vec4(equal(ids[k], words.zzzz));
  return color;
#else
  return uintBitsToFloat(words);
#endif
}
#if RECORD_TEXELS
void keepRecord(uint j, uint splat, uvec4 shape) { chunkSplats[j] = splat | shape.w & HIDDEN_SPLAT; }
void recordAt(uint j, out COLOR color, out uvec4 shape) {
  int splat = int((RUNS == 1 ? j : chunkSplats[j]) & ((1u << DOF_INDEX_BITS) - 1u));
  color = colorOf(wordsOf(splat));
  shape = texelFetch(recordTexels, 2 * splat + 1);
}
#else
void keepRecord(uint j, uint splat, uvec4 shape) {
  chunkColors[j] = wordsOf(int(splat));
  chunkShapes[j] = shape;
}
void recordAt(uint j, out COLOR color, out uvec4 shape) {
  color = colorOf(chunkColors[j]);
  shape = chunkShapes[j];
}
#endif
shared uint chunkReach[GROUP_SIZE];  // a byte per entry: which sub-tiles it reaches
shared uint masks[DOF_SUBTILES * MASK_WORDS];
shared uint live[2];
shared uint blurred;  // 1: an entry so far is not sharp; what is sharp is exact

#if CHROMA
#define LIGHT vec4  // each channel has its own shares
#define THROUGH(l) max(max(l.r, l.g), l.b)
#else
#define LIGHT float
#define THROUGH(l) l
#endif
#if CHROMA && DATA == 2
#define SHARE(w) (w).a
#elif CHROMA && DATA
#define SHARE(w) (w).aaaa
#else
#define SHARE(w) w
#endif

// Of the light: no step in a pull. Cells go two ways through lists, which leave away different parts of it.
const float kSmooth = CELLS == 1 ? 1e-4 : 0.002;
const float kExact = 1e-7;  // of the light: what may be left away where nothing is blurred

/// What a pixel has gathered so far.
struct Light {
  COLOR color;
  LIGHT left;  // transmittance
#if HIDDEN
  COLOR restColor;  // what hidden splats would give beyond what they took,
  LIGHT rest;      // and how much that is
#endif
#if OPERATOR == 2
  COLOR slabColor;
  LIGHT slabAlpha;
  float slabEnd;
#endif
#if CELLS
  LensCells lens;
#endif
#if HELD
  uint knot;  // the last one that splats so far lie behind
#endif
};

#if CARRIED
layout(std430, binding = DOF_BIND_LONG) restrict readonly buffer Long { uint longLists[]; };
layout(std430, binding = DOF_BIND_CARRIED) restrict buffer Carried { uint carried[]; };
#define CARRY(x)                                         \
  {                                                      \
    if (comes) x = uintBitsToFloat(carried[at]);         \
    else carried[at] = floatBitsToUint(x);               \
    at += uint(DOF_TILE_PIXELS);                         \
  }
#define CARRY_FOUR(x) \
  for (int c = 0; c < 4; ++c) CARRY(x[c])
#if DATA == 2
#define CARRY_COLOR(x) \
  for (int k = 0; k < DOF_IDS / 4; ++k) CARRY_FOUR(x[k])
#else
#define CARRY_COLOR(x) CARRY_FOUR(x)
#endif
#if CHROMA
#define CARRY_LIGHT(x) CARRY_FOUR(x)
#else
#define CARRY_LIGHT(x) CARRY(x)
#endif
/// What a pixel has gathered comes from the last part of its list, or goes to the next one. `at`: of its words,
/// which lie DOF_TILE_PIXELS apart.
void carry(inout Light l, uint at, bool comes) {
  CARRY_COLOR(l.color)
  CARRY_LIGHT(l.left)
#if HIDDEN
  CARRY_COLOR(l.restColor)
  CARRY_LIGHT(l.rest)
#endif
#if OPERATOR == 2
  CARRY_COLOR(l.slabColor)
  CARRY_LIGHT(l.slabAlpha)
  CARRY(l.slabEnd)
#endif
#if CELLS
  for (int k = 0; k < CELL_COUNT; ++k) {
    CARRY(l.lens.seen[k])
#if HIDDEN
    CARRY(l.lens.waiting[k])
#endif
  }
#endif
#if HELD
  if (comes) l.knot = carried[at];
  else carried[at] = l.knot;
#endif
}
#endif

#if HELD
/// Behind which knots depth z lies. Left at its head by what it has loaded there, a loop gives lanes that are done
/// early the values of others on llvmpipe; so this one is left by a variable.
void passKnots(inout Light light[ROWS], float z) {
  bool more = true;
  while (more) {
    more = false;
    for (int row = 0; row < ROWS; ++row) {
      bool passed = knots[light[row].knot].w <= z;
      light[row].knot += uint(passed);
      more = more || passed;
    }
  }
}
#endif

/// What of a splat's color passes the hold-outs.
COLOR shown(in Light l, COLOR color, float z) {
#if HELD
  vec4 knot = knots[l.knot];
  color *= knot.y * exp(-knot.z * (z - knot.x));
#endif
  return color;
}

#if OPERATOR == 2
void endSlab(inout Light l) {
  LIGHT coverage = min(LIGHT(1.0), l.slabAlpha);
  LIGHT scale = l.left * coverage / max(l.slabAlpha, LIGHT(1e-20));
  l.color += SHARE(scale) * l.slabColor;
  l.left *= LIGHT(1.0) - coverage;
  l.slabColor = COLOR(0.0);
  l.slabAlpha = LIGHT(0.0);
}
#endif

#if CELLS
/// `mean`: of the channels' light, which stands for all of them where faults of color part them.
void addThroughCells(inout Light l, COLOR color, LIGHT a, vec2 u, vec2 half_, vec4 asks[DOF_CELLS], bool near,
                     bool hidden) {
#if CHROMA
  float mean = (a.r + a.g + a.b) / 3.0;
#else
  float mean = a;
#endif
  if (RUNS == 1) mean = max(mean, 1e-20);
  else if (mean <= 0.0) return;
  vec2 shares = takeCells(l.lens, mean, u, half_, asks, near, hidden, optics) / mean;
  LIGHT w = min(shares.x * a, l.left);
  l.color += SHARE(w) * color;
  l.left -= w;
#if HIDDEN
  l.restColor += shares.y * SHARE(a) * color;
  l.rest += shares.y * a;
#endif
}
#endif

#if HIDDEN
/// Of independent surfaces each takes its share of what is left, but what is seen from the middle of the
/// lens has been counted as if nothing were between: in the mean of scenes, half of the share is right.
/// What stands by hides, in its turn, what lies behind it. One way through for what is seen and what is
/// hidden: lanes that part would go both ways.
void addEither(inout Light l, COLOR color, LIGHT a, bool hidden) {
  LIGHT free = max(LIGHT(0.0), l.left - l.rest);
  LIGHT w = hidden ? 0.5 * a * free : min(a, l.left);
  l.color += SHARE(w) * color;
  l.left -= w;
  LIGHT more = hidden ? max(LIGHT(0.0), min(a - w, l.left - l.rest)) : LIGHT(0.0);
  l.restColor += SHARE(more) * color;
  l.rest += more;
}

LIGHT fillWithHidden(inout Light l) {
  LIGHT share = smoothstep(LIGHT(DOF_CLOSED), LIGHT(DOF_OPEN), l.left) *
                min(LIGHT(1.0), l.left / max(l.rest, LIGHT(1e-20)));
  l.color += SHARE(share) * l.restColor;
  l.left -= share * l.rest;
  return share;
}
#endif

#if !CELLS
void add(inout Light l, COLOR color, LIGHT a, float z) {
#if OPERATOR == 0
  LIGHT w = l.left * a;
  l.color += SHARE(w) * color;
  l.left -= w;
#elif OPERATOR == 1
  LIGHT w = min(a, l.left);
  l.color += SHARE(w) * color;
  l.left -= w;
#else
  if (THROUGH(l.slabAlpha) > 0.0 && z > l.slabEnd) endSlab(l);
  if (THROUGH(l.slabAlpha) == 0.0) l.slabEnd = 1.005 * z;
  l.slabColor += SHARE(a) * color;
  l.slabAlpha += a;
#endif
}
#endif

ivec2 pixelOf(uint word) {
  int both = int(word);
  return ivec2(bitfieldExtract(both, 0, 16), bitfieldExtract(both, 16, 16));
}

/// A bit for each sub-tile that has a pixel in reach.
uint subtilesInReach(vec2 at, float reach2) {
  vec2 dx = clamp(vec2(at.x), vec2(0.0, 8.0), vec2(7.0, 15.0)) - at.x;
  vec4 dy = clamp(vec4(at.y), vec4(0.0, 4.0, 8.0, 12.0), vec4(3.0, 7.0, 11.0, 15.0)) - at.y;
  dx *= dx;
  dy *= dy;
  uint bits = 0u;
  for (int k = 0; k < DOF_SUBTILES; ++k) bits |= uint(dx[k % 2] + dy[k / 2] <= reach2) << k;
  return bits;
}

/// a, b of a round aperture.
vec2 rampIn(uvec4 shape) {
  vec2 ramp = uintBitsToFloat(shape.yz);
#if CELLS
  float r = abs(ramp.x);
  ramp.x = 1.0 + clamp((r - 1.0) / 0.1, 0.0, 1.0) * (0.5 * r - 0.5);  // see discRamp()
#endif
  return ramp;
}

/// Brings entry i of the list to place j of the chunk; the sub-tiles that it reaches.
uint load(uint i, uint j, ivec2 origin) {
#if KEY_WORDS == 2
  uint splat = keys[2u * i + 1u] & ((1u << DOF_INDEX_BITS) - 1u);
#else
  uint splat = keys[i];
#endif
#if RECORD_TEXELS
  uvec4 shape = texelFetch(recordTexels, int(2u * splat + 1u));
#else
  uvec4 shape = records[2u * splat + 1u];
#endif
  ivec2 pixel = pixelOf(shape.x);
#if SHAPE
  float reach2 = shapeReach2(uintBitsToFloat(shape.y), vec2(pixel), optics);
#else
  float reach2 = discReach2(rampIn(shape));
#endif
  keepRecord(j, splat, shape);
  if (reach2 >= 1.0) blurred = 1u;
#if DEPTHS
  chunkDepths[j] = uintBitsToFloat(depths[splat]);
#endif
  return subtilesInReach(vec2(pixel - origin), reach2);
}

uint sameInSubtile(uint value) {
#if SUBGROUP_READS
  if (gl_SubGroupSizeARB <= 8u) return readFirstInvocationARB(value);
#endif
  return value;
}

/// One word of the bits that say which entries reach a sub-tile: from bits per sub-tile of an entry to
/// bits per entry of a sub-tile. Neighbors in the group look at the same entries.
void cull(uint lane) {
  uint subtile = lane % DOF_SUBTILES, word = sameInSubtile(lane / DOF_SUBTILES), bits = 0u;
  const uint loads = uint(MASK_BITS / ROWS);
  for (uint k = 0u; k < loads; ++k) {
    uint reaches = chunkReach[word * loads + k] >> subtile & 0x01010101u;
    bits |= (reaches * 0x01020408u >> 24) << (k * uint(ROWS));  // four bits together
  }
  masks[subtile * uint(MASK_WORDS) + word] = bits;
}

#if RUNS
shared uint lists[DOF_SUBTILES * (DOF_TILE_PIXELS + 1)];  // of each sub-tile: of chunkSplats, and LIST_END
/// Each of the eight lanes of a sub-tile lists what one word of bits says.
void list(uint subtile, uint word) {
  uint to = subtile * uint(DOF_TILE_PIXELS + 1), bits = masks[subtile * uint(MASK_WORDS) + word];
  for (uint k = 0u; k < word; ++k) to += uint(bitCount(masks[subtile * uint(MASK_WORDS) + k]));
  for (; bits != 0u; bits &= bits - 1u)
    lists[to++] = chunkSplats[word * uint(MASK_BITS) + uint(findLSB(bits))];
  if (word + 1u == uint(MASK_WORDS)) lists[to] = chunkSplats[0] & ~HIDDEN_SPLAT | LIST_END;
}
#endif

/// Entry j of the chunk, for the pixels of this invocation; `at` is the first of them in the tile.
/// RUNS: j is an entry of a list, and nothing unless it is as `hidden` says.
void splat(uint j, vec2 at, ivec2 origin, bool hidden, inout Light light[ROWS]) {
  COLOR emitted;
  uvec4 shape;
  recordAt(j, emitted, shape);
  ivec2 place = pixelOf(shape.x);
  vec2 d = at - vec2(place - origin);
  float signedWeight = uintBitsToFloat(shape.w), weight = abs(signedWeight), z = 0.0;
  if (RUNS == 0) hidden = signedWeight < 0.0;
  else if (hidden ? j < HIDDEN_SPLAT : j >= LIST_END) weight = 0.0;
#if DEPTHS
  z = chunkDepths[j];
#endif
#if HELD
  z = min(z, 1e30);  // the background lies behind all knots
  passKnots(light, z);
#endif
#if CELLS
  vec4 asks[DOF_CELLS];
  asksOf(uintBitsToFloat(shape.y), asks);
#endif
#if SHAPE
  float r = uintBitsToFloat(shape.y);
  vec2 pixel = vec2(place);
#if CHROMA
  vec2 others = unpackHalf2x16(shape.z);
  LIGHT scale = weight * vec4(others.x, 1.0, others.y, 1.0);
#else
  LIGHT scale = weight;
#endif
  for (int row = 0; row < ROWS; ++row) {
    LIGHT a = scale * rawShares(d + vec2(0.0, row), r, pixel, optics);
    COLOR color = shown(light[row], emitted, z);
#if CELLS
    vec2 half_;
    vec2 u = lensPointOf(d + vec2(0.0, row), r, fieldOf(pixel, optics), optics, half_);
    addThroughCells(light[row], color, a, u, half_, asks, r < 0.0, hidden);
#elif HIDDEN
    addEither(light[row], color, a, hidden);
#else
    add(light[row], color, a, z);
#endif
  }
#else
  vec2 ramp = rampIn(shape);
  float dx2 = d.x * d.x;
  for (int row = 0; row < ROWS; ++row) {
    float dy = d.y + float(row);
    float a = weight * discShare(dx2 + dy * dy, ramp);
    COLOR color = shown(light[row], emitted, z);
#if CELLS
    float r = uintBitsToFloat(shape.y);
    addThroughCells(light[row], color, a, vec2(d.x, dy) / r, vec2(0.5 / abs(r)), asks, r < 0.0, hidden);
#elif HIDDEN
    addEither(light[row], color, a, hidden);
#else
    add(light[row], color, a, z);
#endif
  }
#endif
}

#if SLICES
/// `at`: place of the first pixel in the slice.
void endSlice(in Light light[ROWS], uint at) {
  for (int row = 0; row < ROWS; ++row, at += 2u * uint(DOF_TILE)) {
    slices[at] = light[row].color;
#if HIDDEN
    slices[at + 1u] = light[row].restColor;
#endif
  }
}
#endif

/// Whether one of the pixels takes more light; with lanes that work together, one of the sub-tile.
bool takesLight(in Light light[ROWS], float epsilon) {
  bool takes = false;
  for (int row = 0; row < ROWS; ++row) takes = takes || THROUGH(light[row].left) > epsilon;
#if SUBGROUP_READS && !RUNS
  takes = anyInvocationARB(takes);
#endif
  return takes;
}

void main() {
  uint tile = groupIndex(), lane = gl_LocalInvocationID.x;
#if CARRIED
  uint group = tile;
  bool inRange = tile < params.choice;
  tile = longLists[inRange ? tile : 0u];
#elif DATA == 2
  bool inRange = tile < params.choice;
#endif
#if DATA == 2
  uint item = uint(DOF_IDS + 1) * (inRange ? tile : 0u);
  tile = wanted[item];
  for (uint k = 0u; k < uint(DOF_IDS); ++k) ids[k / 4u][k % 4u] = wanted[item + 1u + k];
#elif !CARRIED
  bool inRange = tile < params.tilesX * params.tileRowCount;
#endif
  // Entries beyond the capacity are not there; the picture is then made again with more room.
  uint first = inRange ? min(tileBegin[tile], params.capacity) : 0u;
  uint end = inRange ? min(tileBegin[tile + 1u], params.capacity) : 0u;
#if CARRIED
  first += params.part * params.partEntries;
  inRange = inRange && first < end;
  bool closes = end - min(first, end) <= params.partEntries;
  end = min(end, first + params.partEntries);
#else
  if (end - first > params.partEntries) {
    inRange = false;
    first = end;
  }
#endif
  ivec2 origin = tileOrigin(tile);
  uint subtile = sameInSubtile(lane / uint(LANES));
  uvec2 local = uvec2(subtile % 2u * 8u + lane % 8u, subtile / 2u * 4u + lane % uint(LANES) / 8u);
#if SLICES
  const uint perSlice = uint(2 * DOF_TILE_PIXELS);
  uint place = tile * uint(SLICES + 1) * perSlice + 2u * (local.y * uint(DOF_TILE) + local.x), slice = 0u;
#endif
  // What early out leaves away carries at most epsilon of the weight, and the brightest color.
  float leftAway = min(optics.epsilon / max(1.0, uintBitsToFloat(stats.brightest)), kSmooth);
  Light light[ROWS];
  for (int row = 0; row < ROWS; ++row) {
    light[row].color = COLOR(0.0);
    light[row].left = LIGHT(1.0);
#if HIDDEN
    light[row].restColor = COLOR(0.0);
    light[row].rest = LIGHT(0.0);
#endif
#if OPERATOR == 2
    light[row].slabColor = COLOR(0.0);
    light[row].slabAlpha = LIGHT(0.0);
    light[row].slabEnd = 0.0;
#endif
#if CELLS
    beginCells(light[row].lens, vec2(origin + ivec2(local) + ivec2(0, row)), optics);
#endif
#if HELD
    ivec2 size = ivec2(params.width, params.height) / HELD;
    ivec2 at = min((origin + ivec2(local) + ivec2(0, row)) / HELD, size - 1);
    light[row].knot = heldBegin[at.y * size.x + at.x];
#endif
  }
#if CARRIED
  uint words = group * uint(DOF_CARRIED_WORDS * DOF_TILE_PIXELS) + local.y * uint(DOF_TILE) + local.x;
  if (inRange && params.part > 0u) {
    for (int row = 0; row < ROWS; ++row) carry(light[row], words + uint(row * DOF_TILE), true);
#if SLICES
    slice = carried[words + uint((DOF_CARRIED_WORDS - 1) * DOF_TILE_PIXELS)];
#endif
  }
#endif

  if (lane == 0u) blurred = 0u;
  memoryBarrierShared();
  barrier();
  for (uint at = first, round = 0u; at < end; at += DOF_TILE_PIXELS, ++round) {
    uint count = min(uint(DOF_TILE_PIXELS), end - at);
    if (round > 0u && live[round & 1u] == 0u) break;  // the same for the whole group
    uint reached = 0u;
    for (uint i = 0u, j = lane * uint(ROWS); i < uint(ROWS) && j < count; ++i, ++j)
      reached |= load(at + j, j, origin) << (8u * i);
    chunkReach[lane] = reached;
    if (lane == 0u) live[(round + 1u) & 1u] = 0u;  // nobody reads that one now
    memoryBarrierShared();
    barrier();
    cull(lane);
    memoryBarrierShared();
    barrier();
    float epsilon = blurred != 0u ? leftAway : min(leftAway, kExact);
#if RUNS
    list(subtile, lane % uint(LANES));
    memoryBarrierShared();
    barrier();
    uint i = subtile * uint(DOF_TILE_PIXELS + 1), entry = lists[i];
    do {
      do {
        splat(entry, vec2(local), origin, false, light);
        i += uint(entry < LIST_END);
        entry = lists[i];
      } while (entry < LIST_END && takesLight(light, epsilon));
#if HIDDEN
      do {
        splat(entry, vec2(local), origin, true, light);
        i += uint(entry >= HIDDEN_SPLAT);
        entry = lists[i];
      } while (entry >= HIDDEN_SPLAT && takesLight(light, epsilon));
#endif
    } while ((entry & LIST_END) == 0u && takesLight(light, epsilon));
#else
    for (uint word = 0u; word < uint(MASK_WORDS); ++word) {
      uint bits = sameInSubtile(masks[subtile * uint(MASK_WORDS) + word]);
      if (!takesLight(light, epsilon)) bits = 0u;
      while (bits != 0u) {
        uint k = uint(findLSB(bits));
#if SLICES
        // Not a loop of its own: llvmpipe leaves loops after 65,535 rounds of all of them together.
        if (at + word * uint(MASK_BITS) + k >= sliceEnds[tile * uint(SLICES) + slice]) {
          endSlice(light, place + slice++ * perSlice);
          continue;
        }
#endif
        bits &= bits - 1u;
        splat(word * uint(MASK_BITS) + k, vec2(local), origin, false, light);
      }
    }
#endif
    if (takesLight(light, epsilon)) live[(round + 1u) & 1u] = 1u;
    memoryBarrierShared();
    barrier();
  }

#if CARRIED
  if (inRange && !closes) {
    for (int row = 0; row < ROWS; ++row) carry(light[row], words + uint(row * DOF_TILE), false);
#if SLICES
    carried[words + uint((DOF_CARRIED_WORDS - 1) * DOF_TILE_PIXELS)] = slice;
#endif
  }
  inRange = inRange && closes;
#endif
#if SLICES
  while (inRange && slice < uint(SLICES)) endSlice(light, place + slice++ * perSlice);
#endif
  for (int row = 0; row < ROWS; ++row) {
    LIGHT filled = LIGHT(0.0);
#if OPERATOR == 2
    endSlab(light[row]);
#elif HIDDEN
    filled = fillWithHidden(light[row]);
#endif
    ivec2 pixel = origin + ivec2(local) + ivec2(0, row);
    if (!inRange || pixel.x >= int(params.width) || pixel.y >= int(params.height)) continue;
    vec4 covered = vec4(1.0) - SHARE(vec4(light[row].left));
#if SLICES
    uint last = place + uint(SLICES) * perSlice + uint(2 * row * DOF_TILE);
    slices[last] = covered;
    slices[last + 1u] = vec4(filled);
#endif
#if DATA == 2
    for (int k = 0; k < DOF_IDS / 4; ++k)
      imageStore(result, pixel + ivec2(k % 2, k / 2) * ivec2(params.width, params.height),
                 light[row].color[k] / max(covered, vec4(1e-20)));
#else
    imageStore(result, pixel,
               mix(vec4(0.0), light[row].color / max(covered, vec4(1e-20)),
                   greaterThan(covered, vec4(0.0))));
#endif
  }
}
