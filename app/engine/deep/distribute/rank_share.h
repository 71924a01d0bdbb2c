// SPDX-License-Identifier: BSD-3-Clause
// What one rank brings to a deep picture of many, region by region: thinned if wanted, and packed
// for the others. Images in memory here, what is captured or read in device_ranks.h.
#pragma once

#include "app/engine/core/image.h"
#include "app/engine/deep/operations/packed_rows.h"

namespace fathom::deep {

struct PackedInput {
  std::uint32_t input = 0;
  PackedRows rows;
};

class RankShare {
 public:
  struct Thinning {
    int count = 0;  // above 0: at most this many fragments per pixel of each input are sent
    /// Above 0: as few of each input as keep alpha and light in front of any depth this near
    /// (MergeEdit::thinError). Not of fragments in bytes.
    double error = 0;
  };
  RankShare(std::size_t inputs, const Thinning& thinning) : thinning_(thinning), errors_(inputs) {}
  virtual ~RankShare() = default;

  /// A region of the picture, of each input of this rank that has fragments there. Throws
  /// gpu::DoesNotFit.
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

 protected:
  virtual std::vector<PackedInput> packRegion(const Rect& region) = 0;
  /// What an image has within the window (image coordinates), thinned. `firstIndex`: what the index
  /// words of an Indexed image start at.
  void packImage(std::size_t input, const DeepImage& image, const Rect& window,
                 std::uint32_t firstIndex, std::vector<PackedInput>& out);
  /// As Thinning::error asks.
  DeepImage withinBound(std::size_t input, const DeepImage& image, const Rect& window,
                        std::uint32_t firstIndex);
  void note(std::uint64_t fragments, PackedInput&& packed, std::vector<PackedInput>& out);

  Thinning thinning_;
  Figures figures_;

 private:
  std::vector<double> errors_;  // by input: the largest of thinning within a bound
  Figures before_;              // the last region
};

/// Images in memory, each of the input of its number; their pixels are the picture's.
class ImageShare : public RankShare {
 public:
  struct Input {
    std::uint32_t number;
    DeepImage image;
  };
  /// `inputs`: how many all ranks have.
  ImageShare(std::size_t inputs, const Thinning& thinning, std::vector<Input>&& own)
      : RankShare(inputs, thinning), own_(std::move(own)) {}

 private:
  std::vector<PackedInput> packRegion(const Rect& region) override;
  std::vector<Input> own_;
};

}  // namespace fathom::deep
