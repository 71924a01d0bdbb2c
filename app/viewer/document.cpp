// SPDX-License-Identifier: BSD-3-Clause
// Reading on a worker, adopting on the GL thread, and one slice of work per frame.
#include "app/viewer/document.h"

#include "app/core/log.h"
#include "app/gpu/present.h"
#include "app/techniques/choose.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fathom::viewer {
namespace {

constexpr double kNoBudget = std::numeric_limits<double>::infinity();

double msSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

}  // namespace

std::string messageOf(std::exception_ptr error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    return "expected enough memory, found too little";
  } catch (const std::exception& e) {
    return e.what();
  }
}

Document::Document(gpu::Context& gpu, const std::vector<TechniqueEntry>& available, Prepare prepare)
    : gpu_(gpu),
      available_(available),
      prepare_(std::move(prepare)),
      resolution_(gpu.device().software) {}

Document::~Document() { cancelLoading(); }

bool Document::hasCamera() const { return technique_ && technique_->camera() != nullptr; }

void Document::open(const std::vector<std::string>& inputs) {
  if (inputs.empty()) return;
  std::vector<std::string> preferred{preferred_};
  if (entry_) preferred.push_back(entry_->info.name);
  read(chooseTechnique(available_, inputs, preferred), inputs);
  preferred_.clear();
}

void Document::use(const TechniqueEntry& entry) {
  if (!technique_ || entry_ == &entry) return;
  read(entry, technique_->inputs());
}

void Document::read(const TechniqueEntry& entry, const std::vector<std::string>& inputs) {
  cancelLoading();
  auto progress = std::make_shared<Progress>();
  progress->answerQuestions();
  progress_ = progress;
  loadingInputs_ = inputs;
  jobs_.submit(
      [this, &entry, progress, inputs]() -> JobQueue::Delivery {
        progress->throwIfCancelled();
        // A delivery can be copied, what was read can only be moved.
        auto loaded = std::make_shared<std::unique_ptr<LoadedInputs>>(entry.read(inputs, *progress));
        progress->throwIfCancelled();
        return [this, &entry, progress, loaded] {
          if (progress == progress_) progress_.reset();
          if (!progress->cancelled()) adopt(entry, std::move(*loaded));
        };
      },
      [this, progress](std::exception_ptr error) {
        if (progress == progress_) progress_.reset();
        if (!progress->cancelled()) errors_.push_back(messageOf(error));
      });
}

void Document::reload() {
  if (technique_ && !technique_->inputs().empty()) open(technique_->inputs());
}

void Document::cancelLoading() {
  if (progress_) progress_->cancel();
  progress_.reset();
}

void Document::adopt(const TechniqueEntry& entry, std::unique_ptr<LoadedInputs> inputs) {
  const bool sameTechnique = technique_ && entry_ == &entry;
  const bool sameInputs = sameTechnique && technique_->inputs() == loadingInputs_;
  std::unique_ptr<Technique> made = sameTechnique ? nullptr : entry.make();
  Technique& adopting = sameTechnique ? *technique_ : *made;
  std::optional<Camera> camera;  // a file that is read again is seen from the same place
  if (sameInputs && adopting.camera()) camera = *adopting.camera();
  keepPicture();
  try {
    adopting.adopt(std::move(inputs));
  } catch (const std::exception& e) {
    errors_.emplace_back(e.what());
    return;
  }
  if (camera && adopting.camera()) *adopting.camera() = *camera;
  if (made) {
    technique_ = std::move(made);
    entry_ = &entry;
    defaults_ = valuesOf(technique_->settings());
    applied_.clear();
    try {
      prepare_(entry.info, *technique_);
    } catch (const Error& e) {
      errors_.emplace_back(e.what());
    }
  }
  choices_ = techniquesFor(available_, technique_->inputs());
  asked_ = Effect::Rebuild;
  // The first picture of a scene comes early and coarse.
  if (hasCamera()) resolution_.moved(Clock::now());
  ++inputGeneration_;
}

void Document::cameraMoved() {
  cameraMoved_ = true;
  resolution_.moved(Clock::now());
}

Effect Document::changedSettings() {
  const std::vector<FieldValue> now = valuesOf(technique_->settings());
  if (applied_.size() != now.size()) {  // the first time
    applied_ = now;
    return Effect::Rebuild;
  }
  const Effect effect = effectOf(applied_, now);
  applied_ = now;
  return effect;
}

void Document::keepPicture() {
  if (!technique_ || slicing_ || failed_ || generation_ == 0 || !technique_->result()) return;
  if (technique_->progressive()) return;  // its partial pictures are shown
  kept_ = gpu::copyOf(gpu_, "picture kept", technique_->result());
  keptValid_ = true;
}

void Document::fail(const std::string& message) {
  errors_.push_back(message);
  slicing_ = false;
  failed_ = true;
  asked_ = Effect::None;
}

double Document::sliceMs() const { return gpu_.device().software ? 60.0 : 15.0; }

void Document::runUpdate(Effect effect, double budgetMs) {
  // All slices of a picture are one frame of the timings, unless each is shown.
  const bool progressive = technique_->progressive();
  if (effect != Effect::None || progressive) gpu_.timings().beginFrame();
  try {
    slicing_ = !technique_->update(gpu_, effect, budgetMs);
    failed_ = false;
  } catch (const std::exception& e) {
    fail(e.what());
  }
  if (!slicing_ || progressive) gpu_.timings().endFrame();
  ++generation_;
  if (!technique_->camera()) showSize(technique_->size());
}

