// SPDX-License-Identifier: BSD-3-Clause
// Where packers on other threads have their models fitted to the picture again: they wait, and the
// thread of the device works for them in slices, beside frames.
#pragma once

#include "app/engine/smoe/fit/refit.h"

#include <memory>

namespace fathom::smoe {

class RefitDesk {
 public:
  RefitDesk();
  ~RefitDesk();

  /// For one packer at a time, on another thread. None for views and frames, and where the source
  /// lacks the model's alpha. Throws Cancelled there after cancel().
  Refitter refitter(std::shared_ptr<const TrainingSet> source, const Model& model);
  /// One slice for whoever waits. Throws Error; so does the packer then.
  void work(gpu::Context& gpu, double budgetMs);
  /// Sends away who waits, or will wait with a refitter made before.
  void cancel();

 private:
  struct Counter;
  std::shared_ptr<Counter> counter_;
  std::unique_ptr<PackingRefit> refit_;
};

}  // namespace fathom::smoe
