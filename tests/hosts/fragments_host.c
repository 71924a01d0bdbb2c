/* SPDX-License-Identifier: BSD-3-Clause
 * A renderer in plain C without OpenGL that hands libfathom_composite fragments in its own memory:
 * 24 wavy sheets and 24 slabs of a volume that interlock along each ray, dealt to the ranks in
 * turn. Rank 0 composites all of them by itself, in double, and compares.
 *
 *   fragments_host                 picture, strips, lists, halves, thinning, all checked
 *   fragments_host --wrong WHAT    the last rank is wrong: offsets, nan, alpha, pixels, null, size,
 *                                  width; every rank prints what it is told and ends with 0 when
 *                                  it is told in time, and the next run is made
 *   fragments_host --lose HOW      the last rank is killed, or stops; the others print and end with
 * 0
 */
#define _POSIX_C_SOURCE 200809L
#include <fathom_composite.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 61, HEIGHT = 37, PIXELS = WIDTH * HEIGHT, PARTS = 48 };

static int rank, ranks, faults;

static void expect(int holds, const char* what) {
  if (holds) return;
  printf("rank %d: expected %s: %s\n", rank, what, fathom_composite_message());
  ++faults;
}

typedef struct {
  float rgba[4], front, back;
} fragment;

/* What part `p` has at a pixel; 0 where it is not. Even parts are sheets, odd ones slabs whose
 * places along the ray do not overlap, so that the reference stays short. */
static int drawn(int p, int x, int y, fragment* f) {
  const float u = (float)x / WIDTH, v = (float)y / HEIGHT;
  if ((x * 7 + y * 3 + p * 11) % 5 == 0) return 0;
  const float alpha = p % 2 ? 0.3f : 0.15f + 0.02f * (float)(p % 7);
  f->rgba[0] = alpha * u, f->rgba[1] = alpha * v, f->rgba[2] = alpha * (float)p / PARTS;
  f->rgba[3] = alpha;
  if (p % 2) {
    const int slot = (p / 2 + 5 * (x / 8) + 3 * (y / 8)) % 24; /* another one in each tile */
    f->front = 2.0f * (float)slot, f->back = f->front + 1.0f;
  } else {
    f->front = f->back = 24 + 23.3f * sinf(9 * u + (float)p) * cosf(7 * v - 2 * (float)p);
    const float within = f->front - 2 * floorf(f->front / 2); /* beside the slabs, not inside */
    if (within < 1.1f) f->front = f->back = f->front - within + 1.15f + 0.8f * (float)p / PARTS;
  }
  return 1;
}

typedef struct {
  uint64_t offsets[PIXELS + 1];
  float *rgba, *front, *back;
} lists;

/* Fragments of every part p with p % of == mine, in any order. */
static lists* draw(int mine, int of, int points) {
  lists* l = malloc(sizeof *l);
  l->rgba = malloc(sizeof(float) * 4 * PIXELS * PARTS);
  l->front = malloc(sizeof(float) * PIXELS * PARTS),
  l->back = malloc(sizeof(float) * PIXELS * PARTS);
  uint64_t count = 0;
  for (int i = 0; i < PIXELS; ++i) {
    l->offsets[i] = count;
    for (int p = PARTS - 1; p >= 0; --p) {
      fragment f;
      if (p % of != mine || (points && p % 2) || !drawn(p, i % WIDTH, i / WIDTH, &f)) continue;
      memcpy(l->rgba + 4 * count, f.rgba, sizeof f.rgba);
      l->front[count] = f.front, l->back[count] = f.back, ++count;
    }
  }
  l->offsets[PIXELS] = count;
  return l;
}

static void release(lists* l) { free(l->rgba), free(l->front), free(l->back), free(l); }

static fathom_composite_fragments given(const lists* l) {
  const fathom_composite_fragments f = {sizeof f, 0,          0,       WIDTH,    HEIGHT,
                                        0,        l->offsets, l->rgba, l->front, l->back};
  return f;
}

static int nearer(const void* a, const void* b) {
  const fragment *f = a, *g = b;
  return (f->front > g->front) - (f->front < g->front);
}

/* One process, in double: the picture of all parts. */
static double* reference(int points) {
  double* picture = calloc(4 * PIXELS, sizeof *picture);
  for (int i = 0; i < PIXELS; ++i) {
    fragment all[PARTS];
    int count = 0;
    for (int p = 0; p < PARTS; ++p)
      if (!(points && p % 2) && drawn(p, i % WIDTH, i / WIDTH, &all[count])) ++count;
    qsort(all, (size_t)count, sizeof *all, nearer);
    for (int k = 0; k < count; ++k) {
      const double through = 1 - picture[4 * i + 3];
      for (int c = 0; c < 4; ++c) picture[4 * i + c] += through * all[k].rgba[c];
    }
  }
  return picture;
}

