/* SPDX-License-Identifier: BSD-3-Clause
 * A plain C program with a window of GLFW and IceT: it draws random images (with scissored clears, so no
 * shader is needed), has each compressed by libfathom_icet and by icetCompressImage, and compares the
 * bytes; in every format, from textures and from framebuffers. All of its GL state is the same before and
 * after. Then what is wrong is refused with a code and words. usage: glfw_host [IMAGES]
 */
#define GL_GLEXT_PROTOTYPES
#include <GLFW/glfw3.h>
#include <GL/glext.h>
#include <fathom_icet.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/hosts/icet_functions.h"

static int failures;
#define EXPECT(condition)                                                    \
  do {                                                                       \
    if (!(condition)) {                                                      \
      printf("%s:%d: expected %s\n", __FILE__, __LINE__, #condition);        \
      ++failures;                                                            \
    }                                                                        \
  } while (0)

/* One rank, no MPI: a communicator that is never used for anything. */
static struct IceTCommunicatorStruct alone;
static IceTCommunicator duplicate(IceTCommunicator self) { return self; }
static IceTCommunicator subset(IceTCommunicator self, int count, const IceTInt32* ranks) {
  (void)count, (void)ranks;
  return self;
}
static void nothing(IceTCommunicator self) { (void)self; }
static int zero(IceTCommunicator self) {
  (void)self;
  return 0;
}
static int one(IceTCommunicator self) {
  (void)self;
  return 1;
}

/* Everything that a context has bound or switched on, as far as it can be asked by number. */
static const GLenum kBindings[] = {
    GL_CURRENT_PROGRAM, GL_ACTIVE_TEXTURE, GL_ARRAY_BUFFER_BINDING, GL_COPY_READ_BUFFER_BINDING,
    GL_COPY_WRITE_BUFFER_BINDING, GL_DISPATCH_INDIRECT_BUFFER_BINDING, GL_DRAW_INDIRECT_BUFFER_BINDING,
    GL_ELEMENT_ARRAY_BUFFER_BINDING, GL_PIXEL_PACK_BUFFER_BINDING, GL_PIXEL_UNPACK_BUFFER_BINDING,
    GL_SHADER_STORAGE_BUFFER_BINDING, GL_UNIFORM_BUFFER_BINDING, GL_ATOMIC_COUNTER_BUFFER_BINDING,
    GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, GL_TEXTURE_BUFFER_BINDING, GL_QUERY_BUFFER_BINDING,
    GL_VERTEX_ARRAY_BINDING, GL_PROGRAM_PIPELINE_BINDING, GL_DRAW_FRAMEBUFFER_BINDING,
    GL_READ_FRAMEBUFFER_BINDING, GL_RENDERBUFFER_BINDING, GL_DRAW_BUFFER, GL_READ_BUFFER,
    GL_PACK_ALIGNMENT, GL_PACK_ROW_LENGTH, GL_PACK_SKIP_PIXELS, GL_PACK_SKIP_ROWS, GL_PACK_SWAP_BYTES,
    GL_UNPACK_ALIGNMENT, GL_UNPACK_ROW_LENGTH, GL_UNPACK_SKIP_PIXELS, GL_UNPACK_SKIP_ROWS,
    GL_DEPTH_FUNC, GL_DEPTH_WRITEMASK, GL_BLEND_SRC_RGB, GL_BLEND_DST_RGB, GL_BLEND_SRC_ALPHA,
    GL_BLEND_DST_ALPHA, GL_BLEND_EQUATION_RGB, GL_BLEND_EQUATION_ALPHA, GL_CULL_FACE_MODE, GL_FRONT_FACE,
    GL_LOGIC_OP_MODE, GL_STENCIL_FUNC, GL_STENCIL_REF, GL_STENCIL_WRITEMASK, GL_CLIP_ORIGIN,
    GL_CLIP_DEPTH_MODE, GL_PROVOKING_VERTEX, GL_PRIMITIVE_RESTART_INDEX, GL_PATCH_VERTICES};
static const GLenum kSwitches[] = {
    GL_BLEND, GL_COLOR_LOGIC_OP, GL_CULL_FACE, GL_DEBUG_OUTPUT, GL_DEBUG_OUTPUT_SYNCHRONOUS, GL_DEPTH_CLAMP,
    GL_DEPTH_TEST, GL_DITHER, GL_FRAMEBUFFER_SRGB, GL_LINE_SMOOTH, GL_MULTISAMPLE, GL_POLYGON_OFFSET_FILL,
    GL_PRIMITIVE_RESTART, GL_PROGRAM_POINT_SIZE, GL_RASTERIZER_DISCARD, GL_SAMPLE_ALPHA_TO_COVERAGE,
    GL_SAMPLE_MASK, GL_SAMPLE_SHADING, GL_SCISSOR_TEST, GL_STENCIL_TEST, GL_TEXTURE_CUBE_MAP_SEAMLESS};
static const GLenum kUnitBindings[] = {GL_TEXTURE_BINDING_1D,      GL_TEXTURE_BINDING_2D,
                                       GL_TEXTURE_BINDING_3D,      GL_TEXTURE_BINDING_2D_ARRAY,
                                       GL_TEXTURE_BINDING_CUBE_MAP, GL_TEXTURE_BINDING_BUFFER,
                                       GL_TEXTURE_BINDING_RECTANGLE, GL_SAMPLER_BINDING};
static const GLenum kIndexed[] = {GL_SHADER_STORAGE_BUFFER_BINDING, GL_UNIFORM_BUFFER_BINDING,
                                  GL_ATOMIC_COUNTER_BUFFER_BINDING, GL_IMAGE_BINDING_NAME};
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define UNITS 16
#define STATE_WORDS 1024

static size_t readState(GLint* state) {
  size_t n = 0;
  GLint saved;
  memset(state, 0, STATE_WORDS * sizeof *state);
  for (size_t i = 0; i < COUNT(kBindings); ++i) glGetIntegerv(kBindings[i], &state[n++]);
  for (size_t i = 0; i < COUNT(kSwitches); ++i) state[n++] = glIsEnabled(kSwitches[i]);
  glGetIntegerv(GL_VIEWPORT, &state[n]), n += 4;
  glGetIntegerv(GL_SCISSOR_BOX, &state[n]), n += 4;
  glGetIntegerv(GL_COLOR_WRITEMASK, &state[n]), n += 4;
  glGetFloatv(GL_COLOR_CLEAR_VALUE, (GLfloat*)&state[n]), n += 4;
  glGetFloatv(GL_DEPTH_CLEAR_VALUE, (GLfloat*)&state[n++]);
  for (size_t i = 0; i < COUNT(kIndexed); ++i)
    for (GLuint k = 0; k < 8; ++k) glGetIntegeri_v(kIndexed[i], k, &state[n++]);
  glGetIntegerv(GL_ACTIVE_TEXTURE, &saved);
  for (GLuint unit = 0; unit < UNITS; ++unit) {
    glActiveTexture(GL_TEXTURE0 + unit);
    for (size_t i = 0; i < COUNT(kUnitBindings); ++i) glGetIntegerv(kUnitBindings[i], &state[n++]);
  }
  glActiveTexture((GLenum)saved);
  return n;
}

/* Things that a library could forget to put back. */
static void makeOwnState(void) {
  GLuint names[4];
  glGenBuffers(3, names);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, names[0]);
  glBufferData(GL_SHADER_STORAGE_BUFFER, 64, NULL, GL_STATIC_DRAW);
  glBindBufferBase(GL_UNIFORM_BUFFER, 0, names[1]);
  glBufferData(GL_UNIFORM_BUFFER, 64, NULL, GL_STATIC_DRAW);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  glBindBuffer(GL_ARRAY_BUFFER, names[2]);
  glGenVertexArrays(1, names);
  glBindVertexArray(names[0]);
  glGenTextures(1, names);
  glActiveTexture(GL_TEXTURE3);
  glBindTexture(GL_TEXTURE_2D, names[0]);
  glPixelStorei(GL_PACK_ALIGNMENT, 2);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 8);
  glEnable(GL_BLEND), glEnable(GL_CULL_FACE), glEnable(GL_SCISSOR_TEST);
  glDepthFunc(GL_GEQUAL);
  glViewport(3, 5, 70, 80);
}

