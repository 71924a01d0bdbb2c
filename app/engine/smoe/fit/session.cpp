// SPDX-License-Identifier: BSD-3-Clause
// The states of a fit: none, running, stopped, done.
#include "app/engine/smoe/fit/session.h"

#include "app/engine/smoe/fit/alpha.h"

namespace fathom::smoe {

void FitSession::drop() {
  fitter_.reset(), alphaFitter_.reset(), training_.reset(), from_.reset(), alpha_.reset();
  state_ = State::None;
  ++generation_;
}

void FitSession::start(std::shared_ptr<const TrainingSet> training, const FitRequest& request,
                       std::shared_ptr<const Model> from) {
  drop();
  training_ = std::move(training);
  from_ = std::move(from);
  request_ = request;
  progress_ = std::make_unique<Progress>();
  state_ = State::Running;
}

void FitSession::stop() {
  if (running()) state_ = State::Stopped;
}

void FitSession::resume() {
  if (state_ == State::Stopped) state_ = State::Running;
}

void FitSession::addComponents(int count, int moreSteps) {
  if (!fitter_) return;
  fitter_->addComponents(count, moreSteps);
  state_ = State::Running;
}

void FitSession::continueFor(int moreSteps) {
  if (!fitter_) return;
  fitter_->continueFor(moreSteps);
  state_ = State::Running;
}

void FitSession::attend(Attention where, int moreSteps) {
  if (!fitter_) return;
  fitter_->attend(std::move(where), moreSteps);
  if (state_ == State::Done) state_ = State::Running;
}

Model FitSession::model() const {
  Model model = fitter_->model();
  model.alpha = alpha_;
  return model;
}

std::unique_ptr<Fitter> FitSession::begun(gpu::Context& gpu,
                                          const std::shared_ptr<const TrainingSet>& training,
                                          const FitRequest& request, const Model* from) const {
  return from ? std::make_unique<Fitter>(gpu, training, request, *from)
              : std::make_unique<Fitter>(gpu, training, request);
}

/// True while alpha is not fitted.
bool FitSession::workAlpha(gpu::Context& gpu, double budgetMs) {
  if (!training_->alpha || alpha_) return false;
  if (!alphaFitter_)
    alphaFitter_ = begun(gpu, training_->alpha, divided(*training_, request_).alpha,
                         from_ ? from_->alpha.get() : nullptr);
  if (alphaFitter_->step(budgetMs, *progress_)) {
    alpha_ = alphaModel(*alphaFitter_);
    alphaFitter_.reset();
  }
  return true;
}

bool FitSession::work(gpu::Context& gpu, double budgetMs) {
  if (!running()) return false;
  try {
    if (!fitter_ && workAlpha(gpu, budgetMs)) return true;
    if (!fitter_)
      fitter_ = begun(gpu, training_, divided(*training_, request_).colors, from_.get());
    if (fitter_->step(budgetMs, *progress_)) state_ = State::Done;
  } catch (...) {
    drop();
    throw;
  }
  ++generation_;
  return running();
}

}  // namespace fathom::smoe
