// SPDX-License-Identifier: BSD-3-Clause
// From a fitted model to the file that is to be so small or so good: how many components it takes,
// how coarsely they are rounded, and what decoding the file gives.
#pragma once

#include "app/engine/smoe/fit/checkpoint.h"
#include "app/engine/smoe/fit/quality.h"
#include "app/engine/smoe/model/file.h"

namespace fathom::smoe {

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
int componentsByTrial(gpu::Context& gpu, const std::shared_ptr<const TrainingSet>& training,
                      FitRequest request, const FileGoal& goal, Progress& progress);

/// Where a goal would be missed, packing gives way. Waits for the device; throws Error, which calls
/// the file `name`.
FittedFile fittedFile(gpu::Context& gpu, const Model& model,
                      const std::shared_ptr<const TrainingSet>& training, const FileGoal& goal,
                      const std::string& name);

}  // namespace fathom::smoe