void Document::showSize(glm::ivec2 size) {
  if (size != pictureSize_) ++viewGeneration_;
  pictureSize_ = size;
}

void Document::beginUpdate(Effect effect, bool interactive) {
  const bool follows = technique_->camera() != nullptr;
  const glm::ivec2 full = glm::max(viewSize_, glm::ivec2(1));
  glm::ivec2 size = full;
  if (follows && interactive)
    size = glm::max(glm::ivec2(glm::dvec2(full) * resolution_.next() + 0.5), glm::ivec2(1));
  else
    resolution_.rest();
  if (follows && size != technique_->size()) effect = Effect::Rebuild;
  const auto start = Clock::now();
  if (!interactive) keepPicture();
  technique_->setSize(size.x, size.y);
  askedSize_ = full;
  runUpdate(effect, follows && interactive ? kNoBudget : sliceMs());
  if (follows && interactive && !failed_) {
    // Software rendering is done when the CPU is; a GPU is never waited for.
    if (gpu_.device().software) gpu_.finish();
    const double ms = gpu_.device().software ? msSince(start) : gpu_.timings().frameWallMs();
    log::info("picture in movement: {} x {}, {:.0f} ms", size.x, size.y, ms);
    resolution_.measured(ms);
  }
  if (follows) showSize(full);
}

bool Document::step() {
  const std::uint64_t before = generation_ + inputGeneration_;
  jobs_.deliver();
  if (!technique_) return false;
  const auto now = Clock::now();
  const bool follows = hasCamera();

  Effect effect = std::max({asked_, changedSettings(), technique_->takeChange()});
  asked_ = Effect::None;
  if (follows && askedSize_ != glm::max(viewSize_, glm::ivec2(1))) effect = Effect::Rebuild;
  // An edit is often the first of many: a slider or a border is being dragged.
  const bool inFull = std::exchange(inFull_, false);
  if (effect != Effect::None && follows && generation_ > 0 && !inFull) resolution_.moved(now);
  if (std::exchange(cameraMoved_, false)) effect = Effect::Rebuild, ++viewGeneration_;

  const bool interactive = follows && resolution_.moving(now);
  const bool rests = resolution_.restAt() && !interactive;
  if (effect != Effect::None) {
    beginUpdate(effect, interactive);
  } else if (rests) {
    // What was made in movement may already be in full.
    if (follows && resolution_.scale() < 1.0)
      beginUpdate(Effect::Rebuild, false);
    else
      resolution_.rest();
  } else if (slicing_) {
    runUpdate(Effect::None, sliceMs());
  }
  if (!slicing_ && !failed_ && generation_ + inputGeneration_ != before) keptValid_ = false;
  return generation_ + inputGeneration_ != before;
}

bool Document::backgroundStep() {
  Background* const background = technique_ ? technique_->background() : nullptr;
  if (!background || backgroundFailedAt_ == generation_) return false;
  try {
    return background->backgroundStep(gpu_, sliceMs());
  } catch (const std::exception& e) {
    errors_.emplace_back(e.what());
    backgroundFailedAt_ = generation_;
    return false;
  }
}

bool Document::busy() const {
  return slicing_ || asked_ != Effect::None || cameraMoved_ || resolution_.restAt().has_value();
}

std::optional<Clock::time_point> Document::dueAt() const {
  if (slicing_ || asked_ != Effect::None || cameraMoved_) return Clock::now();
  const auto due = playing() ? playing()->dueAt() : std::nullopt;
  const auto rest = resolution_.restAt();
  return due && rest ? std::min(due, rest) : due ? due : rest;
}

const gpu::Texture* Document::picture() const {
  // A partial picture of another size would jump; the kept one stays until the new one is complete.
  const bool kept = keptValid_ && kept_ && (failed_ || (slicing_ && !technique_->progressive()));
  if (kept) return &kept_;
  const bool fit = technique_ && generation_ > 0 && (!failed_ || technique_->progressive());
  return fit && technique_->result() ? &technique_->result() : nullptr;
}

Document::Other Document::renderWith(const std::vector<FieldValue>& values) {
  FATHOM_CHECK(technique_ != nullptr);
  const std::vector<FieldValue> own = valuesOf(technique_->settings());
  const auto show = [&](const std::vector<FieldValue>& wanted) {
    for (const FieldValue& value : wanted) assign(technique_->settings(), value.name, value.text);
    gpu_.timings().beginFrame();
    bool done = technique_->update(gpu_, Effect::Rebuild, kNoBudget);
    while (!done) done = technique_->update(gpu_, Effect::None, kNoBudget);
    gpu_.timings().endFrame();
  };
  Other other;
  std::exception_ptr error;
  try {
    show(values);
    other.picture = gpu::copyOf(gpu_, "picture B", technique_->result());
    gpu_.timings().finish();
    other.gpuMs = gpu_.timings().gpuSumMs();
  } catch (...) {
    error = std::current_exception();
  }
  show(own);
  slicing_ = false;
  ++generation_;
  if (error) std::rethrow_exception(error);
  return other;
}

}  // namespace fathom::viewer
