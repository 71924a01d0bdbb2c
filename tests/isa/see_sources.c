// SPDX-License-Identifier: BSD-3-Clause
// LD_PRELOAD: writes each source that a program gives to glShaderSource into the folder
// $SEEN_SOURCES, once, as HASH.comp, .vert or .frag. The program must find OpenGL by eglGetProcAddress().
#define _GNU_SOURCE
#include <EGL/egl.h>
#include <GL/glcorearb.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef __eglMustCastToProperFunctionPointerType Function;

static PFNGLSHADERSOURCEPROC given_source;
static PFNGLGETSHADERIVPROC get_shader;

static const char* ending_of(GLuint shader) {
  GLint stage = 0;
  get_shader(shader, GL_SHADER_TYPE, &stage);
  return stage == GL_COMPUTE_SHADER ? "comp" : stage == GL_VERTEX_SHADER ? "vert" : "frag";
}

static void APIENTRY see_source(GLuint shader, GLsizei count, const GLchar* const* texts, const GLint* lengths) {
  given_source(shader, count, texts, lengths);
  const char* folder = getenv("SEEN_SOURCES");
  if (!folder) return;
  char temporary[4096], path[4096];
  snprintf(temporary, sizeof temporary, "%s/%d-%u", folder, (int)getpid(), shader);
  FILE* out = fopen(temporary, "wb");
  if (!out) return;
  uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (GLsizei i = 0; i < count; ++i) {
    const size_t length = lengths && lengths[i] >= 0 ? (size_t)lengths[i] : strlen(texts[i]);
    fwrite(texts[i], 1, length, out);
    for (size_t k = 0; k < length; ++k) hash = (hash ^ (unsigned char)texts[i][k]) * 0x100000001b3u;
  }
  snprintf(path, sizeof path, "%s/%016llx.%s", folder, (unsigned long long)hash, ending_of(shader));
  if (fclose(out) == 0) rename(temporary, path);
}

static void* egl = RTLD_NEXT;

// The program opens libEGL itself. The handle of all that is loaded finds what is here first, and then what is there.
void* dlopen(const char* file, int mode) {
  void* (*next)(const char*, int) = (void* (*)(const char*, int))dlsym(RTLD_NEXT, "dlopen");
  if (!file || strcmp(file, "libEGL.so.1") != 0) return next(file, mode);
  egl = next(file, mode | RTLD_GLOBAL);
  return egl ? next(NULL, RTLD_NOW) : NULL;
}

Function eglGetProcAddress(const char* name) {
  static Function (*next)(const char*);
  if (!next) next = (Function (*)(const char*))dlsym(egl, "eglGetProcAddress");
  const Function found = next(name);
  if (strcmp(name, "glShaderSource") != 0) return found;
  given_source = (PFNGLSHADERSOURCEPROC)found;
  get_shader = (PFNGLGETSHADERIVPROC)next("glGetShaderiv");
  return (Function)see_source;
}
