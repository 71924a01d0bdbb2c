// SPDX-License-Identifier: BSD-3-Clause
// The C interface over the compressor: arguments are checked, the context is entered and left, and
// every exception becomes a code with a text.
#include "app/c_library/fathom_icet.h"

#include "app/c_library/guarded.h"
#include "app/engine/active_pixel/compress/compressor.h"
#include "app/engine/core/error.h"
#include "app/engine/gpu/host/host_context.h"

namespace ap = fathom::active_pixel;
namespace gpu = fathom::gpu;

struct fathom_icet_encoder {
  gpu::HostContext host;
  std::unique_ptr<ap::Compressor> compressor;  // gone before the context
  gpu::Texture color, depth;

  ~fathom_icet_encoder() {
    const gpu::HostContext::Entered entered(host);
    compressor.reset();
    color = {}, depth = {};
  }
};

namespace {

using fathom::c_library::Refused;

template <class Work>
fathom_icet_status guarded(const Work& work) {
  return fathom::c_library::guarded<fathom_icet_status>(
      "fathom_icet", work, [](const std::exception& error) {
        if (dynamic_cast<const fathom::NoDeviceError*>(&error)) return FATHOM_ICET_NO_CONTEXT;
        if (dynamic_cast<const gpu::DoesNotFit*>(&error) ||
            dynamic_cast<const std::bad_alloc*>(&error))
          return FATHOM_ICET_TOO_LARGE;
        return FATHOM_ICET_FAILED;
      });
}

/// What the host hands over is wrong, whatever goes wrong with it.
template <class Work>
void asImage(const Work& work) {
  try {
    work();
  } catch (const gpu::DoesNotFit&) {
    throw;
  } catch (const fathom::Error& error) {
    throw Refused{FATHOM_ICET_BAD_IMAGE, error.what()};
  }
}

[[noreturn]] void refuse(const std::string& text) { throw Refused{FATHOM_ICET_BAD_ARGUMENT, text}; }

ap::Format formatOf(int color, int mode) {
  ap::Format format;
  if (color < FATHOM_ICET_COLOR_NONE || color > FATHOM_ICET_COLOR_RGBA_FLOAT)
    refuse(fmt::format("color: expected 0 to 3, found {}", color));
  if (mode != FATHOM_ICET_Z_BUFFER && mode != FATHOM_ICET_BLEND)
    refuse(fmt::format("mode: expected 0 or 1, found {}", mode));
  constexpr ap::Color kColors[] = {ap::Color::None, ap::Color::Rgba8, ap::Color::Rgb32f,
                                   ap::Color::Rgba32f};
  format.color = kColors[color];
  const bool blend = mode == FATHOM_ICET_BLEND;
  format.compositing = blend ? ap::Compositing::Blend : ap::Compositing::ZBuffer;
  format.depth = blend ? ap::Depth::None : ap::Depth::Float32;
  if (!format.valid()) refuse("mode: expected colors with alpha for blending, found none");
  return format;
}

void checkSize(int width, int height) {
  constexpr int kMax = 1 << 16;
  if (width <= 0 || height <= 0 || width > kMax || height > kMax)
    refuse(
        fmt::format("size: expected 1 to {} pixels each way, found {} x {}", kMax, width, height));
}

std::size_t capacityOf(const ap::Format& format, int width, int height) {
  try {
    return ap::bufferBytes(format, width, height);
  } catch (const fathom::Error& error) {
    throw Refused{FATHOM_ICET_TOO_LARGE, error.what()};
  }
}

/// Images of the frame, copied where the compressor reads them.
void copyImages(fathom_icet_encoder& encoder, const fathom_icet_frame& frame,
                const ap::Format& format) {
  gpu::Context& context = encoder.host.gpu();
  const bool withColor = format.color != ap::Color::None,
             withDepth = format.depth != ap::Depth::None;
  gpu::HostContext::Attachments images{{frame.color_texture, false}, {frame.depth_texture, false}};
  if (frame.framebuffer)
    asImage(
        [&] { images = gpu::HostContext::attachmentsOf(frame.framebuffer, withColor, withDepth); });
  const gpu::HostContext::Entered entered(encoder.host);
  const bool bytes = format.color == ap::Color::Rgba8;
  const glm::ivec2 size(frame.width, frame.height);
  if (withColor) {
    gpu::ensure(context, encoder.color, "host's color",
                bytes ? gpu::TextureFormat::Rgba8 : gpu::TextureFormat::Rgba32f, size);
    asImage(
        [&] { gpu::copyHostImage(context, images.color, false, size.x, size.y, encoder.color); });
  }
  if (withDepth) {
    gpu::ensure(context, encoder.depth, "host's depth", gpu::TextureFormat::R32f, size);
    asImage(
        [&] { gpu::copyHostImage(context, images.depth, true, size.x, size.y, encoder.depth); });
  }
}

ap::CompressRequest requestOf(const fathom_icet_encoder* encoder, const fathom_icet_frame* frame) {
  if (!encoder || !frame) refuse("encoder, frame: expected both, found a null pointer");
  if (frame->size != sizeof(fathom_icet_frame))
    refuse(
        fmt::format("frame.size: expected {}, found {}", sizeof(fathom_icet_frame), frame->size));
  checkSize(frame->width, frame->height);
  ap::CompressRequest request;
  request.format = formatOf(frame->color, frame->mode);
  request.width = frame->width, request.height = frame->height;
  capacityOf(request.format, request.width, request.height);
  const auto& r = frame->region;
  if (r[0] != 0 || r[1] != 0 || r[2] != 0 || r[3] != 0) {
    if (r[0] < 0 || r[1] < 0 || r[2] < 0 || r[3] < 0 || r[2] > frame->width - r[0] ||
        r[3] > frame->height - r[1])
      refuse(fmt::format("region: expected one inside {} x {}, found {},{} {} x {}", frame->width,
                         frame->height, r[0], r[1], r[2], r[3]));
    const ap::Region region{r[0], r[1], r[2], r[3]};
    request.placement = ap::Placement{region, region};
  }
  return request;
}

/// `out` and `bytes`: where the host wants the image and its size.
ap::Compressor::Result compressed(fathom_icet_encoder* encoder, const fathom_icet_frame* frame,
                                  const void* out, std::size_t* bytes) {
  ap::CompressRequest request = requestOf(encoder, frame);
  if (!out || !bytes) refuse("memory, bytes: expected both, found a null pointer");
  copyImages(*encoder, *frame, request.format);
  const gpu::HostContext::Entered entered(encoder->host);
  if (!encoder->compressor)
    encoder->compressor = std::make_unique<ap::Compressor>(encoder->host.gpu());
  if (request.format.color != ap::Color::None) request.color = &encoder->color;
  if (request.format.depth != ap::Depth::None) request.depth = &encoder->depth;
  const int slot = encoder->compressor->compress(request, ap::Method::Fused);
  const ap::Compressor::Result result = encoder->compressor->result(slot);
  *bytes = result.words.size_bytes();
  return result;
}

}  // namespace

