// SPDX-License-Identifier: BSD-3-Clause
// AOVs and mattes of IDs blurred by the lists of the color: the same splats with the same weights,
// other values in the place of color. IDs go DOF_IDS at a time, other ones in each tile, in as many
// passes as the tile with the most of them needs.
#pragma once

#include "app/engine/dof/shot.h"
#include "app/engine/dof/variants/accumulate.h"
#include "app/engine/io/exr/cryptomatte.h"

namespace fathom::dof {

class AovBlur {
 public:
  /// Of a shot of a file. `lists`: of a deep image, with shares; null: points are pixels.
  AovBlur(gpu::Context& gpu, const Shot& shot, std::shared_ptr<const PointLists> lists);
  /// The band whose lists were built. Waits for the device.
  void add(const Pipeline& pipeline, const shared::Optics& optics);

  std::vector<DeepChannel> averaged;          // in the order of Aovs, [height][width]
  std::vector<std::vector<Coverage>> mattes;  // of each pixel, sorted
  std::uint64_t passes = 0;                   // for mattes, over all bands

 private:
  void visit(std::uint32_t point, auto visitor) const;
  float splatAlpha(std::uint32_t point) const;
  glm::vec4 valuesOf(std::span<const Aov> aovs, std::uint32_t point) const;
  void coverageOf(const AovMattes& of, std::uint32_t point, Coverage& coverage) const;
  void average(std::size_t first, std::size_t count);
  void addMattes(std::size_t which);
  void runMattes(std::size_t which, const std::vector<std::set<std::uint32_t>>& wanted);
  void run(float brightest);
  std::size_t pixelOf(std::size_t inRegion) const;

  gpu::Context& gpu_;
  std::shared_ptr<const Aovs> aovs_;
  std::shared_ptr<const DeepImage> deep_;
  std::shared_ptr<const PointLists> lists_;
  Operator op_;
  Edges edges_;
  glm::ivec2 size_;
  std::vector<float> alphas_;  // of pixels or fragments, 0 where they show nothing
  std::vector<char> isFar_;    // pixels of the background
  // The band at hand.
  const Pipeline* pipeline_ = nullptr;
  shared::Optics optics_{};
  Rect region_;                        // of the picture
  std::vector<std::uint32_t> points_;  // of its splats
  std::vector<glm::uvec4> words_;      // in the place of their color
  std::vector<glm::vec4> found_;       // of the region's pixels
  ListValues values_;
  gpu::Texture result_;
};

}  // namespace fathom::dof
