// SPDX-License-Identifier: BSD-3-Clause
// EGL's functions by their own names, found at run time: without libEGL, what draws nothing still
// runs.
#pragma once

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>

// clang-format off
#define FATHOM_EGL_FUNCTIONS(X)                                                                \
  X(eglBindAPI) X(eglChooseConfig) X(eglCreateContext) X(eglCreatePbufferSurface)              \
  X(eglDestroyContext) X(eglDestroySurface) X(eglGetCurrentContext) X(eglGetCurrentDisplay)    \
  X(eglGetCurrentSurface) X(eglGetDisplay) X(eglGetError) X(eglGetProcAddress)                 \
  X(eglInitialize) X(eglMakeCurrent) X(eglQueryContext) X(eglQueryString) X(eglTerminate)
// clang-format on

namespace fathom::system {

// Here they hide those of the header. Null before findEgl().
#define FATHOM_DECLARE(name) inline decltype(&::name) name = nullptr;
FATHOM_EGL_FUNCTIONS(FATHOM_DECLARE)
#undef FATHOM_DECLARE

/// Whether the library is there; then the functions are too.
inline bool findEgl() {
  static const bool found = [] {
    void* const library = dlopen("libEGL.so.1", RTLD_NOW);
    if (!library) return false;
#define FATHOM_FIND(name) name = reinterpret_cast<decltype(name)>(dlsym(library, #name));
    FATHOM_EGL_FUNCTIONS(FATHOM_FIND)
#undef FATHOM_FIND
    return true;
  }();
  return found;
}

}  // namespace fathom::system
