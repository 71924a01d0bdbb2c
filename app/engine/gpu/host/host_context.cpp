// SPDX-License-Identifier: BSD-3-Clause
// GLX and EGL are asked at run time: a host uses one of them, and has loaded it.
#include "app/engine/gpu/host/host_context.h"

#include "app/engine/core/error.h"
#include "app/engine/gpu/gl.h"
#include "app/engine/gpu/surface.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>

#include <optional>

namespace fathom::gpu {
namespace {

template <class Function>
Function found(const char* library, const char* name) {
  void* const opened = dlopen(library, RTLD_NOW | RTLD_NOLOAD);
  return opened ? reinterpret_cast<Function>(dlsym(opened, name)) : nullptr;
}

/// What the host has current.
class HostBinding {
 public:
  virtual ~HostBinding() = default;
  virtual bool isCurrent() const = 0;
  virtual bool makeCurrent() = 0;
  /// A context that shares with it; null when there can be none.
  virtual std::unique_ptr<Surface> share() = 0;
};

// EGL
// -------------------------------------------------------------------------------------------------

class SharedEgl : public Surface {
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

class EglHost : public HostBinding {
 public:
  static std::unique_ptr<HostBinding> find() {
    const EGLContext context = eglGetCurrentContext();
    return context == EGL_NO_CONTEXT ? nullptr : std::make_unique<EglHost>(context);
  }
  explicit EglHost(EGLContext context) : context_(context) {}

