// SPDX-License-Identifier: BSD-3-Clause
// What a fitted model is worth: in decibels, of one picture, of a fit, and of views that were not
// fitted (held out of the training set, or between those of the grid); and as the file that is to
// be so small or so good.
#pragma once

#include "app/engine/smoe/decode/decoder.h"
#include "app/engine/smoe/fit/checkpoint.h"
#include "app/engine/smoe/fit/training.h"
#include "app/engine/smoe/model/file.h"

namespace fathom::smoe {

double decibels(double meanSquaredError);

/// dB over three channels, both clamped to 0..1.
double psnr(const Image& a, const Image& b);

struct JudgedView {
  ViewCoordinates at{0};
  const Image* picture = nullptr;  // what it should be, encoded in the model's color space
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
/// `most`: what no color exceeds, encoded too: alpha, where colors are premultiplied; empty: any.
Judgment judged(Decoder& decoder, std::span<const JudgedView> views, const Image& most = {});

// ---- Files

/// What a file should come to.
struct FileGoal {
  Encoding encoding = Encoding::Archive;
  double loss = kPackingLoss;  // dB that the packed encoding may cost
  double psnr = 0;             // dB; 0: none
  double bitsPerPixel = 0;     // 0: none
};

/// A file, and what decoding it gives.
struct FittedFile {
  EncodedModel saved;
  ModelQuality quality;

  bool reaches(double psnr) const;
};

double pixelsOf(const TrainingSet& training);

/// As many components as the file has room for. Those of packed pictures are counted coarse: many
/// of them, rounded for a loss of about 1.5 dB, are worth more than fewer that are exact.
int componentsFor(const FileGoal& goal, const TrainingSet& training);

/// The better of that number, fewer and more, by short fits; waits for all of them.
int componentsByTrial(gpu::Context& gpu, const SharedTraining& training, FitRequest request,
                      const FileGoal& goal, Progress& progress);

/// Where a goal would be missed, packing gives way. Waits for the device; throws Error, which calls
/// the file `name`.
FittedFile fittedFile(gpu::Context& gpu, const Model& model, const SharedTraining& training,
                      const FileGoal& goal, const std::string& name);

// ---- Alpha
// A picture with alpha is fitted as two: its alpha as a gray picture first, then its premultiplied
// colors, each by components of its own, so that what is hidden costs nothing.

/// How many of the components alpha takes: as large a share as it is of what no plane through 4 x 4
/// pixels describes, at least 1 and at most half. 0 for an opaque picture.
int alphaComponents(const TrainingSet& training, int components);

/// The request of a whole fit, divided between both; its time like its components.
struct DividedRequest {
  FitRequest alpha, colors;
};
DividedRequest divided(const TrainingSet& training, const FitRequest& whole);

}  // namespace fathom::smoe
