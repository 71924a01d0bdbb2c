// SPDX-License-Identifier: BSD-3-Clause
// A rasterizer on the CPU that only counts: the second witness for what the GPU draws, and the
// measure of how deep the scenes are.
#pragma once

#include "app/engine/scene/scene.h"

namespace fathom {

/// Fragments per pixel of one part, uint[height][width], top row first; fragments that a texture
/// cuts out (alpha 0) do not count.
std::vector<std::uint32_t> countFragments(const Scene& scene, std::size_t part,
                                          const Camera& camera, int width, int height);

}  // namespace fathom
