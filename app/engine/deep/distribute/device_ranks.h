// SPDX-License-Identifier: BSD-3-Clause
// What a rank does on its device: it captures the parts or triangles of a scene that are dealt to
// it, or reads its files, and merges the rows that arrive.
#pragma once

#include "app/engine/deep/bands/merge.h"
#include "app/engine/deep/distribute/rank_share.h"
#include "app/engine/deep/lists/scene_capture.h"
#include "app/engine/deep/read/inputs.h"
#include "app/engine/scene/scene.h"

namespace fathom::deep {

/// What a rank draws of a scene: whole parts in turn, or a stretch of all triangles, in drawing
/// order or along a space-filling curve.
enum class Deal { Parts, Triangles, Morton };

struct DealtScene {
  std::shared_ptr<const Scene> scene;
  /// Parts of `scene` to draw, and the input (part of the whole scene) that each belongs to.
  std::vector<std::pair<std::size_t, std::uint32_t>> parts;
};

/// The share of a rank. Every share is drawn under the whole scene's light, shadows included, so
/// that all shares together are the scene, fragment by fragment.
DealtScene deal(const std::shared_ptr<const Scene>& scene, Deal how, int rank, int ranks);

/// The share of one of `ranks` ranks in what is open.
class InputsShare : public RankShare {
 public:
  /// `gpu`, `inputs` and `setup` must outlive this; a scene is uploaded when it is first drawn, and
  /// `inputs` may drop its triangles before. `own`: by file, whether it is this rank's;
  /// empty: each rank has files in turn.
  InputsShare(gpu::Context& gpu, const Inputs& inputs, const MergeSetup& setup, Deal how, int rank,
              int ranks, double thinError, std::vector<bool> own = {});

 private:
  std::vector<InputRows> packRegion(const Rect& region) override;
  std::vector<InputRows> packScene(const Rect& region);
  std::vector<InputRows> packImages(const Rect& region);

  gpu::Context& gpu_;
  const Inputs& inputs_;
  const MergeSetup& setup_;
  std::vector<bool> own_;  // by input; of files
  DealtScene dealt_;
  std::unique_ptr<SceneRenderer> renderer_;
  Pipeline pipeline_{gpu_};
  FragmentLists lists_;
};

/// By the settings of `setup`, as one process merges.
class DeviceMerge : public RowMerge {
 public:
  /// All must outlive this.
  DeviceMerge(gpu::Context& gpu, const Inputs& inputs, const MergeSetup& setup)
      : gpu_(gpu), inputs_(inputs), setup_(setup) {}
  Facts merge(std::vector<DeepImage>&& images, const Rect& rows,
              const std::function<void(DeepImage&&)>& consume) override;
  Facts flatten(std::vector<DeepImage>&& images, const Rect& rows,
                const std::function<void(Image&&)>& consume) override;

 private:
  template <class Work>
  Facts run(std::vector<DeepImage>&& images, const Work& work) const;

  gpu::Context& gpu_;
  const Inputs& inputs_;
  const MergeSetup& setup_;
};

}  // namespace fathom::deep
