// SPDX-License-Identifier: BSD-3-Clause
// Two tasks, one at a time: each decodes in slices on the GPU and waits for a thread in between.
#include "app/engine/smoe/checks.h"

#include "app/engine/smoe/fit/alpha.h"
#include "app/engine/smoe/fit/quality.h"
#include "app/engine/smoe/fit/source.h"
#include "app/engine/smoe/model/io.h"
#include "app/engine/smoe/model/packed.h"

namespace fathom::smoe {
namespace {

constexpr int kSquares = 64;  // of 8 x 8 pixels: a second or two for 20,000 components

ViewWindow wholeOf(const Model& model, ViewCoordinates at) {
  ViewWindow window;
  window.size = {model.width, model.height};
  window.at = at;
  return window;
}

}  // namespace

void Checks::drop() {
  ++generation_;
  desk_.cancel();
  costTask_.reset(), fidelityTask_.reset();
  packed_.reset();
  costs_.clear();
  costsOf_.reset();
  fidelity_.reset();
  decoder_.reset();
  picture_ = {};
}

void Checks::askCosts(std::shared_ptr<const Model> model, std::shared_ptr<const TrainingSet> source,
                      ViewCoordinates at, double packingLoss) {
  ++generation_;
  desk_.cancel();
  packed_.reset();
  costs_.clear();
  fidelityTask_.reset();
  costTask_.emplace();
  costTask_->model = costsOf_ = std::move(model);
  costTask_->at = at;
  costTask_->packingLoss = packingLoss;
  const Model& m = *costTask_->model;
  againstSource_ = source && source->size == glm::ivec2(m.width, m.height) &&
                   source->dims == m.dims && source->colorSpace == m.colorSpace;
  if (!againstSource_) return;
  costTask_->target = source->pictures[nearestPicture(*source, at)];
  costTask_->hasTarget = true;
  costTask_->source = std::move(source);
}

void Checks::askFidelity(std::shared_ptr<const Model> model, const ViewWindow& window,
                         const DecodeOptions& options) {
  ++generation_;
  desk_.cancel();
  costTask_.reset();
  fidelity_.reset();
  fidelityTask_ = FidelityTask{std::move(model), window, options};
  fidelityTask_->window.samples = 1;
}

/// True when picture_ holds the model's picture of the cost task's view.
bool Checks::decode(gpu::Context& gpu, const Model& model, double budgetMs) {
  const ViewWindow window = wholeOf(model, costTask_->at);
  gpu::ensure(gpu, picture_, "smoe check", gpu::TextureFormat::Rgba32f, window.size);
  return decoder_->build(window, DecodeOptions{}, budgetMs) && decoder_->shade(picture_, budgetMs);
}

/// On a thread; what the packed encoding fits again comes back to the desk.
void Checks::encodeNext(Encoding encoding) {
  CostTask& task = *costTask_;
  const bool packs = encoding == Encoding::Packed;
  const double loss = task.packingLoss;
  const Refitter refit = packs ? desk_.refitter(task.source, *task.model) : Refitter();
  task.waiting = true;
  jobs_.submit(
      [this, model = task.model, encoding, loss, refit, of = generation_]() -> JobQueue::Delivery {
        auto file = std::make_shared<PackedFile>();
        file->of = model, file->loss = loss;
        file->saved = refit ? encodePacked(Packer(*model), loss, "model", refit)
                            : encode(*model, encoding, loss);
        return [this, file, encoding, of] {
          if (of != generation_) return;
          costTask_->saved = file->saved.model;
          costTask_->savedBytes = file->saved.bytes.size();
          costTask_->waiting = false;
          if (encoding == Encoding::Packed) packed_ = file;
          decoder_->setModel(*costTask_->saved);
        };
      },
      [](std::exception_ptr error) {
        try {
          std::rethrow_exception(error);
        } catch (const Cancelled&) {
          // Of a task that is no longer wanted.
        }
      });
}

void Checks::workCosts(gpu::Context& gpu, double budgetMs) {
  CostTask& task = *costTask_;
  if (task.waiting) return desk_.work(gpu, budgetMs);
  const Model& original = *task.model;
  if (!task.hasTarget) {
    if (!task.saved) {
      task.saved = original;
      decoder_->setModel(original);
    }
    if (!decode(gpu, original, budgetMs)) return;
    task.target = encoded(picture_.downloadImage(), original.colorSpace);
    task.hasTarget = true;
    task.saved.reset();
    return;
  }
  const auto encoding = Encoding(costs_.size());
  if (!task.saved) return encodeNext(encoding);
  if (!decode(gpu, *task.saved, budgetMs)) return;
  Cost cost;
  cost.encoding = encoding;
  cost.bytes = task.savedBytes;
  cost.bitsPerComponent = 8.0 * double(cost.bytes) / double(allComponents(original));
  cost.psnr = psnr(encoded(picture_.downloadImage(), original.colorSpace), task.target);
  costs_.push_back(cost);
  task.saved.reset();
  if (costs_.size() == std::size_t(kEncodings)) costTask_.reset();
}

void Checks::workFidelity(gpu::Context&, double budgetMs) {
  FidelityTask& task = *fidelityTask_;
  if (task.waiting) return;
  if (!std::exchange(task.uploaded, true)) decoder_->setModel(*task.model);
  if (!decoder_->build(task.window, task.options, budgetMs)) return;
  const reference::Grid grid{task.window.size, task.window.corner, task.window.step};
  auto sampled = std::make_shared<const Sampled>(
      sampleSquares(decoder_->downloadRaw(task.window), grid, kSquares));
  task.waiting = true;
  jobs_.submit(
      [this, sampled, model = task.model, at = task.window.at,
       of = generation_]() -> JobQueue::Delivery {
        const Fidelity found = fidelityOf(*sampled, reference::recordsOf(*model, at));
        return [this, found, of] {
          if (of != generation_) return;
          fidelity_ = found;
          fidelityTask_.reset();
        };
      },
      [](std::exception_ptr error) { std::rethrow_exception(error); });
}

bool Checks::work(gpu::Context& gpu, double budgetMs) {
  try {
    jobs_.deliver();
    if (!decoder_ && (costTask_ || fidelityTask_)) decoder_ = std::make_unique<Decoder>(gpu);
    if (costTask_)
      workCosts(gpu, budgetMs);
    else if (fidelityTask_)
      workFidelity(gpu, budgetMs);
    else
      decoder_.reset(), picture_ = {};
  } catch (...) {
    drop();
    throw;
  }
  return costTask_ || fidelityTask_;
}

}  // namespace fathom::smoe
