// SPDX-License-Identifier: BSD-3-Clause
// Fragments become points: on the device from lists; on the host from images whose colors the
// device does not hold.
#pragma once

#include "app/engine/deep/lists/pipeline.h"
#include "app/engine/deep/view/points.h"

#include <span>

namespace fathom::deep {

/// Fragments of the lists whose pixels lie in a region of the picture.
std::uint64_t countPoints(Pipeline& pipeline, const FragmentLists& lists, const Rect& region);
/// Makes the lists' fragments points of the cloud's plan; `base` fragments came before. Returns how
/// many fragments these were.
std::uint64_t collectPoints(Pipeline& pipeline, const FragmentLists& lists, int source,
                            std::uint64_t base, PointCloud& cloud);

/// The same for an image whose pixel `origin` is pixel (0, 0) of the picture, with `words` of the
/// whole cloud. `window` in coordinates of the image; `firstIndex` is what its index words start
/// at.
std::uint64_t fragmentsIn(const DeepImage& image, const Rect& window);
std::uint64_t collectPoints(const DeepImage& image, std::uint32_t firstIndex, glm::ivec2 origin,
                            int source, std::uint64_t base, const PointCloud& cloud,
                            std::span<std::uint32_t> words);

}  // namespace fathom::deep
