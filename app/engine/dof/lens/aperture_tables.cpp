// SPDX-License-Identifier: BSD-3-Clause
// Uploads the map and the tables of an aperture when it is another one.
#include "app/engine/dof/lens/aperture_tables.h"

#include "app/engine/gpu/buffer.h"

#include <span>
#include <vector>

namespace fathom::dof {

void ApertureTables::update(const Aperture& aperture) {
  if (madeFor_ && *madeFor_ == aperture) return;
  if (!discSums_)
    discSums_ =
        gpu::Buffer<float>(gpu_, "dof disc sums", std::span<const float>(ApertureMap::discSums()));
  if (aperture.plain()) {
    gpu::ensure(gpu_, map_, "dof aperture", gpu::TextureFormat::Rgba32f, {1, 1});
  } else {
    const ApertureMap map(aperture);
    const int side = DOF_MAP_SIZE + 1;
    gpu::ensure(gpu_, map_, "dof aperture", gpu::TextureFormat::Rgba32f, {side, side});
    map_.write(map.texels().data(), std::int64_t(map.texels().size() * sizeof(glm::vec4)));
  }
  madeFor_ = aperture;
}

}  // namespace fathom::dof
