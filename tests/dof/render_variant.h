// SPDX-License-Identifier: BSD-3-Clause
// One variant on the lists of a scene, held against what these lists mean.
#pragma once

#include "app/engine/gpu/buffer.h"
#include "app/engine/dof/variants/accumulate.h"
#include "tests/dof/accumulate_scenes.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>
#include <vector>

namespace fathom::dof::test {

/// Lists of one scene in one node layout on the GPU, with the right pictures.
struct UploadedLists {
  NodeLists lists;
  int firstTileRow;
  gpu::Buffer<std::uint32_t> tileBegin;
  gpu::Buffer<glm::uvec4> nodes;
  std::vector<double> largest;  // color of each tile

  UploadedLists(gpu::Context& gpu, const AccumulateScene& scene, int kind);
  /// In double precision; made at the first call.
  const std::vector<glm::dvec4>& picture(const Variant& variant);

 private:
  std::map<std::pair<bool, bool>, std::vector<glm::dvec4>> pictures_;  // alpha loaded, coverage
};

/// The picture lies in the upper left of the image; alpha is the sum of weights.
Image renderVariant(gpu::Context& gpu, VariantRunner& runner, const Variant& variant,
                    const UploadedLists& lists, float epsilon);

/// The bound of the difference from double precision, per pixel: rounding, 2e-5 relative to values
/// above 1; and what early out cuts off, at most epsilon of the weight, of colors up to the tile's
/// largest.
::testing::AssertionResult matchesLists(const Image& found, UploadedLists& lists,
                                        const Variant& variant, float epsilon);

}  // namespace fathom::dof::test