  bool isCurrent() const override { return eglGetCurrentContext() == context_; }
  bool makeCurrent() override { return eglMakeCurrent(display_, draw_, read_, context_); }
  std::unique_ptr<Surface> share() override {
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

// GLX
// -------------------------------------------------------------------------------------------------

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

class SharedGlx : public Surface {
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

class GlxHost : public HostBinding {
 public:
  static std::unique_ptr<HostBinding> find() {
    const Glx* glx = Glx::get();
    return glx && glx->currentContext() ? std::make_unique<GlxHost>(*glx) : nullptr;
  }
  explicit GlxHost(const Glx& glx) : glx_(glx) {}

  bool isCurrent() const override { return glx_.currentContext() == context_; }
  bool makeCurrent() override {
    return glx_.makeContextCurrent(display_, draw_, read_, context_) != 0;
  }
  std::unique_ptr<Surface> share() override {
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

std::unique_ptr<HostBinding> currentHost() {
  if (std::unique_ptr<HostBinding> egl = EglHost::find()) return egl;
  if (std::unique_ptr<HostBinding> glx = GlxHost::find()) return glx;
  throw NoDeviceError("no OpenGL context is current on this thread");
}

}  // namespace

// Entering and leaving
// -------------------------------------------------------------------------------------------------

struct HostContext::State {
  std::unique_ptr<HostBinding> host = currentHost();
  std::unique_ptr<Context> gpu;

  ~State() {
    if (gpu) gpu->makeCurrent();
    gpu.reset();
    host->makeCurrent();
  }
};

HostContext::HostContext() : state_(std::make_unique<State>()) {
  std::unique_ptr<Surface> shared = state_->host->share();
  if (!shared)
    throw NoDeviceError("no OpenGL 4.5 core context can share with the one that is current");
  const struct Back {
    HostBinding& host;
    ~Back() { host.makeCurrent(); }
  } back{*state_->host};
  shared->makeCurrent();
  surfaceToAdopt() = std::move(shared);
  state_->gpu = std::make_unique<Context>();
}
HostContext::~HostContext() = default;

Context& HostContext::gpu() { return *state_->gpu; }

HostContext::Entered::Entered(HostContext& host) : host_(host) {
  if (!host.state_->host->isCurrent())
    throw NoDeviceError("the context that the encoder was made in is not current on this thread");
  const GLsync drawn = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  glFlush();
  host.state_->gpu->makeCurrent();
  glWaitSync(drawn, 0, GL_TIMEOUT_IGNORED);
  glDeleteSync(drawn);
}
HostContext::Entered::~Entered() {
  glFlush();
  host_.state_->host->makeCurrent();
}

HostContext::Attachments HostContext::attachmentsOf(GlId framebuffer, bool color, bool depth) {
  if (framebuffer == 0 || !glIsFramebuffer(framebuffer))
    fail("framebuffer {}: expected one with textures or renderbuffers, found {}", framebuffer,
         framebuffer == 0 ? "the default framebuffer" : "none of that name");
  const auto attached = [&](GLenum point, const char* what) {
    GLint kind = GL_NONE, id = 0;
    glGetNamedFramebufferAttachmentParameteriv(framebuffer, point,
                                               GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, &kind);
    if (kind == GL_NONE)
      fail("framebuffer {}: expected a {} attachment, found none", framebuffer, what);
    glGetNamedFramebufferAttachmentParameteriv(framebuffer, point,
                                               GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME, &id);
    return Attachment{GlId(id), kind == GL_RENDERBUFFER};
  };
  Attachments all;
  if (color) all.color = attached(GL_COLOR_ATTACHMENT0, "color");
  if (depth) all.depth = attached(GL_DEPTH_ATTACHMENT, "depth");
  return all;
}

// Images and buffers of the host
// -------------------------------------------------------------------------------------------------

namespace {

struct ImageSize {
  GLint width = 0, height = 0, samples = 0;
};

ImageSize sizeOf(const HostContext::Attachment& image) {
  ImageSize size;
  if (image.renderbuffer) {
    if (!glIsRenderbuffer(image.id)) return size;
    glGetNamedRenderbufferParameteriv(image.id, GL_RENDERBUFFER_WIDTH, &size.width);
    glGetNamedRenderbufferParameteriv(image.id, GL_RENDERBUFFER_HEIGHT, &size.height);
    glGetNamedRenderbufferParameteriv(image.id, GL_RENDERBUFFER_SAMPLES, &size.samples);
    return size;
  }
  if (!glIsTexture(image.id)) return size;
  glGetTextureLevelParameteriv(image.id, 0, GL_TEXTURE_WIDTH, &size.width);
  glGetTextureLevelParameteriv(image.id, 0, GL_TEXTURE_HEIGHT, &size.height);
  glGetTextureLevelParameteriv(image.id, 0, GL_TEXTURE_SAMPLES, &size.samples);
  return size;
}

/// A framebuffer of ours with one image of the host.
class HostTarget {
 public:
  HostTarget(const HostContext::Attachment& image, bool depth) {
    glCreateFramebuffers(1, &id_);
    const GLenum point = depth ? GL_DEPTH_ATTACHMENT : GL_COLOR_ATTACHMENT0;
    if (image.renderbuffer)
      glNamedFramebufferRenderbuffer(id_, point, GL_RENDERBUFFER, image.id);
    else
      glNamedFramebufferTexture(id_, point, image.id, 0);
    glNamedFramebufferReadBuffer(id_, depth ? GL_NONE : GL_COLOR_ATTACHMENT0);
    glNamedFramebufferDrawBuffer(id_, GL_NONE);
    if (glCheckNamedFramebufferStatus(id_, GL_READ_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
      glDeleteFramebuffers(1, &id_);
      fail("image {}: expected {} that can be read, found another kind", image.id,
           depth ? "depth" : "colors");
    }
    glBindFramebuffer(GL_READ_FRAMEBUFFER, id_);
  }
  ~HostTarget() {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &id_);
  }
  HostTarget(const HostTarget&) = delete;
  HostTarget& operator=(const HostTarget&) = delete;

 private:
  GlId id_ = 0;
};

}  // namespace

void copyHostImage(Context& gpu, const HostContext::Attachment& image, bool depth, int width,
                   int height, Texture& into) {
  const char* const what = depth ? "depth" : "color";
  const ImageSize size = sizeOf(image);
  if (size.width == 0)
    fail("{} image {}: expected a texture or renderbuffer, found none of that name", what,
         image.id);
  if (size.samples > 0)
    fail("{} image {}: expected one sample per pixel, found {}", what, image.id, size.samples);
  if (size.width < width || size.height < height)
    fail("{} image {}: expected at least {} x {}, found {} x {}", what, image.id, width, height,
         size.width, size.height);
  const GlFormat format = glFormat(into.format());
  const GLenum layout = depth ? GL_DEPTH_COMPONENT : format.layout;
  const std::int64_t bytes = std::int64_t(width) * height * bytesPerTexel(into.format());
  RawBuffer copy(gpu, "image of the host", bytes, RawBuffer::Use::Other);
  const HostTarget target(image, depth);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, copy.id());
  glReadPixels(0, 0, width, height, layout, depth ? GL_FLOAT : format.type, nullptr);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  into.copyRows(copy, 0, height);
}

std::vector<std::uint32_t> readHostBuffer(GlId buffer, std::size_t words) {
  GLint64 bytes = 0;
  if (!glIsBuffer(buffer)) fail("buffer {}: expected a buffer, found none of that name", buffer);
  glGetNamedBufferParameteri64v(buffer, GL_BUFFER_SIZE, &bytes);
  if (std::uint64_t(bytes) / 4 < words)
    fail("buffer {}: expected at least {} words, found {} bytes", buffer, words, bytes);
  std::vector<std::uint32_t> values(words);
  if (words) glGetNamedBufferSubData(buffer, 0, GLsizeiptr(words * 4), values.data());
  return values;
}

}  // namespace fathom::gpu
