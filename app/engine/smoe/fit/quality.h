// SPDX-License-Identifier: BSD-3-Clause
// How good a model is, in decibels: of one picture, of a fit, and of views that were not fitted
// (those held out of the training set, or views between those of the grid).
#pragma once

#include "app/engine/smoe/decode/decoder.h"
#include "app/engine/smoe/fit/training.h"

#include <span>
#include <vector>

namespace fathom::smoe {

double decibels(double meanSquaredError);

/// dB over three channels, both clamped to 0..1.
double psnr(const Image& a, const Image& b);

struct JudgedView {
  ViewCoordinates at{0};
  Image picture;  // what it should be, encoded in the model's color space
};

struct Judgment {
  std::vector<double> views;  // dB, one per view
  double psnr = 0;            // dB of the mean squared error over all of them: below the mean of dB
};

/// The pictures that `training` holds out.
std::vector<JudgedView> heldOutViews(const TrainingSet& training);

/// Decodes each view (lists bounded for 10 bits) and compares in the model's color space: three
/// channels, both clamped to 0..1, not rounded. The decoder has the model; it waits for the device.
Judgment judged(Decoder& decoder, std::span<const JudgedView> views);

}  // namespace fathom::smoe
