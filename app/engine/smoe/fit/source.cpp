// SPDX-License-Identifier: BSD-3-Clause
// Reading on a thread, drawing views of a scene one per slice, and dropping what is no longer
// wanted.
#include "app/engine/smoe/fit/source.h"

#include "app/engine/core/error.h"
#include "app/engine/scene/load_scene.h"

#include <cmath>

namespace fathom::smoe {

bool SourceRequest::operator==(const SourceRequest& other) const {
  return input == other.input && space == other.space && capture.grid == other.capture.grid &&
         capture.size == other.capture.size && capture.samples == other.capture.samples;
}

std::size_t nearestPicture(const TrainingSet& source, ViewCoordinates at) {
  std::size_t best = 0;
  double smallest = INFINITY;
  for (std::size_t i = 0; i < source.pictures.size(); ++i) {
    const ViewCoordinates d = source.coordinatesOf(i) - at;
    const double distance = d.x * d.x + d.y * d.y;
    if (distance < smallest) smallest = distance, best = i;
  }
  return best;
}

FitSource::~FitSource() {
  if (progress_) progress_->cancel();
}

void FitSource::drop() {
  if (progress_) progress_->cancel();
  progress_.reset();
  wanted_ = failed_ = false;
  ready_.reset(), scene_.reset(), capture_.reset(), captured_.reset();
}

void FitSource::fail() {
  drop();
  wanted_ = failed_ = true;
}

void FitSource::ask(const SourceRequest& request) {
  if (wanted_ && request == request_) return;
  drop();
  request_ = request;
  wanted_ = true;
  progress_ = std::make_shared<Progress>();
  startReading();
}

void FitSource::startReading() {
  const auto progress = progress_;
  const auto onError = [this, progress](std::exception_ptr error) {
    if (progress != progress_) return;  // of a source that is no longer wanted
    fail();
    std::rethrow_exception(error);
  };
  const SourceRequest request = request_;
  jobs_.submit(
      [this, progress, request]() -> JobQueue::Delivery {
        if (isSceneSpec(request.input)) {
          const auto scene = loadScene(request.input, *progress);
          return [this, progress, scene] {
            if (progress == progress_) scene_ = scene;
          };
        }
        const auto training = std::make_shared<const TrainingSet>(
            readTraining(request.input, request.space, *progress));
        return [this, progress, training] {
          if (progress == progress_) ready_ = training, progress_.reset();
        };
      },
      onError);
}

/// Focus, baseline and an empty set of views.
void FitSource::startCapture(gpu::Context& gpu) {
  capture_ = std::make_unique<ViewCapture>(gpu, std::exchange(scene_, nullptr), request_.capture,
                                           *progress_);
  captured_ = std::make_shared<TrainingSet>();
  captured_->dims = 4;
  captured_->size = request_.capture.size;
  captured_->views = request_.capture.grid;
  captured_->viewOrigin = capture_->origin();
  captured_->colorSpace = request_.space;
  captured_->name = request_.input;
  progress_->begin("drawing views", double(captured_->views.x) * captured_->views.y);
}

void FitSource::captureOne() {
  const int index = int(captured_->pictures.size()), rows = captured_->views.y;
  const glm::dvec2 at = glm::dvec2(index / rows, index % rows) - captured_->viewOrigin;
  captured_->pictures.push_back(encoded(capture_->view(at), captured_->colorSpace));
  progress_->advance(1);
  if (index + 1 < captured_->views.x * rows) return;
  ready_ = std::exchange(captured_, nullptr);
  capture_.reset();
  progress_.reset();
}

void FitSource::work(gpu::Context& gpu) {
  jobs_.deliver();
  if (!busy()) return;
  try {
    if (scene_) startCapture(gpu);
    if (capture_) captureOne();
  } catch (...) {
    fail();
    throw;
  }
}

}  // namespace fathom::smoe
