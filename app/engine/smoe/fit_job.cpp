// SPDX-License-Identifier: BSD-3-Clause
// Starting and stopping fits, alpha before the colors, and how often their models are shown.
#include "app/engine/smoe/fit_job.h"

#include "app/engine/core/error.h"
#include "app/engine/smoe/fit/quality.h"

namespace fathom::smoe {
namespace {

constexpr double kMinPauseMs = 300;  // between two models of a fit that are shown
constexpr double kPauseShare = 5;    // and at least as many times what showing one takes

/// "photo.smoe" for a fit to photo.png, in the current folder.
std::string modelNameFor(const std::string& source) {
  fs::path name = fs::path(source).filename();
  return (name.empty() ? fs::path("model") : name).replace_extension(".smoe").string();
}

/// `from`: the model to continue from; null: a new one.
std::unique_ptr<Fitter> fitterOf(gpu::Context& gpu, const SharedTraining& training,
                                 const FitRequest& request, const Model* from) {
  return from ? std::make_unique<Fitter>(gpu, training, request, *from)
              : std::make_unique<Fitter>(gpu, training, request);
}

}  // namespace

void FitJob::start(bool fromModel, std::uint64_t seed) {
  if (!source_.askAgain()) {
    error_ = "--source: expected an image, a folder or a scene to fit to, found none";
    return;
  }
  forget();
  waiting_ = true, fromModel_ = fromModel, seed_ = seed;
}

void FitJob::stop() {
  if (running()) state_ = State::Stopped;
  if (std::exchange(waiting_, false)) source_.drop();
}

void FitJob::resume() {
  if (state_ == State::Stopped) state_ = State::Running;
}

void FitJob::continueFor(int moreSteps) {
  if (!fitter_) return;
  fitter_->continueFor(moreSteps);
  state_ = State::Running;
}

void FitJob::addComponents(int count, int moreSteps) {
  if (!fitter_) return;
  try {
    fitter_->addComponents(count, moreSteps);
    state_ = State::Running;
  } catch (const Error& error) {
    error_ = error.what();
  }
}

void FitJob::drop() {
  forget();
  waiting_ = false;
}

void FitJob::forget() {
  fitter_.reset(), alphaFitter_.reset(), training_.reset(), from_.reset(), alpha_.reset();
  state_ = State::None;
  ++generation_;
}

void FitJob::work(gpu::Context& gpu, double budgetMs) {
  if (!error_.empty()) throw UsageError(std::exchange(error_, {}));
  if (comparesWithSource(settings_.show) && models_ && !source_.busy() && !waiting_) source_.ask();
  if (source_.work(gpu) && comparesWithSource(settings_.show) && !waiting_) source_.expectMatch();
  if (waiting_ && !source_.busy()) begin();
  if (!running()) return;
  try {
    fit(gpu, budgetMs);
  } catch (...) {
    forget();
    throw;
  }
  if (fitter_ && shown_ != generation_ && showingIsDue()) showModel();
}

/// The source is there, or could not be read.
void FitJob::begin() {
  waiting_ = false;
  if (!source_.ready()) return;
  forget();
  training_ = source_.ready();
  if (fromModel_) from_ = models_.current();
  request_ = {.components = settings_.components,
              .steps = settings_.steps,
              .seed = seed_,
              .structure = settings_.ssim};
  progress_ = std::make_unique<Progress>();
  state_ = State::Running;
  ++begun_;
  models_.suggest(modelNameFor(source_.readyName()));
}

void FitJob::fit(gpu::Context& gpu, double budgetMs) {
  if (!fitter_ && fitAlpha(gpu, budgetMs)) return;
  if (!fitter_)
    fitter_ = fitterOf(gpu, training_, divided(*training_, request_).colors, from_.get());
  if (fitter_->step(budgetMs, *progress_)) state_ = State::Done;
  ++generation_;
}

/// True while alpha is not fitted.
bool FitJob::fitAlpha(gpu::Context& gpu, double budgetMs) {
  if (!training_->alpha || alpha_) return false;
  if (!alphaFitter_)
    alphaFitter_ = fitterOf(gpu, training_->alpha, divided(*training_, request_).alpha,
                            from_ ? from_->alpha.get() : nullptr);
  if (alphaFitter_->step(budgetMs, *progress_)) {
    alpha_ = std::make_shared<const Model>(alphaFitter_->model());
    alphaFitter_.reset();
  }
  return true;
}

bool FitJob::showingIsDue() const {
  return !running() || sinceShown_.ms() > std::max(kMinPauseMs, kPauseShare * showingMs_);
}

/// The fit's current model takes the place of the one that was shown.
void FitJob::showModel() {
  const Stopwatch watch;
  const std::shared_ptr<const Model> before = models_.current();
  auto model = std::make_shared<Model>(fitter_->model());
  model->alpha = alpha_;
  if (before->width != model->width || before->height != model->height) settings_.window.clear();
  if (before->dims != model->dims) settings_.view.clear();
  models_.replace(std::move(model));
  shown_ = generation_;
  showingMs_ = watch.ms();
  sinceShown_.restart();
}

}  // namespace fathom::smoe
