// SPDX-License-Identifier: BSD-3-Clause
// Which source is meant, when it is read, and whether it matches the model.
#include "app/engine/smoe/model_source.h"

#include "app/engine/core/error.h"

#include <chrono>
#include <thread>

namespace fathom::smoe {

std::string ModelSource::name() const {
  if (!settings_.source.empty()) return settings_.source;
  return models_ ? models_->source : std::string();
}

SourceRequest ModelSource::request() const {
  SourceRequest request;
  request.input = name();
  request.space = ColorSpace::Srgb;
  request.capture = capture_;
  return request;
}

bool ModelSource::ask() {
  const SourceRequest wanted = request();
  if (wanted.input.empty()) return false;
  source_.ask(wanted);
  return true;
}

bool ModelSource::askAgain() {
  if (source_.failed()) source_.drop();  // it may be there by now
  return ask();
}

void ModelSource::readNow(gpu::Context& gpu, Progress& progress) {
  if (!ask()) throw UsageError("--source: expected what the model is compared with, found none");
  while (busy()) {
    progress.throwIfCancelled();
    source_.work(gpu);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  expectMatch();
}

bool ModelSource::work(gpu::Context& gpu) {
  const bool wasBusy = busy();
  source_.work(gpu);
  return wasBusy && ready();
}

bool ModelSource::matches() const {
  const TrainingSet* source = ready().get();
  return source && models_ && source->dims == models_->dims &&
         source->size == glm::ivec2(models_->width, models_->height);
}

void ModelSource::expectMatch() const {
  if (matches()) return;
  const TrainingSet& source = *ready();
  fail("{}: expected {} x {} pixels and {} dimensions as the model has, found {} x {} and {}",
       source.name, models_->width, models_->height, models_->dims, source.size.x, source.size.y,
       source.dims);
}

}  // namespace fathom::smoe
