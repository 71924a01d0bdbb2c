// SPDX-License-Identifier: BSD-3-Clause
// libfathom_composite: pictures of surfaces and volumes that many MPI ranks drew, composited
// fragment by fragment. A rank hands over, for each pixel, any number of fragments (color, alpha,
// front and back depth) or flat images with depth. All fragments of a pixel meet on one rank, are
// sorted by depth and composited; volumes that share a place are mixed by OpenEXR's "Interpreting
// Deep Pixels". No order of ranks is needed, parts may interlock, and the picture has the same bits
// for any number of ranks.
//
// Everything lies in host memory; no OpenGL is needed. Functions marked "collective" are called by
// all ranks of the communicator in the same order. MPI has been started by the host; the library
// works in a duplicate of its communicator. Calls of one compositor come from one thread at a time,
// and from the thread that may call MPI; inside a call as many threads work as this machine has
// cores for each of its ranks, and they call no MPI. There are no globals but the message of the
// last failure, one per thread.
#ifndef FATHOM_COMPOSITE_H
#define FATHOM_COMPOSITE_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FATHOM_COMPOSITE_VERSION 1 /* of this interface; grows when something is added */

typedef enum {
  FATHOM_COMPOSITE_OK = 0,
  FATHOM_COMPOSITE_BAD_ARGUMENT = 1, /* a null pointer, a size, a number out of its range */
  FATHOM_COMPOSITE_BAD_DATA = 2,    /* offsets that fall, no number, a back in front of its front */
  FATHOM_COMPOSITE_PEER_FAILED = 3, /* another rank; the message is the one it has got */
  FATHOM_COMPOSITE_RANK_LOST =
      4, /* a rank is gone, or later than the limit: destroy what is left */
  FATHOM_COMPOSITE_TOO_LARGE = 5, /* for the memory that may be taken, or that is there */
  FATHOM_COMPOSITE_FAILED = 6     /* MPI, ranks told different things, a damaged stream */
} fathom_composite_status;

/* How colors travel and are kept. Half rounds them once, to 11 bits, and sends about a third. */
typedef enum {
  FATHOM_COMPOSITE_COLOR_FLOAT = 0,
  FATHOM_COMPOSITE_COLOR_HALF = 1
} fathom_composite_color;

/* Who gets the result: rank 0 the whole, or each rank the rows that it has composited. */
typedef enum { FATHOM_COMPOSITE_WHOLE = 0, FATHOM_COMPOSITE_STRIPS = 1 } fathom_composite_where;

/* The same on all ranks. Set all to 0 first, then `size`, `width` and `height`. */
typedef struct {
  size_t size; /* sizeof(fathom_composite_setup) */
  int32_t width, height;
  fathom_composite_color color;
  fathom_composite_where where;
  int32_t deep;        /* not 0: the merged fragments too */
  int32_t compression; /* of what is sent: 0 (not at all, for ranks of one machine), 1 to 12 */
  /* 0: all fragments travel. Else each rank merges as many of its own as keep alpha, and light in
   * front of any depth, this near: fathom_composite_figures.bound says how far off the picture may
   * be. */
  double thin_error;
  uint64_t memory_bytes; /* of a rank for what travels; 0: a quarter of the machine's, shared */
  uint32_t limit_ms;     /* for waiting for other ranks; 0: as long as they are there */
} fathom_composite_setup;

/* Fragments of a rectangle of pixels, row after row; which end is up is the host's. Colors are
 * linear, multiplied by alpha (0 to 1). Depth grows away from the eye, in one unit for all ranks.
 * A fragment from `depth` to `depth_back` is a homogeneous volume of this color (what it emits) and
 * alpha (what it absorbs); without depth_back, or where both are equal, it is a point of a surface.
 */
typedef struct {
  size_t size; /* sizeof(fathom_composite_fragments) */
  int32_t x, y, width, height;
  uint32_t part;           /* of equal depths the lower part is in front */
  const uint64_t* offsets; /* width * height + 1: where the fragments of each pixel begin */
  const float* rgba;       /* 4 per fragment, in any order within a pixel */
  const float* depth;
  const float* depth_back; /* may be null */
} fathom_composite_fragments;

/* One fragment for each pixel, but where color and alpha are all 0. */
typedef struct {
  size_t size; /* sizeof(fathom_composite_image) */
  int32_t x, y, width, height;
  uint32_t part;
  const float* rgba;
  const float* depth;
} fathom_composite_image;

/* Of the last run, of this rank. */
typedef struct {
  size_t size;                                              /* sizeof(fathom_composite_figures) */
  uint64_t fragments, fragments_sent, fragments_composited; /* its own, thinned, of its rows */
  uint64_t bytes, bytes_sent, bytes_gathered; /* own in memory; on the way; to rank 0 */
  uint64_t messages, regions;                 /* regions: pieces that memory asked for */
  double pack_ms, exchange_ms, composite_ms, wall_ms;
  /* Of all ranks together, of thinning: the picture's alpha is off by at most this, its colors
   * (where none is above its alpha) by at most twice this. */
  double bound;
} fathom_composite_figures;

typedef struct fathom_composite fathom_composite;

/* FATHOM_COMPOSITE_VERSION of the library that is loaded. */
int fathom_composite_version(void);
/* What the last call on this thread that failed has to say; never null. */
const char* fathom_composite_message(void);

/* Collective. */
fathom_composite_status fathom_composite_create(MPI_Comm communicator,
                                                const fathom_composite_setup* setup,
                                                fathom_composite** compositor);
/* Collective, but after FATHOM_COMPOSITE_RANK_LOST; null is fine. */
void fathom_composite_destroy(fathom_composite* compositor);

/* What this rank brings to the next run, copied; any number of calls. When one fails, this rank
 * calls fathom_composite_run() all the same: all ranks learn of it there. */
fathom_composite_status fathom_composite_add_fragments(fathom_composite* compositor,
                                                       const fathom_composite_fragments* fragments);
fathom_composite_status fathom_composite_add_image(fathom_composite* compositor,
                                                   const fathom_composite_image* image);

/* Collective: composites all that was added since the last run, which is forgotten then. When one
 * rank fails, all do; the next run can be made. */
fathom_composite_status fathom_composite_run(fathom_composite* compositor);

/* What this rank has got: no pieces or one when rank 0 gets the whole, else its rows, in as many
 * pieces as regions had to be made. They last until the next call of run or destroy. */
int32_t fathom_composite_piece_count(const fathom_composite* compositor);
/* Colors, without depth. `piece->size` is set by the host. */
fathom_composite_status fathom_composite_piece(const fathom_composite* compositor, int32_t index,
                                               fathom_composite_image* piece);
/* The merged fragments of the same pixels, front to back, volumes split so that none overlap; what
 * comes out can be added to another compositor. */
fathom_composite_status fathom_composite_deep_piece(const fathom_composite* compositor,
                                                    int32_t index,
                                                    fathom_composite_fragments* piece);
fathom_composite_status fathom_composite_get_figures(const fathom_composite* compositor,
                                                     fathom_composite_figures* figures);

#ifdef __cplusplus
}
#endif
#endif
