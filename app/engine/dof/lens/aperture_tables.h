// SPDX-License-Identifier: BSD-3-Clause
// An aperture on the GPU: what shaders/dof/aperture.glsl looks up.
#pragma once

#include "app/engine/gpu/texture.h"
#include "app/engine/dof/lens/aperture_map.h"

#include <optional>

namespace fathom::dof {

class ApertureTables {
 public:
  explicit ApertureTables(gpu::Context& gpu) : gpu_(gpu) {}
  /// Makes them for this aperture, if they are not.
  void update(const Aperture& aperture);
  const gpu::Texture& map() const { return map_; }
  const gpu::RawBuffer& discSums() const { return discSums_; }

 private:
  gpu::Context& gpu_;
  gpu::Texture map_;  // of a plain aperture a texel
  gpu::Buffer<float> discSums_;
  std::optional<Aperture> madeFor_;
};

}  // namespace fathom::dof