extern "C" {

int fathom_icet_version(void) { return FATHOM_ICET_VERSION; }

const char* fathom_icet_message(void) { return fathom::c_library::message().c_str(); }

fathom_icet_status fathom_icet_create(fathom_icet_encoder** encoder) {
  return guarded([&] {
    if (!encoder) refuse("encoder: expected a place for it, found a null pointer");
    *encoder = nullptr;
    *encoder = new fathom_icet_encoder;
  });
}

void fathom_icet_destroy(fathom_icet_encoder* encoder) {
  guarded([&] { delete encoder; });
}

size_t fathom_icet_capacity(fathom_icet_color color, fathom_icet_mode mode, int32_t width,
                            int32_t height) {
  std::size_t bytes = 0;
  guarded([&] {
    checkSize(width, height);
    bytes = capacityOf(formatOf(color, mode), width, height);
  });
  return bytes;
}

fathom_icet_status fathom_icet_encode(fathom_icet_encoder* encoder, const fathom_icet_frame* frame,
                                      void* memory, size_t capacity, size_t* bytes) {
  return guarded([&] {
    const ap::Compressor::Result result = compressed(encoder, frame, memory, bytes);
    if (*bytes > capacity)
      throw Refused{FATHOM_ICET_TOO_SMALL,
                    fmt::format("memory: expected {} bytes, found {}", *bytes, capacity)};
    std::memcpy(memory, result.words.data(), *bytes);
  });
}

fathom_icet_status fathom_icet_encode_mapped(fathom_icet_encoder* encoder,
                                             const fathom_icet_frame* frame, void** memory,
                                             size_t* bytes) {
  return guarded([&] { *memory = compressed(encoder, frame, memory, bytes).words.data(); });
}

}  // extern "C"
