// SPDX-License-Identifier: BSD-3-Clause
// A context of our own beside that of a program which has one already, and which shares its
// textures and buffers. Nothing of the host's state can change, because nothing is done in its
// context but asking and setting a fence.
#pragma once

#include "app/engine/gpu/context.h"
#include "app/engine/gpu/texture.h"

namespace fathom::system {
class HostSurface;
}

namespace fathom::gpu {

/// The host's context on this thread, GLX or EGL: found, left, and made current again.
class HostContext {
 public:
  /// Throws NoDeviceError when none is current, or when none of ours can share with it.
  HostContext();
  ~HostContext();

  /// Ours; its passes, buffers and textures live as long as this.
  Context& gpu() { return *gpu_; }

  /// While this lives our context is current; afterwards the host's is, whatever happened. What the
  /// host has drawn is there.
  class Entered {
   public:
    /// Throws NoDeviceError unless the host's context is current.
    explicit Entered(HostContext& host);
    ~Entered();
    Entered(const Entered&) = delete;
    Entered& operator=(const Entered&) = delete;

   private:
    HostContext& host_;
  };

  /// What a framebuffer of the host has attached first, by asking its context (which is current).
  /// Throws Error for the default framebuffer and for one without these attachments.
  struct Attachment {
    GlId id = 0;  // 0: none
    bool renderbuffer = false;
  };
  struct Attachments {
    Attachment color, depth;
  };
  static Attachments attachmentsOf(GlId framebuffer, bool color, bool depth);

 private:
  std::unique_ptr<system::HostSurface> host_;
  std::unique_ptr<Context> gpu_;
};

/// Copies an image of the host (our context is current) into a texture: colors into Rgba8 or
/// Rgba32f, depth into R32f, whatever format it has; on the device, through a buffer. Throws Error
/// when there is no such image, when it is multisampled, or smaller than width x height.
void copyHostImage(Context& gpu, const HostContext::Attachment& image, bool depth, int width,
                   int height, Texture& into);

}  // namespace fathom::gpu
