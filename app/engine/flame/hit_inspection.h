// SPDX-License-Identifier: BSD-3-Clause
// What the histogram holds for the pixel under the cursor.
#pragma once

#include "app/engine/inspect.h"
#include "app/window/flame/editor.h"
#include "app/engine/flame/render/rendering.h"

#include <functional>

namespace fathom::flame {

class HitInspection {
 public:
  /// `rendering`: null while its histogram is not that of the picture that is shown.
  HitInspection(const Editor& editor, std::function<const Rendering*()> rendering)
      : editor_(editor), rendering_(std::move(rendering)) {}
  /// Waits for the device.
  std::optional<PixelReport> inspect(int x, int y);

 private:
  const Editor& editor_;
  std::function<const Rendering*()> rendering_;
};

}  // namespace fathom::flame
