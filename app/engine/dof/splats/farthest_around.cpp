// SPDX-License-Identifier: BSD-3-Clause
// Three small passes: blocks, rows of blocks, columns of rows.
#include "app/engine/dof/splats/farthest_around.h"

#include "app/engine/gpu/dispatch_cost.h"
#include "app/engine/gpu/pass.h"
#include "shaders/dof/shared.h"

#include <cmath>

namespace fathom::dof {

void FarthestAround::update(const gpu::Texture& picture, int maxRadius) {
  const glm::ivec2 blocks = (picture.size() + DOF_BLOCK - 1) / DOF_BLOCK;
  for (gpu::Texture* texture : {&ofBlocks_, &ofRows_})
    if (gpu::ensure(gpu_, *texture, "dof farthest", gpu::TextureFormat::R32f, blocks))
      texture->setNearest(true);
  // Radii of opposite sign differ by twice the largest; points on the lens are rounded to pixels.
  const int reach = int(std::ceil(2 * DOF_SEEN_REACH * maxRadius)) + 1;
  const int around = (reach + DOF_BLOCK - 1) / DOF_BLOCK;
  run(0, picture, ofBlocks_, 0);
  run(1, ofBlocks_, ofRows_, around);
  run(2, ofRows_, ofBlocks_, around);
}

void FarthestAround::run(int step, const gpu::Texture& from, const gpu::Texture& to, int blocks) {
  constexpr int kGroup = 8;
  gpu::Pass& pass = gpu_.pass({"see around", "shaders/dof/farthest.comp", {{"STEP", step}}});
  shared::Params p{};
  p.choice = std::uint32_t(blocks);
  pass.texture(DOF_TEXTURE_PICTURE, from).image(DOF_IMAGE_RESULT, to).params(DOF_BIND_PARAMS, p);
  const auto groups = [](int texels) { return unsigned((texels + kGroup - 1) / kGroup); };
  const double texels = step == 0 ? DOF_BLOCK * DOF_BLOCK : 2 * blocks + 1;  // of an invocation
  gpu::dispatchGrid(pass, groups(to.width()), groups(to.height()), gpu::Each{10 + 8 * texels});
  // The next step, count and capture fragments, splat; the last step writes where the first one did.
  gpu::barrier(gpu::Reader::Texture | gpu::Reader::Storage);
}

}  // namespace fathom::dof
