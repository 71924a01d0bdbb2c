// SPDX-License-Identifier: BSD-3-Clause
// A sparse image in GPU memory, with what lets shaders find a pixel in it: a bit per pixel and
// prefix sums over these (shaders/active_pixel/shared.h draws the layout). ImageWriter makes it
// from the bits of active pixels, for compressing textures and for compositing two images alike, in
// three passes: marks with totals of units of mask words, a scan of these, payloads and pairs.
// Nothing is kept per pixel. And back into textures.
#pragma once

#include "app/engine/active_pixel/image/model.h"
#include "app/engine/gpu/buffer.h"
#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/texture.h"
#include "shaders/active_pixel/shared.h"

namespace fathom::active_pixel {

struct DeviceImage {
  Format format;
  int width = 0, height = 0;
  Region region;         // outside of it nothing is active; may be empty
  gpu::RawBuffer words;  // header and runs, with room for bufferBytes()
  /// False after the five steps, which leave words and facts only.
  bool indexed = false;
  gpu::Words masks;                  // uint[region.height][wordsPerRow()]
  gpu::Words prefix;                 // uint[2 maskCount() + 1]
  gpu::Buffer<shared::Facts> facts;  // one: active pixels, runs, bytes

  std::uint32_t wordsPerRow() const { return (std::uint32_t(region.width) + 31) / 32; }
  std::size_t maskCount() const {
    return region.empty() ? 0 : std::size_t(wordsPerRow()) * std::size_t(region.height);
  }
  /// Makes room for any image of this kind; what it held is lost. Throws Error when it is too large
  /// for IceT's counts or for this device.
  void reserve(gpu::Context& gpu, const Format& newFormat, int newWidth, int newHeight,
               const Region& newRegion);
  /// Nothing is active; without a pass on the GPU. The region must be empty.
  void writeEmpty();
};

/// The words of an image without active pixels.
std::vector<std::uint32_t> emptyImage(const Format& format, int width, int height);

/// The defines of every pass over images of this format.
std::vector<gpu::Define> definesOf(const Format& format);
gpu::PassKey decodeKey(const Format& format);  // of decode()
shared::Source sourceOf(const DeviceImage& image);

/// Calls `dispatch` for each part of the image's words that one storage block can show, with
/// `params` for it and with the words bound to `pass`.
void throughWindows(gpu::Context& gpu, const DeviceImage& image, gpu::Pass& pass,
                    shared::Params params,
                    const std::function<void(const shared::Params&)>& dispatch);
/// AP_WINDOWED for such a pass: 1 when one block does not show all words.
gpu::Define windowedDefine(gpu::Context& gpu, const DeviceImage& image);

/// Without units, which are the writer's.
shared::Params paramsOf(const DeviceImage& image);

class ImageWriter {
 public:
  explicit ImageWriter(gpu::Context& gpu) : gpu_(gpu) {}

  /// AP_SPREAD: how work is spread over invocations. Software renderers want few invocations that
  /// do much; tests set the other.
  void setSpread(bool spread) { spread_ = spread; }
  gpu::Define spreadDefine() const;
  shared::Params params(const DeviceImage& image) const;

  /// Brings an image to the GPU: checked, its runs joined where they are split. Throws Error as
  /// reference::check() does.
  DeviceImage upload(std::span<const std::uint32_t> words, Compositing compositing,
                     const std::string& name);

  /// Runs a pass that marks active pixels (mark_units.glsl), with what it writes bound.
  void mark(DeviceImage& image, gpu::Pass& pass);
  /// After mark(): what comes before each unit, header and facts.
  void scan(DeviceImage& image);
  static gpu::PassKey scanKey(const Format& format);
  /// After scan(): payloads and pairs with the pass of this key (write_runs.glsl), once for each
  /// window. `bind` binds what it reads beside, and its parameters. Ends with the barrier for
  /// storage, textures and copies.
  void writeRuns(DeviceImage& image, const gpu::PassKey& key,
                 const std::function<void(gpu::Pass&, const shared::Params&)>& bind);

 private:
  std::uint32_t unitCount(const DeviceImage& image) const;
  std::uint64_t groupCount(const DeviceImage& image) const;

  gpu::Context& gpu_;
  bool spread_ = !gpu_.device().software;
  gpu::Buffer<glm::uvec4> units_;  // uvec4[2 unitCount + 1]: units.glsl
};

// ---- Decoding, and compositing two images

/// Texel row 0 is the bottom row. `color`: Rgba8, or Rgba32f (with alpha 1 for Rgb32f), not made
/// for Color::None; `depth`: R32f, not made for blending.
struct Decoded {
  gpu::Texture color, depth;
};
/// Each pixel finds its payload by counting bits. Textures are kept when their size and format fit.
/// Inactive pixels get the background and depth 1. The image is indexed and has pixels. Throws
/// Error when the device cannot address so many words.
void decode(gpu::Context& gpu, const DeviceImage& image, glm::vec4 background, Decoded& result);
/// Waits, and brings the textures back as a frame.
Frame download(const Decoded& decoded, const Format& format, int width, int height);

class GpuCompositor {
 public:
  explicit GpuCompositor(gpu::Context& gpu) : gpu_(gpu), writer_(gpu) {}

  /// The nearer pixel, `back` where depths are equal, or `front` over `back`. Both are indexed, of
  /// one format and size; `result` is neither of them. Blended floats are rounded as in the
  /// reference.
  void composite(const DeviceImage& front, const DeviceImage& back, DeviceImage& result);
  /// See ImageWriter.
  void setSpread(bool spread) { writer_.setSpread(spread); }

 private:
  gpu::Context& gpu_;
  ImageWriter writer_;
};

}  // namespace fathom::active_pixel
