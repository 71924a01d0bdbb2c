// SPDX-License-Identifier: BSD-3-Clause
// Searches for the loss at which a packed model takes no more bytes, and for its components.
#include "app/engine/smoe/fit/fitted_file.h"

#include "app/engine/smoe/fit/experts.h"
#include "app/engine/smoe/fit/fitter.h"

namespace fathom::smoe {
namespace {

double bytesOf(const EncodedModel& saved) { return double(saved.bytes.size()); }

/// dB at which the model, rounded without its picture, takes no more bytes.
double lossWithin(const Packer& packer, double maxBytes, const std::string& name) {
  double low = 0.005, high = 12;
  for (int i = 0; i < 10; ++i) {
    const double between = std::sqrt(low * high);
    (bytesOf(encodePacked(packer, between, name)) > maxBytes ? low : high) = between;
  }
  return high;
}

/// The model within so many bytes: the packed encoding gives way, others are what they are.
EncodedModel encodeWithin(const Model& model, const FileGoal& goal, double maxBytes,
                          const std::string& name, const Refitter& refit) {
  if (goal.encoding != Encoding::Packed) return encode(model, goal.encoding, goal.loss, name);
  validate(model, name);
  const Packer packer(model);
  if (maxBytes <= 0) return encodePacked(packer, goal.loss, name, refit);
  double within = lossWithin(packer, maxBytes, name);
  EncodedModel plain = encodePacked(packer, within, name);
  if (!refit) return plain;
  // Numbers that are chosen for the picture take other bytes, mostly fewer: so much more is asked.
  const EncodedModel seen = encodePacked(packer, within, name, refit);
  within = lossWithin(packer, maxBytes * maxBytes / bytesOf(seen), name);
  for (int tries = 0; tries < 8; ++tries, within *= 1.05 + 0.05 * tries) {
    EncodedModel saved = encodePacked(packer, within, name, refit);
    if (bytesOf(saved) <= maxBytes) return saved;
  }
  return bytesOf(seen) <= maxBytes ? seen : plain;
}

}  // namespace

bool FittedFile::reaches(double psnr) const {
  return std::min(saved.model.psnr, saved.model.alpha ? saved.model.alpha->psnr : 1e3) >= psnr;
}

double pixelsOf(const TrainingSet& training) {
  return double(training.size.x) * training.size.y * double(training.pictures.size());
}

int componentsFor(const FileGoal& goal, const TrainingSet& training) {
  const bool packed = goal.encoding == Encoding::Packed;
  const int numbers = isGray(training.colorSpace) ? 9
                      : training.dims == 2        ? 15
                      : training.dims == 3        ? 22
                                                  : 30;
  const double perNumber = goal.encoding == Encoding::F32       ? 32
                           : goal.encoding == Encoding::Archive ? 16
                           : goal.encoding == Encoding::Compact ? 12.3
                           : training.dims == 2                 ? 3.4
                                                                : 6;
  const double header = 8 * (packed ? 160 : 2000);
  const double bits = std::max(0.0, goal.bitsPerPixel * pixelsOf(training) - header);
  return std::clamp(int(bits / (numbers * perNumber)), 1, kMaxComponents);
}

int componentsByTrial(gpu::Context& gpu, const std::shared_ptr<const TrainingSet>& training,
                      FitRequest request, const FileGoal& goal, Progress& progress) {
  constexpr int kShorter = 8;
  const int usual = componentsFor(goal, *training);
  request.steps /= kShorter;
  request.snapshots = false;
  int best = usual;
  double highest = 0;
  for (const double factor : {0.75, 1.0, 1.3}) {
    request.components = std::max(1, int(factor * usual));
    Fitter fitter(gpu, training, request);
    while (!fitter.step(200, progress)) progress.throwIfCancelled();
    const double found =
        fittedFile(gpu, fitter.model(), training, goal, "trial").quality.fitted.psnr;
    if (found > highest) highest = found, best = request.components;
  }
  return best;
}

FittedFile fittedFile(gpu::Context& gpu, const Model& model,
                      const std::shared_ptr<const TrainingSet>& training, const FileGoal& goal,
                      const std::string& name) {
  constexpr int kTries = 4;
  const double headers = kStatedBytes * (model.alpha ? 2 : 1);
  const double room = goal.bitsPerPixel * pixelsOf(*training) / 8 - headers;
  FileGoal within = goal;
  for (int tries = 1;; ++tries, within.loss /= 2) {
    FittedFile file{encodeWithin(model, within, goal.bitsPerPixel > 0 ? std::max(room, 1.0) : 0,
                                 name, refitterFor(gpu, training)),
                    {}};
    file.quality = qualityOf(gpu, file.saved.model, *training);
    statePsnr(file.saved, file.quality.fitted.psnr, file.quality.alphaPsnr, name);
    if (file.reaches(goal.psnr) || goal.encoding != Encoding::Packed || tries == kTries ||
        model.psnr < goal.psnr)
      return file;
  }
}

}  // namespace fathom::smoe
