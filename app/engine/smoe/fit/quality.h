// SPDX-License-Identifier: BSD-3-Clause
// How good a model is: in decibels, of one picture, of a fit, and of views that were not fitted
// (held out of the training set, or between those of the grid).
#pragma once

#include "app/engine/smoe/decode/decoder.h"
#include "app/engine/smoe/fit/training.h"
#include "app/engine/smoe/model/model.h"

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
  double psnr8 = 0;           // the same with decoded values rounded to 8 bits, as in a PNG
  Image last;                 // the last view as it was decoded
};

/// What a model is worth beside what it was fitted to.
struct ModelQuality {
  Judgment fitted;
  double msSsim = 0;              // of a picture, as the model codes it; 0: of views and frames
  double alphaPsnr = 0;           // dB; 0: opaque
  std::optional<double> heldOut;  // dB
};
ModelQuality qualityOf(gpu::Context& gpu, const Model& model, const TrainingSet& training);

/// Those pictures: the ones that were fitted, or the ones that were held out.
std::vector<JudgedView> viewsOf(const TrainingSet& training, const std::vector<std::size_t>& which);

/// Decodes each view (lists bounded for 10 bits) and compares in the model's color space: three
/// channels, both clamped to 0..1, not rounded. The decoder has the model; it waits for the device.
Judgment judged(Decoder& decoder, std::span<const JudgedView> views);

}  // namespace fathom::smoe
