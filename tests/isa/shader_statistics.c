// SPDX-License-Identifier: BSD-3-Clause
// shader_statistics SECONDS: compiles shaders with the first EGL device that gives OpenGL 4.5, and prints
// what its compiler says of them. Begins with a line RENDERER; then, for each path read from standard
// input (.comp, .vert or .frag), a line STATUS, milliseconds of processor time, invocations per group, text,
// with tabs between. STATUS: ok, compile, link (refused; the text is the log), or over (not done after
// SECONDS of processor time; the program ends).
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glcorearb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define FUNCTIONS(F)                                                                          \
  F(PFNGLCREATESHADERPROC, glCreateShader) F(PFNGLSHADERSOURCEPROC, glShaderSource)           \
  F(PFNGLCOMPILESHADERPROC, glCompileShader) F(PFNGLGETSHADERIVPROC, glGetShaderiv)           \
  F(PFNGLGETSHADERINFOLOGPROC, glGetShaderInfoLog) F(PFNGLCREATEPROGRAMPROC, glCreateProgram) \
  F(PFNGLATTACHSHADERPROC, glAttachShader) F(PFNGLLINKPROGRAMPROC, glLinkProgram)             \
  F(PFNGLGETPROGRAMIVPROC, glGetProgramiv) F(PFNGLGETPROGRAMINFOLOGPROC, glGetProgramInfoLog) \
  F(PFNGLDELETEPROGRAMPROC, glDeleteProgram) F(PFNGLDELETESHADERPROC, glDeleteShader)         \
  F(PFNGLPROGRAMPARAMETERIPROC, glProgramParameteri) F(PFNGLGETSTRINGPROC, glGetString)       \
  F(PFNGLENABLEPROC, glEnable) F(PFNGLDEBUGMESSAGECONTROLPROC, glDebugMessageControl)         \
  F(PFNGLDEBUGMESSAGECALLBACKPROC, glDebugMessageCallback)
#define DECLARE(type, name) static type name;
#define LOAD(type, name) name = (type)eglGetProcAddress(#name);
FUNCTIONS(DECLARE)

static char text[1 << 16];  // of the current shader
static size_t length;

static void add(const char* message, size_t count) {
  if (length + count + 2 > sizeof text) return;
  for (size_t i = 0; i < count; ++i) text[length++] = (unsigned char)message[i] < 32 ? ' ' : message[i];
  text[length++] = ' ';
  text[length] = 0;
}

static void APIENTRY on_message(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei count,
                                const GLchar* message, const void* user) {
  (void)source, (void)type, (void)id, (void)severity, (void)user;
  add(message, count < 0 ? strlen(message) : (size_t)count);
}

static void over(int signal) {
  (void)signal;
  static const char line[] = "over\t0\t0\t\n";
  if (write(STDOUT_FILENO, line, sizeof line - 1) < 0) _exit(4);
  _exit(3);
}

/// Of all threads.
static double processor_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static int make_context(void) {
  const PFNEGLQUERYDEVICESEXTPROC query = (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
  const PFNEGLGETPLATFORMDISPLAYEXTPROC display_of =
      (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
  EGLDeviceEXT devices[16];
  EGLint count = 0;
  if (!query || !display_of || !query(16, devices, &count)) return 0;
  for (EGLint i = 0; i < count; ++i) {
    const EGLDisplay display = display_of(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL);
    if (!display || !eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API)) continue;
    const EGLint wanted[] = {EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 5,
                             EGL_CONTEXT_OPENGL_DEBUG, EGL_TRUE, EGL_NONE};
    const EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, wanted);
    if (context && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) return 1;
  }
  return 0;
}

/// The whole file, to be freed; null when it cannot be read.
static char* read_file(const char* path) {
  FILE* in = fopen(path, "rb");
  if (!in) return NULL;
  fseek(in, 0, SEEK_END);
  const long size = ftell(in);
  rewind(in);
  char* all = calloc((size_t)size + 1, 1);
  if (all && fread(all, 1, (size_t)size, in) != (size_t)size) all[0] = 0;
  fclose(in);
  return all;
}

static void measure(const char* path, long seconds) {
  char* source = read_file(path);
  if (!source) {
    fprintf(stderr, "%s: expected a shader, found none\n", path);
    exit(4);
  }
  const char* ending = strrchr(path, '.');
  const GLenum stage = !strcmp(ending, ".comp")   ? GL_COMPUTE_SHADER
                       : !strcmp(ending, ".vert") ? GL_VERTEX_SHADER
                                                  : GL_FRAGMENT_SHADER;
  static char log[8192];
  const char* status = "ok";
  GLint ok = 0, group[3] = {0, 0, 0};
  length = 0, text[0] = 0, log[0] = 0;
  const struct itimerval limit = {{0, 0}, {seconds, 0}}, none = {{0, 0}, {0, 0}};
  setitimer(ITIMER_PROF, &limit, NULL);
  const double start = processor_ms();
  const GLuint shader = glCreateShader(stage), program = glCreateProgram();
  glShaderSource(shader, 1, (const GLchar* const*)&source, NULL);
  glCompileShader(shader);
  glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
  if (!ok) {
    status = "compile";
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
  } else {
    if (stage != GL_COMPUTE_SHADER) glProgramParameteri(program, GL_PROGRAM_SEPARABLE, GL_TRUE);
    glAttachShader(program, shader);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (!ok) {
      status = "link";
      glGetProgramInfoLog(program, sizeof log, NULL, log);
    } else if (stage == GL_COMPUTE_SHADER) {
      glGetProgramiv(program, GL_COMPUTE_WORK_GROUP_SIZE, group);
    }
  }
  const double end = processor_ms();
  setitimer(ITIMER_PROF, &none, NULL);
  if (!ok) length = 0, add(log, strlen(log));
  printf("%s\t%.1f\t%d\t%s\n", status, end - start, group[0] * group[1] * group[2], text);
  fflush(stdout);
  glDeleteShader(shader);
  glDeleteProgram(program);
  free(source);
}

int main(int argc, char** argv) {
  const long seconds = argc == 2 ? strtol(argv[1], NULL, 10) : 0;
  if (seconds <= 0) {
    fprintf(stderr, "usage: shader_statistics SECONDS < PATHS\n");
    return 2;
  }
  if (!make_context()) {
    fprintf(stderr, "shader_statistics: no EGL device gives OpenGL 4.5\n");
    return 1;
  }
  FUNCTIONS(LOAD)
  glEnable(GL_DEBUG_OUTPUT);
  glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
  glDebugMessageControl(GL_DONT_CARE, GL_DONT_CARE, GL_DONT_CARE, 0, NULL, GL_TRUE);
  glDebugMessageCallback(on_message, NULL);
  signal(SIGPROF, over);
  printf("%s, %s\n", (const char*)glGetString(GL_RENDERER), (const char*)glGetString(GL_VERSION));
  fflush(stdout);
  char path[4096];
  while (fgets(path, sizeof path, stdin)) {
    path[strcspn(path, "\n")] = 0;
    measure(path, seconds);
  }
  return 0;
}
