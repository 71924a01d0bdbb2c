// SPDX-License-Identifier: BSD-3-Clause
// Lens cells: how much of each of DOF_CELLS x DOF_CELLS squares of the aperture a pixel still sees through. A
// splat at p reaches pixel q through the lens point u = (q - p) / r alone (its radius is signed, so that far and
// near ones are seen through the same point), and its pixel is a square of half size 0.5 / r there. Its light is
// shared out to the cells by how much of that square lies in them; the outermost cells go on beyond the aperture.
// It asks a cell for what falls there, over what falls there in all pixels: then a plane fills each cell, and a splat
// alone has all of its light. A table by radius holds that sum (ApertureMap::cellAsks()). In each cell coverage
// rules: what is seen from the middle of the lens takes as much as is left, what is hidden from there takes its share
// of what is left as an independent surface does, and what it does not get stands by.
//
// State of a pixel: the share of each cell that is free, and of that the share that stands by. Cells are handled
// without an index that is not constant, so that all of it may live in registers. Needs aperture.glsl.

#define CELL_COUNT (DOF_CELLS * DOF_CELLS)

layout(std140, binding = DOF_BIND_CELLS) uniform Cells { DofCells cells; };
layout(binding = DOF_TEXTURE_CELLS) uniform sampler2D cellAsks;

/// What a splat of radius r asks for one of light; a round aperture is the same from all sides.
void asksOf(float r, out vec4 asks[DOF_CELLS]) {
  float at = min(abs(r) * float(DOF_CELL_STEPS), float(DOF_CELL_RADII - 1));
  if (SHAPE == 1 && r < 0.0) at += float(DOF_CELL_RADII);
  at = (at + 0.5) / float(2 * DOF_CELL_RADII);
  for (int j = 0; j < DOF_CELLS; ++j) {
    if (SHAPE == 1 || 2 * j < DOF_CELLS)
      asks[j] = textureLod(cellAsks, vec2((float(j) + 0.5) / float(DOF_CELLS), at), 0.0);
    else
      asks[j] = asks[DOF_CELLS - 1 - j];
    if (SHAPE == 0) asks[j] = asks[j].xyyx;
  }
}

#define EACH_CELL(M, j) M(0, j) M(1, j) M(2, j) M(3, j)
#define EACH_ROW(M) M(0) M(1) M(2) M(3)

#define CELL(i, j) ((j) * DOF_CELLS + (i))
#define FAR_LIGHT(k) cells.farLight[(k) / 4][(k) % 4]
#if SHAPE
#define CELL_LIGHT(k) (near ? cells.nearLight[(k) / 4][(k) % 4] : FAR_LIGHT(k))
#else
#define CELL_LIGHT(k) FAR_LIGHT(k)
#endif

struct LensCells {
  float seen[CELL_COUNT];  // share of the cell, 1 at first
#if HIDDEN
  float waiting[CELL_COUNT];
#endif
#if FIELD
  float uncut[CELL_COUNT];  // by the second disc of a cat's eye
  vec2 light;               // far, near: what is left of the light of all cells
#endif
};

#if FIELD
#define UNCUT(k) lens.uncut[k]
#else
#define UNCUT(k) 1.0
#endif

#if FIELD
float uncutCell(vec2 cell, vec2 field, DofOptics o) {
  if (o.catsEye == 0.0) return 1.0;
  float perCell = 2.0 * o.mapExtent / float(DOF_CELLS);
  return uncut((cell + 0.5) * perCell - o.mapExtent, 1.0 / perCell, field, o);
}
#endif

void beginCells(out LensCells lens, vec2 pixel, DofOptics o) {
#if FIELD
  vec2 field = fieldOf(pixel, o);
  lens.light = vec2(0.0);
#endif
#if HIDDEN
#define STAND(k) lens.waiting[k] = 0.0;
#else
#define STAND(k)
#endif
#if FIELD
#define CUT(i, j)                                                                                       \
  lens.uncut[CELL(i, j)] = uncutCell(vec2(i, j), field, o);                                             \
  lens.light += lens.uncut[CELL(i, j)] *                                                                \
                vec2(FAR_LIGHT(CELL(i, j)), cells.nearLight[CELL(i, j) / 4][CELL(i, j) % 4]);
#else
#define CUT(i, j)
#endif
#define BEGIN(i, j) lens.seen[CELL(i, j)] = 1.0; STAND(CELL(i, j)) CUT(i, j)
#define BEGIN_ROW(j) EACH_CELL(BEGIN, j)
  EACH_ROW(BEGIN_ROW)
}

/// How much of the interval around u, in cells, lies in each cell of a row or a column.
void overlaps(float u, float half_, out float shares[DOF_CELLS]) {
  float before = 0.0;
  for (int i = 0; i < DOF_CELLS; ++i) {
    float until = i + 1 == DOF_CELLS ? 1.0 : clamp((float(i + 1) - u + half_) / (2.0 * half_), 0.0, 1.0);
    shares[i] = until - before;
    before = until;
  }
}

/// What a splat takes and, when it is hidden, what stands by, of its light `a`, at lens point u.
vec2 takeCells(inout LensCells lens, float a, vec2 u, vec2 half_, vec4 asks[DOF_CELLS], bool near, bool hidden,
               DofOptics o) {
  const float scale = 0.5 * float(DOF_CELLS) / o.mapExtent;
  float across[DOF_CELLS], down[DOF_CELLS];
  half_ = min(half_, o.mapExtent);  // what is sharper than a pixel fills all cells alike
  overlaps((u.x + o.mapExtent) * scale, half_.x * scale, across);
  overlaps((u.y + o.mapExtent) * scale, half_.y * scale, down);
#if FIELD
  float all = near ? lens.light.y : lens.light.x, open = 0.0;
#define ADD_OPEN(i, j) row += across[i] * UNCUT(CELL(i, j));
#define ADD_ROW(j)           \
  {                          \
    float row = 0.0;         \
    EACH_CELL(ADD_OPEN, j)   \
    open += down[j] * row;   \
  }
  EACH_ROW(ADD_ROW)
  a = open > 0.0 ? a * all / open : 0.0;
#else
  const float all = 1.0;
#endif
  float taken = 0.0, waits = 0.0;
#if HIDDEN
#define TAKE(i, j)                                                                          \
  {                                                                                         \
    const int k = CELL(i, j);                                                               \
    float share = fallen * across[i] * asks[j][i], light = CELL_LIGHT(k) * UNCUT(k), seen = lens.seen[k]; \
    float open = max(seen - lens.waiting[k], 0.0);                                          \
    float takes = hidden ? DOF_CELL_HIDDEN * min(share, 1.0) * open : min(share, seen);         \
    lens.seen[k] = seen - takes;                                                            \
    float stands = hidden ? min(share - takes, open - takes) : 0.0;                         \
    lens.waiting[k] += stands;                                                              \
    taken += takes * light;                                                                 \
    waits += stands * light;                                                                \
  }
#else
#define TAKE(i, j)                                             \
  {                                                            \
    const int k = CELL(i, j);                                  \
    float takes = min(fallen * across[i] * asks[j][i], lens.seen[k]); \
    lens.seen[k] -= takes;                                     \
    taken += takes * CELL_LIGHT(k) * UNCUT(k);                 \
  }
#endif
#define TAKE_ROW(j)                   \
  if (RUNS == 1 || down[j] > 0.0) {   \
    float fallen = a * down[j];       \
    EACH_CELL(TAKE, j)                \
  }
  EACH_ROW(TAKE_ROW)
  return vec2(taken, waits) / all;
}
