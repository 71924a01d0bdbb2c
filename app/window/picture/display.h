// SPDX-License-Identifier: BSD-3-Clause
// From linear picture to what the window shows: exposure, transfer curve, channel, false color,
// marks. The result is kept in a texture and rendered again only when something has changed.
#pragma once

#include "app/engine/gpu/pass.h"
#include "app/window/picture/color_view.h"
#include "app/window/picture/display_settings.h"
#include "app/window/picture/picture_view.h"
#include "shaders/window/shared.h"

#include <cstdint>
#include <string>

namespace fathom::viewer {

/// What is normalized to 0 .. 1 before the exposure.
struct ValueRange {
  float low = 0, high = 1;
  bool operator==(const ValueRange&) const = default;
};

/// The two pictures and where the second begins.
struct ShownPictures {
  const gpu::Texture* a = nullptr;
  const gpu::Texture* b = nullptr;  // null: nothing is compared
  std::uint64_t generation = 0;     // differs whenever either has new contents
  float splitX = 1e9f;              // in window pixels
  float difference = 0;             // above 0: A - B times this everywhere, in false color
  ValueRange range;                 // used when the display normalizes
  ColorView* color = nullptr;       // its transform, where it is active
};

class Display {
 public:
  explicit Display(gpu::Context& context) : context_(context) {}
  /// The view's area as display values, row 0 on top. Nothing is drawn when nothing has changed.
  const gpu::Texture& draw(const ShownPictures& pictures, const PictureView& view,
                           const DisplaySettings& settings);

 private:
  struct Drawn {  // what the texture shows
    shared::DisplayParams params{};
    int encoding = -1, split = 0;
    std::uint64_t generation = 0, shaders = 0, transform = 0;
    bool operator==(const Drawn&) const = default;
  };
  void drawPicture(gpu::Target& target, const gpu::Texture& picture, const Rect& region,
                   const gpu::Texture* second);
  gpu::Context& context_;
  gpu::Texture texture_, linear_;
  gpu::Target target_, linearTarget_;
  Drawn drawn_;
};

}  // namespace fathom::viewer