static fathom_composite* created(fathom_composite_setup setup, MPI_Comm communicator) {
  fathom_composite* c = NULL;
  setup.size = sizeof setup, setup.width = WIDTH, setup.height = HEIGHT;
  expect(!fathom_composite_create(communicator, &setup, &c), "a compositor");
  return c;
}

static void composite(fathom_composite* c, int points) {
  lists* own = draw(rank, ranks, points);
  const fathom_composite_fragments f = given(own);
  expect(!fathom_composite_add_fragments(c, &f), "fragments to be taken");
  release(own);
  expect(!fathom_composite_run(c), "a run");
}

/* The largest difference of this rank's pieces from the reference, and the pixels that they have.
 */
static double difference(const fathom_composite* c, const double* expected, int* pixels) {
  double largest = 0;
  *pixels = 0;
  for (int i = 0; i < fathom_composite_piece_count(c); ++i) {
    fathom_composite_image piece = {.size = sizeof piece};
    expect(!fathom_composite_piece(c, i, &piece), "a piece");
    for (int y = 0; y < piece.height; ++y)
      for (int k = 0; k < 4 * piece.width; ++k) {
        const double d = piece.rgba[4 * piece.width * y + k] -
                         expected[4 * (WIDTH * (piece.y + y) + piece.x) + k];
        if (!(fabs(d) <= largest)) largest = fabs(d);
      }
    *pixels += piece.width * piece.height;
  }
  return largest;
}

