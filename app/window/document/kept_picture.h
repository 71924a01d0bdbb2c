// SPDX-License-Identifier: BSD-3-Clause
// The last complete picture, which stays on the screen while a new one is made, or if that fails.
#pragma once

#include "app/engine/gpu/present.h"
#include "app/engine/gpu/texture.h"

namespace fathom::viewer {

class KeptPicture {
 public:
  /// Copies it; empty textures are left.
  void keep(gpu::Context& gpu, const gpu::Texture& picture) {
    if (!picture) return;
    picture_ = gpu::copyOf(gpu, "picture kept", picture);
    valid_ = true;
  }
  /// The new picture is there, or another reason to keep this one has ended.
  void release() { valid_ = untilWhole_ = false; }
  bool valid() const { return valid_; }
  const gpu::Texture& picture() const { return picture_; }

  /// It is shown also where partial pictures of the new one could be.
  void untilWhole(bool on) { untilWhole_ = on; }
  bool untilWhole() const { return untilWhole_; }

 private:
  gpu::Texture picture_;
  bool valid_ = false, untilWhole_ = false;
};

}  // namespace fathom::viewer
