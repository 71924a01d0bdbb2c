// SPDX-License-Identifier: BSD-3-Clause
// One model at a time is handed over for a refit, worked on, and handed back. Measuring decodes in
// slices on the GPU and waits for a thread in between.
#include "app/window/smoe/measure.h"

#include "app/engine/core/error.h"
#include "app/engine/core/progress.h"
#include "app/engine/core/stages.h"
#include "app/engine/smoe/model/packed.h"

namespace fathom::smoe {

// ---- Refits for packers

/// What both threads see. The model is the packer's, who waits while it is handed over.
struct RefitQueue::Exchange {
  std::mutex lock;
  std::condition_variable changed;
  SharedTraining source;
  Model* model = nullptr;  // handed over; null: nobody waits
  Refit what = Refit::Experts;
  bool closed = false;
};

RefitQueue::RefitQueue() : exchange_(std::make_shared<Exchange>()) {}
RefitQueue::~RefitQueue() { cancel(); }

Refitter RefitQueue::refitter(SharedTraining source, const Model& model) {
  cancel();
  if (!source || source->dims != 2 || (model.alpha && !source->alpha)) return {};
  exchange_->source = std::move(source);
  const auto refit = [exchange = exchange_](Model& rough, Refit what) {
    std::unique_lock guard(exchange->lock);
    exchange->what = what;
    exchange->model = &rough;
    exchange->changed.wait(guard, [&] { return exchange->closed || !exchange->model; });
    exchange->model = nullptr;
    if (exchange->closed) throw Cancelled();
  };
  return {refit, [source = exchange_->source](const Model& frame) {
            return packingSource(*source, frame);
          }};
}

void RefitQueue::work(gpu::Context& gpu, double budgetMs) {
  Model* model = nullptr;
  {
    const std::lock_guard guard(exchange_->lock);
    model = exchange_->model;
  }
  if (!model) return;
  const TimeBudget budget(budgetMs);
  if (!refit_)
    refit_ = std::make_unique<PackingRefit>(gpu, exchange_->source, *model, exchange_->what);
  while (refit_->step()) {
    if (budget.limited()) gpu.pace();
    if (budget.spent()) return;
  }
  model->components = refit_->finish();
  refit_.reset();
  const std::lock_guard guard(exchange_->lock);
  exchange_->model = nullptr;
  exchange_->changed.notify_all();
}

void RefitQueue::cancel() {
  refit_.reset();
  {
    const std::lock_guard guard(exchange_->lock);
    exchange_->closed = true;
    exchange_->changed.notify_all();
  }
  exchange_ = std::make_shared<Exchange>();
}

// ---- Costs

void Checks::drop() {
  jobs_.forget();
  refits_.cancel();
  costTask_.reset();
  files_.clear();
  costs_.clear();
  decoder_.reset();
  picture_ = {};
}

void Checks::askCosts(std::shared_ptr<const Model> model, SharedTraining source, ViewCoordinates at,
                      double packingLoss) {
  jobs_.forget();
  refits_.cancel();
  files_.clear();
  costs_.clear();
  costTask_ = CostTask{};
  costTask_->model = std::move(model);
  costTask_->at = at;
  costTask_->packingLoss = packingLoss;
  const Model& m = *costTask_->model;
  againstSource_ = source && source->size == glm::ivec2(m.width, m.height) &&
                   source->dims == m.dims && source->coding() == m.coding();
  if (!againstSource_) return;
  costTask_->target = source->pictures[source->nearest(at)];
  costTask_->hasTarget = true;
  costTask_->source = std::move(source);
}

/// True when picture_ holds the model's picture of the cost task's view.
bool Checks::decode(gpu::Context& gpu, const Model& model, double budgetMs) {
  const ViewWindow window{.size = {model.width, model.height}, .at = costTask_->at};
  gpu::ensure(gpu, picture_, "smoe check", gpu::TextureFormat::Rgba32f, window.size);
  return decoder_->build(window, DecodeOptions{}, budgetMs) && decoder_->shade(picture_, budgetMs);
}

/// On a thread; what the packed encoding fits again comes back to the queue.
void Checks::encodeNext(Encoding encoding) {
  CostTask& task = *costTask_;
  const bool packs = encoding == Encoding::Packed;
  const double loss = task.packingLoss;
  const Refitter refit = packs ? refits_.refitter(task.source, *task.model) : Refitter();
  task.waiting = true;
  jobs_.submit(
      [this, model = task.model, encoding, loss, refit]() -> JobQueue::Delivery {
        auto file = std::make_shared<MeasuredFile>();
        file->of = model, file->loss = loss;
        file->saved = refit ? encodePacked(Packer(*model), loss, "model", refit)
                            : encode(*model, encoding, loss);
        return [this, file] {
          costTask_->file = file;
          costTask_->waiting = false;
          decoder_->setModel(file->saved.model);
        };
      },
      [](std::exception_ptr error) { std::rethrow_exception(error); });
}

void Checks::workCosts(gpu::Context& gpu, double budgetMs) {
  CostTask& task = *costTask_;
  if (task.waiting) return refits_.work(gpu, budgetMs);
  const Model& original = *task.model;
  if (!task.hasTarget) {
    if (!std::exchange(task.original, true)) decoder_->setModel(original);
    if (!decode(gpu, original, budgetMs)) return;
    task.target = encoded(picture_.downloadImage(), original.coding());
    task.hasTarget = true;
    return;
  }
  const auto encoding = Encoding(costs_.size());
  if (!task.file) return encodeNext(encoding);
  if (!decode(gpu, task.file->saved.model, budgetMs)) return;
  Cost cost;
  cost.encoding = encoding;
  cost.psnr = psnr(encoded(picture_.downloadImage(), original.coding()), task.target);
  if (againstSource_ && original.dims == 2) statePsnr(task.file->saved, cost.psnr, 0, "model");
  cost.bytes = task.file->saved.bytes.size();
  costs_.push_back(cost);
  files_.push_back(std::exchange(task.file, nullptr));
  if (costs_.size() == std::size_t(kEncodings)) costTask_.reset();
}

bool Checks::work(gpu::Context& gpu, double budgetMs) {
  try {
    jobs_.deliver();
    if (!decoder_ && costTask_) decoder_ = std::make_unique<Decoder>(gpu);
    if (costTask_)
      workCosts(gpu, budgetMs);
    else
      decoder_.reset(), picture_ = {};
  } catch (...) {
    drop();
    throw;
  }
  return measuringCosts();
}

}  // namespace fathom::smoe
