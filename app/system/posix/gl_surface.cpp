// SPDX-License-Identifier: BSD-3-Clause
// A context without a display. Devices are enumerated first (NVIDIA's way, and Mesa's with a GPU),
// hardware before software, then Mesa's surfaceless platform, then EGL's default display. And
// contexts of EGL and GLX that a host has made; GLX is asked at run time, since a host that uses it
// has loaded it.
#include "app/system/gl_surface.h"

#include "app/system/machine.h"

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
namespace {

// EGL's functions by their own names, which hide those of the header, found at run time: without
// libEGL, what draws nothing still runs. Null before findEgl().
#define FATHOM_DECLARE(name) decltype(&::name) name = nullptr;
FATHOM_EGL_FUNCTIONS(FATHOM_DECLARE)
#undef FATHOM_DECLARE

/// Whether the library is there; then the functions are too.
bool findEgl() {
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

bool listed(const char* extensions, std::string_view name) {
  if (!extensions) return false;
  const std::string padded = ' ' + std::string(extensions) + ' ';
  return padded.find(' ' + std::string(name) + ' ') != std::string::npos;
}

std::string eglErrorText() {
  static const std::map<EGLint, const char*> names = {
      {EGL_SUCCESS, "no reason given"},         {EGL_NOT_INITIALIZED, "EGL_NOT_INITIALIZED"},
      {EGL_BAD_ACCESS, "EGL_BAD_ACCESS"},       {EGL_BAD_ALLOC, "EGL_BAD_ALLOC"},
      {EGL_BAD_ATTRIBUTE, "EGL_BAD_ATTRIBUTE"}, {EGL_BAD_CONFIG, "EGL_BAD_CONFIG"},
      {EGL_BAD_MATCH, "EGL_BAD_MATCH"},         {EGL_BAD_PARAMETER, "EGL_BAD_PARAMETER"}};
  const EGLint code = eglGetError();
  const auto name = names.find(code);
  return name == names.end() ? fmt::format("EGL error 0x{:04x}", code) : name->second;
}

// EGL gives every caller the same display, and eglTerminate() ends it for all: count the users,
// on all threads.
std::map<EGLDisplay, int>& displayUsers() {
  static std::map<EGLDisplay, int> users;
  return users;
}
std::mutex& displayMutex() {
  static std::mutex mutex;
  return mutex;
}

void releaseDisplay(EGLDisplay display) {
  const std::lock_guard lock(displayMutex());
  if (--displayUsers()[display] > 0) return;
  displayUsers().erase(display);
  eglTerminate(display);
}

/// Of OpenGL 4.5, with these attributes besides. EGL_NO_CONTEXT: none.
EGLContext coreContext(EGLDisplay display, EGLConfig config, EGLContext share,
                       std::vector<EGLint> attributes) {
  attributes.insert(
      attributes.end(),
      {EGL_CONTEXT_MAJOR_VERSION_KHR, 4, EGL_CONTEXT_MINOR_VERSION_KHR, 5,
       EGL_CONTEXT_OPENGL_PROFILE_MASK_KHR, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT_KHR, EGL_NONE});
  return eglCreateContext(display, config, share, attributes.data());
}

/// One that tells when the device was reset, where there is such a thing. EGL_NO_CONTEXT: none.
EGLContext newContext(EGLDisplay display, EGLConfig config, EGLContext share, bool debug) {
  const EGLint flags = debug ? EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR : 0;
  const EGLContext context =
      coreContext(display, config, share,
                  {EGL_CONTEXT_FLAGS_KHR, flags, EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_KHR,
                   EGL_LOSE_CONTEXT_ON_RESET_KHR});
  if (context != EGL_NO_CONTEXT) return context;
  return coreContext(display, config, share, {EGL_CONTEXT_FLAGS_KHR, flags});
}

class EglSurface : public GlSurface {
 public:
  EglSurface(EGLDisplay display, EGLConfig config, EGLContext context, EGLSurface surface,
             std::string about)
      : display_(display),
        config_(config),
        context_(context),
        surface_(surface),
        about_(std::move(about)) {}
  ~EglSurface() override {
    if (eglGetCurrentContext() == context_) release();
    if (surface_ != EGL_NO_SURFACE) eglDestroySurface(display_, surface_);
    eglDestroyContext(display_, context_);
    releaseDisplay(display_);
  }
  void makeCurrent() override {
    eglBindAPI(EGL_OPENGL_API);  // of this thread
    eglMakeCurrent(display_, surface_, surface_, context_);
  }
  void release() override {
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  }
  std::unique_ptr<GlSurface> shared() override {
    if (surface_ != EGL_NO_SURFACE) return nullptr;  // it would need a surface of its own
    const EGLContext other = newContext(display_, config_, context_, false);
    if (other == EGL_NO_CONTEXT) return nullptr;
    const std::lock_guard lock(displayMutex());
    ++displayUsers()[display_];
    return std::make_unique<EglSurface>(display_, config_, other, EGL_NO_SURFACE, about_);
  }
  Loader loader() const override { return eglGetProcAddress; }
  std::string about() const override { return about_; }

 private:
  EGLDisplay display_;
  EGLConfig config_;
  EGLContext context_;
  EGLSurface surface_;
  std::string about_;
};

// The contexts below need a config only where the display cannot do without.
EGLConfig pbufferConfig(EGLDisplay display) {
  const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, EGL_PBUFFER_BIT,
                           EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  return eglChooseConfig(display, wanted, &config, 1, &count) && count ? config : nullptr;
}

/// Makes a context on an initialized display current, or says why not.
std::unique_ptr<GlSurface> contextOn(EGLDisplay display, const std::string& about, bool debug,
                                     std::string& reason) {
  const char* extensions = eglQueryString(display, EGL_EXTENSIONS);
  const bool surfaceless = listed(extensions, "EGL_KHR_surfaceless_context");
  const bool configless = listed(extensions, "EGL_KHR_no_config_context");
  if (!eglBindAPI(EGL_OPENGL_API)) {
    reason = "no desktop OpenGL";
    return nullptr;
  }
  EGLConfig config = EGL_NO_CONFIG_KHR;
  if (!surfaceless || !configless) {
    config = pbufferConfig(display);
    if (!config) {
      reason = "no config for OpenGL";
      return nullptr;
    }
  }
  const EGLContext context = newContext(display, config, EGL_NO_CONTEXT, debug);
  if (context == EGL_NO_CONTEXT) {
    reason = "no OpenGL 4.5 core context, " + eglErrorText();
    return nullptr;
  }
  EGLSurface surface = EGL_NO_SURFACE;
  if (!surfaceless) {
    const EGLint size[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    surface = eglCreatePbufferSurface(display, config, size);
  }
  if (!eglMakeCurrent(display, surface, surface, context)) {
    reason = "context cannot be made current, " + eglErrorText();
    if (surface != EGL_NO_SURFACE) eglDestroySurface(display, surface);
    eglDestroyContext(display, context);
    return nullptr;
  }
  return std::make_unique<EglSurface>(display, config, context, surface, about);
}

struct Candidate {
  std::string about;
  EGLenum platform;  // 0: the default display
  void* native;
  bool software;
};

/// None without the library.
std::vector<Candidate> candidates(int device) {
  std::vector<Candidate> found;
  if (!findEgl()) return found;
  const char* client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  const auto queryDevices =
      reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
  const auto queryDevice = reinterpret_cast<PFNEGLQUERYDEVICESTRINGEXTPROC>(
      eglGetProcAddress("eglQueryDeviceStringEXT"));
  if (queryDevices && queryDevice && listed(client, "EGL_EXT_platform_device")) {
    EGLDeviceEXT devices[32];
    EGLint count = 0;
    if (queryDevices(32, devices, &count)) {
      for (EGLint i = 0; i < count; ++i) {
        const bool software =
            listed(queryDevice(devices[i], EGL_EXTENSIONS), "EGL_MESA_device_software");
        found.push_back({fmt::format("EGL device {}{}", i, software ? " (software)" : ""),
                         EGL_PLATFORM_DEVICE_EXT, devices[i], software});
      }
    }
  }
  const auto software = std::stable_partition(found.begin(), found.end(),
                                              [](const Candidate& c) { return !c.software; });
  if (const auto hardware = software - found.begin(); hardware > 1)
    std::rotate(found.begin(), found.begin() + device % hardware, software);
  if (listed(client, "EGL_MESA_platform_surfaceless"))
    found.push_back({"EGL surfaceless", EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, false});
  found.push_back({"EGL default display", 0, EGL_DEFAULT_DISPLAY, false});
  return found;
}

EGLDisplay displayOf(const Candidate& candidate) {
  if (candidate.platform == 0) return eglGetDisplay(EGL_DEFAULT_DISPLAY);
  static const auto getPlatformDisplay = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(
      eglGetProcAddress("eglGetPlatformDisplayEXT"));
  return getPlatformDisplay ? getPlatformDisplay(candidate.platform, candidate.native, nullptr)
                            : EGL_NO_DISPLAY;
}

}  // namespace

int hardwareDeviceCount() {
  const std::vector<Candidate> all = candidates(0);
  return int(std::count_if(all.begin(), all.end(), [](const Candidate& c) {
    return c.platform == EGL_PLATFORM_DEVICE_EXT && !c.software;
  }));
}

void useDevice(int device) {
  setVariable("FATHOM_DEVICE", std::to_string(device));
  if (!findEgl()) return;
  const Candidate chosen = candidates(device).front();
  const auto query = reinterpret_cast<PFNEGLQUERYDEVICESTRINGEXTPROC>(
      eglGetProcAddress("eglQueryDeviceStringEXT"));
  if (!query || chosen.platform != EGL_PLATFORM_DEVICE_EXT || chosen.software) return;
  const char* extensions = query(chosen.native, EGL_EXTENSIONS);
  if (listed(extensions, "EGL_NV_device_cuda")) {
    setVariable("__NV_PRIME_RENDER_OFFLOAD", "1");
    setVariable("__GLX_VENDOR_LIBRARY_NAME", "nvidia");
  } else if (listed(extensions, "EGL_EXT_device_drm")) {
    // /dev/dri/card1 is a function on the PCI bus, such as 0000:03:00.0; Mesa has no colons there.
    const fs::path card(query(chosen.native, EGL_DRM_DEVICE_FILE_EXT));
    std::error_code none;
    std::string bus =
        canonical("/sys/class/drm" / card.filename() / "device", none).filename().string();
    for (char& c : bus)
      if (c == ':' || c == '.') c = '_';
    if (!none) setVariable("DRI_PRIME", "pci-" + bus);
  }
}

std::unique_ptr<GlSurface> makeHeadlessSurface(int device, bool debug,
                                               std::vector<std::string>& tried) {
  if (!findEgl()) tried.push_back("EGL: expected libEGL.so.1, found none");
  for (const Candidate& candidate : candidates(device)) {
    const EGLDisplay display = displayOf(candidate);
    if (display == EGL_NO_DISPLAY) {
      tried.push_back(candidate.about + ": no display");
      continue;
    }
    std::unique_lock lock(displayMutex());
    if (!eglInitialize(display, nullptr, nullptr)) {
      tried.push_back(candidate.about + ": cannot be initialized, " + eglErrorText());
      continue;
    }
    ++displayUsers()[display];
    lock.unlock();
    std::string reason;
    if (auto surface = contextOn(display, candidate.about, debug, reason)) return surface;
    tried.push_back(candidate.about + ": " + reason);
    releaseDisplay(display);
  }
  return nullptr;
}

// ---- Contexts of a host: EGL, GLX

namespace {

template <class Function>
Function found(const char* library, const char* name) {
  void* const opened = dlopen(library, RTLD_NOW | RTLD_NOLOAD);
  return opened ? reinterpret_cast<Function>(dlsym(opened, name)) : nullptr;
}

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
    const EGLContext shared = coreContext(display_, config, context_, {});
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
