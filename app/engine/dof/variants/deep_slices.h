// SPDX-License-Identifier: BSD-3-Clause
// The blurred picture as lists again: a tile's list is cut into slices of depth, and what each of
// them adds to a pixel becomes a point, such that points composited are the picture.
#pragma once

#include "app/engine/core/deep_image.h"
#include "app/engine/dof/splats/pipeline.h"

namespace fathom::dof {

inline constexpr std::int64_t kSliceBytes = 2 * DOF_TILE_PIXELS * sizeof(glm::vec4);  // of a tile

/// Where to write what a pass accumulates by slices (accumulate_area.comp).
struct ListSlices {
  int most = 0;                  // points of a pixel
  int count = 0;                 // of each tile's list; no fewer
  gpu::Words ends;               // uint[bandTiles][count]: the entry after a slice
  std::vector<float> depths;     // of each slice; infinite: the background, or empty
  gpu::Buffer<glm::vec4> light;  // [bandTiles][count + 1][pixels of a tile][2]
};

/// Where at most `count` slices of a list end whose depths ascend: none is longer than it must be,
/// by log Z, and the background is one by itself. Count is at least 2.
std::vector<std::uint32_t> sliceEnds(std::span<const float> depths, int count);
/// How many slices for pictures this many tiles wide: as four rows of them allow at once, at least
/// `most`, and at most 64.
int sliceCount(int tilesX, int most);
/// Cuts the lists of the band that was built, and makes room for their light. Throws DoesNotFit.
void cutSlices(gpu::Context& gpu, const Pipeline& pipeline, ListSlices& slices);
/// The band as rows of a deep image: windows and channels (float A, B, G, R and Z) as in `header`,
/// pixels of `samples` x `samples` samples. Waits for the device.
DeepImage rowsOf(const Pipeline& pipeline, const ListSlices& slices, const DeepImage& header,
                 int samples);

}  // namespace fathom::dof
