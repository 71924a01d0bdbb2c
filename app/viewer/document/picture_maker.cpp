// SPDX-License-Identifier: BSD-3-Clause
// One step: collect what changed, decide between preview and full resolution, and run one slice of
// the engine's update().
#include "app/viewer/document/picture_maker.h"

#include "app/core/log.h"
#include "app/core/stopwatch.h"
#include "app/gpu/compile_queue.h"
#include "app/gpu/context.h"
#include "app/gpu/present.h"

#include <algorithm>
#include <exception>
#include <limits>
#include <optional>

namespace fathom::viewer {
namespace {

constexpr double kUnlimitedMs = std::numeric_limits<double>::infinity();
constexpr double kSliceMs = 15, kSoftwareSliceMs = 40;

}  // namespace

PictureMaker::PictureMaker(gpu::Context& gpu, ActiveTechnique& active)
    : gpu_(gpu),
      active_(active),
      compilesBeside_(!gpu.device().software),
      resolution_(gpu.device().software),
      previewTimer_(gpu) {}

double PictureMaker::sliceMs() const {
  return gpu_.device().software ? kSoftwareSliceMs : kSliceMs;
}

void PictureMaker::cameraMoved() {
  cameraMoved_ = true;
  resolution_.moved(Clock::now());
}

void PictureMaker::inputsChanged() {
  requested_ = Effect::Rebuild;
  opening_ = true;
  // A scene starts with a preview.
  if (active_.hasCamera()) resolution_.moved(Clock::now());
}

void PictureMaker::keep() {
  const Technique* engine = active_.engine();
  if (!engine || slicing_ || failed_ || generation_ == 0 || !engine->result()) return;
  if (engine->progressive()) return;  // its partial pictures are shown instead
  kept_ = gpu::copyOf(gpu_, "picture kept", engine->result());
  keptValid_ = true;
}

/// The costliest effect of everything that has changed or was requested since the last step.
Effect PictureMaker::takeRequests() {
  const auto now = Clock::now();
  const bool follows = active_.hasCamera();
  if (!follows && renderedFor_ != glm::max(viewSize_, glm::ivec2(1))) {
    // What is no scene may still be made for the room there is.
    renderedFor_ = glm::max(viewSize_, glm::ivec2(1));
    abandon();
    active_.engine()->setSize(renderedFor_.x, renderedFor_.y);
  }
  Effect effect = active_.takeSettingsChange();
  bool moved = false;
  const Effect own = takeEngineChange(moved);
  const bool wait =
      preview_ && follows && requested_ == Effect::None && (moved || own == Effect::None);
  effect = std::max({effect, own, std::exchange(requested_, Effect::None)});
  if (follows && renderedFor_ != glm::max(viewSize_, glm::ivec2(1))) effect = Effect::Rebuild;
  // One edit is often the first of many: a slider or a border is being dragged.
  const bool inFull = std::exchange(inFull_, false);
  if (effect != Effect::None && follows && generation_ > 0 && !inFull) resolution_.moved(now);
  if (std::exchange(cameraMoved_, false)) effect = Effect::Rebuild, ++viewGeneration_;
  effect = std::max(effect, std::exchange(waiting_, Effect::None));
  if (wait) waiting_ = std::exchange(effect, Effect::None);
  return effect;
}

Effect PictureMaker::takeEngineChange(bool& moved) {
  const Camera* const camera = active_.engine()->camera();
  const Camera before = camera ? *camera : Camera();
  const Effect own = active_.engine()->takeChange();
  const Effect settings = active_.takeSettingsChange();
  moved = settings != Effect::None ||
          (camera && active_.engine()->camera() == camera && *camera != before);
  return std::max(own, settings);
}

bool PictureMaker::step() {
  const std::uint64_t before = generation_;
  takePreviewTimes();
  const Effect effect = takeRequests();
  if (other_ && effect == Effect::None && !slicing_) {
    stepOther();
    return false;
  }
  if (aside_ && effect == Effect::None && !slicing_ && !resolution_.restAt()) {
    stepAside();
    return false;
  }
  if (other_ && effect != Effect::None) {  // the user goes on: their picture comes first
    abandon();
    if (other_->begun) gpu_.timings().endFrame();
    other_.reset();
    keptUntilWhole_ = false;
  }
  const bool follows = active_.hasCamera();
  const bool preview = follows && resolution_.moving(Clock::now());
  const bool rested = resolution_.restAt() && !preview && !preview_ && !(opening_ && slicing_);
  if (effect != Effect::None) {
    begin(effect, preview);
  } else if (rested) {
    // The last preview may have been at full resolution already.
    if (follows && resolution_.scale() < 1.0)
      begin(Effect::Rebuild, false);
    else
      resolution_.rest();
  } else if (slicing_) {
    run(std::exchange(retry_, Effect::None), sliceMs());
  }
  const bool changed = generation_ != before;
  if (changed && !slicing_ && !failed_) keptValid_ = keptUntilWhole_ = false;
  return changed;
}

/// The first slice of a new picture. Previews have no budget, since their resolution follows from
/// the time that a whole one takes: they are left only where slices end in the middle of passes.
/// But the first of new inputs also has to bring these in.
void PictureMaker::begin(Effect effect, bool preview) {
  Technique& engine = *active_.engine();
  const bool follows = engine.camera() != nullptr;
  const glm::ivec2 full = glm::max(viewSize_, glm::ivec2(1));
  glm::ivec2 size = full;
  if (follows && preview)
    size = glm::max(glm::ivec2(glm::dvec2(full) * resolution_.next() + 0.5), glm::ivec2(1));
  else
    resolution_.rest();
  if (follows && size != engine.size()) effect = Effect::Rebuild;
  abandon();
  const bool whole = follows && preview && !opening_;
  if (!preview && !keptUntilWhole_) keep();
  if (whole && cuts() && !failed_) keepShown();
  engine.setSize(size.x, size.y);
  renderedFor_ = full;
  if (whole) preview_ = Preview{stateOf(engine), gpu::workCounts().compiles};
  if (whole) previewTimer_.begin();
  run(std::max(effect, std::exchange(retry_, Effect::None)), sliceMs());
  if (follows && !preview_) setSize(full);
}

bool PictureMaker::cuts() const { return gpu_.device().software; }

bool PictureMaker::update(Effect effect, double budgetMs) {
  Technique& engine = *active_.engine();
  const double ownMs = preview_ ? kUnlimitedMs : budgetMs;
  if (!cuts()) return engine.update(gpu_, effect, ownMs);
  std::optional<OtherState> begun;
  if (preview_ && inTheMiddle()) begun.emplace(engine, preview_->state);
  if (!slice_.pending())
    slice_.start([this, &engine, effect, ownMs] { updated_ = engine.update(gpu_, effect, ownMs); });
  return slice_.resume(budgetMs) && updated_;
}

void PictureMaker::run(Effect effect, double budgetMs) {
  Technique& engine = *active_.engine();
  const auto start = Clock::now();
  // All slices of a picture are one frame of the timings, unless each is shown.
  const bool progressive = engine.progressive();
  const bool goesOn = inTheMiddle();
  if (!goesOn && (effect != Effect::None || progressive)) gpu_.timings().beginFrame();
  try {
    std::optional<gpu::Context::CompilesBeside> beside;
    if (compilesBeside_) beside.emplace(gpu_);
    slicing_ = !update(effect, budgetMs);
    failed_ = false;
  } catch (const gpu::Compiling&) {
    // The old picture stays; the same again in the next step.
    slicing_ = true;
    retry_ = std::max(retry_, effect);
    return;
  } catch (const std::exception& e) {
    error_ = e.what();
    slicing_ = false;
    failed_ = true;
    retry_ = Effect::None;
    requested_ = Effect::None;
  }
  if (preview_)
    preview_->ms += std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  if (inTheMiddle()) return;
  if (!slicing_) opening_ = false;
  if (preview_) finishPreview();
  if (!slicing_ || progressive) gpu_.timings().endFrame();
  ++generation_;
  if (!engine.camera()) setSize(engine.size());
}

/// Software rendering ends on the CPU; waiting for a GPU would stall it, so its times come later,
/// each under the step of its own preview. Compiling is no part of what a picture takes.
void PictureMaker::finishPreview() {
  const Preview made = *std::exchange(preview_, std::nullopt);
  const bool known = !failed_ && !slicing_ && gpu::workCounts().compiles == made.compiles;
  const std::size_t step = resolution_.step();
  setSize(renderedFor_);
  constexpr double kNotMeasured = -1;
  if (!cuts()) return previewTimer_.end(known ? double(step) : kNotMeasured);
  const auto start = Clock::now();
  gpu_.finish();
  const double ms =
      made.ms + std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  const glm::ivec2 size = active_.engine()->size();
  log::info("preview: {} x {}, {:.0f} ms", size.x, size.y, ms);
  if (known) resolution_.measured(step, ms);
}

void PictureMaker::takePreviewTimes() {
  if (gpu_.device().software) return;
  while (const auto finished = previewTimer_.take()) {
    if (finished->work < 0) continue;
    log::info("preview: step {:.0f}, {:.0f} ms", finished->work, finished->ms);
    resolution_.measured(std::size_t(finished->work), finished->ms);
  }
}

void PictureMaker::setSize(glm::ivec2 size) {
  if (size != size_) ++viewGeneration_;
  size_ = size;
}

bool PictureMaker::busy() const {
  return slicing_ || requested_ != Effect::None || waiting_ != Effect::None || cameraMoved_ ||
         other_ || aside_ || resolution_.restAt().has_value();
}

std::optional<Clock::time_point> PictureMaker::dueAt() const {
  if (slicing_ || requested_ != Effect::None || waiting_ != Effect::None || cameraMoved_ ||
      other_ || aside_)
    return Clock::now();
  const Playing* const playing = active_.playing();
  const auto due = playing ? playing->dueAt() : std::nullopt;
  const auto rest = resolution_.restAt();
  return due && rest ? std::min(due, rest) : due ? due : rest;
}

const gpu::Texture* PictureMaker::picture() const {
  const Technique* engine = active_.engine();
  if (!engine) return nullptr;
  if (keptUntilWhole_ && keptValid_ && kept_) return &kept_;
  // A partial picture of another size would jump; the kept one stays until the new one is complete.
  const bool making = preview_ || (slicing_ && !engine->progressive());
  const bool kept = keptValid_ && kept_ && (failed_ || making);
  if (kept) return &kept_;
  const bool fit = generation_ > 0 && (!failed_ || engine->progressive());
  return fit && engine->result() ? &engine->result() : nullptr;
}

void PictureMaker::startOther(std::vector<FieldValue> values) {
  FATHOM_CHECK(active_.engine() != nullptr);
  otherDone_.reset();
  other_ = OtherTask{std::move(values)};
}

void PictureMaker::keepShown() {
  if (keptValid_ || !active_.engine()->result()) return;
  kept_ = gpu::copyOf(gpu_, "picture kept", active_.engine()->result());
  keptValid_ = true;
}

/// One slice. The other settings are the engine's only while it works on their picture.
void PictureMaker::stepOther() {
  Technique& engine = *active_.engine();
  const bool first = !std::exchange(other_->begun, true);
  if (first) {
    keepShown();
    keptUntilWhole_ = true;
    gpu_.timings().beginFrame();
  }
  bool done = true;
  Other made;
  try {
    const OtherState other(engine, {other_->values, stateOf(engine).camera});
    done = update(first ? Effect::Rebuild : Effect::None, sliceMs());
    if (done) made.picture = gpu::copyOf(gpu_, "picture B", engine.result());
  } catch (const std::exception& e) {
    made.error = e.what();
  }
  if (!done) return;
  gpu_.timings().endFrame();
  gpu_.timings().finish();
  made.gpuMs = gpu_.timings().gpuSumMs();
  otherDone_ = std::move(made);
  other_.reset();
  rebuildInFull();
}

void PictureMaker::stepAside() {
  const gpu::Timings::Pause notThePicture(gpu_.timings());
  try {
    if (!slice_.pending()) slice_.start(aside_);
    if (slice_.resume(sliceMs())) aside_ = nullptr;
  } catch (const std::exception& e) {
    error_ = e.what();
    aside_ = nullptr;
  }
}

}  // namespace fathom::viewer
