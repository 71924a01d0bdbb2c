// SPDX-License-Identifier: BSD-3-Clause
// Contexts of EGL and GLX that a host has made. GLX is asked at run time: a host that uses it has
// loaded it.
#include "app/system/gl_surface.h"

#include "app/system/posix/egl.h"

namespace fathom::system {
namespace {

template <class Function>
Function found(const char* library, const char* name) {
  void* const opened = dlopen(library, RTLD_NOW | RTLD_NOLOAD);
  return opened ? reinterpret_cast<Function>(dlsym(opened, name)) : nullptr;
}

// ---- EGL

class SharedEgl : public GlSurface {
 public:
  SharedEgl(EGLDisplay display, EGLSurface draw, EGLSurface read, EGLContext context)
      : display_(display), draw_(draw), read_(read), context_(context) {}
  ~SharedEgl() override { eglDestroyContext(display_, context_); }
  void makeCurrent() override { eglMakeCurrent(display_, draw_, read_, context_); }
  Loader loader() const override { return eglGetProcAddress; }
  std::string about() const override { return "EGL, shared with the host"; }

 private:
  EGLDisplay display_;
  EGLSurface draw_, read_;
  EGLContext context_;
};

class EglHost : public HostSurface {
 public:
  static std::unique_ptr<HostSurface> find() {
    const EGLContext context = findEgl() ? eglGetCurrentContext() : EGL_NO_CONTEXT;
    return context == EGL_NO_CONTEXT ? nullptr : std::make_unique<EglHost>(context);
  }
  explicit EglHost(EGLContext context) : context_(context) {}

  bool isCurrent() const override { return eglGetCurrentContext() == context_; }
  bool makeCurrent() override { return eglMakeCurrent(display_, draw_, read_, context_); }
  std::unique_ptr<GlSurface> share() override {
    EGLint id = 0, count = 0;
    eglQueryContext(display_, context_, EGL_CONFIG_ID, &id);
    const EGLint wanted[] = {EGL_CONFIG_ID, id, EGL_NONE};
    EGLConfig config = EGL_NO_CONFIG_KHR;
    if (id != 0) eglChooseConfig(display_, wanted, &config, 1, &count);
    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                 4,
                                 EGL_CONTEXT_MINOR_VERSION,
                                 5,
                                 EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                 EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                 EGL_NONE};
    const EGLContext shared = eglCreateContext(display_, config, context_, attributes);
    if (shared == EGL_NO_CONTEXT) return nullptr;
    return std::make_unique<SharedEgl>(display_, draw_, read_, shared);
  }

 private:
  EGLContext context_;
  EGLDisplay display_ = eglGetCurrentDisplay();
  EGLSurface draw_ = eglGetCurrentSurface(EGL_DRAW), read_ = eglGetCurrentSurface(EGL_READ);
};

// ---- GLX

/// The few entry points that are needed, with opaque types: no header of X is.
struct Glx {
  using Pointer = void*;
  using Drawable = unsigned long;
  Pointer (*currentContext)();
  Pointer (*currentDisplay)();
  Drawable (*currentDrawable)();
  Drawable (*currentReadDrawable)();
  int (*queryContext)(Pointer, Pointer, int, int*);
  Pointer* (*chooseConfig)(Pointer, int, const int*, int*);
  int (*makeContextCurrent)(Pointer, Drawable, Drawable, Pointer);
  void (*destroyContext)(Pointer, Pointer);
  void (*(*procAddress)(const char*))();
  Pointer (*createContext)(Pointer, Pointer, Pointer, int, const int*);
  int (*freeX)(void*);

  static const Glx* get() {
    static const std::optional<Glx> glx = load();
    return glx ? &*glx : nullptr;
  }

