// SPDX-License-Identifier: BSD-3-Clause
// One model at a time is handed over, worked on, and handed back.
#include "app/engine/smoe/refit_desk.h"

#include "app/engine/core/error.h"
#include "app/engine/core/progress.h"
#include "app/engine/core/stages.h"

#include <condition_variable>
#include <mutex>
#include <utility>

namespace fathom::smoe {

/// What both threads see. The model is the packer's, who waits while it is handed over.
struct RefitDesk::Counter {
  std::mutex lock;
  std::condition_variable changed;
  std::shared_ptr<const TrainingSet> source;
  Model* model = nullptr;  // handed over; null: nobody waits
  Refit what = Refit::Experts;
  bool closed = false;
};

RefitDesk::RefitDesk() : counter_(std::make_shared<Counter>()) {}
RefitDesk::~RefitDesk() { cancel(); }

Refitter RefitDesk::refitter(std::shared_ptr<const TrainingSet> source, const Model& model) {
  cancel();
  if (!source || source->dims != 2 || (model.alpha && !source->alpha)) return {};
  counter_->source = std::move(source);
  const auto refit = [counter = counter_](Model& rough, Refit what) {
    std::unique_lock guard(counter->lock);
    counter->what = what;
    counter->model = &rough;
    counter->changed.wait(guard, [&] { return counter->closed || !counter->model; });
    counter->model = nullptr;
    if (counter->closed) throw Cancelled();
  };
  return {refit, [source = counter_->source](const Model& frame) {
            return packingSource(*source, frame);
          }};
}

void RefitDesk::work(gpu::Context& gpu, double budgetMs) {
  Model* model = nullptr;
  {
    const std::lock_guard guard(counter_->lock);
    model = counter_->model;
  }
  if (!model) return;
  const TimeBudget budget(budgetMs);
  if (!refit_)
    refit_ = std::make_unique<PackingRefit>(gpu, counter_->source, *model, counter_->what);
  while (refit_->step()) {
    if (budget.limited()) gpu.pace();
    if (budget.spent()) return;
  }
  model->components = refit_->finish();
  refit_.reset();
  const std::lock_guard guard(counter_->lock);
  counter_->model = nullptr;
  counter_->changed.notify_all();
}

void RefitDesk::cancel() {
  refit_.reset();
  {
    const std::lock_guard guard(counter_->lock);
    counter_->closed = true;
    counter_->changed.notify_all();
  }
  counter_ = std::make_shared<Counter>();
}

}  // namespace fathom::smoe
