// SPDX-License-Identifier: BSD-3-Clause
// The lists of one picture in each node layout, and the picture that every variant must make of
// them: what variants are checked and timed with, by `fathom tune`, a bench and the window.
#pragma once

#include "app/engine/dof/splats/pipeline.h"
#include "app/engine/dof/splats/reference.h"
#include "app/engine/dof/variants/accumulate.h"
#include "app/engine/tuning.h"

namespace fathom::dof {

/// 200 random discs over a plane, rgb linear, alpha Z: like the pictures of the measurements that
/// the defaults come from. Radii of the splats reach `radius`.
Image variantPicture(glm::ivec2 size, std::uint64_t seed);

class VariantWorkload : public TuneWorkload {
 public:
  /// Builds the lists of variantPicture() with splats of up to `radius` pixels. Throws Error when
  /// they do not fit this device in one band.
  VariantWorkload(gpu::Context& gpu, glm::ivec2 size, int radius, std::uint64_t seed);

  /// For the tuner: the radius is that of the class.
  VariantWorkload(gpu::Context& gpu, const TuneRequest& request, Progress&);

  /// One run as it is timed, with epsilon 0.01.
  void run(const Variant& variant) override { run(variant, 0.01f); }

  std::uint64_t entryCount() const { return entryCount_; }
  std::uint64_t pixelCount() const { return std::uint64_t(params_.width) * params_.height; }

 private:
  struct Layout {
    gpu::Buffer<glm::uvec4> nodes;
    std::vector<glm::uvec4> sampled;  // nodes of the sampled tiles
  };
  void buildLists(glm::ivec2 size, int radius, std::uint64_t seed);
  void sampleTiles();
  void run(const Variant& variant, float epsilon);
  /// With epsilon 0, against double precision, decoded from the device's own nodes, in up to 240
  /// tiles spread over the picture.
  CheckResult runAndCompare(const Variant& variant) override;
  const std::vector<glm::dvec4>& expected(const Variant& variant);
  NodeLists sampledLists(int kind) const;

  VariantRunner runner_;
  shared::Params params_{};
  shared::Optics optics_{};
  std::uint64_t entryCount_ = 0;
  gpu::Words tileBegin_;
  gpu::Texture picture_;
  std::array<Layout, 3> layouts_;                                   // by DOF_NODE_*
  std::vector<std::uint32_t> tiles_;                                // sampled ones
  std::vector<std::uint32_t> sampledBegin_;                         // [tiles_ + 1]
  std::map<std::array<int, 3>, std::vector<glm::dvec4>> expected_;  // kind, alpha, coverage
};

}  // namespace fathom::dof
