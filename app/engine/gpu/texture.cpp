// SPDX-License-Identifier: BSD-3-Clause
// One table says how each format is spelled in GL. Transfers run in bands of rows, because GL
// counts their bytes in an int.
#include "app/engine/gpu/texture.h"

#include "app/engine/core/error.h"
#include "app/engine/gpu/gl.h"
#include "app/engine/gpu/pass.h"

#include <glad/gl.h>

namespace fathom::gpu {
namespace {

struct FormatRow {
  GlFormat gl;
  std::int64_t bytes;
  bool color;  // reads as RGBA floats
};

// In the order of TextureFormat.
constexpr FormatRow kFormats[] = {
    {{GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, false}, 4, true},
    {{GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, false}, 4, true},
    {{GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, false}, 8, true},
    {{GL_RGBA32F, GL_RGBA, GL_FLOAT, false}, 16, true},
    {{GL_R32F, GL_RED, GL_FLOAT, false}, 4, true},
    {{GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, true}, 4, false},
    {{GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT, false}, 4, false},
};

const FormatRow& row(TextureFormat format) { return kFormats[std::size_t(format)]; }

// GL counts the bytes of a transfer in an int: pictures go in bands of whole rows below that.
template <class Transfer>
void inBands(int width, int height, std::int64_t texelBytes, const Transfer& transfer) {
  constexpr std::int64_t kMaxBandBytes = std::int64_t(1) << 30;
  const int rows = int(std::clamp<std::int64_t>(kMaxBandBytes / (width * texelBytes), 1, height));
  for (int y = 0; y < height; y += rows) transfer(y, std::min(rows, height - y));
}

}  // namespace

GlFormat glFormat(TextureFormat format) { return row(format).gl; }
std::int64_t bytesPerTexel(TextureFormat format) { return row(format).bytes; }

Texture::Texture(Context& context, std::string name, TextureFormat format, int width, int height,
                 int levels)
    : format_(format), width_(width), height_(height), levels_(levels) {
  FATHOM_CHECK_OP(width, >, 0);
  FATHOM_CHECK_OP(height, >, 0);
  const int maxLevels = 1 + int(std::floor(std::log2(std::max(width, height))));
  FATHOM_CHECK_OP(levels, >=, 1);
  levels_ = std::min(levels, maxLevels);
  if (std::max(width, height) > context.limits().textureSize)
    fail("{}: needs a texture of {} x {}, this GPU allows {} x {}", name, width, height,
         context.limits().textureSize, context.limits().textureSize);
  std::int64_t bytes = 0;
  for (int level = 0; level < levels_; ++level)
    bytes += std::int64_t(std::max(1, width >> level)) * std::max(1, height >> level) *
             bytesPerTexel(format);
  entry_ = context.memory().hold(name, bytes, false);

  ++countedWork().allocations;
  GlId id = 0;
  glCreateTextures(GL_TEXTURE_2D, 1, &id);
  handle_ = Handle<deleteTexture>(id);
  AllocationWatch watch;
  glTextureStorage2D(id, levels_, row(format).gl.internal, width, height);
  if (watch.failed()) {
    entry_.reset();
    fail("{}: needs {}, the device has no memory left for it ({} in use by this program)", name,
         bytesText(bytes), bytesText(context.memory().totalBytes()));
  }
  labelObject(GL_TEXTURE, id, name);
  setRepeat(false);
  setNearest(row(format).gl.integer || format == TextureFormat::Depth32f);
}

void Texture::write(const void* data, std::int64_t bytes) { writeLevel(0, data, bytes); }

void Texture::writeLevel(int level, const void* data, std::int64_t bytes) {
  FATHOM_CHECK(level >= 0 && level < levels_);
  const FormatRow& format = row(format_);
  const int width = std::max(1, width_ >> level), height = std::max(1, height_ >> level);
  FATHOM_CHECK_OP(bytes, ==, std::int64_t(width) * height * format.bytes);
  glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
  inBands(width, height, format.bytes, [&](int y, int rows) {
    glTextureSubImage2D(
        id(), level, 0, y, width, rows, format.gl.layout, format.gl.type,
        static_cast<const std::byte*>(data) + std::int64_t(y) * width * format.bytes);
  });
}

void Texture::copyRows(const RawBuffer& from, int firstRow, int rowCount) const {
  const FormatRow& format = row(format_);
  FATHOM_CHECK(firstRow >= 0 && firstRow + rowCount <= height_);
  FATHOM_CHECK_OP(std::int64_t(width_) * rowCount * format.bytes, <=, from.bytes());
  glMemoryBarrier(GL_PIXEL_BUFFER_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, from.id());
  glTextureSubImage2D(id(), 0, 0, firstRow, width_, rowCount, format.gl.layout, format.gl.type,
                      nullptr);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
}

void Texture::upload(const Image& image, int firstRow, int rowCount) {
  FATHOM_CHECK_OP(image.width, ==, width_);
  FATHOM_CHECK_OP(image.height, ==, height_);
  FATHOM_CHECK(firstRow >= 0 && firstRow + rowCount <= height_);
  FATHOM_CHECK(format_ == TextureFormat::Rgba32f || format_ == TextureFormat::Rgba16f);
  glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
  inBands(width_, rowCount, sizeof(glm::vec4), [&](int y, int rows) {
    const int row = firstRow + y;
    glTextureSubImage2D(id(), 0, 0, row, width_, rows, GL_RGBA, GL_FLOAT, &image.at(0, row));
  });
}

Image Texture::downloadImage() const {
  FATHOM_CHECK(row(format_).color);
  ++countedWork().reads;
  Image image(width_, height_);
  glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
  inBands(width_, height_, sizeof(glm::vec4), [&](int y, int rows) {
    glGetTextureSubImage(id(), 0, 0, y, 0, width_, rows, 1, GL_RGBA, GL_FLOAT,
                         GLsizei(std::int64_t(rows) * width_ * std::int64_t(sizeof(glm::vec4))),
                         &image.at(0, y));
  });
  return image;
}

void Texture::read(void* data, std::int64_t bytes) const {
  FATHOM_CHECK_OP(bytes, ==, std::int64_t(width_) * height_ * bytesPerTexel(format_));
  readRegion({0, 0, width_, height_}, data, width_);
}

void Texture::readRegion(const Rect& region, void* data, int rowTexels) const {
  FATHOM_CHECK(intersect(region, {0, 0, width_, height_}) == region);
  FATHOM_CHECK_OP(region.width, <=, rowTexels);
  if (region.empty()) return;
  ++countedWork().reads;
  const FormatRow& format = row(format_);
  glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
  glPixelStorei(GL_PACK_ROW_LENGTH, rowTexels);
  inBands(rowTexels, region.height, format.bytes, [&](int y, int rows) {
    const std::int64_t rowBytes = std::int64_t(rowTexels) * format.bytes;
    // The last row ends with the region.
    const std::int64_t bytes = (rows - 1) * rowBytes + region.width * format.bytes;
    glGetTextureSubImage(id(), 0, region.x, region.y + y, 0, region.width, rows, 1,
                         format.gl.layout, format.gl.type, GLsizei(bytes),
                         static_cast<std::byte*>(data) + y * rowBytes);
  });
  glPixelStorei(GL_PACK_ROW_LENGTH, 0);
}

glm::vec4 Texture::texel(int x, int y) const {
  FATHOM_CHECK(row(format_).color);
  FATHOM_CHECK(x >= 0 && y >= 0 && x < width_ && y < height_);
  ++countedWork().reads;
  glm::vec4 value(0);
  glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
  glGetTextureSubImage(id(), 0, x, y, 0, 1, 1, 1, GL_RGBA, GL_FLOAT, sizeof value, &value);
  return value;
}

void Texture::clear(glm::vec4 color) {
  glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
  if (format_ == TextureFormat::R32ui) {
    const GLuint value = GLuint(color.r);
    glClearTexImage(id(), 0, GL_RED_INTEGER, GL_UNSIGNED_INT, &value);
  } else if (format_ == TextureFormat::Depth32f) {
    glClearTexImage(id(), 0, GL_DEPTH_COMPONENT, GL_FLOAT, &color.r);
  } else {
    glClearTexImage(id(), 0, GL_RGBA, GL_FLOAT, &color);
  }
}

void Texture::setRepeat(bool repeat) {
  const GLint mode = repeat ? GL_REPEAT : GL_CLAMP_TO_EDGE;
  glTextureParameteri(id(), GL_TEXTURE_WRAP_S, mode);
  glTextureParameteri(id(), GL_TEXTURE_WRAP_T, mode);
}

void Texture::setNearest(bool nearest) {
  const bool mipmapped = levels_ > 1;
  glTextureParameteri(id(), GL_TEXTURE_MAG_FILTER, nearest ? GL_NEAREST : GL_LINEAR);
  glTextureParameteri(id(), GL_TEXTURE_MIN_FILTER,
                      nearest     ? (mipmapped ? GL_NEAREST_MIPMAP_NEAREST : GL_NEAREST)
                      : mipmapped ? GL_LINEAR_MIPMAP_LINEAR
                                  : GL_LINEAR);
}

bool ensure(Context& context, Texture& texture, const std::string& name, TextureFormat format,
            glm::ivec2 size) {
  if (texture && texture.format() == format && texture.size() == size) return false;
  texture = {};
  texture = Texture(context, name, format, size.x, size.y);
  return true;
}

TexelView::TexelView(Context& context, const RawBuffer& buffer)
    : buffer_(buffer.id()), bytes_(buffer.bytes()) {
  constexpr std::int64_t kTexelBytes = 16;
  const std::int64_t texels = (bytes_ + kTexelBytes - 1) / kTexelBytes;
  if (const std::int64_t limit = context.limits().textureBufferTexels; texels > limit)
    throw DoesNotFit(fmt::format("{}: needs {} texels in one buffer, this GPU allows {}",
                                 buffer.name(), texels, limit),
                     double(texels), double(limit));
  ++countedWork().allocations;
  GlId id = 0;
  glCreateTextures(GL_TEXTURE_BUFFER, 1, &id);
  handle_ = Handle<deleteTexture>(id);
  glTextureBuffer(id, GL_RGBA32UI, buffer.id());
  labelObject(GL_TEXTURE, id, buffer.name() + " texels");
}

bool TexelView::shows(const RawBuffer& buffer) const {
  return buffer_ != 0 && buffer_ == buffer.id() && bytes_ == buffer.bytes();
}

bool WordView::possible(TextureFormat format) {
  return format == TextureFormat::Rgba8 || format == TextureFormat::SrgbA8 ||
         format == TextureFormat::R32f || format == TextureFormat::Rgba32f;
}

WordView::WordView(Context&, const Texture& texture) {
  FATHOM_CHECK(possible(texture.format()));
  ++countedWork().allocations;
  GlId id = 0;
  glGenTextures(1, &id);  // a view is made of a name that was never bound
  handle_ = Handle<deleteTexture>(id);
  const bool four = texture.format() == TextureFormat::Rgba32f;
  glTextureView(id, GL_TEXTURE_2D, texture.id(), four ? GL_RGBA32UI : GL_R32UI, 0, 1, 0, 1);
  glTextureParameteri(id, GL_TEXTURE_MIN_FILTER, GL_NEAREST);  // integers allow nothing else
  glTextureParameteri(id, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

namespace {

Handle<deleteFramebuffer> makeFramebuffer(const std::string& name) {
  ++countedWork().allocations;
  GlId id = 0;
  glCreateFramebuffers(1, &id);
  labelObject(GL_FRAMEBUFFER, id, name);
  return Handle<deleteFramebuffer>(id);
}

void checkComplete(GlId id) {
  FATHOM_CHECK_OP(glCheckNamedFramebufferStatus(id, GL_DRAW_FRAMEBUFFER), ==,
                  GLenum(GL_FRAMEBUFFER_COMPLETE));
}

}  // namespace

Target::Target(Context&, std::string name, int width, int height) : width_(width), height_(height) {
  FATHOM_CHECK_OP(width, >, 0);
  FATHOM_CHECK_OP(height, >, 0);
  GLint maxX = 0, maxY = 0;
  glGetIntegerv(GL_MAX_FRAMEBUFFER_WIDTH, &maxX);
  glGetIntegerv(GL_MAX_FRAMEBUFFER_HEIGHT, &maxY);
  if (width > maxX || height > maxY)
    fail("{}: needs a target of {} x {}, this GPU allows {} x {}", name, width, height, maxX, maxY);
  handle_ = makeFramebuffer(name);
  glNamedFramebufferParameteri(id(), GL_FRAMEBUFFER_DEFAULT_WIDTH, width);
  glNamedFramebufferParameteri(id(), GL_FRAMEBUFFER_DEFAULT_HEIGHT, height);
  glNamedFramebufferDrawBuffer(id(), GL_NONE);
  checkComplete(id());
}

Target::Target(Context&, std::string name, const Texture* color, const Texture* depth)
    : hasColor_(color != nullptr), hasDepth_(depth != nullptr) {
  FATHOM_CHECK(color || depth);
  const Texture& size = color ? *color : *depth;
  width_ = size.width();
  height_ = size.height();
  handle_ = makeFramebuffer(name);
  if (color) {
    colorFormat_ = color->format();
    glNamedFramebufferTexture(id(), GL_COLOR_ATTACHMENT0, color->id(), 0);
  }
  glNamedFramebufferDrawBuffer(id(), color ? GL_COLOR_ATTACHMENT0 : GL_NONE);
  if (depth) {
    FATHOM_CHECK(depth->format() == TextureFormat::Depth32f);
    FATHOM_CHECK(depth->width() == width_ && depth->height() == height_);
    glNamedFramebufferTexture(id(), GL_DEPTH_ATTACHMENT, depth->id(), 0);
  }
  checkComplete(id());
}

void Target::clear(glm::vec4 color, float depth) {
  // Clears obey the scissor and the masks, which other code (ImGui) may have left set.
  glDisable(GL_SCISSOR_TEST);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glDepthMask(GL_TRUE);
  if (hasColor_ && glFormat(colorFormat_).integer) {
    const GLuint value[4] = {GLuint(color.r)};
    glClearNamedFramebufferuiv(id(), GL_COLOR, 0, value);
  } else if (hasColor_) {
    glClearNamedFramebufferfv(id(), GL_COLOR, 0, &color.r);
  }
  if (hasDepth_) glClearNamedFramebufferfv(id(), GL_DEPTH, 0, &depth);
}

void drawInto(const Target& target, const std::function<void()>& draw) {
  glBindFramebuffer(GL_FRAMEBUFFER, target.id());
  glViewport(0, 0, target.width(), target.height());
  draw();
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

void drawIntoWindow(glm::ivec2 size, glm::vec4 background, const std::function<void()>& draw) {
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glViewport(0, 0, size.x, size.y);
  glDisable(GL_SCISSOR_TEST);
  glClearNamedFramebufferfv(0, GL_COLOR, 0, &background.x);
  draw();
}

Texture copyOf(Context& context, std::string name, const Texture& source) {
  Texture copy(context, std::move(name), source.format(), source.width(), source.height());
  barrier(Access::Transfer | Access::Target);  // whoever wrote the source last
  glCopyImageSubData(source.id(), GL_TEXTURE_2D, 0, 0, 0, 0, copy.id(), GL_TEXTURE_2D, 0, 0, 0, 0,
                     source.width(), source.height(), 1);
  return copy;
}

}  // namespace fathom::gpu
