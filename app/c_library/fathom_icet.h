// SPDX-License-Identifier: BSD-3-Clause
// libfathom_icet: what a renderer has drawn, compressed on its GPU into IceT's sparse images, for
// programs with an OpenGL context of their own (4.5, GLX or EGL). An encoder works in a second
// context that shares the textures and buffers of the one that was current when it was made: no
// binding and no enable of the host's ever changes. Source: Lipinski, Moreland, Papka, Marrinan,
// "GPU-based Image Compression for Efficient Compositing in Distributed Rendering Applications",
// LDAV 2021.
//
// All calls of one encoder come from one thread, with the host's context current; it is current
// afterwards too. Every function that can fail returns a status; fathom_icet_message() has the
// words.
#ifndef FATHOM_ICET_H
#define FATHOM_ICET_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FATHOM_ICET_VERSION 1 /* of this interface; grows when something is added */

typedef enum {
  FATHOM_ICET_OK = 0,
  FATHOM_ICET_NO_CONTEXT = 1,   /* none is current, not the encoder's, or none can share with it */
  FATHOM_ICET_BAD_ARGUMENT = 2, /* a null pointer, a size, a format or a combination of them */
  FATHOM_ICET_BAD_IMAGE = 3, /* a texture, renderbuffer, framebuffer or buffer that cannot serve */
  FATHOM_ICET_TOO_SMALL = 4, /* the host's memory; the size that is needed has been written */
  FATHOM_ICET_TOO_LARGE = 5, /* for IceT's counters, this device or this machine */
  FATHOM_ICET_FAILED = 6     /* the driver, or the shaders are not where they were installed */
} fathom_icet_status;

/* Color of a pixel, as IceT has it. Bytes are those of the image (sRGB where it is), floats linear.
 */
typedef enum {
  FATHOM_ICET_COLOR_NONE = 0,
  FATHOM_ICET_COLOR_RGBA_UBYTE = 1,
  FATHOM_ICET_COLOR_RGB_FLOAT = 2,
  FATHOM_ICET_COLOR_RGBA_FLOAT = 3
} fathom_icet_color;

/* What is active, and so what is kept: pixels with a depth below 1 (the nearest wins when
 * composited), or with an alpha other than 0 (blended in order; no depth). */
typedef enum { FATHOM_ICET_Z_BUFFER = 0, FATHOM_ICET_BLEND = 1 } fathom_icet_mode;

/* What was drawn. Either textures (2-D, one sample, level 0), or a framebuffer other than 0 whose
 * first color and whose depth attachment are taken. Row 0 is the bottom row. Set all to 0 first,
 * then `size`. */
typedef struct {
  size_t size; /* sizeof(fathom_icet_frame) */
  fathom_icet_color color;
  fathom_icet_mode mode;
  int32_t width, height; /* of the sparse image, and of what was drawn at least */
  uint32_t color_texture, depth_texture;
  uint32_t framebuffer;
  int32_t region[4]; /* x, y, width, height outside of which nothing was drawn; all 0: everywhere */
} fathom_icet_frame;

typedef struct fathom_icet_encoder fathom_icet_encoder;

/* FATHOM_ICET_VERSION of the library that is loaded. */
int fathom_icet_version(void);
/* What the last call on this thread that failed has to say; never null. */
const char* fathom_icet_message(void);

fathom_icet_status fathom_icet_create(fathom_icet_encoder** encoder);
/* The host's context is current; null is fine. */
void fathom_icet_destroy(fathom_icet_encoder* encoder);

/* The most bytes that a sparse image of this kind takes, and what IceT wants its buffer to have; 0
 * when there is none of this kind. */
size_t fathom_icet_capacity(fathom_icet_color color, fathom_icet_mode mode, int32_t width,
                            int32_t height);

/* A sparse image into memory of the host, header included, as icetCompressImage would write it;
 * *bytes is its size. Memory of fathom_icet_capacity() can be handed to IceT as it is. */
fathom_icet_status fathom_icet_encode(fathom_icet_encoder* encoder, const fathom_icet_frame* frame,
                                      void* memory, size_t capacity, size_t* bytes);
/* The same into memory of the library, which lies where the device wrote it: of
 * fathom_icet_capacity(), writable (IceT works inside its inputs), and good until the third call
 * after this one. */
fathom_icet_status fathom_icet_encode_mapped(fathom_icet_encoder* encoder,
                                             const fathom_icet_frame* frame, void** memory,
                                             size_t* bytes);

#ifdef __cplusplus
}
#endif
#endif