static uint32_t seed = 1;
static uint32_t chance(uint32_t n) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) % n;
}

typedef struct {
  GLuint color, depth, framebuffer;
  int width, height;
} Picture;

/* `mutable`: as older programs make their textures; else with storage that never changes. */
static Picture newPicture(int width, int height, GLenum color, GLenum depth, int renderbuffers) {
  Picture p = {0, 0, 0, width, height};
  glCreateFramebuffers(1, &p.framebuffer);
  if (renderbuffers) {
    GLuint names[2];
    glCreateRenderbuffers(2, names);
    glNamedRenderbufferStorage(names[0], color, width, height);
    glNamedRenderbufferStorage(names[1], depth, width, height);
    glNamedFramebufferRenderbuffer(p.framebuffer, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, names[0]);
    glNamedFramebufferRenderbuffer(p.framebuffer, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, names[1]);
    return p;
  }
  glCreateTextures(GL_TEXTURE_2D, 1, &p.color);
  glCreateTextures(GL_TEXTURE_2D, 1, &p.depth);
  glTextureStorage2D(p.color, 1, color, width, height);
  glTextureStorage2D(p.depth, 1, depth, width, height);
  glNamedFramebufferTexture(p.framebuffer, GL_COLOR_ATTACHMENT0, p.color, 0);
  glNamedFramebufferTexture(p.framebuffer, GL_DEPTH_ATTACHMENT, p.depth, 0);
  return p;
}

