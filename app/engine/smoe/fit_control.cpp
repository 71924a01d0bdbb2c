// SPDX-License-Identifier: BSD-3-Clause
// Starting and stopping fits, and how often their models are shown.
#include "app/engine/smoe/fit_control.h"

#include "app/engine/core/error.h"

#include <algorithm>
#include <filesystem>

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

void FitControl::start(bool fromModel) {
  if (!source_.askAgain()) {
    error_ = "--source: expected a picture, a folder or a scene to fit to, found none";
    return;
  }
  session_.drop();
  waiting_ = true, fromModel_ = fromModel;
}

void FitControl::stop() {
  session_.stop();
  if (std::exchange(waiting_, false)) source_.drop();
}

void FitControl::addComponents() {
  try {
    session_.addComponents(form_.added, form_.moreSteps);
  } catch (const Error& error) {
    error_ = error.what();
  }
}

void FitControl::drop() {
  session_.drop();
  waiting_ = false;
}

void FitControl::work(gpu::Context& gpu, double budgetMs) {
  if (!error_.empty()) throw UsageError(std::exchange(error_, {}));
  readSource(gpu);
  if (waiting_ && !source_.busy()) begin();
  followBrush();
  if (!session_.running()) return;
  session_.work(gpu, budgetMs);
  if (session_.fitter() && shown_ != session_.generation() && showingIsDue()) showModel(gpu);
  // What it is worth as a file, for the plot.
  if (session_.state() == FitSession::State::Done)
    checks_.askCosts(models_.current(), source_.matches() ? source_.ready() : nullptr,
                     ViewCoordinates(0), double(settings_.packingLoss));
}

void FitControl::followBrush() {
  brush_.allow(session_.fitter() != nullptr);
  std::optional<Attention> stroke = brush_.take();
  if (!stroke || !session_.fitter()) return;
  session_.attend(std::move(*stroke), form_.moreSteps);
  ++strokes_;
}

void FitControl::readSource(gpu::Context& gpu) {
  if (!source_.work(gpu) || !comparesWithSource(settings_.show)) return;
  change_ = std::max(change_, Effect::Redraw);
  if (!waiting_) source_.expectMatch();
}

/// The source is there, or could not be read.
void FitControl::begin() {
  waiting_ = false;
  if (!source_.ready()) return;
  FitRequest request;
  request.components = settings_.components;
  request.steps = settings_.steps;
  request.structure = settings_.ssim;
  request.seed = std::uint64_t(form_.seed);
  session_.start(source_.ready(), request, fromModel_ ? models_.current() : nullptr);
  checks_.drop();
  strokes_ = 0;
  models_.suggest(modelNameFor(source_.readyName()));
}

bool FitControl::showingIsDue() const {
  return !session_.running() || sinceShown_.ms() > std::max(kMinPauseMs, kPauseShare * showingMs_);
}

/// The fit's current model takes the place of the one that was shown.
void FitControl::showModel(gpu::Context& gpu) {
  const Stopwatch watch;
  const std::shared_ptr<const Model> before = models_.current();
  auto model = std::make_shared<const Model>(session_.model());
  if (before->width != model->width || before->height != model->height) settings_.window.clear();
  if (before->dims != model->dims) settings_.view.clear();
  models_.replace(std::move(model));
  shown_ = session_.generation();
  change_ = std::max(change_, Effect::Redraw);
  showingMs_ = watch.ms();
  sinceShown_.restart();
  if (const gpu::Texture* error = session_.errorMap()) heat_.draw(gpu, *error);
}

}  // namespace fathom::smoe
