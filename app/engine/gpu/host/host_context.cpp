// SPDX-License-Identifier: BSD-3-Clause
// Fences around what the host and we draw, and copies of what it has drawn.
#include "app/engine/gpu/host/host_context.h"

#include "app/engine/core/error.h"
#include "app/engine/gpu/gl.h"
#include "app/system/gl_surface.h"

namespace fathom::gpu {
namespace {

std::unique_ptr<system::HostSurface> currentHost() {
  std::unique_ptr<system::HostSurface> host = system::currentHostSurface();
  if (!host) throw NoDeviceError("no OpenGL context is current on this thread");
  return host;
}

}  // namespace

// ---- Entering and leaving

HostContext::HostContext() : host_(currentHost()) {
  const struct Back {
    system::HostSurface& host;
    ~Back() { host.makeCurrent(); }
  } back{*host_};
  std::unique_ptr<system::GlSurface> shared = host_->share();
  if (!shared)
    throw NoDeviceError("no OpenGL 4.5 core context can share with the one that is current");
  shared->makeCurrent();
  gpu_ = std::make_unique<Context>(std::move(shared));
}
HostContext::~HostContext() {
  gpu_->makeCurrent();
  gpu_.reset();
  host_->makeCurrent();
}

HostContext::Entered::Entered(HostContext& host) : host_(host) {
  if (!host.host_->isCurrent())
    throw NoDeviceError("the context that the encoder was made in is not current on this thread");
  const Fence drawn = makeFence();
  glFlush();
  host.gpu_->makeCurrent();
  glWaitSync(static_cast<GLsync>(drawn.get()), 0, GL_TIMEOUT_IGNORED);
}
HostContext::Entered::~Entered() {
  glFlush();
  host_.host_->makeCurrent();
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

// ---- Images of the host

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

}  // namespace fathom::gpu
