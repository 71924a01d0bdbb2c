// SPDX-License-Identifier: BSD-3-Clause
// From the bits of active pixels to a sparse image: shared by compressing textures and by
// compositing two images. One prefix sum over two counts per 32 pixels; nothing is kept per pixel.
#pragma once

#include "app/gpu/pass.h"
#include "app/gpu/sort/scan.h"
#include "app/techniques/active_pixel/compress/device_image.h"

#include <functional>

namespace fathom::active_pixel {

/// The defines of every pass over images of this format.
std::vector<gpu::Define> definesOf(const Format& format);
shared::Params paramsOf(const DeviceImage& image);
shared::Source sourceOf(const DeviceImage& image);

/// Calls `dispatch` for each part of the image's words that one storage block can show, with the
/// parameters for it and with the words bound to `pass`.
void throughWindows(gpu::Context& gpu, const DeviceImage& image, gpu::Pass& pass,
                    const std::function<void(const shared::Params&)>& dispatch);
/// AP_WINDOWED for such a pass: 1 when one block does not show all words.
gpu::Define windowedDefine(gpu::Context& gpu, const DeviceImage& image);

class ImageWriter {
 public:
  explicit ImageWriter(gpu::Context& gpu) : gpu_(gpu), scanner_(gpu) {}

  /// AP_SPREAD: how work is spread over invocations. Software renderers want few invocations that
  /// do much; tests set the other.
  void setSpread(bool spread) { spread_ = spread; }
  gpu::Define spreadDefine() const;

  /// Brings an image to the GPU: checked, its runs joined where they are split. Throws Error as
  /// reference::check() does.
  DeviceImage upload(std::span<const std::uint32_t> words, Compositing compositing,
                     const std::string& name);

  /// `image.masks` are on the GPU: counts and sums them, writes header and facts.
  void number(DeviceImage& image);
  /// After number(): writes payloads with the pass of this key, once for each window. `bind` binds
  /// what it reads beside masks and sums, and its parameters.
  void writePayloads(DeviceImage& image, const gpu::PassKey& key,
                     const std::function<void(gpu::Pass&, const shared::Params&)>& bind);
  /// After writePayloads(): the pairs. Ends with the barrier for storage and copies.
  void writePairs(DeviceImage& image);

 private:
  gpu::Context& gpu_;
  gpu::Scanner scanner_;
  bool spread_ = !gpu_.device().software;
  gpu::Buffer<std::uint32_t> gaps_, indices_;  // uint[runs]
};

}  // namespace fathom::active_pixel