 private:
  static std::optional<Glx> load() {
    Glx g{};
    const char* library = nullptr;
    for (const char* name : {"libGLX.so.0", "libGL.so.1"})
      if (!library && found<void*>(name, "glXGetCurrentContext")) library = name;
    if (!library) return std::nullopt;
    const auto take = [&](auto& function, const char* name) {
      function = found<std::remove_reference_t<decltype(function)>>(library, name);
      return function != nullptr;
    };
    const bool all =
        take(g.currentContext, "glXGetCurrentContext") &&
        take(g.currentDisplay, "glXGetCurrentDisplay") &&
        take(g.currentDrawable, "glXGetCurrentDrawable") &&
        take(g.currentReadDrawable, "glXGetCurrentReadDrawable") &&
        take(g.queryContext, "glXQueryContext") && take(g.chooseConfig, "glXChooseFBConfig") &&
        take(g.makeContextCurrent, "glXMakeContextCurrent") &&
        take(g.destroyContext, "glXDestroyContext") && take(g.procAddress, "glXGetProcAddressARB");
    if (!all) return std::nullopt;
    g.createContext =
        reinterpret_cast<decltype(g.createContext)>(g.procAddress("glXCreateContextAttribsARB"));
    g.freeX = found<decltype(g.freeX)>("libX11.so.6", "XFree");
    if (!g.createContext || !g.freeX) return std::nullopt;
    return g;
  }
};

class SharedGlx : public GlSurface {
 public:
  SharedGlx(const Glx& glx, Glx::Pointer display, Glx::Drawable draw, Glx::Drawable read,
            Glx::Pointer context)
      : glx_(glx), display_(display), draw_(draw), read_(read), context_(context) {}
  ~SharedGlx() override { glx_.destroyContext(display_, context_); }
  void makeCurrent() override { glx_.makeContextCurrent(display_, draw_, read_, context_); }
  Loader loader() const override { return glx_.procAddress; }
  std::string about() const override { return "GLX, shared with the host"; }

 private:
  const Glx& glx_;
  Glx::Pointer display_;
  Glx::Drawable draw_, read_;
  Glx::Pointer context_;
};

class GlxHost : public HostSurface {
 public:
  static std::unique_ptr<HostSurface> find() {
    const Glx* glx = Glx::get();
    return glx && glx->currentContext() ? std::make_unique<GlxHost>(*glx) : nullptr;
  }
  explicit GlxHost(const Glx& glx) : glx_(glx) {}

  bool isCurrent() const override { return glx_.currentContext() == context_; }
  bool makeCurrent() override {
    return glx_.makeContextCurrent(display_, draw_, read_, context_) != 0;
  }
  std::unique_ptr<GlSurface> share() override {
    constexpr int kConfigId = 0x8013, kMajor = 0x2091, kMinor = 0x2092, kProfile = 0x9126;
    constexpr int kScreen = 0x800C, kCore = 1;
    int id = 0, screen = 0, count = 0;
    glx_.queryContext(display_, context_, kConfigId, &id);
    glx_.queryContext(display_, context_, kScreen, &screen);
    const int wanted[] = {kConfigId, id, 0};
    Glx::Pointer* configs = glx_.chooseConfig(display_, screen, wanted, &count);
    if (!configs || count == 0) return nullptr;
    const Glx::Pointer config = configs[0];
    glx_.freeX(configs);
    const int attributes[] = {kMajor, 4, kMinor, 5, kProfile, kCore, 0};
    const Glx::Pointer shared = glx_.createContext(display_, config, context_, 1, attributes);
    if (!shared) return nullptr;
    return std::make_unique<SharedGlx>(glx_, display_, draw_, read_, shared);
  }

 private:
  const Glx& glx_;
  Glx::Pointer context_ = glx_.currentContext(), display_ = glx_.currentDisplay();
  Glx::Drawable draw_ = glx_.currentDrawable(), read_ = glx_.currentReadDrawable();
};

}  // namespace

std::unique_ptr<HostSurface> currentHostSurface() {
  if (std::unique_ptr<HostSurface> egl = EglHost::find()) return egl;
  return GlxHost::find();
}

}  // namespace fathom::system
