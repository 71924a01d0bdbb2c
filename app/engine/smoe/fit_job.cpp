// SPDX-License-Identifier: BSD-3-Clause
// Starting and stopping fits, and how often their models are shown.
#include "app/engine/smoe/fit_job.h"

#include "app/engine/core/error.h"

namespace fathom::smoe {
namespace {

constexpr double kMinPauseMs = 300;  // between two models of a fit that are shown
constexpr double kPauseShare = 5;    // and at least as many times what showing one takes

/// "photo.smoe" for a fit to photo.png, in the current folder.
std::string modelNameFor(const std::string& source) {
  namespace fs = std::filesystem;
  fs::path name = fs::path(source).filename();
  return (name.empty() ? fs::path("model") : name).replace_extension(".smoe").string();
}

}  // namespace

void FitJob::start(bool fromModel, std::uint64_t seed) {
  if (!source_.askAgain()) {
    error_ = "--source: expected an image, a folder or a scene to fit to, found none";
    return;
  }
  session_.drop();
  waiting_ = true, fromModel_ = fromModel, seed_ = seed;
}

void FitJob::stop() {
  session_.stop();
  if (std::exchange(waiting_, false)) source_.drop();
}

void FitJob::addComponents(int count, int moreSteps) {
  try {
    session_.addComponents(count, moreSteps);
  } catch (const Error& error) {
    error_ = error.what();
  }
}

void FitJob::drop() {
  session_.drop();
  waiting_ = false;
}

void FitJob::work(gpu::Context& gpu, double budgetMs) {
  if (!error_.empty()) throw UsageError(std::exchange(error_, {}));
  if (comparesWithSource(settings_.show) && models_ && !source_.busy() && !waiting_) source_.ask();
  readSource(gpu);
  if (waiting_ && !source_.busy()) begin();
  if (!session_.running()) return;
  session_.work(gpu, budgetMs);
  if (session_.fitter() && shown_ != session_.generation() && showingIsDue()) showModel();
}

void FitJob::readSource(gpu::Context& gpu) {
  if (!source_.work(gpu) || !comparesWithSource(settings_.show)) return;
  if (!waiting_) source_.expectMatch();
}

/// The source is there, or could not be read.
void FitJob::begin() {
  waiting_ = false;
  if (!source_.ready()) return;
  const FitRequest request{.components = settings_.components,
                           .steps = settings_.steps,
                           .seed = seed_,
                           .structure = settings_.ssim};
  session_.start(source_.ready(), request, fromModel_ ? models_.current() : nullptr);
  ++begun_;
  models_.suggest(modelNameFor(source_.readyName()));
}

bool FitJob::showingIsDue() const {
  return !session_.running() || sinceShown_.ms() > std::max(kMinPauseMs, kPauseShare * showingMs_);
}

/// The fit's current model takes the place of the one that was shown.
void FitJob::showModel() {
  const Stopwatch watch;
  const std::shared_ptr<const Model> before = models_.current();
  auto model = std::make_shared<const Model>(session_.model());
  if (before->width != model->width || before->height != model->height) settings_.window.clear();
  if (before->dims != model->dims) settings_.view.clear();
  models_.replace(std::move(model));
  shown_ = session_.generation();
  showingMs_ = watch.ms();
  sinceShown_.restart();
}

}  // namespace fathom::smoe
