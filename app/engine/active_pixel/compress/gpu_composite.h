// SPDX-License-Identifier: BSD-3-Clause
// Compositing two sparse images on the GPU without decoding either (named as future work by
// Lipinski et al. 2021, sec. 5). Gives what reference::composite() makes of the decoded frames,
// encoded again.
#pragma once

#include "app/engine/active_pixel/compress/device_image.h"

namespace fathom::active_pixel {

class ImageWriter;

class GpuCompositor {
 public:
  explicit GpuCompositor(gpu::Context& gpu);
  ~GpuCompositor();

  /// The nearer pixel, `back` where depths are equal, or `front` over `back`. Both are indexed, of
  /// one format and size; `result` is neither of them. Blended floats are rounded as in the
  /// reference.
  void composite(const DeviceImage& front, const DeviceImage& back, DeviceImage& result);
  /// See ImageWriter.
  void setSpread(bool spread);

 private:
  gpu::Context& gpu_;
  std::unique_ptr<ImageWriter> writer_;
};

}  // namespace fathom::active_pixel
