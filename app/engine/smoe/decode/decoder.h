// SPDX-License-Identifier: BSD-3-Clause
// Decoding on the GPU: slice, find the components that matter to each tile, shade. Lists are built
// when the view changes, and not again for the same one. A caller may choose how components are
// evaluated, which of them a tile evaluates, and which view of the data is shown.
#pragma once

#include "app/engine/core/stages.h"
#include "app/engine/smoe/decode/lists.h"

namespace fathom::smoe {

enum class Show { Picture, Lists, Winner, Certificate, Error, Disparity, Weight, Beside };

/// What a source has to be known for.
constexpr bool comparesWithSource(Show show) { return show == Show::Error || show == Show::Beside; }

/// What is known about the lists of the last build().
struct ListFacts {
  std::uint64_t entries = 0;
  std::uint32_t tiles = 0, longest = 0, emptyTiles = 0;
  double kpb = 0;  // mean components per tile
  /// Largest certificate, infinite for the window rule; and the largest of each of its parts, which
  /// may be of other tiles: what was left out, and what float32 arithmetic can add.
  double maxErrorBound = 0, maxLeftOut = 0, maxRounding = 0;
  /// Mean over samples of the entries whose mask has a bit in the sample's own 8 x 4 samples (tiles
  /// of 16 with masks; else kpb).
  double evaluationsPerSample = 0;
};

/// Where devices differ, for tests and benches.
struct DecoderForms {
  /// How records reach the samples: columns of samples fetch them for themselves (software
  /// renderers), or batches in shared memory. None: as suits the device.
  std::optional<bool> columns;
};

class Decoder {
 public:
  explicit Decoder(gpu::Context& gpu, const DecoderForms& forms = {}) : gpu_(gpu), forms_(forms) {}

  /// Uploads, alpha too; lists are out of date afterwards. A fit calls it again and again with
  /// models of the same size, which keeps the buffers. Throws Error when the model does not fit
  /// this device.
  void setModel(const Model& model);

  /// Slices and builds the lists unless they are those of these arguments already. True when it is
  /// done; false when `budgetMs` is spent: call again with the same arguments.
  ///
  /// Measured lists are made by waiting for their sizes. Expected ones are not where those of the
  /// build() before say what to expect: nothing waits, nothing is allocated. They are to be asked
  /// for afterwards, by listsKnown().
  using Lists = ListSizes;
  bool build(const ViewWindow& window, const DecodeOptions& options, double budgetMs,
             Lists lists = Lists::Measured);
  /// False while the device has not said whether the lists of the last build() had room enough.
  /// Where they had not, they are out of date from then on, and so is what was shaded with them.
  bool listsKnown(bool wait);
  bool listsUpToDate() const { return window_.has_value() && (!alpha_ || alpha_->listsUpToDate()); }
  /// Decodes into an Rgba32f texture of window.size: linear, clamped, alpha 1 or, where the model
  /// has alpha, premultiplied: no color is more than it. Like build(), in slices.
  bool shade(const gpu::Texture& result, double budgetMs);
  /// Draws another view of the data into such a texture: lists, winner, certificate, disparity,
  /// weight; linear, of the colors.
  void show(const gpu::Texture& result, Show what, float gain);

  /// Of the colors; what bounds errors, also of alpha. Waits for the device the first time after
  /// build().
  const ListFacts& facts() const;

  /// The list of a tile, for the inspector and for tests; waits.
  struct Entry {
    std::uint32_t component;
    std::uint32_t mask;  // cells on which it passed; all ones without masks
  };
  std::vector<Entry> downloadList(glm::ivec2 tile) const;
  /// What was left out, and what float32 arithmetic on records can add (shaders/smoe/decode/
  /// certify.comp); of views and frames without the rounding of slicing.
  double certificate(glm::ivec2 tile) const;
  /// Of the tile of each pixel, the worse of colors and alpha: what was left out, what arithmetic
  /// can add, both.
  Image certificates() const;
  /// The lists of the last build() by bands of tile rows (shaders/smoe/decode/shared.h says how
  /// they are packed).
  const std::deque<TileBand>& bands() const { return lists_.bands(); }

  /// Colors in the model's own space, not clamped: vec4[height][width], w is the denominator.
  /// The device holds a few rows at a time.
  std::vector<glm::vec4> downloadRaw(const ViewWindow& window);

 private:
  void start(const ViewWindow& wanted, const DecodeOptions& wantedOptions, Lists sizes);
  bool spent(const TimeBudget& budget);
  void measure() const;
  void join(const gpu::Texture& result);

  /// Rows of tiles, all of one band, and what becomes of them.
  struct Rows {
    const TileBand& band;
    std::uint32_t first, count;
    int output;  // SMOE_SHADE_*
    float gain = 1;
    const gpu::Texture* result = nullptr;
    const gpu::RawBuffer* raw = nullptr;
  };
  bool shadeNext(const gpu::Texture& result, bool all);
  void shadePicture(Rows rows);
  void shadeRows(const Rows& rows);
  std::uint32_t rowsAtOnce() const;
  const gpu::RawBuffer& roomForSamples(const Rows& rows);
  void averageRows(const Rows& rows);
  void showTiles(const TileBand& band, const gpu::Texture& result, bool certificate, float gain);
  gpu::Pass& passFor(int output);
  void uploadPaper();

  gpu::Context& gpu_;
  DecoderForms forms_;
  DeviceModel model_{gpu_};
  mutable ListBuilder lists_{gpu_};
  std::optional<ViewWindow> window_;  // of the lists; none: they are out of date
  std::optional<ViewCoordinates> slicedAt_;
  DecodeOptions options_;
  std::uint64_t shaders_ = 0;  // generation that the lists were made with
  mutable ListFacts facts_;
  mutable bool factsKnown_ = false;
  std::unique_ptr<Decoder> alpha_;  // null: the model is opaque
  gpu::Texture alphaPicture_;
  bool colorsShaded_ = false;  // and alpha is not
  /// Samples in columns fetch records for themselves; else through shared memory.
  bool columns_ = forms_.columns.value_or(gpu_.device().software);
  std::uint32_t row_ = 0;              // of tiles, to be shaded next
  Model paperModel_;                   // for the paper's modes
  gpu::Buffer<float> paper_;           // float[K][], see batch_paper.glsl; empty: not asked for yet
  gpu::Buffer<glm::vec4> sampleRows_;  // of single samples, of some rows of tiles
};

}  // namespace fathom::smoe
