// SPDX-License-Identifier: BSD-3-Clause
// What the window measures of a model on demand, in slices and on a thread: what each encoding
// costs in decibels.
#pragma once

#include "app/engine/core/jobs.h"
#include "app/engine/smoe/decode/decoder.h"
#include "app/engine/smoe/fit/experts.h"
#include "app/engine/smoe/fit/quality.h"
#include "app/engine/smoe/fit/training.h"
#include "app/engine/smoe/model/file.h"
#include "app/engine/smoe/open_model.h"

namespace fathom::smoe {

/// Where packers on other threads have their models fitted to the picture again: they wait, and the
/// thread of the device works for them in slices, beside frames.
class RefitQueue {
 public:
  RefitQueue();
  ~RefitQueue();

  /// For one packer at a time, on another thread. None for views and frames, and where the source
  /// lacks the model's alpha. Throws Cancelled there after cancel().
  Refitter refitter(SharedTraining source, const Model& model);
  /// One slice for whoever waits. Throws Error; so does the packer then.
  void work(gpu::Context& gpu, double budgetMs);
  /// Sends away who waits, or will wait with a refitter made before.
  void cancel();

 private:
  struct Exchange;
  std::shared_ptr<Exchange> exchange_;
  std::unique_ptr<PackingRefit> refit_;
};

/// An encoding and what it costs. `psnr`: dB of the saved model's picture.
struct Cost {
  Encoding encoding = Encoding::F32;
  std::size_t bytes = 0;
  double psnr = 0;
};

class Checks {
 public:
  /// Measures all encodings on the view `at`, against the source where there is one, else against
  /// the model itself. With a source, what is packed is fitted to it again.
  void askCosts(std::shared_ptr<const Model> model, SharedTraining source, ViewCoordinates at,
                double packingLoss = kPackingLoss);
  void drop();

  /// One slice; true while more is to be done. An exception ends the task.
  bool work(gpu::Context& gpu, double budgetMs);
  bool measuringCosts() const { return costTask_.has_value(); }

  /// As far as they are measured; of the last model that was asked about.
  const std::vector<Cost>& costs() const { return costs_; }
  bool againstSource() const { return againstSource_; }
  /// What the costs were measured of, by Encoding.
  const std::vector<std::shared_ptr<const MeasuredFile>>& files() const { return files_; }

 private:
  struct CostTask {
    std::shared_ptr<const Model> model;
    SharedTraining source;  // null: the model itself
    double packingLoss = kPackingLoss;
    ViewCoordinates at{0};
    Image target;  // encoded
    bool hasTarget = false;
    bool original = false;               // the model itself is being decoded
    std::shared_ptr<MeasuredFile> file;  // is being decoded
    bool waiting = false;                // for the thread
  };
  void workCosts(gpu::Context& gpu, double budgetMs);
  void encodeNext(Encoding encoding);
  bool decode(gpu::Context& gpu, const Model& model, double budgetMs);

  std::optional<CostTask> costTask_;
  std::vector<Cost> costs_;
  bool againstSource_ = false;
  std::vector<std::shared_ptr<const MeasuredFile>> files_;
  std::unique_ptr<Decoder> decoder_;
  gpu::Texture picture_;
  JobQueue jobs_;
  RefitQueue refits_;  // of what jobs_ packs: gone before them, so that none waits
};

}  // namespace fathom::smoe