static void drawRandom(const Picture* p) {
  const GLfloat background[4] = {0, 0, 0, 0};
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, p->framebuffer);
  glDisable(GL_SCISSOR_TEST);
  glClearBufferfv(GL_COLOR, 0, background);
  const GLfloat far = 1;
  glClearBufferfv(GL_DEPTH, 0, &far);
  glEnable(GL_SCISSOR_TEST);
  const int boxes = (int)chance(12);
  for (int i = 0; i < boxes; ++i) {
    const int x = (int)chance((uint32_t)p->width), y = (int)chance((uint32_t)p->height);
    const GLfloat depth = (GLfloat)chance(8) / 7;
    const GLfloat color[4] = {(GLfloat)chance(256) / 255, (GLfloat)chance(256) / 255,
                              (GLfloat)chance(256) / 255, (GLfloat)chance(3) / 2};
    glScissor(x, y, (int)chance((uint32_t)(p->width - x)) + 1, (int)chance((uint32_t)(p->height - y)) + 1);
    glClearBufferfv(GL_COLOR, 0, color);
    glClearBufferfv(GL_DEPTH, 0, &depth);
  }
  glScissor(1, 2, 3, 4);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
}

static const IceTEnum kIceTColor[] = {ICET_IMAGE_COLOR_NONE, ICET_IMAGE_COLOR_RGBA_UBYTE,
                                      ICET_IMAGE_COLOR_RGB_FLOAT, ICET_IMAGE_COLOR_RGBA_FLOAT};

/* What icetCompressImage makes of the same pixels, into `memory`; returns its bytes. */
static size_t byIceT(const Picture* p, fathom_icet_color color, fathom_icet_mode mode, uint32_t* memory) {
  icetSetColorFormat(kIceTColor[color]);
  icetSetDepthFormat(mode == FATHOM_ICET_BLEND ? ICET_IMAGE_DEPTH_NONE : ICET_IMAGE_DEPTH_FLOAT);
  icetCompositeMode(mode == FATHOM_ICET_BLEND ? ICET_COMPOSITE_MODE_BLEND : ICET_COMPOSITE_MODE_Z_BUFFER);
  void* const buffer = malloc((size_t)icetImageBufferSize(p->width, p->height));
  const IceTImage image = icetImageAssignBuffer(buffer, p->width, p->height);
  GLint before;
  glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &before);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, p->framebuffer);
  if (color == FATHOM_ICET_COLOR_RGBA_UBYTE)
    glReadPixels(0, 0, p->width, p->height, GL_RGBA, GL_UNSIGNED_BYTE, icetImageGetColorub(image));
  else if (color != FATHOM_ICET_COLOR_NONE)
    glReadPixels(0, 0, p->width, p->height, color == FATHOM_ICET_COLOR_RGB_FLOAT ? GL_RGB : GL_RGBA, GL_FLOAT,
                 icetImageGetColorf(image));
  if (mode == FATHOM_ICET_Z_BUFFER)
    glReadPixels(0, 0, p->width, p->height, GL_DEPTH_COMPONENT, GL_FLOAT, icetImageGetDepthf(image));
  glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)before);
  glPixelStorei(GL_PACK_ALIGNMENT, 2);
  const Sparse sparse = icetSparseImageAssignBuffer(memory, p->width, p->height);
  icetCompressImage(image, sparse);
  free(buffer);
  return (size_t)icetSparseImageGetCompressedBufferSize(sparse);
}

