// SPDX-License-Identifier: BSD-3-Clause
// 2-D textures, the framebuffers that render into them, and what a window draws into those by code
// that brings its own GL calls.
#pragma once

#include "app/engine/core/image.h"
#include "app/engine/gpu/buffer.h"
#include "app/engine/gpu/context.h"
#include "app/engine/gpu/handle.h"

namespace fathom::gpu {

enum class TextureFormat { Rgba8, SrgbA8, Rgba16f, Rgba32f, R32f, R32ui, Depth32f };
std::int64_t bytesPerTexel(TextureFormat format);

class Texture {
 public:
  Texture() = default;
  /// Contents are undefined; sampling is linear (nearest for integers), clamped, without mipmaps.
  Texture(Context& context, std::string name, TextureFormat format, int width, int height,
          int levels = 1);

  GlId id() const { return handle_.id(); }
  int width() const { return width_; }
  int height() const { return height_; }
  glm::ivec2 size() const { return {width_, height_}; }
  TextureFormat format() const { return format_; }
  explicit operator bool() const { return id() != 0; }

  /// The format's own layout, rows top first. `bytes` must be exactly width * height *
  /// bytesPerTexel.
  void write(const void* data, std::int64_t bytes);
  /// The same for one level of a mipmapped texture; level 0 is the largest.
  void writeLevel(int level, const void* data, std::int64_t bytes);
  /// Rows [firstRow, firstRow + rowCount) from the beginning of a buffer in the format's own
  /// layout: a copy on the device, after what shaders wrote.
  void copyRows(const RawBuffer& from, int firstRow, int rowCount) const;
  void upload(const Image& image) { upload(image, 0, image.height); }  // Rgba32f, Rgba16f
  /// Some rows of an image of this size.
  void upload(const Image& image, int firstRow, int rowCount);
  Image downloadImage() const;  // Rgba32f, Rgba16f, Rgba8; waits for the device
  void read(void* data, std::int64_t bytes) const;
  /// Part of the texture into rows that lie `rowTexels` apart; `data` is where its first texel
  /// goes.
  void readRegion(const Rect& region, void* data, int rowTexels) const;
  glm::vec4 texel(int x, int y) const;  // one pixel of a color texture; waits
  void clear(glm::vec4 color);
  void setRepeat(bool repeat);
  void setNearest(bool nearest);

 private:
  Handle<deleteTexture> handle_;
  MemoryAccount::Held entry_;
  TextureFormat format_ = TextureFormat::Rgba8;
  int width_ = 0, height_ = 0, levels_ = 1;
};

/// A texture of this format and size: keeps the one there is when it is that, else replaces it
/// after giving the old one back. Returns true when it is new: contents are undefined, filters and
/// wrapping as at birth, and whatever shows or draws into it (Target, WordView) must follow.
bool ensure(Context& context, Texture& texture, const std::string& name, TextureFormat format,
            glm::ivec2 size);

/// A buffer read as texels of four words (usamplerBuffer): the cached, read-only path to memory.
/// The buffer must live as long.
class TexelView {
 public:
  TexelView() = default;
  /// Throws Error when the buffer holds more texels than this device can address.
  TexelView(Context& context, const RawBuffer& buffer);
  GlId id() const { return handle_.id(); }
  /// True for the buffer that it was made of, at its size then.
  bool shows(const RawBuffer& buffer) const;

 private:
  Handle<deleteTexture> handle_;
  GlId buffer_ = 0;
  std::int64_t bytes_ = 0;
};

/// The texels of a color texture as words, bit for bit: one word (R32f, Rgba8, SrgbA8) or four
/// (Rgba32f), read as a usampler2D. The texture must live as long.
class WordView {
 public:
  WordView() = default;
  WordView(Context& context, const Texture& texture);
  /// Whether there is such a view of this format.
  static bool possible(TextureFormat format);
  GlId id() const { return handle_.id(); }

 private:
  Handle<deleteTexture> handle_;
};

/// Where a RasterPass draws. Without attachments (width x height only) it serves fragment shaders
/// that write storage buffers.
class Target {
 public:
  Target() = default;
  Target(Context& context, std::string name, int width, int height);
  Target(Context& context, std::string name, const Texture* color, const Texture* depth);

  GlId id() const { return handle_.id(); }
  int width() const { return width_; }
  int height() const { return height_; }
  void clear(glm::vec4 color, float depth = 1.0f);

 private:
  Handle<deleteFramebuffer> handle_;
  int width_ = 0, height_ = 0;
  bool hasColor_ = false, hasDepth_ = false;
  TextureFormat colorFormat_ = TextureFormat::Rgba8;
  friend class RasterPass;
};

/// Binds the target with a viewport of its whole size while `draw` runs.
void drawInto(const Target& target, const std::function<void()>& draw);

/// Clears the back buffer of a window of `size` pixels, then binds it with a viewport of its whole
/// size while `draw` runs. The caller swaps.
void drawIntoWindow(glm::ivec2 size, glm::vec4 background, const std::function<void()>& draw);

/// The same contents in a texture of its own (the first level); ordered after earlier drawing.
Texture copyOf(Context& context, std::string name, const Texture& source);

}  // namespace fathom::gpu