static void compare(fathom_composite_setup setup, int points, double within, const char* what) {
  fathom_composite* c = created(setup, MPI_COMM_WORLD);
  composite(c, points), composite(c, points); /* nothing of the first is left */
  double* expected = reference(points);
  int pixels = 0, all = 0;
  const double off = difference(c, expected, &pixels);
  fathom_composite_figures figures = {.size = sizeof figures};
  expect(!fathom_composite_get_figures(c, &figures), "figures");
  expect(ranks == 1 || figures.bytes_sent > 0, "bytes to be sent");
  if (setup.thin_error > 0) within += 2 * figures.bound;
  if (!(off <= within)) printf("%s: off by %g, expected %g\n", what, off, within), ++faults;
  MPI_Allreduce(&pixels, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  expect(all == PIXELS, "all pixels once");
  uint64_t kept[2] = {figures.fragments, figures.fragments_sent}, sums[2];
  MPI_Allreduce(kept, sums, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  expect(setup.thin_error > 0 && ranks < 5 ? sums[1] < sums[0] : sums[1] <= sums[0],
         "what thinning keeps");
  if (rank == 0)
    printf("%s: off by %.2g, %llu of %llu fragments sent\n", what, off, (unsigned long long)sums[1],
           (unsigned long long)sums[0]);
  free(expected);
  fathom_composite_destroy(c);
}

/* Bits of the whole picture and of its lists are those of one process that has all parts. */
static void compareBits(void) {
  fathom_composite_setup setup = {.deep = 1};
  fathom_composite* c = created(setup, MPI_COMM_WORLD);
  composite(c, 0);
  if (rank == 0) {
    fathom_composite* alone = created(setup, MPI_COMM_SELF);
    lists* all = draw(0, 1, 0);
    const fathom_composite_fragments f = given(all);
    expect(!fathom_composite_add_fragments(alone, &f), "fragments to be taken");
    expect(!fathom_composite_run(alone), "a run");
    fathom_composite_image a = {.size = sizeof a}, b = a;
    fathom_composite_fragments listsA = {.size = sizeof listsA}, listsB = listsA;
    expect(!fathom_composite_piece(c, 0, &a) && !fathom_composite_piece(alone, 0, &b), "pictures");
    expect(!fathom_composite_deep_piece(c, 0, &listsA) &&
               !fathom_composite_deep_piece(alone, 0, &listsB),
           "lists");
    expect(!memcmp(a.rgba, b.rgba, sizeof(float) * 4 * PIXELS), "the same picture");
    expect(!memcmp(listsA.offsets, listsB.offsets, sizeof all->offsets), "the same counts");
    const size_t count = (size_t)listsA.offsets[PIXELS];
    expect(count == all->offsets[PIXELS], "all fragments");
    expect(!memcmp(listsA.rgba, listsB.rgba, 16 * count) &&
               !memcmp(listsA.depth, listsB.depth, 4 * count) &&
               !memcmp(listsA.depth_back, listsB.depth_back, 4 * count),
           "the same fragments");
    release(all);
    fathom_composite_destroy(alone);
  }
  fathom_composite_destroy(c);
}

/* Of flat images the nearest is seen, and of equal depths that of the lower part. */
static void compareImages(void) {
  fathom_composite* c = created((fathom_composite_setup){0}, MPI_COMM_WORLD);
  static float rgba[4 * PIXELS], depth[PIXELS];
  for (int i = 0; i < PIXELS; ++i) {
    rgba[4 * i] = (float)(rank + 1) / (float)ranks, rgba[4 * i + 3] = 1;
    depth[i] = (float)((i + rank) % ranks) + (float)(i % 2 ? 0 : -((i + rank) % ranks));
  }
  const fathom_composite_image image = {sizeof image,   0,    0,    WIDTH, HEIGHT,
                                        (uint32_t)rank, rgba, depth};
  expect(!fathom_composite_add_image(c, &image), "an image to be taken");
  expect(!fathom_composite_run(c), "a run");
  fathom_composite_image whole = {.size = sizeof whole};
  if (rank == 0) expect(!fathom_composite_piece(c, 0, &whole), "the picture");
  for (int i = 0; rank == 0 && i < PIXELS; ++i) {
    const int nearest = i % 2 ? (ranks - i % ranks) % ranks : 0;
    if (whole.rgba[4 * i] != (float)(nearest + 1) / (float)ranks) ++faults;
  }
  expect(fathom_composite_piece_count(c) == (rank == 0), "the picture on rank 0 alone");
  fathom_composite_destroy(c);
}

static int checks(void) {
  const fathom_composite_setup plain = {0};
  fathom_composite_setup half = plain, strips = plain, small = plain, thin = plain;
  half.color = FATHOM_COMPOSITE_COLOR_HALF, half.compression = 1;
  strips.where = FATHOM_COMPOSITE_STRIPS, strips.compression = 3;
  small.memory_bytes = 200000, small.deep = 1;
  thin.thin_error = 0.25;
  compare(plain, 0, 1e-6, "whole");
  compare(half, 0, 1e-3, "halves");
  compare(strips, 0, 1e-6, "strips");
  compare(small, 0, 1e-6, "little memory");
  compare(thin, 1, 1e-6, "thinned");
  compareBits();
  compareImages();
  return faults != 0;
}

/* The last rank is wrong; all are told, and work on. */
static int wrong(const char* what) {
  const int last = rank == ranks - 1;
  fathom_composite_setup setup = {
      .size = sizeof setup, .width = WIDTH, .height = HEIGHT, .limit_ms = 8000};
  if (last && !strcmp(what, "width")) ++setup.width;
  if (last && !strcmp(what, "size")) setup.size = 1;
  fathom_composite* c = NULL;
  fathom_composite_status status = fathom_composite_create(MPI_COMM_WORLD, &setup, &c);
  if (c) {
    lists* own = draw(rank, ranks, 0);
    fathom_composite_fragments f = given(own);
    if (last && !strcmp(what, "offsets")) own->offsets[7] = own->offsets[9] + 1;
    if (last && !strcmp(what, "nan")) own->front[5] = NAN;
    if (last && !strcmp(what, "alpha")) own->rgba[7] = 1.5f;
    if (last && !strcmp(what, "pixels")) f.width += 1;
    if (last && !strcmp(what, "null")) f.depth = NULL;
    fathom_composite_add_fragments(c, &f);
    release(own);
    status = fathom_composite_run(c);
  }
  printf("rank %d: status %d: %s\n", rank, (int)status, fathom_composite_message());
  const int told = last ? status != FATHOM_COMPOSITE_OK : status == FATHOM_COMPOSITE_PEER_FAILED;
  if (c) composite(c, 0); /* goes on */
  fathom_composite_destroy(c);
  return !told || faults;
}

static int lose(const char* how) {
  fathom_composite_setup setup = {.limit_ms = strcmp(how, "killed") ? 2000 : 0};
  fathom_composite* c = created(setup, MPI_COMM_WORLD);
  if (rank == ranks - 1) {
    if (!strcmp(how, "killed")) raise(SIGKILL);
    sleep(4); /* late */
    _exit(0);
  }
  const time_t before = time(NULL);
  const fathom_composite_status status = fathom_composite_run(c);
  printf("rank %d: status %d: %s\n", rank, (int)status, fathom_composite_message());
  expect(status == FATHOM_COMPOSITE_RANK_LOST, "a lost rank");
  expect(fathom_composite_run(c) == FATHOM_COMPOSITE_RANK_LOST, "no further run");
  expect(time(NULL) - before < 10, "to be told within 10 s");
  fathom_composite_destroy(c);
  fflush(stdout);
  _exit(faults != 0); /* MPI itself waits for the lost one */
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const char* const mode = argc > 2 ? argv[1] : "";
  int result = !strcmp(mode, "--wrong")  ? wrong(argv[2])
               : !strcmp(mode, "--lose") ? lose(argv[2])
                                         : checks();
  MPI_Allreduce(MPI_IN_PLACE, &result, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return result;
}
