// SPDX-License-Identifier: BSD-3-Clause
// Fitting in the window: the source, the fit beside the picture, its model as the one that is
// shown, and the difference from the source.
#include "app/gpu/pass.h"
#include "app/techniques/smoe/reference.h"
#include "app/techniques/smoe/technique.h"
#include "shaders/smoe/compare.h"

#include <filesystem>
#include <thread>

namespace fathom::smoe {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kMinPauseMs = 300;  // between two models of a fit that are shown
constexpr double kShareShown = 5;      // and as many times what showing one takes
constexpr int kHeatSide = 256;         // px at most

double msSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// A picture of a training set as light, for the device.
Image linearOf(const Image& encodedPicture, ColorSpace space) {
  std::vector<glm::dvec3> colors;
  colors.reserve(encodedPicture.pixels.size());
  for (const glm::vec4& p : encodedPicture.pixels) colors.emplace_back(p);
  return reference::toImage(colors, {encodedPicture.width, encodedPicture.height}, space);
}

}  // namespace

// The source
// -------------------------------------------------------------------------------------------------

std::string SmoeTechnique::sourceName() const {
  if (!settings_.source.empty()) return settings_.source;
  return model_ ? model_->source : std::string();
}

SourceRequest SmoeTechnique::sourceRequest() const {
  SourceRequest request;
  request.input = sourceName();
  request.space = ColorSpace::Srgb;
  request.capture = form_.capture;
  return request;
}

/// Whether the source that is there shows what the model shows.
bool SmoeTechnique::sourceFits() const {
  const TrainingSet* source = source_.ready().get();
  return source && model_ && source->dims == model_->dims &&
         source->size == glm::ivec2(model_->width, model_->height);
}

/// Throws Error where the source shows something else than the model.
void SmoeTechnique::demandSource() const {
  const TrainingSet& source = *source_.ready();
  if (!sourceFits())
    fail("{}: expected {} x {} pixels and {} dimensions as the model has, found {} x {} and {}",
         source.name, model_->width, model_->height, model_->dims, source.size.x, source.size.y,
         source.dims);
}