static const struct {
  fathom_icet_color color;
  fathom_icet_mode mode;
  GLenum internal;
} kFormats[] = {{FATHOM_ICET_COLOR_RGBA_UBYTE, FATHOM_ICET_Z_BUFFER, GL_RGBA8},
                {FATHOM_ICET_COLOR_RGBA_FLOAT, FATHOM_ICET_Z_BUFFER, GL_RGBA32F},
                {FATHOM_ICET_COLOR_RGB_FLOAT, FATHOM_ICET_Z_BUFFER, GL_RGBA16F},
                {FATHOM_ICET_COLOR_NONE, FATHOM_ICET_Z_BUFFER, GL_RGBA8},
                {FATHOM_ICET_COLOR_RGBA_UBYTE, FATHOM_ICET_BLEND, GL_RGBA8},
                {FATHOM_ICET_COLOR_RGBA_FLOAT, FATHOM_ICET_BLEND, GL_RGBA32F}};

static void compareOne(fathom_icet_encoder* encoder, int image) {
  const int f = image % (int)COUNT(kFormats), way = image / (int)COUNT(kFormats) % 3;
  Picture p = newPicture(1 + (int)chance(70), 1 + (int)chance(50), kFormats[f].internal,
                         GL_DEPTH_COMPONENT32F, way == 2);
  drawRandom(&p);
  fathom_icet_frame frame;
  memset(&frame, 0, sizeof frame);
  frame.size = sizeof frame;
  frame.color = kFormats[f].color, frame.mode = kFormats[f].mode;
  frame.width = p.width, frame.height = p.height;
  if (way > 0)
    frame.framebuffer = p.framebuffer;
  else
    frame.color_texture = p.color, frame.depth_texture = p.depth;
  const size_t capacity = fathom_icet_capacity(frame.color, frame.mode, p.width, p.height);
  uint32_t *own = malloc(capacity), *theirs = malloc(capacity);
  static GLint before[STATE_WORDS], after[STATE_WORDS];
  const size_t count = readState(before);
  size_t bytes = 0;
  const fathom_icet_status status = fathom_icet_encode(encoder, &frame, own, capacity, &bytes);
  readState(after);
  if (status != FATHOM_ICET_OK) printf("%s\n", fathom_icet_message());
  EXPECT(status == FATHOM_ICET_OK);
  for (size_t i = 0; i < count; ++i)
    if (before[i] != after[i]) printf("state %zu: %d became %d\n", i, before[i], after[i]), ++failures;
  const size_t expected = byIceT(&p, frame.color, frame.mode, theirs);
  EXPECT(bytes == expected);
  if (bytes == expected && memcmp(own, theirs, bytes) != 0) {
    printf("image %d: expected the bytes of IceT, found others\n", image);
    ++failures;
  }
  void* mapped = NULL;
  EXPECT(fathom_icet_encode_mapped(encoder, &frame, &mapped, &bytes) == FATHOM_ICET_OK);
  EXPECT(bytes == expected && mapped && memcmp(mapped, theirs, bytes) == 0);
  free(own), free(theirs);
  glDeleteFramebuffers(1, &p.framebuffer);
  glDeleteTextures(1, &p.color), glDeleteTextures(1, &p.depth);
}

