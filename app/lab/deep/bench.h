// SPDX-License-Identifier: BSD-3-Clause
// The benchmarks of deep images and what they measure: scenes captured, images made, and, as the
// workload of the tuner, two random deep images merged and composited in each variant of kVariants.
#pragma once

#include "app/engine/core/deep_image.h"
#include "app/engine/deep/lists/scene_capture.h"
#include "app/engine/deep/settings/settings.h"
#include "app/engine/tuning.h"
#include "app/lab/workload.h"

namespace fathom::deep {

const std::vector<Bench>& benches();

/// "LL", "LA", "IA", "BIA", "RIA", "ABIA".
const char* shortName(Layout layout);
/// "BIA-RBM 8 raster"; what is the paper's is left out.
std::string labelOf(const Settings& settings);

/// 8 bytes per fragment, no early out, linked lists pushed, register block merge.
Settings paperSettings();

/// A scene's parts on the GPU in one shape, and on the CPU as the device captured them.
class Workload {
 public:
  /// With `shares` the scene is cut into that many by its triangles, in drawing order; else it
  /// keeps its own parts.
  Workload(BenchRun& run, const std::string& scene, glm::ivec2 size, int shares = 0);

  Rect region() const { return {0, 0, size_.x, size_.y}; }
  Pipeline& pipeline() { return pipeline_; }
  const std::vector<DeepImage>& parts() const { return parts_; }
  /// Each part dealt into two images, alternating fragments: the four inputs of Table 3.
  void deal();
  /// Puts the parts on the GPU in this shape.
  std::vector<FragmentLists>& upload(const ListShape& shape);
  std::uint64_t fragmentCount() const;

 private:
  /// All parts of the scene as one image each.
  std::vector<DeepImage> capture(const std::shared_ptr<const Scene>& scene);

  BenchRun& run_;
  glm::ivec2 size_;
  Camera camera_;
  Pipeline pipeline_;
  std::vector<DeepImage> parts_;
  std::vector<FragmentLists> lists_;
};

glm::ivec2 sizeOf(const BenchRun& run);
BenchCase caseOf(const Workload& workload, const std::string& scene, const Settings& settings);

/// Fragments read once, tables once; what is saved is written once (a linked list's links both
/// ways).
std::int64_t traffic(std::span<const FragmentLists> lists, bool saved);
std::int64_t allocated(std::span<const FragmentLists> lists);

/// Fragments, in percent, that lie side by side with those of the other lists of their group, in
/// whole blocks: what the layout interleaves.
double interleavedPercent(std::span<const DeepImage> images, const Rect& region,
                          const ListShape& shape);

CheckResult checkPicture(const Image& expected, const Image& found);

const std::vector<Tunable>& tunables();

/// Random half colors and points; as many fragments per pixel as the paper's denser scenes,
/// lists of neighbors alike in length.
DeepImage randomDeepImage(glm::ivec2 size, std::uint64_t seed);

}  // namespace fathom::deep
