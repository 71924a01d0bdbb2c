// SPDX-License-Identifier: BSD-3-Clause
// Uploads the map and the tables of an aperture when it is another one.
#include "app/techniques/dof/lens/aperture_tables.h"

#include "app/gpu/buffer.h"

#include <span>
#include <vector>

namespace fathom::dof {

void ApertureTables::update(const Aperture& aperture) {
  if (madeFor_ && *madeFor_ == aperture) return;
  if (aperture.plain()) {
    gpu::ensure(gpu_, map_, "dof aperture", gpu::TextureFormat::Rgba32f, {1, 1});
    if (!tables_ || !madeFor_ || !madeFor_->plain()) {
      const std::vector<float> sums = ApertureMap::discSums();
      tables_ = gpu::Buffer<float>(gpu_, "dof disc sums", std::span<const float>(sums));
    }
  } else {
    const ApertureMap map(aperture);
    const int side = DOF_MAP_SIZE + 1;
    gpu::ensure(gpu_, map_, "dof aperture", gpu::TextureFormat::Rgba32f, {side, side});
    map_.write(map.texels().data(), std::int64_t(map.texels().size() * sizeof(glm::vec4)));
    const std::vector<float> tables = map.tables();
    tables_ = gpu::Buffer<float>(gpu_, "dof aperture tables", std::span<const float>(tables));
  }
  madeFor_ = aperture;
}

}  // namespace fathom::dof
