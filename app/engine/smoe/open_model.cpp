// SPDX-License-Identifier: BSD-3-Clause
// Opening, replacing and saving the current model; which source is meant, reading it, drawing views
// of a scene one per slice, and dropping what is no longer wanted.
#include "app/engine/smoe/open_model.h"

#include "app/engine/core/error.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/scene/load_scene.h"
#include "app/engine/smoe/model/file_format.h"

namespace fathom::smoe {
namespace {

std::uint64_t modelFileBytes(const std::vector<std::string>& names) {
  std::error_code error;
  if (names.empty() || !isModelFile(names[0])) return 0;
  const std::uintmax_t bytes = fs::file_size(names[0], error);
  return error ? 0 : bytes;
}

}  // namespace

void ModelStore::open(std::shared_ptr<const Model> model, std::vector<std::string> names) {
  model_ = std::move(model);
  inputs_ = std::move(names);
  ++generation_;
  unsaved_ = false;
  fileBytes_ = modelFileBytes(inputs_);
  fileEncoding_ = fileBytes_ ? encodingOf(inputs_[0]) : "";
  suggestion_ =
      inputs_.empty() ? "model.smoe" : fs::path(inputs_[0]).replace_extension(".smoe").string();
}

void ModelStore::replace(std::shared_ptr<const Model> model) {
  model_ = std::move(model);
  ++generation_;
  unsaved_ = true;
  fileBytes_ = 0;
  fileEncoding_.clear();
}

std::size_t ModelStore::bytesAs(Encoding encoding) const {
  if (sizes_.generation != generation_) {
    for (const Encoding each : {Encoding::F32, Encoding::Archive, Encoding::Compact})
      sizes_.bytes[std::size_t(each)] = smoe::fileBytes(*model_, each);
    sizes_.generation = generation_;
  }
  return sizes_.bytes[std::size_t(encoding)];
}

void ModelStore::save(const std::string& file) {
  const auto loss = double(settings_.packingLoss);
  const MeasuredFile* const offered = offered_[std::size_t(settings_.encoding)].get();
  if (offered && offered->of == model_ && offered->loss == loss)
    writeFile(file, offered->saved.bytes);
  else
    smoe::save(file, *model_, settings_.encoding, loss);
  unsaved_ = false;
  inputs_ = {file};
  fileBytes_ = modelFileBytes(inputs_);
  fileEncoding_ = encodingName(settings_.encoding);
  suggestion_ = file;
}

// ---- Which one

std::string ModelSource::name() const {
  if (!settings_.source.empty()) return settings_.source;
  return models_ ? models_->source : std::string();
}

bool ModelSource::matches() const {
  const TrainingSet* source = ready_.get();
  return source && models_ && source->dims == models_->dims &&
         source->size == glm::ivec2(models_->width, models_->height);
}

void ModelSource::expectMatch() const {
  if (matches()) return;
  const TrainingSet& source = *ready_;
  fathom::fail(
      "{}: expected {} x {} pixels and {} dimensions as the model has, found {} x {} and {}",
      source.name, models_->width, models_->height, models_->dims, source.size.x, source.size.y,
      source.dims);
}

bool ModelSource::isAsked(const Request& wanted) const {
  const CaptureRequest &now = wanted.capture, &before = asked_.capture;
  return wanted_ && wanted.input == asked_.input && wanted.as == asked_.as &&
         now.grid == before.grid && now.size == before.size && now.samples == before.samples;
}

// ---- Reading it

ModelSource::~ModelSource() {
  if (progress_) progress_->cancel();
}

void ModelSource::drop() {
  jobs_.forget();
  if (progress_) progress_->cancel();
  progress_.reset();
  wanted_ = failed_ = false;
  ready_.reset(), scene_.reset(), drawing_.reset(), drawn_.reset();
}

void ModelSource::fail() {
  drop();
  wanted_ = failed_ = true;
}

bool ModelSource::ask() {
  const Request wanted{name(), capture_, models_ ? sourceCoding(*models_) : std::nullopt};
  if (wanted.input.empty()) return false;
  if (isAsked(wanted)) return true;
  drop();
  asked_ = wanted;
  wanted_ = true;
  progress_ = std::make_shared<Progress>();
  startReading();
  return true;
}

bool ModelSource::askAgain() {
  if (failed_) drop();  // it may be there by now
  return ask();
}

void ModelSource::readNow(gpu::Context& gpu, Progress& progress) {
  if (!ask())
    throw UsageError(
        "--source: expected an image, a folder or a scene to compare with, found none");
  while (busy()) {
    progress.throwIfCancelled();
    work(gpu);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  expectMatch();
}

void ModelSource::startReading() {
  jobs_.submit(
      [this, progress = progress_, input = asked_.input, as = asked_.as]() -> JobQueue::Delivery {
        if (isSceneSpec(input)) {
          const auto scene = loadScene(input, *progress);
          return [this, scene] { scene_ = scene; };
        }
        const auto training =
            std::make_shared<const TrainingSet>(readTraining(input, as, *progress));
        return [this, training] { ready_ = training, progress_.reset(); };
      },
      [this](std::exception_ptr error) {
        fail();
        std::rethrow_exception(error);
      });
}

/// Focus, baseline and an empty set of views.
void ModelSource::startCapture(gpu::Context& gpu) {
  drawing_ = std::make_unique<ViewCapture>(gpu, std::exchange(scene_, nullptr), asked_.capture,
                                           *progress_);
  drawn_ = std::make_shared<TrainingSet>(drawing_->beginTraining(ColorSpace::Srgb, *progress_));
  drawn_->name = asked_.input;
}

void ModelSource::captureOne() {
  if (drawing_->drawNext(*drawn_, *progress_)) return;
  ready_ = std::exchange(drawn_, nullptr);
  drawing_.reset();
  progress_.reset();
}

bool ModelSource::work(gpu::Context& gpu) {
  const bool wasBusy = busy();
  jobs_.deliver();
  if (!busy()) return wasBusy && ready_;
  try {
    if (scene_) startCapture(gpu);
    if (drawing_) captureOne();
  } catch (...) {
    fail();
    throw;
  }
  return wasBusy && ready_;
}

}  // namespace fathom::smoe
