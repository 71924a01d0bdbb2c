/* SPDX-License-Identifier: BSD-3-Clause
 * 72 parts of a ball of gas that interlock like a puzzle, one on each rank, marched along parallel
 * rays and composited by libfathom_composite: exactly, and thinned within 1/512. Each of the 72
 * ranks sends fewer bytes than planes of moments need, and the picture is as near to the exact one
 * as is stated.
 *
 * The rival, "Approximate Puzzlepiece Compositing" (Huang, Usher and Pascucci 2025, figure 1: 72
 * subdomains, up to 28 segments per ray, a constant amount per pixel), sums moments over all
 * ranks, then colors. Counted here at its least: absorbance and 4 power moments (Muenstermann et
 * al. 2018), then R, G, B and A, as floats that each leave a rank once. */
#include <fathom_composite.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 96, HEIGHT = 96, PIXELS = WIDTH * HEIGHT, STEPS = 96, PLANES = 5 + 4 };

static int rank, ranks, faults;
static float (*sites)[3];

static void expect(int holds, const char* what) {
  if (holds) return;
  printf("rank %d: expected %s: %s\n", rank, what, fathom_composite_message());
  ++faults;
}

/* The part that a place belongs to: that of the nearest site, the place moved to and fro before, so
 * that borders are jagged; -1 outside of the ball. */
static int partAt(float x, float y, float z) {
  if (x * x + y * y + z * z > 1) return -1;
  const float p[3] = {x + 0.12f * sinf(21 * y + 17 * z), y + 0.12f * sinf(19 * z + 23 * x),
                      z + 0.12f * sinf(20 * x + 22 * y)};
  int nearest = 0;
  float least = INFINITY;
  for (int s = 0; s < ranks; ++s) {
    const float dx = p[0] - sites[s][0], dy = p[1] - sites[s][1], dz = p[2] - sites[s][2];
    const float square = dx * dx + dy * dy + dz * dz;
    if (square < least) least = square, nearest = s;
  }
  return nearest;
}

/* What a step of a ray sees, multiplied by alpha. */
static void gasAt(float x, float y, float z, float* rgba) {
  const float density = 1.2f + sinf(3 * x + 1) * cosf(4 * y) * sinf(5 * z);
  rgba[3] = 1 - expf(-density * 2 / STEPS);
  rgba[0] = rgba[3] * (0.5f + 0.5f * x), rgba[1] = rgba[3] * (0.5f + 0.5f * y);
  rgba[2] = rgba[3] * (0.5f + 0.5f * z);
}

typedef struct {
  uint64_t offsets[PIXELS + 1];
  float rgba[PIXELS * STEPS * 4], front[PIXELS * STEPS], back[PIXELS * STEPS];
} lists;

/* The steps inside the own part, and on the way all of the picture in double. Returns the most
 * stretches of one part along a ray. */
static int march(lists* own, double* picture) {
  int most = 0;
  uint64_t count = 0;
  for (int i = 0; i < PIXELS; ++i) {
    const float x = 2 * ((float)(i % WIDTH) + 0.5f) / WIDTH - 1,
                y = 2 * ((float)(i / WIDTH) + 0.5f) / HEIGHT - 1;
    own->offsets[i] = count;
    int before = -1, stretches = 0;
    for (int step = 0; step < STEPS; ++step) {
      const float z = 2 * ((float)step + 0.5f) / STEPS - 1;
      const int part = partAt(x, y, z);
      stretches += part >= 0 && part != before, before = part;
      if (part < 0) continue;
      float* rgba = own->rgba + 4 * count;
      gasAt(x, y, z, rgba);
      const double through = 1 - picture[4 * i + 3];
      for (int c = 0; c < 4; ++c) picture[4 * i + c] += through * rgba[c];
      if (part != rank) continue;
      own->front[count] = (float)step, own->back[count] = (float)(step + 1), ++count;
    }
    if (stretches > most) most = stretches;
  }
  own->offsets[PIXELS] = count;
  return most;
}

/* Bytes that leave a rank, means over all; `off`: of alpha, and of colors. */
static double composited(const lists* own, const double* exact, double thinError, double* off,
                         double* bound) {
  const fathom_composite_setup setup = {.size = sizeof setup,
                                        .width = WIDTH,
                                        .height = HEIGHT,
                                        .color = FATHOM_COMPOSITE_COLOR_HALF,
                                        .compression = 1,
                                        .thin_error = thinError};
  const fathom_composite_fragments given = {
      sizeof given, 0,         0,          WIDTH,    HEIGHT, (uint32_t)rank,
      own->offsets, own->rgba, own->front, own->back};
  fathom_composite* c = NULL;
  expect(!fathom_composite_create(MPI_COMM_WORLD, &setup, &c), "a compositor");
  expect(!fathom_composite_add_fragments(c, &given), "fragments to be taken");
  expect(!fathom_composite_run(c), "a run");
  fathom_composite_figures figures = {.size = sizeof figures};
  expect(!fathom_composite_get_figures(c, &figures), "figures");
  *bound = figures.bound;
  off[0] = off[1] = 0;
  fathom_composite_image whole = {.size = sizeof whole};
  if (rank == 0) expect(!fathom_composite_piece(c, 0, &whole), "the picture");
  for (int i = 0; rank == 0 && whole.rgba && i < 4 * PIXELS; ++i)
    off[i % 4 != 3] = fmax(off[i % 4 != 3], fabs(whole.rgba[i] - exact[i]));
  fathom_composite_destroy(c);
  double sent = (double)figures.bytes_sent;
  MPI_Allreduce(MPI_IN_PLACE, &sent, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sent / ranks;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  sites = malloc(sizeof *sites * (size_t)ranks);
  uint32_t random = 7;
  for (int i = 0; i < 3 * ranks; ++i) {
    random = random * 1664525u + 1013904223u;
    sites[i / 3][i % 3] = 1.6f * (float)(random >> 8) / (1 << 24) - 0.8f;
  }
  lists* own = malloc(sizeof *own);
  double *exact = calloc(4 * PIXELS, sizeof *exact), off[2], bound = 0;
  const int stretches = march(own, exact);
  const double all = composited(own, exact, 0, off, &bound);
  if (rank == 0) {
    printf("%d parts, up to %d stretches along a ray, %d x %d pixels; bytes that a rank sends:\n",
           ranks, stretches, WIDTH, HEIGHT);
    printf("all fragments %.0f, off by %.2g\n", all, fmax(off[0], off[1]));
    expect(off[0] <= 2e-3 && off[1] <= 2e-3, "what halves round");
    expect(stretches >= 24, "parts that interlock");
  }
  const double thinned = composited(own, exact, 1.0 / 512, off, &bound);
  const double planes = 4.0 * PLANES * PIXELS * (ranks - 1) / ranks;
  if (rank == 0) {
    printf("within 1/512 %.0f, alpha off by %.2g, color by %.2g, stated: %.2g\n", thinned, off[0],
           off[1], bound);
    printf("moments %.0f\n", planes);
    expect(2 * thinned < planes, "fewer bytes than moments, even in 16 bits each");
    expect(thinned < all, "fewer bytes than those of all fragments");
    expect(bound > 0 && off[0] > 0, "something to be thinned");
    expect(off[0] <= bound + 2e-3 && off[1] <= 2 * bound + 2e-3, "the bound to hold");
  }
  MPI_Allreduce(MPI_IN_PLACE, &faults, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return faults != 0;
}
