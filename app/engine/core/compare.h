// SPDX-License-Identifier: BSD-3-Clause
// How different two pictures are, also to people who see them in turns (FLIP), and two deep images.
// Each measure states what its value means.
#pragma once

#include "app/engine/core/deep_image.h"
#include "app/engine/core/image.h"

namespace fathom {

/// Over R, G and B clipped to [0,1], as given (the caller chooses the encoding); alpha apart. A NaN
/// equals a NaN and differs by 1 from anything else.
struct PictureDifference {
  double psnr = 0;  // dB, 10 log10(1 / mean squared error); infinite when equal
  double mae = 0;   // mean absolute error
  double max = 0;   // largest absolute error
  /// 1 when equal; Wang et al. 2004, 11 x 11 Gaussian (sigma 1.5), mean over channels.
  double ssim = 0;
  double alphaMae = 0, alphaMax = 0;
};

/// Both must have the same size, which is at least 1x1.
PictureDifference compare(const Image& a, const Image& b);

/// Multi-scale structural similarity, mean over R, G and B clipped to [0,1], 1 when equal (Wang,
/// Simoncelli, Bovik 2003: SSIM's window on five scales, each halved by means of 2 x 2). Pictures
/// too small for five take the first few, their weights normalized. Both of one size.
double msSsim(Image a, Image b);

/// |a - b| times `gain`, opaque; gain 0 makes the largest difference white.
Image differencePicture(const Image& a, const Image& b, float gain = 0);

struct DeepDifference {
  std::uint64_t fragmentsA = 0, fragmentsB = 0;
  std::uint64_t pixelsWithOtherCount = 0;  // lists of different length
  std::uint64_t fragmentsThatDiffer = 0;   // in any bit; those only one list has count too
  struct Pixel {
    int x = 0, y = 0;
  };
  std::optional<Pixel> first;  // top row first
  double maxColor = 0;         // largest difference of R, G, B, A between paired fragments
  double maxDepth = 0;         // the same of Z and ZBack
  double maxOther = 0;         // of all other channels; of IDs that differ infinite
  std::string channels;        // how the channels differ; empty when they do not

  bool equal() const { return fragmentsThatDiffer == 0 && channels.empty(); }
};

/// Pairs the n-th fragments of each pixel's lists, over the union of the data windows. Takes
/// copies, because images with different channels are unified first (with these names: unify()).
DeepDifference compareDeep(DeepImage a, DeepImage b, const std::vector<std::string>& names = {});

/// The mean error, 0 (equal) to 1, of two pictures of one size, linear, clipped to [0,1]; a NaN
/// counts as black. LDR-FLIP of Andersson et al. 2020, A Difference Evaluator for Alternating
/// Images, for a monitor of 3840 pixels, 0.7 m wide and 0.7 m away.
double flipError(const Image& a, const Image& b);

}  // namespace fathom
