// SPDX-License-Identifier: BSD-3-Clause
// One step: collect what changed, decide between preview and full resolution, and run one slice of
// the engine's update().
#include "app/window/document/picture_maker.h"

#include "app/engine/core/stopwatch.h"
#include "app/engine/gpu/compiler.h"
#include "app/engine/gpu/context.h"
#include "app/engine/gpu/present.h"

namespace fathom::viewer {

PictureMaker::PictureMaker(gpu::Context& gpu, ActiveTechnique& active)
    : gpu_(gpu),
      active_(active),
      compilesBeside_(!gpu.device().software),
      previews_(gpu),
      slices_(gpu) {}

void PictureMaker::cameraMoved() {
  cameraMoved_ = true;
  previews_.resolution().moved(Clock::now());
}

void PictureMaker::inputsChanged() {
  requested_ = Effect::Rebuild;
  opening_ = true;
  // A scene starts with a preview.
  if (active_.hasCamera()) previews_.resolution().moved(Clock::now());
}

void PictureMaker::keep() {
  const Engine* engine = active_.engine();
  if (!engine || state_ != State::Complete || generation_ == 0 || !engine->result()) return;
  if (engine->progressive()) return;  // its partial pictures are shown instead
  kept_.keep(gpu_, engine->result());
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
      previews_.making() && follows && requested_ == Effect::None && (moved || own == Effect::None);
  effect = std::max({effect, own, std::exchange(requested_, Effect::None)});
  if (follows && renderedFor_ != glm::max(viewSize_, glm::ivec2(1))) effect = Effect::Rebuild;
  // One edit is often the first of many: a slider or a border is being dragged.
  const bool inFull = std::exchange(inFull_, false);
  if (effect != Effect::None && follows && generation_ > 0 && !inFull)
    previews_.resolution().moved(now);
  if (std::exchange(cameraMoved_, false)) effect = Effect::Rebuild, ++viewGeneration_;
  effect = std::max(effect, std::exchange(waiting_, Effect::None));
  if (wait) waiting_ = std::exchange(effect, Effect::None);
  return effect;
}

Effect PictureMaker::takeEngineChange(bool& moved) {
  const Camera* const camera = active_.engine()->camera();
  const Camera before = camera ? *camera : Camera();
  const Effect own = active_.takeOwnChange();
  const Effect settings = active_.takeSettingsChange();
  moved = settings != Effect::None ||
          (camera && active_.engine()->camera() == camera && *camera != before);
  return std::max(own, settings);
}

bool PictureMaker::step() {
  const std::uint64_t before = generation_;
  previews_.collect();
  const Effect effect = takeRequests();
  if (b_ && effect == Effect::None && !rendering()) {
    stepB();
    return false;
  }
  if (slices_.hasBackground() && effect == Effect::None && !rendering() &&
      !previews_.resolution().restAt()) {
    stepBackground();
    return false;
  }
  if (b_ && effect != Effect::None) {  // the user goes on: their picture comes first
    abandon();
    if (b_->begun) gpu_.timings().endFrame();
    b_.reset();
    kept_.holdUntilComplete(false);
  }
  const bool follows = active_.hasCamera();
  const bool preview = follows && previews_.resolution().moving(Clock::now());
  const bool rested = previews_.resolution().restAt() && !preview && !previews_.making() &&
                      !(opening_ && rendering());
  if (effect != Effect::None) {
    begin(effect, preview);
  } else if (rested) {
    // The last preview may have been at full resolution already.
    if (follows && previews_.resolution().scale() < 1.0)
      begin(Effect::Rebuild, false);
    else
      previews_.resolution().rest();
  } else if (rendering()) {
    run(std::exchange(retry_, Effect::None));
  }
  const bool changed = generation_ != before;
  if (changed && state_ == State::Complete) kept_.release();
  return changed;
}

/// The first slice of a new picture. Previews have no budget, since their resolution follows from
/// the time that a whole one takes: they are left only where slices end in the middle of passes.
/// But the first of new inputs also has to bring these in.
void PictureMaker::begin(Effect effect, bool preview) {
  Engine& engine = *active_.engine();
  const bool follows = engine.camera() != nullptr;
  const glm::ivec2 full = glm::max(viewSize_, glm::ivec2(1));
  glm::ivec2 size = full;
  if (follows && preview)
    size =
        glm::max(glm::ivec2(glm::dvec2(full) * previews_.resolution().next() + 0.5), glm::ivec2(1));
  else
    previews_.resolution().rest();
  if (follows && size != engine.size()) effect = Effect::Rebuild;
  abandon();
  const bool whole = follows && preview && !opening_;
  if (!preview && !kept_.holding()) keep();
  if (whole && gpu_.device().software && state_ != State::Failed) keepShown();
  engine.setSize(size.x, size.y);
  renderedFor_ = full;
  if (whole) previews_.begin(engine);
  run(std::max(effect, std::exchange(retry_, Effect::None)));
  if (follows && !previews_.making()) setSize(full);
}

void PictureMaker::run(Effect effect) {
  Engine& engine = *active_.engine();
  const Stopwatch watch;
  // All slices of a picture are one frame of the timings, unless each is shown.
  const bool progressive = engine.progressive();
  if (!suspended() && (effect != Effect::None || progressive)) gpu_.timings().beginFrame();
  try {
    std::optional<gpu::Context::CompilesBeside> beside;
    if (compilesBeside_) beside.emplace(gpu_);
    const bool complete = slices_.update(engine, effect, previews_.state());
    state_ = complete ? State::Complete : State::Rendering;
  } catch (const gpu::Compiling&) {
    // The old picture stays; the same again in the next step.
    state_ = State::Compiling;
    retry_ = std::max(retry_, effect);
    return;
  } catch (const std::exception& e) {
    error_ = e.what();
    state_ = State::Failed;
    retry_ = Effect::None;
    requested_ = Effect::None;
  }
  previews_.spent(watch.ms());
  if (suspended()) return;
  if (!rendering()) opening_ = false;
  if (previews_.making()) {
    setSize(renderedFor_);
    previews_.finish(state_ == State::Complete, engine.size());
  }
  if (!rendering() || progressive) gpu_.timings().endFrame();
  ++generation_;
  if (!engine.camera()) setSize(engine.size());
}

void PictureMaker::setSize(glm::ivec2 size) {
  if (size != size_) ++viewGeneration_;
  size_ = size;
}

bool PictureMaker::busy() const {
  return rendering() || requested_ != Effect::None || waiting_ != Effect::None || cameraMoved_ ||
         b_ || slices_.hasBackground() || previews_.resolution().restAt().has_value();
}

std::optional<Clock::time_point> PictureMaker::dueAt() const {
  if (rendering() || requested_ != Effect::None || waiting_ != Effect::None || cameraMoved_ || b_ ||
      slices_.hasBackground())
    return Clock::now();
  const Playing* const playing = active_.playing();
  const auto due = playing ? playing->dueAt() : std::nullopt;
  const auto rest = previews_.resolution().restAt();
  return due && rest ? std::min(due, rest) : due ? due : rest;
}

const gpu::Texture* PictureMaker::picture() const {
  const Engine* engine = active_.engine();
  if (!engine) return nullptr;
  if (kept_.holding() && kept_.valid()) return &kept_.picture();
  // A partial picture of another size would jump; the kept one stays until the new one is complete.
  const bool making = previews_.making() || (rendering() && !engine->progressive());
  if (kept_.valid() && (state_ == State::Failed || making)) return &kept_.picture();
  const bool fit = generation_ > 0 && (state_ != State::Failed || engine->progressive());
  return fit && engine->result() ? &engine->result() : nullptr;
}

void PictureMaker::renderB(std::vector<FieldValue> values) {
  FATHOM_CHECK(active_.engine() != nullptr);
  doneB_.reset();
  b_ = TaskB{std::move(values)};
}

void PictureMaker::keepShown() {
  if (!kept_.valid()) kept_.keep(gpu_, active_.engine()->result());
}

/// One slice. The other settings are the engine's only while it works on their picture.
void PictureMaker::stepB() {
  Engine& engine = *active_.engine();
  const bool first = !std::exchange(b_->begun, true);
  if (first) {
    keepShown();
    kept_.holdUntilComplete(true);
    gpu_.timings().beginFrame();
  }
  bool done = true;
  PictureB made;
  try {
    const ScopedState b(engine, {b_->values, stateOf(engine).camera});
    done = slices_.update(engine, first ? Effect::Rebuild : Effect::None);
    if (done) made.picture = gpu::copyOf(gpu_, "picture B", engine.result());
  } catch (const std::exception& e) {
    made.error = e.what();
  }
  if (!done) return;
  gpu_.timings().endFrame();
  gpu_.timings().finish();
  made.gpuMs = gpu_.timings().gpuSumMs();
  doneB_ = std::move(made);
  b_.reset();
  rebuildInFull();
}

void PictureMaker::stepBackground() {
  const gpu::Timings::Pause notThePicture(gpu_.timings());
  try {
    slices_.stepBackground();
  } catch (const std::exception& e) {
    error_ = e.what();
  }
}

}  // namespace fathom::viewer
