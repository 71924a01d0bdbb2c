// SPDX-License-Identifier: BSD-3-Clause
// What one rank brings to a deep picture of many: the parts or triangles of a scene or the files
// that are dealt to it, captured or read region by region, thinned if wanted, and packed for the
// others.
#pragma once

#include "app/engine/deep/bands/merge.h"
#include "app/engine/deep/lists/scene_capture.h"
#include "app/engine/deep/operations/packed_rows.h"
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
  /// Several ranks may hold fragments of one input.
  bool sharesInputs = false;
};

/// Where the rows begin that each rank merges, and the end, so that each merges about as many
/// fragments. `fragments`: of each row.
std::vector<int> dealRows(std::span<const std::uint64_t> fragments, int width, int ranks);

/// The share of a rank. Every share is drawn under the whole scene's light, shadows included, so
/// that all shares together are the scene, fragment by fragment.
DealtScene deal(const std::shared_ptr<const Scene>& scene, Deal how, int rank, int ranks);

struct ShareOptions {
  Deal deal = Deal::Parts;
  int rank = 0, ranks = 1;
  int thin = 0;  // above 0: at most this many fragments per pixel of each input are sent
  /// Above 0: as few of each input as keep alpha and light in front of any depth this near
  /// (MergeEdit::thinError). Not of fragments in bytes.
  double thinError = 0;
};

struct PackedInput {
  std::uint32_t input = 0;
  PackedRows rows;
};

class RankShare {
 public:
  /// All must outlive this.
  RankShare(gpu::Context& gpu, const Inputs& inputs, const MergeSetup& setup,
            const ShareOptions& options);

  /// A region of the picture, of each input of this rank that has fragments there. Throws
  /// DoesNotFit.
  std::vector<PackedInput> pack(const Rect& region);
  /// What was packed last is not sent: it will be packed again, in pieces.
  void forget();

  /// Milliseconds of capturing or reading, and of packing; how far thinning moved light that shows;
  /// how far thinning within a bound moved alpha and light of one input, and the sum over inputs of
  /// the largest of each; fragments, and the bytes of one image of all of them before packing: a
  /// count per pixel, and fragments as they lie in memory.
  struct Figures {
    double captureMs = 0, packMs = 0;
    float largestMove = 0;
    double largestError = 0, errorSum = 0;
    std::uint64_t fragments = 0, sentFragments = 0, rawBytes = 0;
  };
  const Figures& figures() const { return figures_; }

 private:
  std::vector<PackedInput> packScene(const Rect& region);
  std::vector<PackedInput> packImages(const Rect& region);
  PackedInput packImage(std::size_t input, const DeepImage& image, const Rect& window,
                        std::uint32_t firstIndex);
  /// As thinError asks.
  DeepImage withinBound(std::size_t input, const DeepImage& image, const Rect& window,
                        std::uint32_t firstIndex);
  void note(std::uint64_t fragments, const PackedInput& packed);

  gpu::Context& gpu_;
  const Inputs& inputs_;
  const MergeSetup& setup_;
  ShareOptions options_;
  std::vector<bool> own_;  // by input; of files
  DealtScene dealt_;
  std::unique_ptr<SceneRenderer> renderer_;
  Pipeline pipeline_;
  FragmentLists lists_, thinned_;
  std::vector<double> errors_;  // by input: the largest of thinning within a bound
  Figures figures_, before_;    // before_: the last region
};

}  // namespace fathom::deep