static void refuseWhatIsWrong(fathom_icet_encoder* encoder) {
  Picture p = newPicture(20, 10, GL_RGBA8, GL_DEPTH_COMPONENT32F, 0);
  uint32_t memory[2048];
  size_t bytes = 0;
  fathom_icet_frame good;
  memset(&good, 0, sizeof good);
  good.size = sizeof good;
  good.color = FATHOM_ICET_COLOR_RGBA_UBYTE;
  good.width = 20, good.height = 10;
  good.color_texture = p.color, good.depth_texture = p.depth;
  EXPECT(fathom_icet_encode(encoder, &good, memory, sizeof memory, &bytes) == FATHOM_ICET_OK);
  EXPECT(fathom_icet_encode(encoder, &good, memory, 8, &bytes) == FATHOM_ICET_TOO_SMALL || bytes <= 8);
  EXPECT(fathom_icet_encode(NULL, &good, memory, sizeof memory, &bytes) == FATHOM_ICET_BAD_ARGUMENT);
  EXPECT(fathom_icet_encode(encoder, &good, NULL, 0, &bytes) == FATHOM_ICET_BAD_ARGUMENT);
  fathom_icet_frame bad = good;
  bad.size = 4;
  EXPECT(fathom_icet_encode(encoder, &bad, memory, sizeof memory, &bytes) == FATHOM_ICET_BAD_ARGUMENT);
  bad = good, bad.width = 21;
  EXPECT(fathom_icet_encode(encoder, &bad, memory, sizeof memory, &bytes) == FATHOM_ICET_BAD_IMAGE);
  EXPECT(strstr(fathom_icet_message(), "20 x 10") != NULL);
  bad = good, bad.color_texture = 9999;
  EXPECT(fathom_icet_encode(encoder, &bad, memory, sizeof memory, &bytes) == FATHOM_ICET_BAD_IMAGE);
  bad = good, bad.color_texture = p.depth;
  EXPECT(fathom_icet_encode(encoder, &bad, memory, sizeof memory, &bytes) == FATHOM_ICET_BAD_IMAGE);
  bad = good, bad.framebuffer = 4711;
  EXPECT(fathom_icet_encode(encoder, &bad, memory, sizeof memory, &bytes) == FATHOM_ICET_BAD_IMAGE);
  bad = good, bad.mode = FATHOM_ICET_BLEND, bad.color = FATHOM_ICET_COLOR_RGB_FLOAT;
  EXPECT(fathom_icet_encode(encoder, &bad, memory, sizeof memory, &bytes) == FATHOM_ICET_BAD_ARGUMENT);
  bad = good, bad.width = bad.height = 40000;
  EXPECT(fathom_icet_encode(encoder, &bad, memory, sizeof memory, &bytes) == FATHOM_ICET_TOO_LARGE);
  bad = good, bad.region[0] = 15, bad.region[2] = 6, bad.region[3] = 1;
  EXPECT(fathom_icet_encode(encoder, &bad, memory, sizeof memory, &bytes) == FATHOM_ICET_BAD_ARGUMENT);
  EXPECT(fathom_icet_capacity(FATHOM_ICET_COLOR_RGBA_FLOAT, FATHOM_ICET_Z_BUFFER, 60000, 60000) == 0);
  glfwMakeContextCurrent(NULL);
  EXPECT(fathom_icet_encode(encoder, &good, memory, sizeof memory, &bytes) == FATHOM_ICET_NO_CONTEXT);
  fathom_icet_encoder* none = NULL;
  EXPECT(fathom_icet_create(&none) == FATHOM_ICET_NO_CONTEXT && none == NULL);
}

int main(int argc, char** argv) {
  const int images = argc > 1 ? atoi(argv[1]) : 200;
  if (!glfwInit()) return 77;
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4), glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  GLFWwindow* const window = glfwCreateWindow(64, 64, "host", NULL, NULL);
  if (!window) return 77;
  glfwMakeContextCurrent(window);
  alone.Duplicate = duplicate, alone.Destroy = nothing, alone.Subset = subset;
  alone.Barrier = nothing, alone.Comm_size = one, alone.Comm_rank = zero;
  icetCreateContext(&alone);
  makeOwnState();
  fathom_icet_encoder* encoder = NULL;
  if (fathom_icet_create(&encoder) != FATHOM_ICET_OK) {
    printf("%s\n", fathom_icet_message());
    return 1;
  }
  EXPECT(fathom_icet_version() == FATHOM_ICET_VERSION);
  for (int image = 0; image < images; ++image) compareOne(encoder, image);
  EXPECT(glGetError() == GL_NO_ERROR);
  refuseWhatIsWrong(encoder);
  glfwMakeContextCurrent(window);
  fathom_icet_destroy(encoder);
  EXPECT(glGetError() == GL_NO_ERROR);
  glfwTerminate();
  printf("%d images, %d failures\n", images, failures);
  return failures > 0;
}