void SmoeTechnique::readSource(gpu::Context& gpu, Progress& progress) {
  const SourceRequest request = sourceRequest();
  if (request.input.empty())
    throw UsageError("--source: expected what the model is compared with, found none");
  source_.ask(request);
  while (source_.busy()) {
    progress.throwIfCancelled();
    source_.work(gpu);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  demandSource();
}

/// `picture` becomes its difference from the source. A source of another shape is said once, when
/// it arrives; the plain picture stays then.
void SmoeTechnique::showError(const gpu::Texture& picture) {
  if (!sourceFits()) return;
  const std::shared_ptr<const TrainingSet>& source = source_.ready();
  const std::size_t index = nearestPicture(*source, asked_->window.at);
  if (sourceShown_ != source.get() || sourceIndex_ != index || !sourceTexture_) {
    sourceTexture_ = gpu::Texture(*gpu_, "smoe source", gpu::TextureFormat::Rgba32f, source->size.x,
                                  source->size.y);
    sourceTexture_.upload(linearOf(source->pictures[index], source->colorSpace));
    sourceShown_ = source.get(), sourceIndex_ = index;
  }
  shared::Compare p{};
  p.size = asked_->window.size;
  p.sourceSize = source->size;
  p.corner = glm::vec2(asked_->window.corner);
  p.step = float(asked_->window.step);
  p.gain = asked_->gain;
  gpu::barrier(gpu::Reader::Storage);  // the picture, for the pass
  gpu::Pass& pass = gpu_->pass({"difference", "shaders/smoe/difference.comp", {}});
  pass.texture(SMOE_COMPARE_SOURCE, sourceTexture_)
      .image(SMOE_COMPARE_RESULT, picture)
      .params(SMOE_COMPARE_PARAMS, p);
  pass.dispatchGrid(unsigned((p.size.x + SMOE_COMPARE_SIZE - 1) / SMOE_COMPARE_SIZE),
                    unsigned((p.size.y + SMOE_COMPARE_SIZE - 1) / SMOE_COMPARE_SIZE));
  gpu::barrier(gpu::Reader::Texture | gpu::Reader::Transfer);  // display
}

// The fit
// -------------------------------------------------------------------------------------------------

void SmoeTechnique::startFit(bool fromModel) {
  const SourceRequest request = sourceRequest();
  if (request.input.empty()) {
    complaint_ = "--source: expected a picture, a folder or a scene to fit to, found none";
    return;
  }
  if (source_.failed()) source_.drop();  // it may be there by now
  source_.ask(request);
  fit_.drop();
  fitWanted_ = true, fitFromModel_ = fromModel;
}

/// The model of now takes the place of the one that was shown.
void SmoeTechnique::showModelOfFit() {
  const Clock::time_point start = Clock::now();
  const glm::ivec2 before(model_->width, model_->height);
  const int dims = model_->dims;
  model_ = std::make_shared<const Model>(fit_.fitter()->model());
  if (before != glm::ivec2(model_->width, model_->height)) settings_.window.clear();
  if (dims != model_->dims) settings_.view.clear();
  ++modelGeneration_;
  unsaved_ = true;
  shownFit_ = fit_.generation();
  pending_ = std::max(pending_, Effect::Redraw);
  takingMs_ = msSince(start);
  modelTaken_ = Clock::now();
}

void SmoeTechnique::workFit(gpu::Context& gpu, double budgetMs) {
  const bool wasBusy = source_.busy();
  source_.work(gpu);
  if (wasBusy && source_.ready()) {
    sourceShown_ = nullptr;
    if (drawn_) drawn_->source = nullptr;
    if (settings_.show == Show::Error) pending_ = std::max(pending_, Effect::Redraw);
    if (settings_.show == Show::Error && !fitWanted_) demandSource();
  }
  if (fitWanted_ && !source_.busy()) {
    fitWanted_ = false;
    FitRequest request;
    request.components = settings_.components;
    request.steps = settings_.steps;
    request.seed = std::uint64_t(form_.seed);
    if (source_.ready()) {
      fit_.start(source_.ready(), request, fitFromModel_ ? model_ : nullptr);
      checks_.drop();
      namespace fs = std::filesystem;
      fs::path name = fs::path(source_.request().input).filename();
      savedAs_ = (name.empty() ? fs::path("model") : name).replace_extension(".smoe").string();
    }
  }
  const bool worked = fit_.running();
  fit_.work(gpu, budgetMs);
  if (!fit_.fitter() || !worked) return;
  const bool due = msSince(modelTaken_) > std::max(kMinPauseMs, kShareShown * takingMs_);
  if (shownFit_ != fit_.generation() && (due || !fit_.running())) {
    showModelOfFit();
    drawHeat(gpu);
  }
}

/// The error of the fit as a small picture.
void SmoeTechnique::drawHeat(gpu::Context& gpu) {
  const gpu::Texture* error = fit_.errorMap();
  if (!error || !*error) return;
  const glm::ivec2 from(error->width(), error->height());
  const float step = std::max(1.0f, float(std::max(from.x, from.y)) / kHeatSide);
  const glm::ivec2 size = glm::max(glm::ivec2(glm::vec2(from) / step), glm::ivec2(1));
  if (!heat_ || heat_.width() != size.x || heat_.height() != size.y)
    heat_ = gpu::Texture(gpu, "smoe error", gpu::TextureFormat::Rgba8, size.x, size.y);
  shared::Compare p{};
  p.size = size, p.sourceSize = from;
  p.step = step;
  p.gain = heatGain_;
  gpu::Pass& pass = gpu.pass({"heat", "shaders/smoe/heat.comp", {}});
  pass.texture(SMOE_COMPARE_SOURCE, *error)
      .image(SMOE_COMPARE_RESULT, heat_)
      .params(SMOE_COMPARE_PARAMS, p);
  pass.dispatchGrid(unsigned((size.x + SMOE_COMPARE_SIZE - 1) / SMOE_COMPARE_SIZE),
                    unsigned((size.y + SMOE_COMPARE_SIZE - 1) / SMOE_COMPARE_SIZE));
  gpu::barrier(gpu::Reader::Texture);  // the page
  heatOf_ = fit_.generation();
}

// Saving
// -------------------------------------------------------------------------------------------------

std::optional<TechniqueFile> SmoeTechnique::savable() const {
  if (!model_) return std::nullopt;
  return TechniqueFile{"model", {".smoe"}, savedAs_};
}

void SmoeTechnique::save(const std::string& file) {
  smoe::save(file, *model_, settings_.encoding);
  unsaved_ = false;
  inputs_ = {file};
  savedAs_ = file;
}

}  // namespace fathom::smoe
