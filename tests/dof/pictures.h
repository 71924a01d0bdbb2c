// SPDX-License-Identifier: BSD-3-Clause
// Pictures and lists of known content for the tests of depth of field, and what a variant makes of
// lists.
#pragma once

#include "app/engine/core/image.h"
#include "app/engine/dof/lens/optics.h"
#include "app/engine/dof/splats/focus_mask.h"
#include "app/engine/dof/splats/model.h"
#include "app/engine/dof/variants/accumulate.h"
#include "app/engine/gpu/buffer.h"

namespace fathom::test {

/// Flat discs of random color, size and depth (1..20) over a background plane of depth 25; alpha is
/// Z.
Image discPicture(int width, int height, std::uint64_t seed = 1);

/// A fronto-parallel plane of one depth with a random texture; alpha is Z.
Image planePicture(int width, int height, float z);

/// A lens whose radius at infinity is `farRadius` px, in focus at `focus`.
dof::Lens lensWith(double farRadius, double focus, int maxRadius);

/// 32 x 32, gray, `left` in the alpha of the left half, `right` in that of the right one.
Image twoDepths(float left, float right);

/// The paper's discs of a picture, one per pixel: rgb linear color, alpha planar Z (0 or less:
/// background). Alpha is 1, and 0 where the background is black. `mask`: multiplies radii.
dof::SplatList splatsOf(const Image& colorAndDepth, const dof::Lens& lens,
                        const dof::FocusMask* mask = nullptr);

/// The area that a disc of radius r and the pixel at (x, y) from its center have in common, by
/// lines.
double discInPixel(double r, int x, int y, int lines);

}  // namespace fathom::test

namespace fathom::dof::test {

using namespace fathom::test;  // test:: is one namespace for tests in fathom::dof

struct AccumulateScene {
  std::string name;
  glm::ivec2 size{0};
  std::vector<Splat> splats;                   // empty: the lists are made directly
  std::vector<std::vector<Splat>> tileSplats;  // for each tile; pixels count in the picture
  int firstTileRow = 0;                        // of the band that is worked on; it goes to the end

  NodeLists lists(int kind) const;
};

/// Discs of blurred and sharp texture, six stacked layers, all sharp, a plane of one color,
/// borders, list lengths around chunk sizes, the end of a long strip, a bright spot, damaged
/// pixels, a long list.
const std::vector<AccumulateScene>& accumulateScenes();
const AccumulateScene& accumulateScene(const std::string& name);

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

/// The picture lies in the upper left of the image; alpha is the sum of weights. `part`: of lists,
/// that is taken at once; 0: as the device does.
Image renderVariant(gpu::Context& gpu, VariantRunner& runner, const Variant& variant,
                    const UploadedLists& lists, float epsilon, std::uint32_t part = 0);

/// The bound of the difference from double precision, per pixel: rounding, 2e-5 relative to values
/// above 1; and what early out cuts off, at most epsilon of the weight, of colors up to the tile's
/// largest.
::testing::AssertionResult matchesLists(const Image& found, UploadedLists& lists,
                                        const Variant& variant, float epsilon);

}  // namespace fathom::dof::test
